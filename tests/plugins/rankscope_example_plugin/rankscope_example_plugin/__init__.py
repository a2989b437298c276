"""Measures that Rankscope does not have."""

from __future__ import annotations

import math

import numpy as np

from rankscope import CUTOFF, measure
from rankscope.measures import Graded, linear


@measure(
    "MeanGrade",
    aliases=("average_grade",),
    params=[CUTOFF],
    range=(0, math.inf),
    undefined=None,
    formula=r"\frac{1}{k} \sum_{i=1}^{k} g_i",
)
def mean_grade(graded: Graded, *, k: int | None) -> np.ndarray:
    """The mean grade of the first k items, where an unjudged one counts 0."""
    whole = np.maximum(graded.retrieved, 1) if k is None else k
    return graded.total(linear, np.ones_like, k) / whole
