"""Two answers to each of many queries, matched: the groups of both, and where each common item stands.

Everything that the similarity of answers depends on is here, for a single pair as for two whole runs.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rankscope.measures.segments import BoolArray, IntArray, compressed, segment_sums

if TYPE_CHECKING:
    from rankscope.align.tables import Ranked
    from rankscope.answers.ranking import Ranking
    from rankscope.data.judgments import Judgments

__all__ = ["Cells", "Matched", "Side"]


@dataclass(frozen=True, eq=False)
class Side:
    """The groups of one answer to each query, best first."""

    offsets: IntArray
    """Groups ``offsets[q]:offsets[q + 1]`` belong to query q."""
    size: IntArray
    """How many items each group has."""

    @cached_property
    def groups(self) -> IntArray:
        """Per query: how many groups."""
        return np.diff(self.offsets)

    @cached_property
    def items(self) -> IntArray:
        """Per query: how many items."""
        return segment_sums(self.size, self.offsets)

    @cached_property
    def number(self) -> IntArray:
        """Per group: its number in its query, from 1."""
        return np.arange(1, len(self.size) + 1) - np.repeat(self.offsets[:-1], self.groups)

    @cached_property
    def before(self) -> IntArray:
        """Per group: how many items of its query stand before it."""
        ends = np.zeros(len(self.size) + 1, np.int64)
        np.cumsum(self.size, out=ends[1:])
        return ends[:-1] - np.repeat(ends[self.offsets[:-1]], self.groups)


@dataclass(frozen=True, eq=False)
class Cells:
    """The pairs of groups that have an item in common, by query."""

    offsets: IntArray
    i: IntArray
    """The group of the left answer, a row of its `Side`."""
    j: IntArray
    count: IntArray
    """How many items they have in common."""


@dataclass(frozen=True, eq=False)
class Matched:
    """The two answers (left: C, right: C') and their common items, query by query."""

    left: Side
    right: Side
    offsets: IntArray
    """Common items ``offsets[q]:offsets[q + 1]`` are those of query q."""
    i: IntArray
    """Per common item: its group in the left answer, a row of `left`."""
    j: IntArray

    @classmethod
    def of(cls, left: Ranking, right: Ranking) -> Matched:
        """A single pair of answers."""
        row = {item: number for number, item in enumerate(right.items)}
        rows = np.fromiter((row.get(item, -1) for item in left.items), np.int64, len(left))
        found = rows >= 0
        (one, group), (other, other_group) = _single(left.sizes), _single(right.sizes)
        offsets = np.array([0, np.count_nonzero(found)])
        return cls(one, other, offsets, i=group[found], j=other_group[rows[found]])

    @classmethod
    def aligned(cls, ranked: Ranked, answer: Judgments) -> Matched:
        """A run and another answer to its queries; items with equal scores are a group, on both sides."""
        return _LATEST.get(ranked, answer)

    @cached_property
    def common(self) -> IntArray:
        """Per query: how many items the two have in common."""
        return np.diff(self.offsets)

    @cached_property
    def both_empty(self) -> BoolArray:
        """Per query: whether there is nothing to compare."""
        empty: BoolArray = (self.left.items == 0) & (self.right.items == 0)
        return empty

    @cached_property
    def cells(self) -> Cells:
        width = max(len(self.right.size), 1)
        keys, count = np.unique(self.i * width + self.j, return_counts=True)
        i, j = keys // width, keys % width
        return Cells(np.searchsorted(i, self.left.offsets), i, j, count)

    def sum(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The sum of the values of a query's common items."""
        return segment_sums(values, self.offsets)

    def spread(self, per_query: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The value of a query for each of its common items."""
        return np.repeat(per_query, self.common)


def _single(sizes: tuple[int, ...]) -> tuple[Side, IntArray]:
    """The groups of a single answer, and the group of each item."""
    size = np.array(sizes, np.int64)
    return Side(np.array([0, len(size)]), size), np.repeat(np.arange(len(size)), size)


def _match(ranked: Ranked, answer: Judgments) -> Matched:
    # With a depth the rows go on to the end of the tie group that it cuts.
    kept = ranked.rank <= np.repeat(ranked.retrieved, np.diff(ranked.offsets))
    offsets, item = compressed(ranked.offsets, kept), ranked.item[kept]
    left, group = _grouped(offsets, ranked.group_first[kept])
    right, group_of_row, keys, row_of_key, codes = answer.remember("groups", lambda: _prepared(answer))
    owner = np.repeat(np.arange(len(answer)), np.diff(offsets))
    wanted = owner * codes + item
    place = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
    # A code from `codes` on is an item that the answer lacks, whose key may be that of one of the next query.
    found = (item < codes) & (keys[place] == wanted) if len(keys) else np.zeros(len(wanted), np.bool_)
    rows = row_of_key[place[found]]
    return Matched(left, right, compressed(offsets, found), group[found], group_of_row[rows])


def _prepared(answer: Judgments) -> tuple[Side, IntArray, IntArray, IntArray, int]:
    """An answer's groups, the group of each row, sorted (query, item) keys, their rows, how many items."""
    owner = np.repeat(np.arange(len(answer)), np.diff(answer.offsets))
    by_score = np.lexsort((-answer.grades, owner))
    side, group = _grouped(answer.offsets, answer.grades[by_score])
    group_of_row = np.empty(len(group), np.int64)
    group_of_row[by_score] = group
    code_of: dict[str, int] = {}
    code = np.fromiter((code_of.setdefault(i, len(code_of)) for i in answer.items), np.int64, len(owner))
    keys = owner * len(code_of) + code
    order = np.argsort(keys, kind="stable")
    return side, group_of_row, keys[order], order, len(code_of)


def _grouped(offsets: IntArray, level: npt.NDArray[Any]) -> tuple[Side, IntArray]:
    """The groups of neighbouring rows of a query with the same level, and the group of each row."""
    opens = np.ones(len(level), np.bool_)
    opens[1:] = level[1:] != level[:-1]
    begins = offsets[:-1]
    opens[begins[begins < len(opens)]] = True
    size = np.diff(np.append(np.flatnonzero(opens), len(level)))
    return Side(compressed(offsets, opens), size), np.cumsum(opens) - 1


class _Latest:
    """The last match: the measures of a call ask for the same one after another."""

    def __init__(self) -> None:
        self._held: tuple[weakref.ref[Any], weakref.ref[Any], Matched] | None = None

    def get(self, ranked: Ranked, answer: Judgments) -> Matched:
        held = self._held
        if held is None or held[0]() is not ranked or held[1]() is not answer:
            held = (
                weakref.ref(ranked, self._forget),
                weakref.ref(answer, self._forget),
                _match(ranked, answer),
            )
            self._held = held
        return held[2]

    def _forget(self, _: object) -> None:
        self._held = None


_LATEST = _Latest()
