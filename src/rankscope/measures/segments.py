"""Sums over stretches of an array: the one place where empty stretches are handled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = [
    "batches",
    "compressed",
    "descending",
    "line_sums",
    "ones",
    "range_sums",
    "ratio",
    "segment_counts",
    "segment_maxima",
    "segment_sums",
]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.signedinteger[Any]]
BoolArray = npt.NDArray[np.bool_]

MOST_CELLS = 2**20


def segment_sums(values: npt.NDArray[Any], offsets: IntArray) -> npt.NDArray[Any]:
    """The sum of ``values[offsets[i]:offsets[i + 1]]`` for every i; 0 for an empty stretch.

    Each stretch is summed by itself, so its sum does not depend on what stands around it to the last bit.
    """
    starts = offsets[:-1]
    filled = starts < offsets[1:]
    if filled.all():
        return np.add.reduceat(values, starts) if len(starts) else np.zeros(0, values.dtype)
    sums = np.zeros(len(starts), values.dtype)
    if filled.any():
        sums[filled] = np.add.reduceat(values, starts[filled])
    return sums


def segment_maxima(values: FloatArray, offsets: IntArray) -> FloatArray:
    """The highest of ``values[offsets[i]:offsets[i + 1]]`` for every i; 0 where none is above 0."""
    maxima = np.zeros(len(offsets) - 1)
    filled = offsets[:-1] < offsets[1:]
    if filled.any():
        maxima[filled] = np.maximum(np.maximum.reduceat(values, offsets[:-1][filled]), 0.0)
    return maxima


def ones(count: int) -> IntArray:
    """So many ones, in the memory of a single one; to be read only."""
    return np.broadcast_to(np.int64(1), count)


def compressed(offsets: IntArray, kept: BoolArray) -> IntArray:
    """The offsets of the stretches when only the `kept` elements remain."""
    kept_before = np.zeros(len(kept) + 1, np.int64)
    np.cumsum(kept, out=kept_before[1:])
    return kept_before[offsets]


def segment_counts(chosen: BoolArray, offsets: IntArray) -> FloatArray:
    """How many elements of each stretch are chosen."""
    return np.diff(compressed(offsets, chosen)).astype(np.float64)


def descending(values: FloatArray, owner: IntArray) -> FloatArray:
    """The values of each owner from high to low; the owners are numbered and stand in order."""
    if np.all((values[1:] <= values[:-1]) | (owner[1:] != owner[:-1])):
        return values
    levels, level = _distinct(-values)
    keys = owner * len(levels) + level
    keys.sort(kind="stable")
    ordered: FloatArray = -levels[keys % len(levels)]
    return ordered


def _distinct(values: FloatArray) -> tuple[FloatArray, IntArray]:
    """Values in ascending order that include all given, and the number of each: grades are whole and few."""
    low = values.min()
    if values.max() - low <= 1024:
        level = (values - low).astype(np.int64)
        levels = low + np.arange(int(level.max()) + 1)
        if np.array_equal(levels[level], values):
            return levels, level
    levels, inverse = np.unique(values, return_inverse=True)
    return levels, inverse


def range_sums(table: FloatArray, start: IntArray, stop: IntArray) -> FloatArray:
    """The sum of ``table[start[i]:stop[i]]`` for every i, where each stretch has at least one element."""
    if not len(start):
        return np.zeros(0)
    width = int((stop - start).max()) + 1
    pairs, which = _unique(start.astype(np.int64) * width + (stop - start))
    # reduceat sums from each index to the next one if that is further on. With the starts going down, the
    # next start is never beyond a stop, so nothing but the wanted stretches is summed.
    pairs = pairs[::-1]
    bounds = np.empty(2 * len(pairs), np.int64)
    bounds[0::2] = pairs // width
    bounds[1::2] = pairs // width + pairs % width
    sums: FloatArray = np.add.reduceat(np.append(table, 0.0), bounds)[0::2][::-1]
    return sums[which]


def _unique(keys: IntArray) -> tuple[IntArray, IntArray]:
    """np.unique with the inverse, without sorting where a list of all possible keys is short enough."""
    space = int(keys.max()) + 1
    if space > 4 * len(keys) + 2**16:
        distinct, which = np.unique(keys, return_inverse=True)
        return distinct, which
    present = np.zeros(space, np.bool_)
    present[keys] = True
    distinct = np.flatnonzero(present)
    number = np.empty(space, np.int64)
    number[distinct] = np.arange(len(distinct))
    return distinct, number[keys]


def ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    """`part` / `whole`, undefined (NaN) where there is no whole."""
    shares = np.full(len(whole), np.nan)
    np.divide(part, whole, out=shares, where=whole > 0)
    return shares


def batches(widths: IntArray) -> Iterator[tuple[IntArray, IntArray]]:
    """Rows of like width with the steps 0, 1, ... to take in each: ragged sums and products become matrices.

    Widths are rounded up to a power of two, so padding at most doubles the work; batches are of bounded size.
    What a row comes to depends on its own width and never on the others of its batch.
    """
    exponents = np.ceil(np.log2(np.maximum(widths, 1))).astype(np.int64)
    for exponent in np.unique(exponents[widths > 0]).tolist():
        rows = np.flatnonzero((exponents == exponent) & (widths > 0))
        portion = max(1, MOST_CELLS >> exponent)
        for start in range(0, len(rows), portion):
            yield rows[start : start + portion], np.arange(1 << exponent)


def line_sums(matrix: FloatArray) -> FloatArray:
    """The sum of each line, each summed by itself."""
    return segment_sums(matrix.ravel(), np.arange(0, matrix.size + 1, matrix.shape[1]))
