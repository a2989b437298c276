"""Similarity of answers as sets: by how many items they have (cardinal), and by which (nominal)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from rankscope.answers.matched import Matched
from rankscope.measures.segments import FloatArray, ratio, segment_sums

__all__ = ["NOMINAL", "group_similarity", "set_similarity", "share_of_sizes", "size_ratio"]

Counts = npt.NDArray[Any]

NOMINAL: dict[str, Callable[[Counts, Counts, Counts], FloatArray]] = {
    "jaccard": lambda common, a, b: a + b - common,  # Eq 1
    "dice": lambda common, a, b: (a + b) / 2,  # Eq 2
    "cosine": lambda common, a, b: np.sqrt(a * b),  # Eq 3
    "overlap": lambda common, a, b: np.minimum(a, b),  # Eq 4
    "recall": lambda common, a, b: b,
    "precision": lambda common, a, b: a,
}
"""What the number of common items of sets with a and b items is divided by."""


def nominal(name: str, common: Counts, a: Counts, b: Counts) -> FloatArray:
    """S of sets with a and b items, `common` of them in both: 0 if one is empty, undefined if both are."""
    common, a, b = (np.asarray(counts, np.float64) for counts in (common, a, b))
    values = ratio(common, np.asarray(NOMINAL[name](common, a, b)))
    return np.where((common == 0) & (a + b > 0), 0.0, values)


def set_similarity(matched: Matched, name: str) -> FloatArray:
    """S of all items of both answers."""
    return nominal(name, matched.common, matched.left.items, matched.right.items)


def group_similarity(matched: Matched, name: str) -> FloatArray:
    """Eq 25: S of each pair of groups, summed up; groups without a common item add nothing."""
    values = segment_sums(cell_similarity(matched, name), matched.cells.offsets)
    return np.where(matched.both_empty, np.nan, values)


def cell_similarity(matched: Matched, name: str) -> FloatArray:
    """S of each pair of groups that have an item in common."""
    cells = matched.cells
    return nominal(name, cells.count, matched.left.size[cells.i], matched.right.size[cells.j])


def size_ratio(left: Counts, right: Counts) -> FloatArray:
    """|C| / |C'|."""
    return ratio(np.asarray(left, np.float64), np.asarray(right, np.float64))


def share_of_sizes(left: Counts, right: Counts, of: str) -> FloatArray:
    """|C| / (|C| + |C'|), or |C'| / (|C| + |C'|)."""
    return size_ratio(left if of == "run" else right, np.asarray(left) + np.asarray(right))
