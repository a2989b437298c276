"""DCG and nDCG of one list of relevances, and the ratio that goes wrong."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankscope.gains.relevance import Relevance, relevances_of
from rankscope.gains.values import FloatArray, numbers_alike
from rankscope.measures.base import Param
from rankscope.measures.graded import Gain
from rankscope.measures.params import CUTOFF
from rankscope.measures.relevance.dcg import BASE, DISCOUNT, GAIN, GAINS, discounted

__all__ = ["DCGRatio", "dcg", "dcg_ratio", "ndcg"]


def dcg(
    ranking: Any,
    relevance: Relevance = None,
    *,
    gain: str = "linear",
    discount: str = "log",
    base: float = 2.0,
    k: int | None = None,
) -> float:
    """The discounted cumulative gain of a list of relevances, best-ranked first; 0 for an empty one.

    With `relevance` (a mapping, a callable, a data frame or a path) the list is one of categories.
    `gain`, `discount`, `base` and `k` are those of the measure DCG: discount="rank" divides by the rank.

    >>> dcg([1, 3, 0], discount="rank")
    2.5
    """
    rule = _Rule.of(gain, discount, base, k)
    return rule.total(relevances_of(ranking, relevance))


def ndcg(
    ranking: Any,
    relevance: Relevance = None,
    *,
    gain: str = "linear",
    discount: str = "log",
    base: float = 2.0,
    k: int | None = None,
) -> float:
    """DCG divided by that of the same list from high to low; NaN if that is 0.

    >>> round(ndcg([1, 3, 0]), 6)
    0.796708
    """
    rule = _Rule.of(gain, discount, base, k)
    values = relevances_of(ranking, relevance)
    return _ratio(rule.total(values), rule.total(np.sort(values)[::-1]))


@dataclass(frozen=True)
class DCGRatio:
    """A ratio of two DCGs, and what is to be said of it."""

    value: float
    note: str
    """Empty, unless the value is above 1."""


def dcg_ratio(
    reference: Any, predicted: Any, *, gain: str = "linear", discount: str = "log", base: float = 2.0
) -> DCGRatio:
    """DCG of predicted relevances divided by DCG of the reference ones, both as listed.

    This is no nDCG: a system that predicts large relevances gets a large value, whatever their order. It is
    NaN if the reference has none above 0.

    >>> dcg_ratio([3, 1, 0], [10, 10, 10], discount="rank")
    DCGRatio(value=5.238095238095238, note='above 1: the predicted relevances are larger than the reference')
    """
    rule = _Rule.of(gain, discount, base, None)
    truth, guess = numbers_alike(reference, predicted, ("the reference", "the prediction"))
    value = _ratio(rule.total(guess), rule.total(truth))
    note = "above 1: the predicted relevances are larger than the reference" if value > 1 else ""
    return DCGRatio(value, note)


@dataclass(frozen=True)
class _Rule:
    """How relevances are added up."""

    gain: Gain
    discount: str
    base: float
    k: int | None

    @classmethod
    def of(cls, gain: str, discount: str, base: float, k: int | None) -> _Rule:
        checked: list[Any] = [
            param.check(value, "DCG") for param, value in _given(gain, discount, base, k).items()
        ]
        return cls(GAINS[checked[0]], *checked[1:])

    def total(self, relevances: FloatArray) -> float:
        kept = relevances[: self.k]
        worth = self.gain(kept)
        return float(np.sum(worth * discounted(self.discount, self.base)(np.arange(1.0, len(kept) + 1.0))))


def _given(gain: str, discount: str, base: float, k: int | None) -> dict[Param, Any]:
    return {GAIN: gain, DISCOUNT: discount, BASE: base, CUTOFF: k}


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else math.nan
