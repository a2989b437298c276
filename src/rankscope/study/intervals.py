"""How sure a sample of lists makes us of C and of log D.

Both are ratios of shares of pairs, and each list is in many pairs. So their variance comes from what each
list adds (the projection of a U-statistic), which the joint histogram has for every cell.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from rankscope.study.counts import Joint

__all__ = ["Interval", "Intervals", "intervals"]

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Interval:
    low: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


@dataclass(frozen=True)
class Intervals:
    """Confidence intervals of the degrees of two measures."""

    consistency: Interval
    log_discriminancy: Interval

    def turned(self) -> Intervals:
        """Those of the two measures exchanged."""
        log_d = self.log_discriminancy
        return Intervals(self.consistency, Interval(-log_d.high, -log_d.low))


def intervals(joint: Joint, confidence: float) -> Intervals:
    """Of a sample of lists that were drawn independently.

    Both are normal intervals of a logarithm of odds: of C / (1 - C), and of D itself, the odds that it is f
    and not g that tells two lists apart.
    """
    log_c = _log_odds(joint.weight, joint.agree, joint.disagree, confidence)
    log_d = _log_odds(joint.weight, joint.only_f, joint.only_g, confidence)
    return Intervals(Interval(_share(log_c.low), _share(log_c.high)), log_d)


def _log_odds(
    weight: npt.NDArray[np.int64], one: FloatArray, other: FloatArray, confidence: float
) -> Interval:
    """The interval of log(sum of `one` / sum of `other`), where both are per list."""
    lists = int(weight.sum())
    totals = [float((weight * column).sum()) for column in (one, other)]
    if not all(totals):
        return _one_sided(totals, lists, confidence)
    # What a list adds to the difference of the two logarithms; a pair has two lists, hence the factor 2.
    added = 2 * lists * (one / totals[0] - other / totals[1])
    deviation = math.sqrt(float((weight * added**2).sum()) / lists / max(1, lists - 1))
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * deviation
    middle = math.log(totals[0] / totals[1])
    return Interval(middle - reach, middle + reach)


def _one_sided(totals: list[float], lists: int, confidence: float) -> Interval:
    """One of the two was never seen: how likely could it be all the same?

    Lists 1 and 2, 3 and 4, ... make independent pairs, and not one of those that count was of that kind.
    """
    pairs = sum(totals) / lists / max(1, lists - 1) * (lists // 2)
    if not pairs:
        return Interval(-math.inf, math.inf)
    unlikely = (1 - confidence) / 2
    # The share x of the kind that was seen has x ** pairs = unlikely: log odds of x, without cancellation.
    seen = math.log(unlikely) / pairs
    bound = seen - math.log(-math.expm1(seen))
    return Interval(bound, math.inf) if totals[0] else Interval(-math.inf, -bound)


def _share(log_odds: float) -> float:
    """x of log(x / (1 - x))."""
    if log_odds < -700:
        return 0.0
    return 1 / (1 + math.exp(-log_odds))
