"""The gains of the items, each discounted by the logarithm of its rank.

The gain of a grade is the grade itself (linear) or $2^{grade} - 1$ (exp); grades below 0, or below a floor,
gain nothing. With discount=ln the logarithm is the natural one, and with discount=rank a gain is divided by
the rank itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rankscope.measures.base import CUTOFF, FloatArray, Param, measure
from rankscope.measures.graded import Gain, Graded, exponential, floored, linear
from rankscope.measures.scale import SCALE, scaled, scaled_range, scaled_undefined

GAINS: dict[str, Gain] = {gain.name: gain for gain in (linear, exponential)}
GAIN = Param("gain", str, default="linear", choices=tuple(GAINS), help="what a grade is worth")
BASE = Param("base", float, default=2.0, bounds="(1, inf)", help="base of the logarithm of the discount")
DISCOUNT = Param(
    "discount",
    str,
    default="log",
    choices=("log", "ln", "rank"),
    help="what a gain is divided by: the logarithm of 1 + i to the base, the natural one, or i",
)
FLOOR = Param("floor", float, default=0.0, bounds="[0, inf)", help="grades below it gain nothing")


@dataclass(frozen=True)
class LogDiscount:
    """1 / log_base(1 + rank)"""

    base: float

    def __call__(self, rank: FloatArray) -> FloatArray:
        return math.log2(self.base) / np.log2(1.0 + rank)


def discounted(discount: str, base: float) -> Callable[[FloatArray], FloatArray]:
    """The weight of a rank."""
    if discount == "rank":
        return np.reciprocal
    return LogDiscount(math.e if discount == "ln" else base)


@measure(
    "DCG",
    aliases=("discounted_cumulative_gain",),
    params=[GAIN, BASE, DISCOUNT, FLOOR, SCALE, CUTOFF],
    range=scaled_range(0, math.inf),
    undefined=scaled_undefined(None),
    reference="jarvelin2002ndcg",
    formula=r"\sum_{i=1}^{k} \frac{g_i}{\log_b (1 + i)}",
)
def dcg(
    graded: Graded, *, gain: str, base: float, discount: str, floor: float, scale: str, k: int | None
) -> FloatArray:
    worth, weight = floored(GAINS[gain], floor), discounted(discount, base)
    return scaled(graded, lambda view: view.total(worth, weight, k), scale)
