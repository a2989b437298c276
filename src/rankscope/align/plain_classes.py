"""The costs of rankings of classes without the native core: the same functions, in NumPy."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rankscope.measures.segments import FloatArray, IntArray, batches

__all__ = ["later_costs", "levels_of", "prefix_curve"]

Int32Array = npt.NDArray[np.int32]


def levels_of(values: FloatArray) -> tuple[FloatArray, Int32Array]:
    """The distinct values from low to high, and for each value its place among them."""
    distinct, level = np.unique(values + 0.0, return_inverse=True)  # adding 0 makes one of the two zeros
    return distinct, level.astype(np.int32)


def later_costs(level: Int32Array, distance: FloatArray, offsets: IntArray, *, unit: bool) -> FloatArray:
    """For every row the cost of the rows of its query behind it at a lower level."""
    costs = np.zeros(len(level))
    sizes = np.diff(offsets)
    beyond = int(level.max(initial=0)) + 1
    for queries, steps in batches(sizes):
        inside = steps < sizes[queries, np.newaxis]
        rows = offsets[queries, np.newaxis] + np.where(inside, steps, 0)
        # What fills a line up stands last, at a level that is below no other.
        levels, distances = np.where(inside, level[rows], beyond), np.where(inside, distance[rows], 0.0)
        costs[rows[inside]] = _line_costs(levels, distances, unit)[inside]
    return costs


def prefix_curve(cost: FloatArray, worst: FloatArray) -> FloatArray:
    """1 - 2 (sum of the first k costs) / (sum of the first k worst costs), for every k."""
    return 1 - 2 * (np.cumsum(cost) / np.cumsum(worst))


def _line_costs(level: IntArray, distance: FloatArray, unit: bool) -> FloatArray:
    """The same for lines of a matrix.

    Levels are told apart bit by bit, from the highest on: where two agree in all bits before, the one with 0
    is the lower. Sorted by those bits (in the order of the ranking where they agree), what costs an item
    stands behind it in its own stretch, and its count and sum are differences of running sums.
    """
    costs = np.zeros(level.shape)
    place = np.broadcast_to(np.arange(level.shape[1]), level.shape)
    for bit in reversed(range(int(level.max()).bit_length())):
        lower = (level >> bit) & 1 == 0
        ends = _ends(level >> (bit + 1))
        count = _behind(lower.astype(np.float64), ends)
        added = count if unit else count * distance - _behind(np.where(lower, distance, 0.0), ends)
        added[lower | (count == 0)] = 0.0
        np.put_along_axis(costs, place, np.take_along_axis(costs, place, axis=1) + added, axis=1)
        order = np.argsort(level >> bit, axis=1, kind="stable")
        level, distance = (
            np.take_along_axis(level, order, axis=1),
            np.take_along_axis(distance, order, axis=1),
        )
        place = np.take_along_axis(place, order, axis=1)
    return costs


def _ends(stretch: IntArray) -> IntArray:
    """For each cell the column where its stretch of equal numbers ends."""
    width = stretch.shape[1]
    last = np.ones(stretch.shape, np.bool_)
    last[:, :-1] = stretch[:, 1:] != stretch[:, :-1]
    ends = np.where(last, np.arange(1, width + 1), width)
    nearest: IntArray = np.minimum.accumulate(ends[:, ::-1], axis=1)[:, ::-1]
    return nearest


def _behind(values: FloatArray, ends: IntArray) -> FloatArray:
    """For each cell the sum from itself to the end of its stretch."""
    sums = np.zeros((values.shape[0], values.shape[1] + 1))
    sums[:, :-1] = np.cumsum(values[:, ::-1], axis=1)[:, ::-1]
    behind: FloatArray = sums[:, :-1] - np.take_along_axis(sums, ends, axis=1)
    return behind
