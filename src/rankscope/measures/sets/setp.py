"""The share of the retrieved items that is relevant; 1 if none was retrieved, as none is wrong then."""

from __future__ import annotations

from rankscope.measures.base import REL, FloatArray, measure
from rankscope.measures.confusion import Counts, share
from rankscope.measures.graded import Graded


@measure(
    "SetP",
    aliases=("SetPrecision",),
    params=[REL],
    empty=1,
    undefined=None,
    reference="vanrijsbergen1979",
    formula=r"\frac{TP}{TP + FP}",
)
def setp(graded: Graded, *, rel: float) -> FloatArray:
    counts = Counts.of(graded, rel)
    return share(counts.tp, counts.tp + counts.fp, otherwise=1.0)
