"""The share of the first k items that are relevant.

A ranking shorter than k is measured as if it went on with items that are not relevant.
Without a cutoff it is the share of all retrieved items.
"""

from __future__ import annotations

import numpy as np

from rankscope.measures.base import CUTOFF, REL, FloatArray, measure
from rankscope.measures.graded import Graded


@measure(
    "P",
    aliases=("Precision", "set_P"),
    params=[REL, CUTOFF],
    undefined=None,
    reference="buckley2005trec",
    formula=r"\frac{1}{k} \sum_{i=1}^{k} r_i",
)
def precision(graded: Graded, *, rel: float, k: int | None) -> FloatArray:
    return graded.hits(rel, k) / (np.maximum(graded.retrieved, 1) if k is None else k)
