"""Tests of the differences of two runs that need no random numbers: t, Wilcoxon and sign."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from rankscope.compare.panel import SLACK
from rankscope.errors import package

__all__ = ["sign_p", "t_p", "wilcoxon_p"]

FloatArray = npt.NDArray[np.float64]

EXACT_SIGNS = 1000
"""Up to so many signs the binomial tail is summed in whole numbers."""


def t_p(differences: FloatArray) -> float:
    """The paired t-test, two-sided; not defined for fewer than two queries.

    >>> round(t_p(np.array([0.1, 0.2, 0.3, -0.1])), 4)
    0.2394
    """
    size = len(differences)
    if size < 2:
        return math.nan
    mean = float(np.mean(differences))
    deviation = float(np.std(differences, ddof=1))
    if deviation <= SLACK * abs(mean):
        return 1.0 if mean == 0 else 0.0
    t = mean / (deviation / math.sqrt(size))
    return 2.0 * float(package("scipy.special").stdtr(size - 1, -abs(t)))


def wilcoxon_p(differences: FloatArray) -> float:
    """Wilcoxon's signed rank test, two-sided, without the queries on which the runs tie.

    Exact for up to 50 differences of distinct sizes, and for up to 13 of any (as scipy decides); otherwise
    the normal approximation with its correction for ties.
    """
    if not len(differences):
        return math.nan
    unequal = differences[differences != 0]
    if not len(unequal):
        return 1.0
    scale = float(np.max(np.abs(unequal)))
    # Sizes that only rounding tells apart would get different ranks.
    sizes = np.round(unequal / scale, 12)
    return float(package("scipy.stats").wilcoxon(sizes).pvalue)


def sign_p(differences: FloatArray) -> float:
    """The sign test, two-sided and exact: how often a fair coin is as one-sided; ties do not count.

    >>> sign_p(np.array([0.1, 0.2, 0.3, -0.1, 0.0]))
    0.625
    """
    if not len(differences):
        return math.nan
    won, lost = int(np.count_nonzero(differences > 0)), int(np.count_nonzero(differences < 0))
    return min(1.0, 2.0 * _fair_tail(won + lost, min(won, lost)))


def _fair_tail(throws: int, most: int) -> float:
    """The chance of at most so many heads among throws of a fair coin."""
    if throws <= EXACT_SIGNS:
        return float(sum(math.comb(throws, heads) for heads in range(most + 1)) / 2**throws)
    log_last = math.lgamma(throws + 1) - math.lgamma(most + 1) - math.lgamma(throws - most + 1)
    heads = np.arange(most, 0, -1, dtype=np.float64)
    # C(n, k - 1) / C(n, k) = k / (n - k + 1)
    following = np.cumprod(heads / (throws - heads + 1))
    return math.exp(log_last - throws * math.log(2)) * (1.0 + float(np.sum(following)))
