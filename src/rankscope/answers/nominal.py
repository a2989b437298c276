"""Similarity of answers as sets: by how many items they have (cardinal), and by which (nominal)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from rankscope.answers.matched import Matched
from rankscope.errors import MeasureError, printable
from rankscope.measures.segments import FloatArray, ratio, segment_sums

__all__ = [
    "NOMINAL",
    "Nominal",
    "as_number",
    "called",
    "cell_similarity",
    "group_similarity",
    "nominal",
    "set_similarity",
    "share_of_sizes",
    "size_ratio",
]

Counts = npt.NDArray[Any]
Nominal = str | Callable[[int, int, int], Any]
"""The name of S, or a function of the number of common items and of the items of each set."""

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


def set_similarity(matched: Matched, s: Nominal) -> FloatArray:
    """S of all items of both answers."""
    sizes = matched.left.items, matched.right.items
    if isinstance(s, str):
        return nominal(s, matched.common, *sizes)
    values, known = np.full(len(matched.common), np.nan), ~matched.both_empty
    values[known] = called(s, "nominal", matched.common[known], *(n[known] for n in sizes))
    return values


def group_similarity(matched: Matched, s: Nominal) -> FloatArray:
    """Eq 25: S of each pair of groups, summed up; groups without a common item add nothing."""
    values = segment_sums(cell_similarity(matched, s), matched.cells.offsets)
    return np.where(matched.both_empty, np.nan, values)


def cell_similarity(matched: Matched, s: Nominal) -> FloatArray:
    """S of each pair of groups that have an item in common."""
    cells = matched.cells
    counts = cells.count, matched.left.size[cells.i], matched.right.size[cells.j]
    return nominal(s, *counts) if isinstance(s, str) else called(s, "nominal", *counts)


def called(function: Callable[..., Any], name: str, *columns: Counts) -> FloatArray:
    """What a function of the user's gives for each row of some columns of whole numbers."""
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return np.fromiter((as_number(function(*row), name, row) for row in rows), np.float64, len(columns[0]))


def as_number(found: object, name: str, arguments: tuple[float, ...]) -> float:
    """What a function of the user's gave, if that is a finite number."""
    try:
        number = float(found)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        shown = ", ".join(map(str, arguments))
        raise MeasureError(
            f"{name}({shown}) is {printable(repr(found))}",
            code="bad-function",
            expected="a finite number",
        )
    return number


def size_ratio(left: Counts, right: Counts) -> FloatArray:
    """|C| / |C'|."""
    return ratio(np.asarray(left, np.float64), np.asarray(right, np.float64))


def share_of_sizes(left: Counts, right: Counts, of: str) -> FloatArray:
    """|C| / (|C| + |C'|), or |C'| / (|C| + |C'|)."""
    return size_ratio(left if of == "run" else right, np.asarray(left) + np.asarray(right))
