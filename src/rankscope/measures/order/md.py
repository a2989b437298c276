"""The distance between the true ranks of the items and their ranks in the run, summed: Spearman's footrule.

Tied items share the mean of their ranks, in the truth and in the run. A query with one item has 0, one
without any has no value. It takes a true order: where the truth says only good or bad, use OrderAUC or
OrderAccuracy.
"""

from __future__ import annotations

import numpy as np

from rankscope.measures.base import FloatArray, measure
from rankscope.measures.ordered import Ordered
from rankscope.measures.paired import NORMALISED, distance_range, distances
from rankscope.measures.scale import SCALE, scaled
from rankscope.measures.segments import ratio


@measure(
    "MD",
    aliases=("ManhattanDistance",),
    params=[NORMALISED, SCALE],
    range=distance_range,
    better="lower",
    truth="order",
    detail="full",
    product="ordered",
    empty=None,
    reference="huang2005ordering",
    formula=r"\sum_{i=1}^{n} |a_i - i|",
)
def md(ordered: Ordered, *, normalised: str, scale: str) -> FloatArray:
    def distance(view: Ordered) -> FloatArray:
        total, n = view.sum(distances(view)), view.counts.astype(np.float64)
        return ratio(total, n**2 // 2) if normalised == "yes" else np.where(n > 0, total, np.nan)

    return scaled(ordered, distance, scale)
