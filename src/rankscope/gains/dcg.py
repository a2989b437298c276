"""DCG and nDCG of one list of relevances, and the ratio that goes wrong."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankscope.errors import input_error
from rankscope.gains.relevance import Relevance, relevances_of
from rankscope.gains.values import FloatArray, numbers_alike
from rankscope.measures.graded import Gain
from rankscope.measures.params import CUTOFF
from rankscope.measures.relevance.dcg import BASE, DISCOUNT, GAIN, GAINS, discounted
from rankscope.measures.scale import SCALE

__all__ = ["DCGRatio", "dcg", "dcg_ratio", "ndcg"]


def dcg(
    ranking: Any,
    relevance: Relevance = None,
    *,
    gain: str = "linear",
    discount: str = "log",
    base: float = 2.0,
    scale: str = "none",
    k: int | None = None,
) -> float:
    """The discounted cumulative gain of a list of relevances, best-ranked first; 0 for an empty one.

    With `relevance` (a mapping, a callable, a data frame or a path) the list is one of categories. The
    others are the parameters of the measure DCG: discount="rank" divides by the rank, and scale="minmax" goes
    from the lowest (0) to the highest value (1) that any order of the list has, NaN if these are the same.

    >>> dcg([1, 3, 0], discount="rank")
    2.5
    >>> [dcg([1, 3, 0], discount="rank", scale=scale) for scale in ("lowest", "highest", "minmax")]
    [1.5, 3.5, 0.5]
    """
    rule = _Rule.of(gain, discount, base, scale, k)
    return rule.value(relevances_of(ranking, relevance))


def ndcg(
    ranking: Any,
    relevance: Relevance = None,
    *,
    gain: str = "linear",
    discount: str = "log",
    base: float = 2.0,
    scale: str = "none",
    k: int | None = None,
) -> float:
    """DCG divided by that of the same list from high to low; NaN if that is 0.

    A fair value may be the lowest that any order of the list has, which its scale shows:

    >>> round(ndcg([0, 1, 3]), 6), ndcg([0, 1, 3], scale="minmax")
    (0.586883, 0.0)
    """
    rule = _Rule.of(gain, discount, base, scale, k)
    values = relevances_of(ranking, relevance)
    # What makes it 1 at best makes no difference between the lowest and the highest.
    ideal = 1.0 if rule.scale == "minmax" else rule.total(np.sort(values)[::-1])
    return _ratio(rule.value(values), ideal)


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
    rule = _Rule.of(gain, discount, base, "none", None)
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
    scale: str
    k: int | None

    @classmethod
    def of(cls, *given: Any) -> _Rule:
        """The parameters in this order, checked as those of the measure are."""
        params = (GAIN, DISCOUNT, BASE, SCALE, CUTOFF)
        checked: list[Any] = [param.check(value, "DCG") for param, value in zip(params, given, strict=True)]
        return cls(GAINS[checked[0]], *checked[1:])

    def value(self, relevances: FloatArray) -> float:
        """The sum, scaled as asked for."""
        if self.scale == "none":
            return self.total(relevances)
        rising = np.sort(relevances)
        low, high = self.total(rising), self.total(rising[::-1])
        if self.scale == "minmax":
            return _ratio(self.total(relevances) - low, high - low)
        return low if self.scale == "lowest" else high

    def total(self, relevances: FloatArray) -> float:
        kept = relevances[: self.k]
        weight = discounted(self.discount, self.base)(np.arange(1.0, len(kept) + 1.0))
        with np.errstate(over="ignore"):
            total = float(np.sum(self.gain(kept) * weight))
        if not math.isfinite(total):
            raise input_error("overflow", field="the sum of the gains", text=total)
        return total


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else math.nan
