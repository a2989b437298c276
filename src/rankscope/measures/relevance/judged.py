"""The share of the first k items that have a judgment, of whatever grade.

A ranking shorter than k is measured by its own length: items that are not there need no judgment.
"""

from __future__ import annotations

import numpy as np

from rankscope.measures.base import CUTOFF, FloatArray, measure
from rankscope.measures.graded import Graded


@measure(
    "Judged",
    params=[CUTOFF],
    undefined=None,
    reference="sakai2007",
    formula=r"\frac{1}{\min(k, n)} \sum_{i=1}^{\min(k, n)} j_i",
)
def judged(graded: Graded, *, k: int | None) -> FloatArray:
    looked_at = graded.retrieved if k is None else np.minimum(graded.retrieved, k)
    return graded.judged(k) / np.maximum(looked_at, 1)
