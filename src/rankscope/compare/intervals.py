"""Confidence intervals of the mean difference of two runs."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from rankscope.compare.panel import Panel
from rankscope.compare.resample import Crew, bootstrap_sums
from rankscope.errors import package

__all__ = ["INTERVALS", "bca_interval", "bca_intervals", "t_interval"]

FloatArray = npt.NDArray[np.float64]
Interval = tuple[float, float]

# name -> what it is. The first is the default.
INTERVALS = {
    "bca": "bias-corrected and accelerated bootstrap over queries",
    "t": "Student's t",
    "none": "no interval",
}

_NORMAL = NormalDist()


def t_interval(differences: FloatArray, level: float) -> Interval:
    """Student's interval; not defined for fewer than two queries.

    >>> t_interval(np.array([0.1, 0.1, 0.1]), 0.95)
    (0.1, 0.1)
    """
    size = len(differences)
    if size < 2:
        return math.nan, math.nan
    mean, deviation = float(np.mean(differences)), float(np.std(differences, ddof=1))
    if np.all(differences == differences[0]):
        return float(differences[0]), float(differences[0])
    reach = float(package("scipy.special").stdtrit(size - 1, (1 + level) / 2)) * deviation / math.sqrt(size)
    return mean - reach, mean + reach


def bca_intervals(panel: Panel, level: float, draws: int, seed: int, crew: Crew) -> list[Interval]:
    """The bootstrap interval of each pair; all pairs share the draws of queries."""
    if panel.size < 2:
        return [(math.nan, math.nan)] * len(panel.pairs)
    sums, totals, unit = bootstrap_sums(panel, draws, seed, crew)
    scale = unit / panel.size
    return [
        bca_interval(
            (sums[run] - sums[baseline]) * scale,
            float(totals[run] - totals[baseline]) * scale,
            panel.differences((baseline, run)),
            level,
        )
        for baseline, run in panel.pairs
    ]


def bca_interval(drawn: FloatArray, seen: float, differences: FloatArray, level: float) -> Interval:
    """The ends of the interval, from the means of the draws, the mean seen and the differences behind it.

    The percentiles of the draws, moved for how far their median is from what was seen (bias) and for the
    skewness of the differences (acceleration, here of the jackknifed mean).
    """
    low, high = float(np.min(drawn)), float(np.max(drawn))
    if low == high:
        return low, high
    below = (np.count_nonzero(drawn < seen) + np.count_nonzero(drawn <= seen)) / (2 * len(drawn))
    if not 0 < below < 1:
        return low, high
    bias = _NORMAL.inv_cdf(below)
    away = differences - np.mean(differences)
    spread = float(np.sum(away**2))
    acceleration = float(np.sum(away**3)) / (6 * spread**1.5) if spread else 0.0
    ends = [_moved(bias, acceleration, chance) for chance in ((1 - level) / 2, (1 + level) / 2)]
    first, last = np.quantile(drawn, ends)
    return float(first), float(last)


def _moved(bias: float, acceleration: float, chance: float) -> float:
    """The percentile that stands for a chance."""
    shifted = bias + _NORMAL.inv_cdf(chance)
    return _NORMAL.cdf(bias + shifted / (1 - acceleration * shifted))
