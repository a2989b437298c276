"""How far the items are from their true ranks, from 0 for the true order to 1 for the reverse.

Spearman's footrule: the distances summed, as a share of the largest sum that any order of n items can
have; normalised=no gives the sum itself. Tied items share the mean of their ranks, in the truth and in the
run. It is not defined for fewer than two items.
"""

from __future__ import annotations

import math

import numpy as np

from rankscope.measures.base import FloatArray, Param, measure
from rankscope.measures.ordered import Ordered
from rankscope.measures.paired import distances
from rankscope.measures.segments import ratio


def _range(*, normalised: str) -> tuple[float, float]:
    return (0.0, 1.0) if normalised == "yes" else (0.0, math.inf)


@measure(
    "Footrule",
    aliases=("SpearmanFootrule",),
    params=[
        Param("normalised", str, default="yes", choices=("yes", "no"), help="no: the sum of the distances")
    ],
    range=_range,
    better="lower",
    truth="order",
    product="ordered",
    empty=None,
    reference="diaconis1977footrule",
    formula=r"\frac{1}{\lfloor n^2 / 2 \rfloor} \sum_{i=1}^{n} |a_i - i|",
)
def footrule(ordered: Ordered, *, normalised: str) -> FloatArray:
    total, n = ordered.sum(distances(ordered)), ordered.counts.astype(np.float64)
    return ratio(total, n**2 // 2) if normalised == "yes" else np.where(n > 1, total, np.nan)
