"""How many pairs of items the run has in the wrong order: the sum of reversed numbers.

Without ties $\\tau = 1 - 4 SRN / (n (n - 1))$ is Kendall's tau. Only pairs in strictly opposite order
count; a pair that is tied in the truth or in the run does not. A query with one item has 0, one without
any has no value. It takes a true order: where the truth says only good or bad, use OrderAUC or
OrderAccuracy.
"""

from __future__ import annotations

import numpy as np

from rankscope.measures.base import FloatArray, measure
from rankscope.measures.ordered import Ordered
from rankscope.measures.paired import NORMALISED, concordance, distance_range
from rankscope.measures.scale import SCALE, scaled
from rankscope.measures.segments import ratio


@measure(
    "SRN",
    aliases=("ReversedPairs",),
    params=[NORMALISED, SCALE],
    range=distance_range,
    better="lower",
    truth="order",
    detail="full",
    product="ordered",
    empty=None,
    reference="huang2005ordering",
    formula=r"|\{i < j : a_i > a_j\}|",
)
def srn(ordered: Ordered, *, normalised: str, scale: str) -> FloatArray:
    def reversed_pairs(view: Ordered) -> FloatArray:
        pairs = concordance(view)
        if normalised == "yes":
            return ratio(pairs.discordant, pairs.all)
        return np.where(view.counts > 0, pairs.discordant, np.nan)

    return scaled(ordered, reversed_pairs, scale)
