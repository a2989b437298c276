"""How many relevant items are among the first k."""

from __future__ import annotations

import math

from rankscope.measures.base import CUTOFF, REL, FloatArray, measure
from rankscope.measures.graded import Graded


@measure(
    "NumRelRet",
    aliases=("num_rel_ret", "hits"),
    params=[REL, CUTOFF],
    range=(0, math.inf),
    undefined=None,
    aggregate="sum",
    reference="buckley2005trec",
    formula=r"\sum_{i=1}^{k} r_i",
)
def numrelret(graded: Graded, *, rel: float, k: int | None) -> FloatArray:
    return graded.hits(rel, k)
