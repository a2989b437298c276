"""The similarity of two answers as sets: cardinal, by how many items they have, and nominal, by which."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankscope.answers import choices
from rankscope.answers.nominal import nominal, share_of_sizes, size_ratio
from rankscope.answers.ranking import item_set
from rankscope.errors import InputError
from rankscope.measures.segments import FloatArray

__all__ = [
    "UNORDERED",
    "cardinal_ratio",
    "cardinal_share",
    "cosine",
    "dice",
    "jaccard",
    "overlap",
    "precision",
    "recall",
]

UNORDERED = (
    "cardinal_ratio",
    "cardinal_share",
    "jaccard",
    "dice",
    "cosine",
    "overlap",
    "recall",
    "precision",
)
"""The functions that take answers as sets: cardinal ones, then nominal ones."""


def cardinal_ratio(a: Any, b: Any) -> float:
    """|C| / |C'|: how many items the one answer has for each of the other.

    A whole number stands for a set of that size.

    >>> cardinal_ratio(["x"], ["x", "y", "z", "w"])
    0.25
    """
    return _one(size_ratio(*_sizes(a, b)))


def cardinal_share(a: Any, b: Any, *, of: str = "run") -> float:
    """|C| / (|C| + |C'|), or with ``of="answer"`` |C'| / (|C| + |C'|), which is printed as a constant.

    >>> cardinal_share({"x", "y"}, {"z", "w", "v", "u", "t", "s"})
    0.25
    """
    return _one(share_of_sizes(*_sizes(a, b), str(choices.SHARE.check(of, "cardinal_share"))))


def jaccard(a: Any, b: Any) -> float:
    """Eq 1: the items of both divided by the items of either.

    >>> jaccard(["a", "b", "c", "d"], ["b", "c", "d", "e"])
    0.6
    """
    return _nominal("jaccard", a, b)


def dice(a: Any, b: Any) -> float:
    """Eq 2: the items of both divided by the mean number of items.

    >>> dice({"a"}, {"a", "b", "c", "d"})
    0.4
    """
    return _nominal("dice", a, b)


def cosine(a: Any, b: Any) -> float:
    """Eq 3: the items of both divided by the geometric mean of the numbers of items.

    >>> cosine({"a"}, {"a", "b", "c", "d"})
    0.5
    """
    return _nominal("cosine", a, b)


def overlap(a: Any, b: Any) -> float:
    """Eq 4: the items of both divided by the items of the smaller answer; 1 if one contains the other.

    >>> overlap({"a"}, {"a", "b", "c", "d"})
    1.0
    """
    return _nominal("overlap", a, b)


def recall(a: Any, b: Any) -> float:
    """The share of the items of `b`, the relevant ones, that `a` has.

    >>> recall({"a", "b"}, {"a", "c", "d", "e"})
    0.25
    """
    return _nominal("recall", a, b)


def precision(a: Any, b: Any) -> float:
    """The share of the items of `a` that are among those of `b`, the relevant ones.

    >>> precision({"a", "b"}, {"a", "c", "d", "e"})
    0.5
    """
    return _nominal("precision", a, b)


def _sizes(*answers: Any) -> tuple[FloatArray, FloatArray]:
    left, right = (np.array([_size(answer)], np.float64) for answer in answers)
    return left, right


def _size(answer: Any) -> int:
    if isinstance(answer, int | np.integer) and not isinstance(answer, bool):
        if answer < 0:
            raise InputError(
                f"an answer of {answer} items", code="answer-size", expected="a number from 0 up"
            )
        return int(answer)
    return len(item_set(answer))


def _nominal(name: str, a: Any, b: Any) -> float:
    one, other = item_set(a), item_set(b)
    return _one(nominal(name, *(np.array([count]) for count in (len(one & other), len(one), len(other)))))


def _one(values: FloatArray) -> float:
    return float(values[0])
