"""How well a ranking puts near classes before far ones: 1 is the best order, -1 the worst, 0 luck.

Every pair of items that stand the wrong way round costs the difference of their distances from the query's
class (or 1 each, with cost=unit). The cost of the pairs that begin within the first k is held against that of
the worst ranking of the same items. Over judgments a grade is a class, and its distance how much it is below
the best one. By differences of distances 0, 1, 2, ... it is Spearman's rho, by units Kendall's tau; with two
classes it is 2 AUC - 1.

Items that were not retrieved follow all others as one tied group, and the value is the mean over the orders
of what is tied. At most as many positions are measured as were retrieved. That luck gives 0 is so for the
whole ranking; with a cutoff it may give more or less.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rankscope.align.costs import later_costs
from rankscope.measures.base import CUTOFF, Param, measure
from rankscope.measures.classed import Classed
from rankscope.measures.ordered import Ordered
from rankscope.measures.segments import FloatArray, IntArray, ratio, segment_sums

COST = Param(
    "cost",
    str,
    default="difference",
    choices=("difference", "unit"),
    help="what a pair in the wrong order costs: the difference of its distances, or 1",
)


@measure(
    "ClasSi",
    aliases=("class_similarity",),
    params=[COST, CUTOFF],
    range=(-1, 1),
    truth="classes",
    product="ordered",
    empty=None,
    reference="ivanescu2011classi",
    formula=r"1 - 2 \frac{\sum_{a=1}^{k} \sum_{b=a+1}^{m} \max(0, d_a - d_b)}{W_k}",
)
def classi(ranking: Ordered | Classed, *, cost: str, k: int | None) -> FloatArray:
    unit = cost == "unit"
    if isinstance(ranking, Classed):
        spent, worst = _of_database(ranking, k, unit)
    else:
        spent, worst = _of_listed(ranking, k, unit)
    return 1 - 2 * ratio(spent, worst)


def _of_listed(ranking: Ordered, k: int | None, unit: bool) -> tuple[FloatArray, FloatArray]:
    """DisCost_k and W_k where all items are listed."""
    pairs = _Pairs(ranking, unit)
    depth = ranking.counts if k is None else np.minimum(ranking.retrieved, k)
    spent = ranking.sum(pairs.later * pairs.share(depth) + pairs.inner * pairs.inner_share(depth))
    return spent, pairs.worst(depth)


def _of_database(ranking: Classed, k: int | None, unit: bool) -> tuple[FloatArray, FloatArray]:
    """The same where the items that were not retrieved are known by the number of each class."""
    pairs = _Pairs(ranking.listed, unit)
    depth = ranking.retrieved if k is None else np.minimum(ranking.retrieved, k)
    cost, either = -pairs.earlier - pairs.inner, np.zeros(len(ranking.label))
    worst = np.zeros(len(ranking))
    for database, queries, rows in ranking.by_class():
        nearer, farther = (by_class[ranking.label[rows]] for by_class in database.costs(unit=unit))
        cost[rows] += nearer
        either[rows] = nearer + farther
        worst[queries] = database.worst(
            np.full(len(queries), database.size) if k is None else depth[queries], unit=unit
        )
    spent = ranking.listed.sum(cost * pairs.share(depth) + pairs.inner * pairs.inner_share(depth))
    if k is None:
        # The pairs that were not retrieved: of all pairs those are left when each retrieved item takes its
        # own away, which counts the pairs of two such items twice.
        left = worst - ranking.listed.sum(either) + pairs.worst(ranking.retrieved)
        spent += np.maximum(left, 0.0) * ranking.disorder
    return spent, worst


@dataclass(frozen=True, eq=False)
class _Pairs:
    """What the listed rows of each query cost each other.

    A row is at a level of its query, 0 the nearest. The rows of one call are arranged so that exactly the
    pairs in question stand the wrong way round; what these cost, the core says.
    """

    ranking: Ordered
    unit: bool

    @cached_property
    def later(self) -> FloatArray:
        """Per row: the nearer rows of later tie groups."""
        if not self.ranking.tied:
            return self._costs(np.arange(len(self._level)), self.ranking.offsets)
        return self._costs(self._arranged(self._group, self._level), self.ranking.offsets)

    @cached_property
    def earlier(self) -> FloatArray:
        """Per row: the nearer rows of earlier tie groups, which it is rightly or luckily behind."""
        backwards = np.concatenate([[0], np.cumsum(self.ranking.counts[::-1])])
        return self._costs(self._arranged(-self._group, self._level), backwards)

    @cached_property
    def inner(self) -> FloatArray:
        """Per row: the nearer rows of its own tie group."""
        inner = np.zeros(len(self._level))
        tied = np.flatnonzero(self.ranking.size > 1)
        if len(tied):
            order = tied[self._arranged(self._group[tied], -self._level[tied])]
            heads = np.flatnonzero(np.diff(self._group[tied], prepend=-1))
            offsets = np.append(heads, len(tied))
            distance = self._distance[order]
            inner[order] = later_costs(self._level[order], distance, offsets, unit=self.unit)
        return inner

    def worst(self, depth: IntArray) -> FloatArray:
        """Per query: what the first rows of the worst order cost, so many as `depth` says."""
        order = self._arranged(self._owner, -self._level)
        costs = self._costs(order, self.ranking.offsets)[order]
        rank = np.arange(len(order)) - self.ranking.spread(self.ranking.offsets[:-1])
        return segment_sums(np.where(rank < self.ranking.spread(depth), costs, 0.0), self.ranking.offsets)

    def share(self, depth: IntArray) -> FloatArray:
        """Per row: the chance that it is among the first of its query."""
        shares: FloatArray = self._within(depth) / self.ranking.size
        return shares

    def inner_share(self, depth: IntArray) -> FloatArray:
        """Per row: the chance that it is among the first, and ahead of another one of its group."""
        size, within = self.ranking.size, self._within(depth)
        pairs = np.maximum(size * (size - 1.0), 1.0)
        shares: FloatArray = within * (2 * size - within - 1) / (2 * pairs)
        return shares

    def _within(self, depth: IntArray) -> IntArray:
        """How many places of each row's group are among the first of its query."""
        within: IntArray = np.clip(self.ranking.spread(depth) - self.ranking.first + 1, 0, self.ranking.size)
        return within

    def _costs(self, order: IntArray, offsets: IntArray) -> FloatArray:
        costs = np.empty(len(order))
        costs[order] = later_costs(self._level[order], self._distance[order], offsets, unit=self.unit)
        return costs

    def _arranged(self, major: IntArray, minor: IntArray) -> IntArray:
        """The order by one number, then by another; what is equal in both is alike."""
        return np.argsort(major * (len(self._level) + 1) + minor)

    @cached_property
    def _owner(self) -> IntArray:
        return self.ranking.spread(np.arange(len(self.ranking)))

    @cached_property
    def _group(self) -> IntArray:
        """The number of each row's tie group."""
        first, owner = self.ranking.first, self._owner
        opens = (np.diff(first, prepend=0) != 0) | (np.diff(owner, prepend=-1) != 0)
        return np.cumsum(opens) - 1

    @cached_property
    def _distance(self) -> FloatArray:
        """Per row: how far it is below the best of its query."""
        best = np.zeros(len(self.ranking))
        filled = self.ranking.counts > 0
        if filled.any():
            best[filled] = np.maximum.reduceat(self.ranking.value, self.ranking.offsets[:-1][filled])
        return np.repeat(best, self.ranking.counts) - self.ranking.value

    @cached_property
    def _level(self) -> IntArray:
        """Per row: the place of its distance among the distinct ones of its query."""
        order = np.lexsort((self._distance, self._owner))
        rises = np.diff(self._distance[order], prepend=0.0) != 0
        rises[self.ranking.offsets[:-1][self.ranking.counts > 0]] = False
        total = np.cumsum(rises)
        level = np.empty(len(order), np.int64)
        begins = np.minimum(self.ranking.offsets[:-1], max(len(order) - 1, 0))
        level[order] = total - self.ranking.spread(total[begins] if len(order) else begins)
        return level
