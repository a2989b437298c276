"""The area under the ROC curve of an order, where an item of the upper half weighs as much as its true rank.

Positive is the upper half of the true order (of an odd number the middle item too), or another share of
it, or so many items from its top, or what has a true score of at least a threshold. Each positive item
counts the negative ones below it, times its true rank a; a pair tied in the run counts half. Items tied in
the truth share the mean of their ranks, and are all positive or all negative by it. It is not defined
without items of both kinds. It takes a true order: where the truth says only good or bad, use OrderAUC or
OrderAccuracy.
"""

from __future__ import annotations

from rankscope.measures.base import FloatArray, measure
from rankscope.measures.ordered import Ordered
from rankscope.measures.paired import POSITIVES, THRESHOLD, weighted_area
from rankscope.measures.paired import positives as positive_rows
from rankscope.measures.scale import SCALE, scaled


@measure(
    "OAUC",
    aliases=("OrderedAUC",),
    params=[POSITIVES, THRESHOLD, SCALE],
    truth="order",
    detail="full",
    product="ordered",
    empty=None,
    reference="huang2005ordering",
    formula=r"\frac{\sum_i a_{r_i} (r_i - i)}{n_1 \sum_i a_{r_i}}",
)
def oauc(ordered: Ordered, *, positives: float, threshold: float | None, scale: str) -> FloatArray:
    def area(view: Ordered) -> FloatArray:
        return weighted_area(view, positive_rows(view, positives, threshold))

    return scaled(ordered, area, scale)
