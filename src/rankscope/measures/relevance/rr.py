"""One divided by the rank of the first relevant item; 0 if there is none among the first k.

In a group of n tied items, r of them relevant, the first relevant one is the j-th with the chance
$\\frac{r}{n-j+1} \\prod_{i<j} \\frac{n-r-i+1}{n-i+1}$.
"""

from __future__ import annotations

import numpy as np

from rankscope.measures.base import CUTOFF, REL, FloatArray, measure
from rankscope.measures.graded import Graded, Groups
from rankscope.measures.segments import IntArray, batches, line_sums


@measure(
    "RR",
    aliases=("MRR", "recip_rank", "reciprocal_rank"),
    params=[REL, CUTOFF],
    undefined=None,
    reference="voorhees1999rr",
    formula=r"\frac{1}{\min \{ i \le k : r_i = 1 \}}",
)
def rr(graded: Graded, *, rel: float, k: int | None) -> FloatArray:
    queries, groups = graded.groups(rel).leading()
    inside = graded.inside(groups, k)
    values = np.zeros(len(graded))
    values[queries] = _expected(groups, inside) if graded.tied else inside / groups.first
    return values


def _expected(groups: Groups, inside: IntArray) -> FloatArray:
    """The mean of 1 / rank of the first hit over all orders of its group."""
    misses = groups.size - groups.hits
    places = np.minimum(inside, misses + 1)
    means = inside / groups.first
    for rows, i in batches(np.where(groups.size > 1, places, 0)):
        left = np.maximum(groups.size[rows][:, None] - i, 1)
        none_yet = np.ones(left.shape)
        np.multiply.accumulate(((misses[rows][:, None] - i) / left)[:, :-1], axis=1, out=none_yet[:, 1:])
        terms = none_yet * groups.hits[rows][:, None] / left / (groups.first[rows][:, None] + i)
        means[rows] = line_sums(np.where(i < places[rows][:, None], terms, 0.0))
    return means
