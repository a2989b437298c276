"""RankDCG of one ranking: from scores, or from the relevances in the order of the ranking.

The two inputs look alike and mean different things, so each has a function of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rankscope.errors import PolicyError
from rankscope.gains.relevance import Relevance, relevances_of
from rankscope.gains.values import FloatArray, numbers_alike
from rankscope.measures.ordered import Ordered
from rankscope.measures.relevance.rankdcg import Terms, rankdcg
from rankscope.policy import Policy

__all__ = ["RankDCGTerms", "rankdcg_order", "rankdcg_scores", "rankdcg_terms"]

TIES = ("worst", "expected", "best", "given")


def rankdcg_order(ranking: Any, relevance: Relevance = None) -> float:
    """RankDCG of a list of relevances, in the order of the ranking, the best-ranked item first.

    With `relevance` (a mapping, a callable, a data frame or the path of a file with two columns) the list may
    be one of categories. It is NaN if there are no two different relevances.

    >>> rankdcg_order([1, 3, 0])
    0.625
    >>> rankdcg_order(["thriller", "action", "drama"], {"action": 3, "thriller": 1, "drama": 0})
    0.625
    """
    return _value(_in_order(relevances_of(ranking, relevance)))


def rankdcg_scores(y_true: Any, y_score: Any, *, ties: str = "worst") -> float:
    """RankDCG of scores: `y_true` and `y_score` have the relevance and the score of each item, in any order.

    `ties` says how items of equal score are placed: "worst" (the least relevant first, so that a constant
    score has 0), "expected" (the mean over all orders), "best" or "given" (as listed).

    >>> rankdcg_scores([9, 3, 1], [5, 1, 7])
    0.125
    >>> [rankdcg_scores([2, 1, 0], [1, 1, 0], ties=ties) for ties in ("worst", "expected", "best")]
    [0.625, 0.8125, 1.0]
    """
    truth, scores = numbers_alike(y_true, y_score, ("y_true", "y_score"))
    policy = Policy.of({"ties": ties}).ties
    if policy not in TIES:
        raise PolicyError(
            f"ties={ties} has no meaning for scores without ids",
            code="bad-policy",
            expected=f"one of {', '.join(TIES)}",
        )
    return _value(_by_score(truth, scores, policy))


@dataclass(frozen=True)
class RankDCGTerms:
    """What RankDCG is made of."""

    relevances: tuple[int, ...]
    """The relative relevance of the item on each rank: its place among the different relevances."""
    discounts: tuple[int, ...]
    """What it is divided by."""
    total: float
    """The sum of these quotients, before it is normalised."""
    lowest: float
    """The sum that the reversed ideal ranking has."""
    highest: float
    """The sum that the ideal ranking has."""
    value: float
    """RankDCG: the sum scaled from the lowest to the highest; NaN if these are the same."""


def rankdcg_terms(ranking: Any, relevance: Relevance = None) -> RankDCGTerms:
    """The relative relevances and the discounts of a ranking, best first, and their unnormalised sum.

    >>> terms = rankdcg_terms(["action", "thriller", "drama"], {"action": 3, "thriller": 1, "drama": 1})
    >>> terms.relevances, terms.discounts, terms.total
    ((2, 1, 1), (1, 2, 2), 3.0)
    """
    ordered = _in_order(relevances_of(ranking, relevance))
    terms = Terms.of(ordered.value, ordered.offsets)
    sums = (ordered.sum(part / terms.discount) for part in (terms.relative, terms.rising, terms.falling))
    total, lowest, highest = (float(found[0]) for found in sums)
    return RankDCGTerms(
        tuple(terms.relative.astype(int).tolist()),
        tuple(terms.discount.astype(int).tolist()),
        total,
        lowest,
        highest,
        _value(ordered),
    )


def _value(ordered: Ordered) -> float:
    return float(rankdcg.compute(ordered)[0][0])


def _in_order(value: FloatArray) -> Ordered:
    rank = np.arange(1, len(value) + 1)
    return _one_query(value, rank, np.ones_like(rank))


def _by_score(truth: FloatArray, scores: FloatArray, ties: str) -> Ordered:
    """The items by falling score; tied ones by their relevance if `ties` asks for it."""
    among_tied = {"worst": truth, "best": -truth}.get(ties, np.zeros(len(truth)))
    order = np.lexsort((among_tied, -scores))
    if ties != "expected":
        return _in_order(truth[order])
    heads = np.flatnonzero(np.diff(scores[order], prepend=np.inf))
    sizes = np.diff(np.append(heads, len(order)))
    return _one_query(truth[order], np.repeat(heads + 1, sizes), np.repeat(sizes, sizes), averaged=True)


def _one_query(value: FloatArray, first: Any, size: Any, *, averaged: bool = False) -> Ordered:
    count = len(value)
    return Ordered(np.array([0, count]), value, first, size, np.array([count]), averaged=averaged)
