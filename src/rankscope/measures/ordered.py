"""What a kernel of an order reads: all judged items of a query, in the order of the run.

Items without a judgment leave the ranking. Judged items that were not retrieved come after all others, as one
tied group.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from rankscope.measures.segments import (
    BoolArray,
    FloatArray,
    IntArray,
    compressed,
    descending,
    segment_sums,
)

if TYPE_CHECKING:
    from rankscope.align.tables import Judged
    from rankscope.data.judgments import Judgments

__all__ = ["Ordered"]

STRICT = ("docid", "docid-asc", "given")


@dataclass(frozen=True, eq=False)
class Ordered:
    """The rows of a block of queries: groups of tied items, best first; a strict order has groups of one.

    With `averaged`, the value asked for is the mean over all orders of the tied items; without, a group is a
    tie, and what a tie means is the measure's own affair.
    """

    offsets: IntArray
    """Rows ``offsets[q]:offsets[q + 1]`` belong to query q."""
    value: FloatArray
    """The truth: a grade or a true score; bigger is better."""
    first: IntArray
    """The best rank of the row's tie group; 1 is the best of all."""
    size: IntArray
    """How many rows its group has."""
    retrieved: IntArray
    """Per query: how many of its rows were retrieved; they come first."""
    averaged: bool = False

    @classmethod
    def of(
        cls,
        judged: Judged,
        judgments: Judgments,
        *,
        ties: str = "docid",
        unretrieved: str = "last",
        depth: int | None = None,
    ) -> Ordered:
        """The view that the policies ask for; items of rank `depth` and beyond count as not retrieved."""
        ranked = _Retrieved.of(judged, judgments, depth, keeps_ties=ties not in STRICT)
        rows, group, retrieved, offsets = ranked.rows, ranked.group, ranked.counts, ranked.offsets
        if unretrieved == "last":
            rows, group, offsets = _with_the_rest(ranked, judgments)
        value = judgments.grades[rows]
        if ties in ("best", "worst"):
            sign = 1.0 if ties == "best" else -1.0
            value = sign * descending(sign * value, group)
            group = np.arange(len(value))
        first, size = _extents(group, offsets)
        return cls(offsets, value, first, size, retrieved, averaged=ties == "expected")

    def __len__(self) -> int:
        return len(self.retrieved)

    @cached_property
    def tied(self) -> bool:
        """Whether any two items are tied."""
        return bool(len(self.size) and self.size.max() > 1)

    @property
    def counts(self) -> IntArray:
        """Per query: how many rows it has."""
        return np.diff(self.offsets)

    def sum(self, values: FloatArray) -> FloatArray:
        """Per query: the sum of a value per row."""
        return segment_sums(values, self.offsets)

    def spread(self, per_query: IntArray) -> IntArray:
        """A value per query, repeated for each of its rows."""
        return np.repeat(per_query, self.counts)

    def reordered(self, how: Literal["best", "worst"]) -> Ordered:
        """The same items in the order of the truth, or in just the opposite order, as many of them retrieved.

        A tie that stays a tie does so at its ranks: it is a part of what the value means. Where the mean over
        the orders of tied items is asked for, all these orders are there to choose from.
        """
        owner = self.spread(np.arange(len(self)))
        sign = 1.0 if how == "best" else -1.0
        value = sign * descending(sign * self.value, owner)
        first, size = self.first, self.size
        if self.averaged and self.tied:
            rank, retrieved = np.arange(1, len(value) + 1) - self.offsets[owner], self.retrieved[owner]
            first = np.minimum(rank, retrieved + 1)
            size = np.where(rank > retrieved, self.counts[owner] - retrieved, 1)
        return Ordered(self.offsets, value, first, size, self.retrieved, averaged=self.averaged)


@dataclass(frozen=True)
class _Retrieved:
    """The retrieved rows of the truth in rank order."""

    rows: IntArray
    """Which of the truth's rows each is."""
    group: IntArray
    """The number of its tie group; numbers rise from row to row."""
    offsets: IntArray

    @property
    def counts(self) -> IntArray:
        return np.diff(self.offsets)

    @classmethod
    def of(cls, judged: Judged, judgments: Judgments, depth: int | None, *, keeps_ties: bool) -> _Retrieved:
        counts = np.diff(judged.offsets)
        rows = np.repeat(judgments.offsets[:-1], counts) + judged.item
        kept = _counts_as_judged(judgments)[rows]
        kept &= judged.rank <= np.repeat(judged.retrieved, counts)
        offsets = compressed(judged.offsets, kept)
        first, rows = judged.group_first[kept], rows[kept]
        if depth is not None:  # the items without a judgment have left, so the ranks are counted anew
            owner = np.repeat(offsets[:-1], np.diff(offsets))
            near = np.arange(len(rows)) - owner < depth
            offsets, first, rows = compressed(offsets, near), first[near], rows[near]
        if not keeps_ties:
            return cls(rows, np.arange(len(rows)), offsets)
        opens = np.ones(len(rows), np.bool_)
        opens[1:] = first[1:] != first[:-1]
        begins = offsets[:-1]
        opens[begins[begins < len(rows)]] = True
        return cls(rows, np.cumsum(opens) - 1, offsets)


def _counts_as_judged(judgments: Judgments) -> BoolArray:
    """A negative grade of a judgment says that nobody judged the item; a true score may be any number."""
    if judgments.kind == "judgments":
        return judgments.grades >= 0
    return np.ones(len(judgments.grades), np.bool_)


def _with_the_rest(ranked: _Retrieved, judgments: Judgments) -> tuple[IntArray, IntArray, IntArray]:
    """The rows with those that were not retrieved after them, their groups, and the queries' offsets."""
    left = _counts_as_judged(judgments).copy()
    left[ranked.rows] = False
    rest = np.flatnonzero(left)
    rest_offsets = compressed(judgments.offsets, left)
    offsets = ranked.offsets + rest_offsets
    rows = np.empty(len(ranked.rows) + len(rest), np.int64)
    group = np.empty_like(rows)
    queries = np.arange(len(ranked.counts))
    owner, rest_owner = np.repeat(queries, ranked.counts), np.repeat(queries, np.diff(rest_offsets))
    place = np.arange(len(ranked.rows)) + rest_offsets[owner]
    rest_place = np.arange(len(rest)) + ranked.offsets[rest_owner + 1]
    rows[place], rows[rest_place] = ranked.rows, rest
    # One number lies between those of this query's last group and of the next query's first.
    group[place] = ranked.group + owner
    last = np.concatenate([[-1], ranked.group])[ranked.offsets[1:]]
    group[rest_place] = (last + queries + 1)[rest_owner]
    return rows, group, offsets


def _extents(group: IntArray, offsets: IntArray) -> tuple[IntArray, IntArray]:
    """The first rank and the size of each row's group."""
    if not len(group):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    heads = np.flatnonzero(np.diff(group, prepend=group[0] - 1))
    sizes = np.diff(np.append(heads, len(group)))
    begin = np.repeat(offsets[:-1], np.diff(offsets))
    first = np.repeat(heads, sizes) - begin + 1
    return first, np.repeat(sizes, sizes)
