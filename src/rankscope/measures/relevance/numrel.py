"""How many items are relevant, retrieved or not."""

from __future__ import annotations

import math

from rankscope.measures.base import REL, FloatArray, measure
from rankscope.measures.graded import Graded


@measure(
    "NumRel",
    aliases=("num_rel",),
    params=[REL],
    range=(0, math.inf),
    empty=None,
    undefined=None,
    aggregate="sum",
    reference="buckley2005trec",
    formula=r"R",
)
def numrel(graded: Graded, *, rel: float) -> FloatArray:
    return graded.relevant(rel)
