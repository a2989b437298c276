"""The rankings as the policies on ties and unjudged items have them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypedDict

import numpy as np

from rankscope.measures.segments import (
    BoolArray,
    FloatArray,
    IntArray,
    compressed,
    descending,
    ones,
    segment_maxima,
)

if TYPE_CHECKING:
    from rankscope.align.tables import Judged
    from rankscope.data.judgments import Judgments

__all__ = ["Columns", "reordered", "view"]


class Columns(TypedDict):
    """The columns of a `Graded`."""

    offsets: IntArray
    grade: FloatArray
    first: IntArray
    size: IntArray
    retrieved: IntArray


@dataclass(frozen=True)
class _Ranking:
    """The rows of all queries, in rank order within each."""

    offsets: IntArray
    grade: FloatArray
    rank: IntArray
    first: IntArray
    size: IntArray
    retrieved: IntArray

    @property
    def has_ties(self) -> bool:
        return bool(len(self.size) and self.size.max() > 1)

    def opens(self) -> BoolArray:
        """Whether a row is the first of its tie group."""
        opens = np.ones(len(self.first), np.bool_)
        opens[1:] = self.first[1:] != self.first[:-1]
        begins = self.offsets[:-1]
        opens[begins[begins < len(opens)]] = True
        return opens

    def keep(self, kept: BoolArray) -> _Ranking:
        if kept.all():
            return self
        return _Ranking(
            compressed(self.offsets, kept),
            self.grade[kept],
            self.rank[kept],
            self.first[kept],
            self.size[kept],
            self.retrieved,
        )


def view(judged: Judged, judgments: Judgments, *, ties: str, unjudged: str, depth: int | None) -> Columns:
    """The columns that kernels read, under the policies."""
    counts = np.diff(judged.offsets)
    grade = judgments.grades[np.repeat(judgments.offsets[:-1], counts) + judged.item]
    ranking = _Ranking(
        judged.offsets, grade, judged.rank, judged.group_first, judged.group_size, judged.retrieved
    )
    if unjudged == "drop":
        ranking = _condensed(ranking, depth)
    if ties in ("best", "worst"):
        ranking = _by_grade(ranking, best=ties == "best")
    if ties in ("expected", "kept") and ranking.has_ties:
        first, size = ranking.first, ranking.size
    else:
        ranking = _within_retrieved(ranking)
        first, size = ranking.rank, ones(len(ranking.rank))
    return Columns(
        offsets=ranking.offsets, grade=ranking.grade, first=first, size=size, retrieved=ranking.retrieved
    )


def reordered(
    offsets: IntArray,
    grade: FloatArray,
    first: IntArray,
    size: IntArray,
    retrieved: IntArray,
    *,
    best: bool,
) -> Columns:
    """The same items with the best grades first and those without a judgment last, or the other way round.

    Where the depth of the run divides a tie group, all its items are there to choose from.
    """
    counts = np.diff(offsets)
    owner = np.repeat(np.arange(len(counts)), counts)
    sign = 1.0 if best else -1.0
    rank = np.arange(1, len(grade) + 1) - offsets[owner]
    if not best:
        rank += np.maximum(_last_ranks(offsets, first + size - 1), retrieved)[owner] - counts[owner]
    kept = rank <= retrieved[owner]
    return Columns(
        offsets=compressed(offsets, kept),
        grade=(sign * descending(sign * grade, owner))[kept],
        first=rank[kept],
        size=ones(int(np.count_nonzero(kept))),
        retrieved=retrieved,
    )


def _last_ranks(offsets: IntArray, last: IntArray) -> IntArray:
    return segment_maxima(last.astype(np.float64), offsets).astype(np.int64)


def _within_retrieved(ranking: _Ranking) -> _Ranking:
    """Without the part of a tie group that reaches beyond the depth of the run."""
    if not ranking.has_ties:
        return ranking
    return ranking.keep(ranking.rank <= np.repeat(ranking.retrieved, np.diff(ranking.offsets)))


def _condensed(ranking: _Ranking, depth: int | None) -> _Ranking:
    """The ranking of the judged items alone, cut at `depth`; a negative grade leaves an item as unjudged."""
    ranking = ranking.keep(ranking.grade >= 0)
    counts = np.diff(ranking.offsets)
    rank = np.arange(1, len(ranking.rank) + 1) - np.repeat(ranking.offsets[:-1], counts)
    if ranking.has_ties:
        heads = np.flatnonzero(ranking.opens())
        sizes = np.diff(np.append(heads, len(rank)))
        first, size = np.repeat(rank[heads], sizes), np.repeat(sizes, sizes)
    else:
        first, size = rank, ones(len(rank))
    whole = replace(ranking, rank=rank, first=first, size=size, retrieved=counts)
    if depth is None:
        return whole
    return replace(whole.keep(first <= depth), retrieved=np.minimum(counts, depth))


def _by_grade(ranking: _Ranking, *, best: bool) -> _Ranking:
    """Within each tie group the best grades first and the unjudged items last, or just the other way round.

    No order of the ties does better, or worse, for a measure that a better grade further up never hurts.
    """
    if not ranking.has_ties:
        return ranking
    heads = np.flatnonzero(ranking.opens())
    judged = np.diff(np.append(heads, len(ranking.first)))
    group = np.repeat(np.arange(len(heads)), judged)
    tied = np.flatnonzero(ranking.size > 1)
    grade = ranking.grade.copy()
    sign = 1.0 if best else -1.0
    grade[tied] = sign * descending(sign * grade[tied], group[tied])
    place = np.arange(len(group)) - heads[group]
    skipped = 0 if best else ranking.size - judged[group]
    return replace(ranking, grade=grade, rank=ranking.first + skipped + place)
