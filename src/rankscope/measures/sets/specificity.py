"""The share of the items that are not relevant which was not retrieved; 1 if all are relevant."""

from __future__ import annotations

from rankscope.measures.base import REL, FloatArray, measure
from rankscope.measures.confusion import TOTAL, Counts, share
from rankscope.measures.graded import Graded


@measure(
    "Specificity",
    aliases=("TNR",),
    params=[REL, TOTAL],
    empty=None,
    reference="fawcett2006roc",
    formula=r"\frac{TN}{TN + FP}",
)
def specificity(graded: Graded, *, rel: float, total: int | None) -> FloatArray:
    counts = Counts.of(graded, rel, total)
    return share(counts.tn, counts.tn + counts.fp, otherwise=1.0)
