"""Corrections of p-values for the number of comparisons made."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

__all__ = ["CORRECTIONS", "corrected"]

FloatArray = npt.NDArray[np.float64]

# name -> what it does. The first is the default.
CORRECTIONS = {
    "holm": "Holm's step-down: no false alarm in the family, and never weaker than bonferroni",
    "bonferroni": "each p-value times their number: no false alarm in the family",
    "bh": "Benjamini-Hochberg: a bounded share of false alarms among the alarms",
    "by": "Benjamini-Yekutieli: the same however the comparisons depend on each other",
    "none": "p-values as they are",
}


def corrected(p: npt.ArrayLike, correction: str) -> FloatArray:
    """The p-values of a family, corrected; one that is not defined stays so and does not count.

    >>> corrected([0.01, 0.04, 0.03], "holm").tolist()
    [0.03, 0.06, 0.06]
    """
    values = np.array(p, np.float64)
    defined = ~np.isnan(values)
    own = values[defined]
    if len(own):
        values[defined] = np.minimum(_METHODS[correction](own), 1.0)
    return values


def _bonferroni(p: FloatArray) -> FloatArray:
    return p * len(p)


def _holm(p: FloatArray) -> FloatArray:
    """The k-th smallest of n is multiplied by n - k + 1, and none is below a smaller one's."""
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return _put_back(stepped, order)


def _benjamini_hochberg(p: FloatArray) -> FloatArray:
    """The k-th smallest of n is multiplied by n / k, and none is above a larger one's."""
    order = np.argsort(p, kind="stable")
    size = len(p)
    scaled = p[order] * (size / np.arange(1, size + 1))
    return _put_back(np.minimum.accumulate(scaled[::-1])[::-1], order)


def _benjamini_yekutieli(p: FloatArray) -> FloatArray:
    return _benjamini_hochberg(p) * float(np.sum(1.0 / np.arange(1, len(p) + 1)))


def _put_back(values: FloatArray, order: npt.NDArray[np.int64]) -> FloatArray:
    found = np.empty_like(values)
    found[order] = values
    return found


_METHODS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "holm": _holm,
    "bonferroni": _bonferroni,
    "bh": _benjamini_hochberg,
    "by": _benjamini_yekutieli,
    "none": lambda p: p,
}
