"""What a kernel reads: the retrieved judged items with their grades, as the policies have them.

Every item belongs to a group of tied items that share a stretch of ranks; a strict order has groups of one.
A kernel is written once, for groups, and is exact for strict orders and for the mean over all orders of ties.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

import numpy as np

from rankscope.errors import InputError, printable
from rankscope.measures.segments import (
    FloatArray,
    IntArray,
    compressed,
    descending,
    ones,
    range_sums,
    segment_counts,
    segment_maxima,
    segment_sums,
)

if TYPE_CHECKING:
    from rankscope.align.tables import Judged
    from rankscope.data.judgments import Judgments

__all__ = ["Gain", "Graded", "Groups", "binary", "exponential", "floored", "linear"]

T = TypeVar("T")
Weight = Callable[[FloatArray], FloatArray]
Cutoff = int | IntArray | None


@dataclass(frozen=True)
class Gain:
    """What an item of a grade is worth: 0 for grades that are not positive, and never less."""

    name: str
    worth: Callable[[FloatArray], FloatArray] = field(compare=False)
    highest: float = np.inf
    """The highest grade it takes."""

    def __call__(self, grade: FloatArray) -> FloatArray:
        return self.worth(grade)


linear = Gain("linear", lambda grade: np.maximum(grade, 0.0))
exponential = Gain("exp", lambda grade: np.exp2(np.maximum(grade, 0.0)) - 1.0, highest=1000.0)


@lru_cache(maxsize=256)
def binary(rel: float) -> Gain:
    """1 for a relevant item. A negative grade is never relevant, whatever `rel`."""
    return Gain(f"binary({rel})", lambda grade: (grade >= max(rel, 0.0)).astype(np.float64))


@lru_cache(maxsize=256)
def floored(gain: Gain, floor: float) -> Gain:
    """The same gain, but nothing for grades below `floor`."""
    if floor <= 0:
        return gain
    return Gain(
        f"{gain.name} from {floor}", lambda grade: np.where(grade >= floor, gain(grade), 0.0), gain.highest
    )


@dataclass(frozen=True)
class Rows:
    """Items, or groups of items, in rank order within each query."""

    offsets: IntArray
    """Rows ``offsets[q]:offsets[q + 1]`` belong to query q."""
    first: IntArray
    """The best rank in the tie group."""
    size: IntArray
    """How many retrieved items are in the tie group, judged or not."""
    row: IntArray
    """The number of the item's row; of a group, that of its first relevant item."""


@dataclass(frozen=True)
class Groups(Rows):
    """Tie groups that have a relevant item."""

    hits: IntArray
    """How many of the group's items are relevant."""
    before: IntArray
    """How many relevant items of its query stand before it."""

    def leading(self) -> tuple[IntArray, Groups]:
        """The first group of every query that has one, and which queries those are."""
        has_one = self.offsets[1:] > self.offsets[:-1]
        queries = np.flatnonzero(has_one)
        heads = self.offsets[queries]
        offsets = compressed(np.arange(len(self.offsets)), has_one)
        columns = (c[heads] for c in (self.first, self.size, self.row, self.hits, self.before))
        return queries, Groups(offsets, *columns)


class Graded:
    """The retrieved judged items of every query, in rank order, with grades and tie groups."""

    def __init__(
        self,
        judgments: Judgments,
        *,
        offsets: IntArray,
        grade: FloatArray,
        first: IntArray,
        size: IntArray,
        retrieved: IntArray,
    ) -> None:
        self.judgments = judgments
        self.offsets = offsets
        """Rows ``offsets[q]:offsets[q + 1]`` belong to query q."""
        self.grade = grade
        self.first = first
        """The first rank of the row's tie group."""
        self.size = size
        """How many retrieved items are in that group; 1 where the policy has broken the ties."""
        self.retrieved = retrieved
        """Per query: how many items were retrieved."""
        self.tied = bool(len(size) and size.max() > 1)
        self._last = int(first.max(initial=0)) if not self.tied else int((first + size).max()) - 1
        self._straddled = self.tied and bool(np.any(first + size - 1 > self.spread(retrieved)))
        self._memo: dict[Hashable, Any] = {}

    @classmethod
    def of(
        cls,
        judged: Judged,
        judgments: Judgments,
        *,
        ties: str = "docid",
        unjudged: str = "irrelevant",
        depth: int | None = None,
    ) -> Self:
        """The view that the policies ask for.

        `depth` is for unjudged="drop" only, with a run that align has not cut: the unjudged items leave
        first, and then the rest is cut.
        """
        from rankscope.measures.views import view

        return cls(judgments, **view(judged, judgments, ties=ties, unjudged=unjudged, depth=depth))

    def __len__(self) -> int:
        return len(self.retrieved)

    def reordered(self, how: Literal["best", "worst"]) -> Graded:
        """The same items by falling grade and those without a judgment last, or just the opposite."""
        from rankscope.measures.views import reordered

        columns = self.offsets, self.grade, self.first, self.size, self.retrieved
        return self._once(
            ("reordered", how), lambda: Graded(self.judgments, **reordered(*columns, best=how == "best"))
        )

    # ---- what the judgments say, whatever the run; computed once for all runs

    def relevant(self, rel: float) -> FloatArray:
        """Per query: how many items are relevant, retrieved or not."""
        return self._judged_as(("relevant", rel), binary(rel))

    def nonrelevant(self, rel: float) -> FloatArray:
        """Per query: how many items were judged and found not relevant (a negative grade says neither)."""
        return self._judged_as(("nonrelevant", rel), lambda g: ((g >= 0) & (g < rel)).astype(np.float64))

    def highest(self) -> FloatArray:
        """Per query: the highest grade of its judged items, retrieved or not; 0 if none is above 0."""
        truth = self.judgments
        return truth.remember("highest grades", lambda: segment_maxima(truth.grades, truth.offsets))

    def _judged_as(self, key: Hashable, counts: Callable[[FloatArray], FloatArray]) -> FloatArray:
        truth = self.judgments
        return truth.remember(key, lambda: segment_sums(counts(truth.grades), truth.offsets))

    def ideal(self, gain: Gain, weight: Weight, k: int | None = None) -> FloatArray:
        """Per query: `total` of the best ranking of the judged items; `weight` must be hashable."""
        self._check(gain)
        return self.judgments.remember(("ideal", gain, weight, k), lambda: self._ideal(gain, weight, k))

    def _ideal(self, gain: Gain, weight: Weight, k: int | None) -> FloatArray:
        truth = self.judgments
        owner = np.repeat(np.arange(len(self)), np.diff(truth.offsets))
        gains = gain(truth.remember("descending grades", lambda: descending(truth.grades, owner)))
        rank = np.arange(1, len(gains) + 1) - truth.offsets[owner]
        kept = (gains > 0) if k is None else (gains > 0) & (rank <= k)
        return segment_sums(gains[kept] * _weights(weight, rank[kept], None), compressed(truth.offsets, kept))

    def _check(self, gain: Gain) -> None:
        grades = self.judgments.grades
        if not len(grades) or self.judgments.remember("highest grade", grades.max) <= gain.highest:
            return
        row = int(np.argmax(grades > gain.highest))
        query = int(np.searchsorted(self.judgments.offsets, row, side="right")) - 1
        raise InputError(
            f"query '{printable(self.judgments.queries[query])}' gives item "
            f"'{printable(self.judgments.items[row])}' the grade {grades[row]:.17g}, "
            f"too high for gain={gain.name}",
            code="grade-too-high",
            expected=f"grades up to {gain.highest:g}, for 2^grade must be a number",
            hint="gain=linear, or smaller grades",
        )

    # ---- what the run retrieved

    def sum(self, values: FloatArray, offsets: IntArray | None = None) -> FloatArray:
        """Per query: the sum of a value per row (or per group, given the offsets of the groups)."""
        return segment_sums(values, self.offsets if offsets is None else offsets)

    def spread(self, per_query: IntArray, offsets: IntArray | None = None) -> IntArray:
        """A value per query, repeated for each of its rows (or groups)."""
        return np.repeat(per_query, np.diff(self.offsets if offsets is None else offsets))

    def total(
        self, gain: Gain | Callable[[FloatArray], FloatArray], weight: Weight, k: Cutoff = None
    ) -> FloatArray:
        """Per query: gain(grade) times weight(rank), summed over the first k items.

        An item of a tie group counts with the mean weight of the group's ranks; those beyond k weigh nothing.
        """
        worth, rows = self._gaining(gain)
        weights = self.weigh(weight, rows, k)
        return self.sum(worth * (weights / rows.size if self.tied else weights), rows.offsets)

    def hits(self, rel: float, k: Cutoff = None) -> FloatArray:
        """Per query: how many of the first k items are relevant (with ties: expected)."""
        if isinstance(k, np.ndarray):
            return self._within(self._gaining(binary(rel))[1], k)
        return self._once(("hits", rel, k), lambda: self._within(self._gaining(binary(rel))[1], k))

    def judged(self, k: Cutoff = None) -> FloatArray:
        """Per query: how many of the first k items have a judgment (with ties: expected)."""
        return self._within(self._rows(self.offsets, slice(None)), k)

    def _within(self, rows: Rows, k: Cutoff) -> FloatArray:
        if self.tied:
            return self.sum(self.inside(rows, k) / rows.size, rows.offsets)
        limit = self._limit(rows, k)
        if limit is None:
            return np.diff(rows.offsets).astype(np.float64)
        return segment_counts(rows.first <= limit, rows.offsets)

    def groups(self, rel: float) -> Groups:
        """The tie groups that have a relevant item."""
        return self._once(("groups", rel), lambda: self._groups(rel))

    def _groups(self, rel: float) -> Groups:
        _, rows = self._gaining(binary(rel))
        order = np.arange(len(rows.first)) - self.spread(rows.offsets[:-1], rows.offsets)
        if not self.tied:
            return Groups(rows.offsets, rows.first, rows.size, rows.row, ones(len(order)), order)
        opens = np.ones(len(order), np.bool_)
        opens[1:] = (rows.first[1:] != rows.first[:-1]) | (order[1:] == 0)
        heads = np.flatnonzero(opens)
        hits = np.diff(np.append(heads, len(order)))
        return Groups(
            offsets=compressed(rows.offsets, opens),
            first=rows.first[heads],
            size=rows.size[heads],
            row=rows.row[heads],
            hits=hits,
            before=order[heads],
        )

    def nonrelevant_around(self, rel: float) -> tuple[IntArray, IntArray]:
        """For each of `groups(rel)`: how many judged non-relevant items are before it, and how many in it."""
        groups = self.groups(rel)
        passed = np.zeros(len(self.grade) + 1, np.int64)
        np.cumsum((self.grade >= 0) & (self.grade < rel), out=passed[1:])
        begin, end = self._extent(groups.row)
        start = self.spread(self.offsets[:-1], groups.offsets)
        return passed[begin] - passed[start], passed[end] - passed[begin]

    def _extent(self, row: IntArray) -> tuple[IntArray, IntArray]:
        """The stretch of rows of the tie group that a row belongs to."""
        if not self.tied:
            return row, row + 1
        opens = np.ones(len(self.first) + 1, np.bool_)
        opens[1:-1] = self.first[1:] != self.first[:-1]
        opens[self.offsets] = True
        heads = np.flatnonzero(opens)
        group = np.cumsum(opens)[row] - 1
        return heads[group], heads[group + 1]

    def inside(self, rows: Rows, k: Cutoff = None) -> IntArray:
        """For each group: how many of its ranks are among the first k."""
        limit = self._limit(rows, k)
        if limit is None:
            return rows.size
        if not self.tied:
            return (rows.first <= limit).astype(np.int64)
        return np.clip(limit - rows.first + 1, 0, rows.size)

    def weigh(self, weight: Weight, rows: Rows, k: Cutoff = None) -> FloatArray:
        """For each group: the weights of its ranks among the first k, summed."""
        limit = self._limit(rows, k)
        weights = _weights(weight, rows.first, limit)
        if not self.tied:
            return weights
        inside = self.inside(rows, k)
        shared = np.flatnonzero(inside > 1)
        if len(shared):
            first, last = rows.first[shared], rows.first[shared] + inside[shared] - 1
            table = weight(np.arange(1.0, last.max() + 1.0))
            weights[shared] = range_sums(table, first - 1, last)
        return weights

    def _limit(self, rows: Rows, k: Cutoff) -> int | IntArray | None:
        """The last rank that counts, for each group where it is not the same for all."""
        if self._straddled:
            limit = self.retrieved if k is None else np.minimum(self.retrieved, k)
            return self.spread(limit, rows.offsets)
        if isinstance(k, np.ndarray):
            return self.spread(k, rows.offsets)
        return None if k is None or k >= self._last else k

    def _gaining(self, gain: Gain | Callable[[FloatArray], FloatArray]) -> tuple[FloatArray, Rows]:
        """The rows that are worth something, and what."""
        if not isinstance(gain, Gain):
            return gain(self.grade), self._rows(self.offsets, slice(None))
        self._check(gain)
        return self._once(("gaining", gain), lambda: self._select(gain))

    def _select(self, gain: Gain) -> tuple[FloatArray, Rows]:
        worth = gain(self.grade)
        kept = worth > 0
        if kept.all():
            return worth, self._rows(self.offsets, slice(None))
        row = np.flatnonzero(kept)
        return worth[row], self._rows(compressed(self.offsets, kept), row)

    def _rows(self, offsets: IntArray, row: IntArray | slice) -> Rows:
        count = int(offsets[-1])
        return Rows(
            offsets=offsets,
            first=self.first[row],
            size=self.size[row] if self.tied else ones(count),
            row=np.arange(count) if isinstance(row, slice) else row,
        )

    def _once(self, key: Hashable, compute: Callable[[], T]) -> T:
        if key not in self._memo:
            self._memo[key] = compute()
        found: T = self._memo[key]
        return found


def _weights(weight: Weight, ranks: IntArray, limit: int | IntArray | None) -> FloatArray:
    """The weight of each rank; 0 beyond the limit."""
    top = int(ranks.max(initial=0))
    if isinstance(limit, int):
        top = min(top, limit)
    if top > 4 * len(ranks) + 1024:
        weights = weight(ranks.astype(np.float64))
        return weights if limit is None else np.where(ranks <= limit, weights, 0.0)
    table = np.append(weight(np.arange(1.0, top + 1.0)), 0.0)
    if limit is None:
        return table[ranks - 1]
    return table[np.where(ranks <= limit, ranks - 1, top)]
