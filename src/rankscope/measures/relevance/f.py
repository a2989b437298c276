"""The harmonic mean of precision and recall, where recall weighs beta times as much.

It is $(1 + \\beta^2) P R / (\\beta^2 P + R)$, written so that only what is above the line depends
on the order of the items.
"""

from __future__ import annotations

import numpy as np

from rankscope.measures.base import CUTOFF, REL, FloatArray, Param, measure
from rankscope.measures.graded import Graded
from rankscope.measures.segments import ratio


@measure(
    "F",
    aliases=("F1", "set_F"),
    params=[
        Param("beta", float, default=1.0, bounds="(0, 1e6]", help="weight of recall against precision"),
        REL,
        CUTOFF,
    ],
    undefined=0,
    reference="vanrijsbergen1979",
    formula=r"\frac{(1 + \beta^2) \sum_{i=1}^{k} r_i}{\beta^2 R + k}",
)
def f(graded: Graded, *, beta: float, rel: float, k: int | None) -> FloatArray:
    relevant = graded.relevant(rel)
    looked_at = graded.retrieved if k is None else k
    wanted = np.where(relevant > 0, beta**2 * relevant + looked_at, 0.0)
    return ratio((1 + beta**2) * graded.hits(rel, k), wanted)
