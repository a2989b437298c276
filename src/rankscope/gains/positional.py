"""Agreement position by position: what the program that came with RankDCG calls precision.

These are not the precision and average precision of information retrieval: a position counts if both lists
have the same value there.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from rankscope.classes.labels import listed
from rankscope.errors import input_error

__all__ = ["positional_average_precision", "positional_precision"]


def positional_precision(reference: Any, predicted: Any, k: int | None = None) -> float:
    """The share of the first k positions on which the two lists have the same value; NaN for empty lists.

    >>> positional_precision([9, 4, 4, 2], [9, 4, 2, 4])
    0.5
    """
    same = _same(reference, predicted)
    if k is not None:
        same = same[: _cutoff(k, len(same))]
    return float(np.mean(same)) if len(same) else math.nan


def positional_average_precision(reference: Any, predicted: Any) -> float:
    """The mean of `positional_precision` over k = 1, 2, ..., the length of the lists; NaN for empty lists.

    >>> positional_average_precision(["a", "b"], ["a", "c"])
    0.75
    """
    same = _same(reference, predicted)
    if not len(same):
        return math.nan
    return float(np.mean(np.cumsum(same) / np.arange(1, len(same) + 1)))


def _same(reference: Any, predicted: Any) -> npt.NDArray[np.bool_]:
    truth, guess = (_entries(side) for side in (reference, predicted))
    if len(truth) != len(guess):
        raise input_error(
            "lengths",
            source="the prediction",
            found=len(guess),
            other="the reference",
            expected=len(truth),
        )
    for name, entries in (("the reference", truth), ("the prediction", guess)):
        for row, entry in enumerate(entries, 1):
            if entry is None or (isinstance(entry, float) and math.isnan(entry)):
                raise input_error("null", source=name, row=row, field="a value")
    return np.fromiter((a == b for a, b in zip(truth, guess, strict=True)), np.bool_, len(truth))


def _entries(given: Any) -> Sequence[Any]:
    entries: Sequence[Any] = given.tolist() if isinstance(given, np.ndarray) else listed(given)
    return entries


def _cutoff(k: object, most: int) -> int:
    number = operator.index(k) if isinstance(k, SupportsIndex) and not isinstance(k, bool) else 0
    if not 1 <= number <= most:
        raise input_error("class-cutoff", text=k, most=most)
    return number
