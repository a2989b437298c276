"""Whether a ranking of classes does better than luck: against all rankings of the same items."""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, SupportsIndex, get_args

import numpy as np

from rankscope.align.costs import later_costs, level_costs
from rankscope.errors import PolicyError, input_error
from rankscope.measures.segments import BoolArray, FloatArray, IntArray, segment_sums

if TYPE_CHECKING:
    from rankscope.classes.coefficient import ClassRanking

__all__ = ["Alternative", "Method", "PValue", "p_value", "variance"]

Method = Literal["auto", "exact", "normal", "permutation"]
Alternative = Literal["greater", "less", "two-sided"]

MOST_STEPS = 2**22
"""Arrangements times positions that are looked at one by one."""
MOST_DRAWN = 2**22
"""Positions of drawn rankings that are in memory at a time."""
TOLERANCE = 1e-12
"""Values that differ by less than this are the same value, computed in another order."""


@dataclass(frozen=True)
class PValue:
    """A p-value, and how it was found."""

    value: float
    method: str
    alternative: str
    rankings: int | None = None
    """How many were looked at; none by the normal distribution."""

    def __float__(self) -> float:
        return self.value


def p_value(
    ranking: ClassRanking, method: Method, *, alternative: Alternative, samples: int, seed: int
) -> PValue:
    """The chance that a random ranking of the same items has a value as extreme as this one."""
    _check_choice("method", method, get_args(Method))
    _check_choice("alternative", alternative, get_args(Alternative))
    for option, given, least in (("samples", samples, 1), ("seed", seed, 0)):
        if isinstance(given, bool) or not isinstance(given, SupportsIndex) or operator.index(given) < least:
            raise input_error("whole-number", option=option, given=given, least=least)
    if not len(ranking) or ranking.total_worst_cost == 0:
        return PValue(math.nan, "undefined", alternative)
    law = _Law.of(ranking)
    if method == "auto":
        method = "exact" if law.is_small else "normal" if law.whole else "permutation"
    if method == "exact":
        values = law.all_values()
        share = float(np.mean(_as_extreme(values, ranking.value, law.mean, alternative)))
        return PValue(share, method, alternative, len(values))
    if method == "normal":
        return PValue(law.tail(ranking.value, alternative), method, alternative)
    samples = operator.index(samples)
    drawn = law.drawn_values(samples, np.random.default_rng(seed))
    hits = int(np.count_nonzero(_as_extreme(drawn, ranking.value, law.mean, alternative)))
    # The ranking itself is one of those that luck could have given.
    return PValue((hits + 1) / (samples + 1), method, alternative, samples)


def variance(distance: FloatArray, count: IntArray, worst_cost: float, *, unit: bool) -> float:
    """The exact variance of ClasSi of the whole ranking, over all rankings of the same items.

    By differences, ClasSi is linear in the positions: sum_a (2a - m - 1) d_a / W, whose variance over
    permutations is m (m^2 - 1) / 3 * sum (d - mean d)^2 / ((m - 1) W^2). By units it is (Con - Dis) / W, with
    Kendall's variance of a ranking against one with ties.
    """
    m, counts = float(count.sum()), count.astype(np.float64)
    if unit:
        ties = counts * (counts - 1) * (2 * counts + 5)
        return float((m * (m - 1) * (2 * m + 5) - ties.sum()) / 18) / worst_cost**2
    scaled = (distance - counts @ distance / m) / worst_cost
    return float(m * (m + 1) / 3 * (counts @ scaled**2))


@dataclass(frozen=True)
class _Law:
    """The values of all rankings of the same items, each as likely as the other."""

    distance: FloatArray
    count: IntArray
    unit: bool
    known: int
    worst_cost: float
    """W_k, of the known positions."""
    total_worst_cost: float
    mean: float

    @classmethod
    def of(cls, ranking: ClassRanking) -> _Law:
        distance, count = ranking.level_distances, ranking.level_counts
        worst, total = float(ranking.worst_cost[-1]), ranking.total_worst_cost
        mean = float(ranking.expected[-1])
        return cls(distance - distance[0], count, ranking.unit, len(ranking), worst, total, mean)

    @property
    def whole(self) -> bool:
        """Whether all positions are known; the last one costs nothing."""
        return self.known >= int(self.count.sum()) - 1

    @property
    def is_small(self) -> bool:
        """Whether there are few enough arrangements to look at all of them."""
        m = int(self.count.sum())
        ways = math.lgamma(m + 1) - sum(math.lgamma(count + 1) for count in self.count.tolist())
        return ways + math.log(m) <= math.log(MOST_STEPS)

    def all_values(self) -> FloatArray:
        """The value of every arrangement, level by level from the first position on."""
        if not self.is_small:
            raise input_error("too-many-arrangements")
        left, cost = self.count[np.newaxis].astype(np.int64), np.zeros(1)
        for position in range(int(self.count.sum())):
            start, level = np.nonzero(left)
            if position < self.known:
                cost = (cost[:, np.newaxis] + self._next_costs(left))[start, level]
            else:
                cost = cost[start]
            left = left[start]
            left[np.arange(len(left)), level] -= 1
        return 1 - 2 * (cost / self.worst_cost)

    def _next_costs(self, left: IntArray) -> FloatArray:
        """What an item of each level would cost if it stood next, for each line of items that are left."""
        nearer = np.zeros(left.shape)
        nearer[:, 1:] = np.cumsum(left[:, :-1], axis=1)
        gaps = np.diff(self.distance, prepend=0.0)
        costs: FloatArray = nearer if self.unit else np.cumsum(nearer * gaps, axis=1)
        return costs

    def drawn_values(self, samples: int, rng: np.random.Generator) -> FloatArray:
        """The values of rankings drawn at random."""
        portion = max(1, MOST_DRAWN // self.known)
        values = [self._draw(min(portion, samples - start), rng) for start in range(0, samples, portion)]
        return np.concatenate(values)

    def _draw(self, samples: int, rng: np.random.Generator) -> FloatArray:
        m, ends = int(self.count.sum()), np.cumsum(self.count)
        drawn = np.concatenate([rng.choice(m, self.known, replace=False) for _ in range(samples)])
        level = np.searchsorted(ends, drawn, side="right").astype(np.int32)
        offsets = np.arange(0, level.size + 1, self.known)
        # Read backwards, what stands before an item stands behind it; the rest of all nearer items costs it.
        before = later_costs(level, self.distance[level], offsets, unit=self.unit)
        costs = level_costs(self.distance, self.count, unit=self.unit)[level] - before
        return 1 - 2 * (segment_sums(costs, offsets) / self.worst_cost)

    def tail(self, value: float, alternative: Alternative) -> float:
        """The share of a normal distribution that is as extreme."""
        if not self.whole:
            raise PolicyError(
                "the normal approximation is for whole rankings, and only the beginning of this one is known",
                code="no-normal-approximation",
                hint="method=permutation",
            )
        spread = math.sqrt(variance(self.distance, self.count, self.total_worst_cost, unit=self.unit))
        z = value / (spread * math.sqrt(2))
        if alternative == "two-sided":
            return math.erfc(abs(z))
        return math.erfc(z if alternative == "greater" else -z) / 2


def _as_extreme(values: FloatArray, value: float, mean: float, alternative: Alternative) -> BoolArray:
    if alternative == "greater":
        return values >= value - TOLERANCE
    if alternative == "less":
        return values <= value + TOLERANCE
    return np.abs(values - mean) >= abs(value - mean) - TOLERANCE


def _check_choice(option: str, given: str, known: tuple[str, ...]) -> None:
    if given not in known:
        raise PolicyError(
            f"{option}={given} is not a choice",
            code="unknown-choice",
            expected=f"{option}= one of {', '.join(known)}",
        )
