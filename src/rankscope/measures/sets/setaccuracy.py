"""The share of all items for which retrieving them, or not, was right."""

from __future__ import annotations

from rankscope.measures.base import REL, FloatArray, measure
from rankscope.measures.confusion import TOTAL, Counts
from rankscope.measures.graded import Graded
from rankscope.measures.segments import ratio


@measure(
    "SetAccuracy",
    params=[REL, TOTAL],
    empty=None,
    reference="fawcett2006roc",
    formula=r"\frac{TP + TN}{TP + FP + FN + TN}",
)
def setaccuracy(graded: Graded, *, rel: float, total: int | None) -> FloatArray:
    counts = Counts.of(graded, rel, total)
    right = counts.tp + counts.tn
    return ratio(right, right + counts.fp + counts.fn)
