"""What a ranking of classes costs, position by position: by the core in use, and in closed form."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rankscope.align.engine import core
from rankscope.measures.segments import FloatArray, IntArray

__all__ = ["later_costs", "level_costs", "levels_of", "prefix_curve", "worst_costs"]

Int32Array = npt.NDArray[np.int32]


def levels_of(values: FloatArray) -> tuple[FloatArray, Int32Array]:
    """The distinct values from low to high, and for each value its place among them."""
    distinct, level = core().levels_of(np.ascontiguousarray(values, np.float64))
    return distinct, level


def later_costs(level: Int32Array, distance: FloatArray, offsets: IntArray, *, unit: bool) -> FloatArray:
    """For every row the cost of the rows of its query behind it that are nearer: sum_b max(0, d_a - d_b).

    `level` is the place of a row's distance among those of its query, `offsets` where the queries begin. With
    `unit` each such pair costs 1. O(m log n) for m rows at n levels.
    """
    costs: FloatArray = core().later_costs(
        np.ascontiguousarray(level, np.int32),
        np.ascontiguousarray(distance, np.float64),
        np.ascontiguousarray(offsets, np.int64),
        unit=unit,
    )
    return costs


def prefix_curve(cost: FloatArray, worst: FloatArray) -> FloatArray:
    """ClasSi_k for every k, from the costs of the positions and those of the worst ranking's, all above 0."""
    curve: FloatArray = core().prefix_curve(
        np.ascontiguousarray(cost, np.float64), np.ascontiguousarray(worst, np.float64)
    )
    return np.clip(curve, -1.0, 1.0, out=curve)  # beyond it only by rounding


def level_costs(distance: FloatArray, count: IntArray, *, unit: bool) -> FloatArray:
    """What an item of each level costs if all nearer items stand behind it; levels from near to far."""
    nearer = np.concatenate([[0.0], np.cumsum(count[:-1], dtype=np.float64)])[: len(distance)]
    if unit:
        return nearer
    # Gap by gap, every term is positive: nothing cancels.
    costs: FloatArray = np.cumsum(np.diff(distance, prepend=distance[:1]) * nearer)
    return costs


def worst_costs(cost_of_level: FloatArray, count: IntArray, k: int) -> FloatArray:
    """The costs of the first k positions of the worst ranking: the farthest items come first."""
    taken = np.diff(np.minimum(np.cumsum(count[::-1]), k), prepend=0)
    return np.repeat(cost_of_level[::-1], taken)
