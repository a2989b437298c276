"""What a kernel of classes reads: the labelled items that were retrieved, and the database they are from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from rankscope.align.costs import level_costs, levels_of
from rankscope.measures.ordered import Ordered
from rankscope.measures.segments import FloatArray, IntArray, compressed

if TYPE_CHECKING:
    from rankscope.align.tables import Ranked
    from rankscope.data.classes import Classes

__all__ = ["Classed", "Database"]

STRICT = ("docid", "docid-asc", "given")


@dataclass(frozen=True, eq=False)
class Classed:
    """The labelled items that were retrieved, best first, ahead of all others as one tied group.

    The others are not listed: how many of them there are in each class is enough.
    """

    listed: Ordered
    """The retrieved items alone; the nearer, the bigger their value."""
    label: IntArray
    """Per row: the number of its class."""
    classes: Classes
    unlabelled: IntArray
    """Per query: how many retrieved items have no label and left the ranking."""
    disorder: float = 0.5
    """Which share of the pairs of other items stands the wrong way round: half, where they may be in any
    order; under the policies best and worst none, and all."""

    @classmethod
    def of(cls, ranked: Ranked, classes: Classes, *, ties: str) -> Classed:
        """The view that the policy on ties asks for."""
        label = classes.labels_of(ranked.dictionary)[ranked.item]
        within = ranked.rank <= np.repeat(ranked.retrieved, np.diff(ranked.offsets))
        kept = within & (label >= 0)
        offsets, label = compressed(ranked.offsets, kept), label[kept]
        value = -_distances(classes, label, offsets)
        group = np.arange(len(label)) if ties in STRICT else _groups(ranked.group_first[kept], offsets)
        if ties in ("best", "worst"):
            order = np.lexsort((-value if ties == "best" else value, group))
            label, value, group = label[order], value[order], np.arange(len(label))
        sizes = np.bincount(group)
        first = np.repeat(np.cumsum(sizes) - sizes, sizes) - np.repeat(offsets[:-1], np.diff(offsets)) + 1
        retrieved = np.diff(offsets)
        averaged = ties == "expected"
        listed = Ordered(offsets, value, first, np.repeat(sizes, sizes), retrieved, averaged=averaged)
        unlabelled = np.diff(compressed(ranked.offsets, within)) - retrieved
        return cls(listed, label, classes, unlabelled, {"best": 0.0, "worst": 1.0}.get(ties, 0.5))

    def __len__(self) -> int:
        return len(self.listed)

    @property
    def retrieved(self) -> IntArray:
        """Per query: how many labelled items were retrieved."""
        return self.listed.retrieved

    def by_class(self) -> Iterator[tuple[Database, IntArray, IntArray]]:
        """For each class of queries the database as it looks from there, its queries and their rows."""
        of_query = self.classes.query_class
        queries, rows = dict(_gathered(of_query)), dict(_gathered(np.repeat(of_query, self.listed.counts)))
        nothing = np.zeros(0, np.int64)
        for number in queries:
            yield self.classes.database(number), queries[number], rows.get(number, nothing)


@dataclass(frozen=True, eq=False)
class Database:
    """All labelled items as they look from one class of queries."""

    distance: FloatArray
    """By class: how far it is."""
    count: IntArray
    """By class: how many items it has."""

    @property
    def size(self) -> int:
        return int(self.count.sum())

    def costs(self, *, unit: bool) -> tuple[FloatArray, FloatArray]:
        """By class: what an item costs if all nearer ones are behind it, and all farther ones if ahead."""
        far, level, count = self._levels
        nearer = level_costs(far, count, unit=unit)
        farther = level_costs(-far[::-1], count[::-1], unit=unit)[::-1]
        return nearer[level], farther[level]

    def worst(self, k: IntArray, *, unit: bool) -> FloatArray:
        """W_k, the cost of the first k positions of the worst ranking, for each of some k."""
        far, _, count = self._levels
        cost, many = level_costs(far, count, unit=unit)[::-1], count[::-1]
        ends = np.cumsum(many)
        whole = np.concatenate([[0.0], np.cumsum(cost * many)])
        last = np.minimum(np.searchsorted(ends, k), len(ends) - 1)
        sums: FloatArray = whole[last] + cost[last] * (k - (ends - many)[last])
        return sums

    @cached_property
    def _levels(self) -> tuple[FloatArray, IntArray, IntArray]:
        """The distinct distances from the nearest on, the level of each class, the items per level."""
        far, level = levels_of(self.distance)
        count = np.zeros(len(far), np.int64)
        np.add.at(count, level, self.count)
        return far - far[:1], level, count


def _distances(classes: Classes, label: IntArray, offsets: IntArray) -> FloatArray:
    """How far each row's class is from that of its query."""
    distance = np.empty(len(label))
    for number, rows in _gathered(np.repeat(classes.query_class, np.diff(offsets))):
        distance[rows] = classes.database(number).distance[label[rows]]
    return distance


def _gathered(numbers: IntArray) -> Iterator[tuple[int, IntArray]]:
    """Each number that occurs, and where."""
    order = np.argsort(numbers, kind="stable")
    distinct, starts = np.unique(numbers[order], return_index=True)
    return zip(distinct.tolist(), np.split(order, starts[1:]), strict=False)


def _groups(first: IntArray, offsets: IntArray) -> IntArray:
    """The number of each row's tie group, rising from row to row."""
    opens = np.ones(len(first), np.bool_)
    opens[1:] = first[1:] != first[:-1]
    begins = offsets[:-1]
    opens[begins[begins < len(first)]] = True
    return np.cumsum(opens) - 1
