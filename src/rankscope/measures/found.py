"""Means over what was found, exact also where the depth of a run divides a group of tied items.

How many relevant items are found is then a matter of chance: of a group of n items, r of them relevant, d are
inside, and x of these relevant with the chances of the hypergeometric distribution. A value that divides by
what was found is a mean over the cases x; without such a group a query has one case.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankscope.measures.graded import Graded, Groups
from rankscope.measures.segments import BoolArray, FloatArray, IntArray, batches, line_sums, segment_sums

__all__ = ["Cases", "Lags", "lags"]


@dataclass(frozen=True, eq=False)
class Cases:
    """The cases of all queries, query after query."""

    offsets: IntArray
    """Cases ``offsets[q]:offsets[q + 1]`` belong to query q."""
    query: IntArray
    chance: FloatArray
    hits: FloatArray
    """How many relevant items are found."""
    of_divided: FloatArray
    """How many of these are of the divided group; 0 without one."""
    group: IntArray
    """The number of the divided group, or of any other group without one."""
    whole: BoolArray
    """Of each group: whether all of it is inside."""

    @classmethod
    def of(cls, graded: Graded, groups: Groups) -> Cases:
        inside = graded.inside(groups)
        whole = inside == groups.size
        kept = graded.sum(np.where(whole, groups.hits, 0), groups.offsets).astype(np.float64)
        divided = np.flatnonzero((inside > 0) & ~whole)
        numbers, chances = _hypergeometric(groups.hits[divided], inside[divided], groups.size[divided])
        owner = np.repeat(np.arange(len(graded)), np.diff(groups.offsets))[divided]
        counts = np.ones(len(graded), np.int64)
        counts[owner] = [len(n) for n in numbers]
        query = np.repeat(np.arange(len(graded)), counts)
        offsets = np.append(0, np.cumsum(counts))
        chance, taken = np.ones(len(query)), np.zeros(len(query))
        group = np.zeros(len(query), np.int64)
        for which, q in enumerate(owner.tolist()):
            place = slice(offsets[q], offsets[q + 1])
            chance[place], taken[place], group[place] = chances[which], numbers[which], divided[which]
        return cls(offsets, query, chance, kept[query] + taken, taken, group, whole)

    def column(self, per_group: IntArray | FloatArray) -> FloatArray:
        """What each case's divided group has of a value per group; without a group, 0."""
        return per_group[self.group].astype(np.float64) if len(per_group) else np.zeros(len(self.query))

    def mean(self, values: FloatArray) -> FloatArray:
        """Per query: the mean over those of its cases in which the value is defined."""
        defined = ~np.isnan(values)
        total = segment_sums(np.where(defined, values * self.chance, 0.0), self.offsets)
        chance = segment_sums(np.where(defined, self.chance, 0.0), self.offsets)
        means = np.full(len(total), np.nan)
        np.divide(total, chance, out=means, where=chance > 0)
        return means


@dataclass(frozen=True, eq=False)
class Lags:
    """In each case: how many items that are not relevant stand before each relevant one, summed up."""

    cases: Cases
    total: FloatArray


def lags(graded: Graded, rel: float) -> Lags:
    """The lags of the relevant items that were found.

    Of the items of a tie group that are not relevant, half stand before a relevant one on the average.
    """
    groups = graded.groups(rel)
    cases = Cases.of(graded, groups)
    earlier = groups.first - 1 - groups.before
    each = groups.hits * (earlier + (groups.size - groups.hits) / 2)
    kept = graded.sum(np.where(cases.whole, each, 0.0), groups.offsets)[cases.query]
    x, inside = cases.of_divided, cases.column(graded.inside(groups))
    return Lags(cases, kept + x * (cases.column(earlier) + (inside - x) / 2))


def _hypergeometric(
    hits: IntArray, inside: IntArray, size: IntArray
) -> tuple[list[IntArray], list[FloatArray]]:
    """For each group: how many hits may be inside, and the chance of each number."""
    low = np.maximum(0, hits + inside - size)
    widths = np.minimum(hits, inside) - low + 1
    numbers: list[IntArray] = [
        np.arange(a, a + w) for a, w in zip(low.tolist(), widths.tolist(), strict=True)
    ]
    chances: list[FloatArray] = [np.ones(w) for w in widths.tolist()]
    for rows, i in batches(widths):
        x = low[rows][:, None] + i
        # Each chance by its ratio to the one before, in logarithms, so that no group is too large.
        up = (hits[rows][:, None] - x + 1) * (inside[rows][:, None] - x + 1)
        down = x * ((size - hits - inside)[rows][:, None] + x)
        possible = i < widths[rows][:, None]
        steps = np.log(np.where(possible & (i > 0), up / np.maximum(down, 1), 1.0))
        height = np.where(possible, np.cumsum(steps, axis=1), -np.inf)
        share = np.exp(height - height.max(axis=1, keepdims=True))
        share /= line_sums(share)[:, None]
        for line, row in enumerate(rows.tolist()):
            chances[row] = share[line, : widths[row]]
    return numbers, chances
