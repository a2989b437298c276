"""How many items stand in the half of the ranking that they belong to, as a share.

Positive is the upper half of the true order (of an odd number the middle item too), or another share of
it, or so many items from its top, or what has a true score of at least a threshold; the run calls as many
positive, from its top. A truth that says only positive or negative is enough for it. Items tied in the truth
are all positive or all negative, by the mean of their ranks. Where the run ties items across its own border,
each is above it with equal chance.
"""

from __future__ import annotations

from rankscope.measures.base import FloatArray, measure
from rankscope.measures.ordered import Ordered
from rankscope.measures.paired import POSITIVES, THRESHOLD, accuracy_of
from rankscope.measures.paired import positives as positive_rows
from rankscope.measures.scale import SCALE, scaled


@measure(
    "OrderAccuracy",
    params=[POSITIVES, THRESHOLD, SCALE],
    truth="order",
    product="ordered",
    empty=None,
    reference="huang2005ordering",
    formula=r"\frac{tp + tn}{n}",
)
def orderaccuracy(ordered: Ordered, *, positives: float, threshold: float | None, scale: str) -> FloatArray:
    def accuracy(view: Ordered) -> FloatArray:
        return accuracy_of(view, positive_rows(view, positives, threshold))

    return scaled(ordered, accuracy, scale)
