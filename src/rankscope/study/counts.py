"""Pairs of lists, counted from the joint histogram of two measures' values and never pair by pair."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rankscope.study.levels import Levels

__all__ = ["Joint", "PairCounts", "joint"]

Array = npt.NDArray[Any]
IntArray = npt.NDArray[np.int64]

DENSE_CELLS = 2**21
"""Up to so many cells the histogram is a table; beyond, a list of the cells that are not empty."""


@dataclass(frozen=True)
class PairCounts:
    """How two measures f and g see pairs of lists.

    Whole numbers of pairs; over weighted lists the shares of pairs of independent draws.

    >>> counts = PairCounts(agree=6, disagree=2, only_f=3, only_g=1, both_tie=0)
    >>> counts.consistency, counts.discriminancy
    (0.75, 3.0)
    """

    agree: float
    """R: both strictly prefer the same list."""
    disagree: float
    """S: they strictly prefer different ones."""
    only_f: float
    """P: f tells the two apart and g does not."""
    only_g: float
    """Q: g tells the two apart and f does not."""
    both_tie: float

    @property
    def consistency(self) -> float:
        """C = R / (R + S); NaN if no pair is told apart by both."""
        return self.agree / (self.agree + self.disagree) if self.agree + self.disagree else math.nan

    @property
    def discriminancy(self) -> float:
        """D of f over g = P / Q; infinite if only Q is 0, and 1 if both are."""
        if not self.only_g:
            return math.inf if self.only_f else 1.0
        return self.only_f / self.only_g

    @property
    def tau_b(self) -> float:
        """Kendall's tau-b of the orders that the two give; NaN if one of them ties all lists."""
        told_apart = self.agree + self.disagree
        scale = math.sqrt((told_apart + self.only_f) * (told_apart + self.only_g))
        return (self.agree - self.disagree) / scale if scale else math.nan

    def turned(self) -> PairCounts:
        """The same with f and g exchanged."""
        return PairCounts(self.agree, self.disagree, self.only_g, self.only_f, self.both_tie)

    def __add__(self, other: PairCounts) -> PairCounts:
        return PairCounts(
            self.agree + other.agree,
            self.disagree + other.disagree,
            self.only_f + other.only_f,
            self.only_g + other.only_g,
            self.both_tie + other.both_tie,
        )


@dataclass(frozen=True, eq=False)
class Joint:
    """The cells of a joint histogram, and how a list of each cell compares with all others."""

    weight: Array
    """Per cell: how many lists, or their share."""
    agree: Array
    disagree: Array
    only_f: Array
    only_g: Array

    @property
    def counts(self) -> PairCounts:
        """Each pair once for whole numbers of lists, as a share of all ordered pairs for shares."""
        columns = (self.agree, self.disagree, self.only_f, self.only_g)
        total, sums = self.weight.sum(), [(self.weight * column).sum() for column in columns]
        if self.weight.dtype.kind == "i":
            r, s, p, q = (int(found) // 2 for found in sums)
            pairs = int(total) * (int(total) - 1) // 2
            return PairCounts(r, s, p, q, pairs - r - s - p - q)
        shares = [float(found / total**2) for found in sums]
        return PairCounts(shares[0], shares[1], shares[2], shares[3], max(0.0, 1.0 - sum(shares)))


def joint(f: Levels, g: Levels, weights: Array | None = None) -> Joint:
    """The joint histogram of two measures over the lists for which both are defined."""
    defined = f.defined & g.defined
    whole = bool(defined.all())
    one, other = (f.level, g.level) if whole else (f.level[defined], g.level[defined])
    chosen = weights if weights is None or whole else weights[defined]
    key = one.astype(np.int64) * g.count + other
    cells = f.count * g.count
    if cells <= DENSE_CELLS:
        return _dense(_histogram(key, chosen, cells).reshape(f.count, g.count))
    distinct, which = np.unique(key, return_inverse=True)
    weight = _histogram(which, chosen, len(distinct))
    return _sparse(distinct // g.count, distinct % g.count, weight, f.count, g.count)


def _histogram(key: IntArray, weights: Array | None, cells: int) -> Array:
    if weights is None:
        return np.bincount(key, minlength=cells)
    found = np.bincount(key, weights, cells)
    # Whole weights below 2^31 in all are exact as floats, and so are the pairs as 64-bit numbers.
    return found.astype(np.int64) if weights.dtype.kind in "iu" else found


def _dense(table: Array) -> Joint:
    below = np.zeros((table.shape[0] + 1, table.shape[1] + 1), table.dtype)
    below[1:, 1:] = table.cumsum(axis=0).cumsum(axis=1)
    of_f, of_g, total = below[1:, -1:], below[-1:, 1:], below[-1, -1]
    # Worse by both measures, and better by both: the sums of two corners of the table.
    agree = below[:-1, :-1] + total - of_f - of_g + below[1:, 1:]
    filled = table != 0
    in_f, in_g = table.sum(axis=1, keepdims=True), table.sum(axis=0, keepdims=True)
    disagree = total - in_f - in_g + table - agree
    return Joint(
        table[filled], agree[filled], disagree[filled], (in_g - table)[filled], (in_f - table)[filled]
    )


def _sparse(f: IntArray, g: IntArray, weight: Array, f_count: int, g_count: int) -> Joint:
    """The same from cells in ascending order of f, then g."""
    in_f = _totals(f, weight, f_count)[f]
    in_g = _totals(g, weight, g_count)[g]
    agree = _agreeing(f, g, weight, g_count)
    disagree = weight.sum() - in_f - in_g + weight - agree
    return Joint(weight, agree, disagree, in_g - weight, in_f - weight)


def _totals(level: IntArray, weight: Array, count: int) -> Array:
    totals = np.zeros(count, weight.dtype)
    np.add.at(totals, level, weight)
    return totals


def _agreeing(f: IntArray, g: IntArray, weight: Array, g_count: int) -> Array:
    """Per cell: the weight of all cells that are below it, or above it, in both f and g.

    Two values of g differ first in one binary digit. For each digit the cells whose higher digits are the
    same stand together, in ascending order of f; those with a 0 are below those with a 1. n log n in all.
    """
    agree = np.zeros(len(f), weight.dtype)
    order = np.arange(len(f))
    for digit in reversed(range(max(1, (g_count - 1).bit_length()))):
        group = g[order] >> (digit + 1)
        bit = (g[order] >> digit & 1).astype(np.bool_)
        zeros, ones = np.where(bit, 0, weight[order]), np.where(bit, weight[order], 0)
        before, after = _strictly_around(group, f[order], zeros, ones)
        agree[order] += np.where(bit, before, after)
        # A stable sort by one more digit: within each group the zeros come first.
        order = order[np.argsort(g[order] >> digit, kind="stable")]
    return agree


def _strictly_around(group: IntArray, f: IntArray, zeros: Array, ones: Array) -> tuple[Array, Array]:
    """Per cell: the zeros of its group with a lower f, and the ones of its group with a higher f."""
    new_group = np.concatenate([[True], group[1:] != group[:-1]])
    new_run = new_group.copy()
    new_run[1:] |= f[1:] != f[:-1]
    group_start, run_start = np.flatnonzero(new_group), np.flatnonzero(new_run)
    group_of, run_of = np.cumsum(new_group) - 1, np.cumsum(new_run) - 1
    zeros_before = np.concatenate([[0], np.cumsum(zeros)])
    ones_before = np.concatenate([[0], np.cumsum(ones)])
    group_end = np.append(group_start[1:], len(f))
    run_end = np.append(run_start[1:], len(f))
    before = zeros_before[run_start][run_of] - zeros_before[group_start][group_of]
    after = ones_before[group_end][group_of] - ones_before[run_end][run_of]
    return before, after
