"""The gains of the items, each discounted by the logarithm of its rank.

The gain of a grade is the grade itself (linear) or $2^{grade} - 1$ (exp); grades below 0, or below a floor,
gain nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rankscope.measures.base import CUTOFF, FloatArray, Param, measure
from rankscope.measures.graded import Gain, Graded, exponential, floored, linear

GAINS: dict[str, Gain] = {gain.name: gain for gain in (linear, exponential)}
GAIN = Param("gain", str, default="linear", choices=tuple(GAINS), help="what a grade is worth")
BASE = Param("base", float, default=2.0, bounds="(1, inf)", help="base of the logarithm of the discount")
FLOOR = Param("floor", float, default=0.0, bounds="[0, inf)", help="grades below it gain nothing")


@dataclass(frozen=True)
class LogDiscount:
    """1 / log_base(1 + rank)"""

    base: float

    def __call__(self, rank: FloatArray) -> FloatArray:
        return math.log2(self.base) / np.log2(1.0 + rank)


@measure(
    "DCG",
    aliases=("discounted_cumulative_gain",),
    params=[GAIN, BASE, FLOOR, CUTOFF],
    range=(0, math.inf),
    undefined=None,
    reference="jarvelin2002ndcg",
    formula=r"\sum_{i=1}^{k} \frac{g_i}{\log_b (1 + i)}",
)
def dcg(graded: Graded, *, gain: str, base: float, floor: float, k: int | None) -> FloatArray:
    return graded.total(floored(GAINS[gain], floor), LogDiscount(base), k)
