"""The share of the relevant items that are among the first k."""

from __future__ import annotations

from rankscope.measures.base import CUTOFF, REL, FloatArray, measure
from rankscope.measures.graded import Graded
from rankscope.measures.segments import ratio


@measure(
    "R",
    aliases=("Recall", "set_recall"),
    params=[REL, CUTOFF],
    undefined=0,
    reference="buckley2005trec",
    formula=r"\frac{1}{R} \sum_{i=1}^{k} r_i",
)
def recall(graded: Graded, *, rel: float, k: int | None) -> FloatArray:
    return ratio(graded.hits(rel, k), graded.relevant(rel))
