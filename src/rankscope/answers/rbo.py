"""Rank-biased overlap, extrapolated, of rankings that may have ties and differ in length.

At each depth d the agreement A_d of the first d items counts with the weight $(1 - p) p^{d-1}$. Beyond the
shorter ranking, and beyond both, the agreement is taken to go on as it was: without ties this is equation 32
of Webber, Moffat and Zobel, with ties its extension by Corsi and Urbano.

An item counts at depth d by its contribution c: under the variants a and b the chance of being among the
first d when ties are broken at random; under w, 1 from the first rank of its group on. X_d is the sum of the
products of the contributions on both sides, and the agreement is X_d / d (a), X_d divided by the lengths of
the two vectors of contributions (b, as tau-b does), or 2 X_d divided by the numbers of items that count (w).

So a is the mean over all orders of the tied items, exactly if the rankings are equally long or no group of
the longer one lies across a depth beyond the shorter. Elsewhere an unseen item counts no more than the items
of such a group do on average, while in each single order it would count fully.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rankscope.answers.matched import Matched, Side
from rankscope.measures.segments import BoolArray, FloatArray, IntArray, segment_sums

__all__ = ["overlap"]


@dataclass(frozen=True, eq=False)
class _Depths:
    """The depths of every query, as far as its longer ranking goes, and one slot after them."""

    offsets: IntArray
    depth: IntArray

    @classmethod
    def of(cls, longest: IntArray) -> _Depths:
        offsets = np.zeros(len(longest) + 1, np.int64)
        np.cumsum(longest + 1, out=offsets[1:])
        depth = np.arange(1, offsets[-1] + 1) - np.repeat(offsets[:-1], longest + 1)
        return cls(offsets, depth)

    def spread(self, per_query: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return np.repeat(per_query, np.diff(self.offsets))

    def counted(self, owner: IntArray, start: IntArray, stop: IntArray | None = None) -> IntArray:
        """At each depth, how many items count: each from its depth `start` on until before `stop`."""
        if stop is None:
            stop = np.diff(self.offsets)[owner]  # the slot after the last depth
        kept = start < stop
        slots = [self.offsets[:-1][owner[kept]] + depth[kept] - 1 for depth in (start, stop)]
        total = int(self.offsets[-1])
        changes = np.bincount(slots[0], minlength=total) - np.bincount(slots[1], minlength=total)
        return np.cumsum(changes)


@dataclass(frozen=True, eq=False)
class _Reached:
    """How far down one side has been read at each depth."""

    whole: IntArray
    """The items in groups that are read wholly."""
    size: IntArray
    """The size of the group that is read in part; 0 if there is none."""
    part: FloatArray
    """Which part of that group is read."""

    @classmethod
    def of(cls, side: Side, depths: _Depths) -> _Reached:
        owner = np.repeat(np.arange(len(side.groups)), side.groups)
        first, last = side.before + 1, side.before + side.size
        whole = _weighed(depths, owner, last, side.size)
        size = _weighed(depths, owner, first, side.size) - whole
        part = np.zeros(len(size))
        np.divide(depths.depth - whole, size, out=part, where=size > 0)
        return cls(whole, size, part)

    @classmethod
    def chosen(cls, is_first: BoolArray, first: _Reached, second: _Reached) -> _Reached:
        """At each depth the one side or the other."""
        return cls(
            np.where(is_first, first.whole, second.whole),
            np.where(is_first, first.size, second.size),
            np.where(is_first, first.part, second.part),
        )

    @property
    def squares(self) -> FloatArray:
        """The sum of the squares of the contributions."""
        return self.whole + self.size * self.part**2


def _weighed(depths: _Depths, owner: IntArray, start: IntArray, weight: IntArray) -> IntArray:
    """At each depth, the weight of all groups that start there or above."""
    changes = np.zeros(depths.offsets[-1] + 1, np.int64)
    np.add.at(changes, depths.offsets[:-1][owner] + start - 1, weight)
    np.subtract.at(changes, depths.offsets[1:][owner], weight)
    return np.cumsum(changes)[:-1]


@dataclass(frozen=True, eq=False)
class _Spans:
    """The first and last rank of the groups of common items, in one of the two rankings."""

    first: IntArray
    last: IntArray

    @classmethod
    def of(cls, side: Side, group: IntArray) -> _Spans:
        before = side.before[group]
        return cls(before + 1, before + side.size[group])


def overlap(matched: Matched, p: float, variant: str) -> FloatArray:
    """RBO of each query; 0 if one ranking is empty, undefined if both are."""
    lengths = matched.left.items, matched.right.items
    shorter, longer = np.minimum(*lengths), np.maximum(*lengths)
    depths = _Depths.of(longer)
    x, per_agreement, unmatched = _overlaps(matched, depths, shorter, variant)
    at_shorter = _divided(x, per_agreement)[np.maximum(depths.offsets[:-1] + shorter - 1, 0)]
    # Beyond the shorter ranking its items are unseen. Each is taken to agree as the seen ones do, with an
    # item of the longer ranking that has no match, and counts by what these contribute on average.
    unseen = np.maximum(depths.depth - depths.spread(shorter), 0) * depths.spread(at_shorter)
    agreed = _divided(x + unseen * unmatched, per_agreement)
    is_depth = depths.depth <= depths.spread(longer)
    weight = np.where(is_depth, (1 - p) / p * p ** depths.depth.astype(np.float64), 0.0)
    seen = segment_sums(agreed * weight, depths.offsets)
    at_longer = x[np.maximum(depths.offsets[1:] - 2, 0)] + (longer - shorter) * at_shorter
    rest = at_longer / np.maximum(longer, 1) * p ** longer.astype(np.float64)
    values = np.where(shorter == 0, 0.0, np.clip(seen + rest, 0.0, 1.0))
    return np.where(matched.both_empty, np.nan, values)


def _overlaps(
    matched: Matched, depths: _Depths, shorter: IntArray, variant: str
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """At each depth: X, what it is divided by, and what unmatched items of the longer ranking contribute."""
    owner = np.repeat(np.arange(len(shorter)), matched.common)
    left, right = (_Reached.of(side, depths) for side in (matched.left, matched.right))
    spans = _Spans.of(matched.left, matched.i), _Spans.of(matched.right, matched.j)
    left_is_longer = matched.left.items > matched.right.items
    is_left = depths.spread(left_is_longer)
    short, long = _Reached.chosen(is_left, right, left), _Reached.chosen(is_left, left, right)
    depth = depths.depth.astype(np.float64)
    within = depths.depth <= depths.spread(shorter)
    if variant == "w":
        x = depths.counted(owner, np.maximum(spans[0].first, spans[1].first)).astype(np.float64)
        counted = np.where(within, short.whole + short.size, depth) + long.whole + long.size
        return x, counted / 2, np.ones(len(x))
    x = _expected_overlap(depths, owner, spans, left, right)
    squares = np.where(within, short.squares, depth) * long.squares
    unmatched = _unmatched(depths, owner, spans, left_is_longer, long)
    return x, depth if variant == "a" else np.sqrt(squares), unmatched


def _expected_overlap(
    depths: _Depths, owner: IntArray, spans: tuple[_Spans, _Spans], left: _Reached, right: _Reached
) -> FloatArray:
    """The sum of the products of the contributions of common items; the counts in it are exact."""
    one, other = spans
    both = depths.counted(owner, np.maximum(one.last, other.last))
    left_in_part = depths.counted(owner, np.maximum(one.first, other.last), one.last)
    right_in_part = depths.counted(owner, np.maximum(other.first, one.last), other.last)
    both_in_part = depths.counted(owner, np.maximum(one.first, other.first), np.minimum(one.last, other.last))
    return (
        both + left.part * left_in_part + right.part * right_in_part + left.part * right.part * both_in_part
    )


def _unmatched(
    depths: _Depths,
    owner: IntArray,
    spans: tuple[_Spans, _Spans],
    left_is_longer: BoolArray,
    long: _Reached,
) -> FloatArray:
    """The mean contribution of the items that only the longer ranking has and that have begun to count."""
    is_left = left_is_longer[owner]
    first = np.where(is_left, spans[0].first, spans[1].first)
    last = np.where(is_left, spans[0].last, spans[1].last)
    whole = long.whole - depths.counted(owner, last)
    in_part = long.size - depths.counted(owner, first, last)
    return _divided(np.asarray(whole + long.part * in_part, np.float64), whole + in_part)


def _divided(part: FloatArray, whole: FloatArray | IntArray) -> FloatArray:
    """part / whole; 0 where there is no whole, as of an empty ranking."""
    shares = np.zeros(len(whole))
    np.divide(part, whole, out=shares, where=whole > 0)
    return shares
