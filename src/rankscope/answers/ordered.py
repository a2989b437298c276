"""Similarity of ordered answers: Tague's R (Eq 5), type 1 (Eq 16 to 21) and type 2 (Eq 22 to 24)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rankscope.answers.delays import delays, group_ranks, self_delays
from rankscope.answers.matched import Matched, Side
from rankscope.answers.nominal import Nominal, group_similarity, set_similarity
from rankscope.measures.segments import FloatArray, IntArray, segment_sums

__all__ = ["D0S", "correlation", "type1", "type2"]

D0S: dict[str, Callable[[FloatArray], FloatArray]] = {
    "shifted": lambda r: (1 + r) / 2,
    "positive": lambda r: np.maximum(r, 0.0),
}
"""The weight d_0 that is made of R."""


def correlation(matched: Matched, absent: str) -> FloatArray:
    """R, Eq 5: Spearman's rho of the common items, each side ranked anew; undefined for less than two."""
    if absent == "literal":
        return _as_printed(matched)
    i, j = (_midranks(matched, group) for group in (matched.i, matched.j))
    middle = matched.spread((matched.common + 1) / 2)
    i, j = i - middle, j - middle
    return _over_root(matched.sum(i * j), matched.sum(i * i) * matched.sum(j * j))


def _midranks(matched: Matched, group: IntArray) -> FloatArray:
    """The rank of each common item among the common items of its query; tied ones share the middle."""
    distinct, which, size = np.unique(group, return_inverse=True, return_counts=True)
    starts = np.searchsorted(distinct, _first_groups(matched, group))
    ranks = group_ranks(Side(np.append(starts, len(size)), size), "mean")
    return ranks[which]


def _first_groups(matched: Matched, group: IntArray) -> IntArray:
    side = matched.left if group is matched.i else matched.right
    return side.offsets[:-1]


def _as_printed(matched: Matched) -> FloatArray:
    """Eq 5 with the ranks in the whole answers, where an item that the right one lacks has no term."""
    i, j = group_ranks(matched.left, "mean")[matched.i], group_ranks(matched.right, "mean")[matched.j]
    m = matched.left.items.astype(np.float64)
    product_of_means = m * (m + 1) ** 2 / 4
    spread = m * (m**2 - 1) / 12 * (matched.sum(j * j) - product_of_means)
    return _over_root(matched.sum(i * j) - product_of_means, spread)


def _over_root(part: FloatArray, radicand: FloatArray) -> FloatArray:
    """part / sqrt(radicand), undefined unless that is above 0."""
    values = np.full(len(part), np.nan)
    np.divide(part, np.sqrt(np.maximum(radicand, 0.0)), out=values, where=radicand > 0)
    return values


def type1(matched: Matched, weight: FloatArray, nominal: Nominal, sets: str) -> FloatArray:
    """A weight for the whole of both answers, times S; without a common item S is 0, and so is this."""
    s = set_similarity(matched, nominal) if sets == "flat" else group_similarity(matched, nominal)
    return np.where(matched.common == 0, s, weight * s)


def type2(matched: Matched, alpha: str | None, mu: str | None, ranks: str, norm: str) -> FloatArray:
    """The sum of alpha, mu or alpha mu over the common items."""
    total = matched.sum(delays(matched, alpha, mu, ranks))
    if norm == "self":
        own = [
            segment_sums(side.size * self_delays(side, mu, ranks), side.offsets)
            for side in (matched.left, matched.right)
        ]
        positive = (own[0] > 0) & (own[1] > 0)
        total = np.where(
            matched.common == 0, 0.0, _over_root(total, np.where(positive, own[0] * own[1], 0.0))
        )
    return np.where(matched.both_empty, np.nan, total)
