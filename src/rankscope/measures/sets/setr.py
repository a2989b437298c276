"""The share of the relevant items that was retrieved; 1 if none is relevant, as none is missed then."""

from __future__ import annotations

from rankscope.measures.base import REL, FloatArray, measure
from rankscope.measures.confusion import Counts, share
from rankscope.measures.graded import Graded


@measure(
    "SetR",
    aliases=("SetRecall",),
    params=[REL],
    empty=None,
    undefined=None,
    reference="vanrijsbergen1979",
    formula=r"\frac{TP}{TP + FN}",
)
def setr(graded: Graded, *, rel: float) -> FloatArray:
    counts = Counts.of(graded, rel)
    return share(counts.tp, counts.tp + counts.fn, otherwise=1.0)
