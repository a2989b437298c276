"""The share of the first R items that are relevant, where R is the number of relevant items of the query."""

from __future__ import annotations

import numpy as np

from rankscope.measures.base import REL, FloatArray, measure
from rankscope.measures.graded import Graded
from rankscope.measures.segments import ratio


@measure(
    "Rprec",
    aliases=("R-precision", "r_precision"),
    params=[REL],
    undefined=0,
    reference="buckley2000",
    formula=r"\frac{1}{R} \sum_{i=1}^{R} r_i",
)
def rprec(graded: Graded, *, rel: float) -> FloatArray:
    relevant = graded.relevant(rel)
    return ratio(graded.hits(rel, relevant.astype(np.int64)), relevant)
