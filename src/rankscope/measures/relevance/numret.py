"""How many items were retrieved."""

from __future__ import annotations

import math

import numpy as np

from rankscope.measures.base import CUTOFF, FloatArray, measure
from rankscope.measures.graded import Graded


@measure(
    "NumRet",
    aliases=("num_ret",),
    params=[CUTOFF],
    range=(0, math.inf),
    undefined=None,
    aggregate="sum",
    reference="buckley2005trec",
    formula=r"\min(k, n)",
)
def numret(graded: Graded, *, k: int | None) -> FloatArray:
    return (graded.retrieved if k is None else np.minimum(graded.retrieved, k)).astype(np.float64)
