"""The mean of the precisions at the ranks of the relevant items, where one that is not retrieved counts 0.

Take a group of n tied items, r of them relevant, with s ranks and c relevant items before it. Its first t
ranks count; let $A = \\sum_{j=1}^{t} 1/(s+j)$. Each rank holds a relevant item with chance r/n; before that
item are the c, and on each earlier rank of the group another one with chance (r-1)/(n-1). On the average:
$\\frac{r}{n} ((c + 1) A + \\frac{r-1}{n-1} (t - (s + 1) A))$.
"""

from __future__ import annotations

import numpy as np

from rankscope.measures.base import CUTOFF, REL, FloatArray, measure
from rankscope.measures.graded import Graded
from rankscope.measures.segments import ratio


@measure(
    "AP",
    aliases=("MAP", "average_precision"),
    params=[REL, CUTOFF],
    undefined=0,
    reference="buckley2000",
    formula=r"\frac{1}{R} \sum_{i=1}^{k} r_i \frac{1}{i} \sum_{j=1}^{i} r_j",
)
def ap(graded: Graded, *, rel: float, k: int | None) -> FloatArray:
    groups = graded.groups(rel)
    inside = graded.inside(groups, k)
    precisions = (groups.before + 1) / groups.first * inside
    if graded.tied:
        shared = groups.size > 1
        a = graded.weigh(np.reciprocal, groups, k)
        others = (groups.hits - 1) / np.maximum(groups.size - 1, 1) * (inside - groups.first * a)
        mean = groups.hits / groups.size * ((groups.before + 1) * a + others)
        precisions = np.where(shared, mean, precisions)
    return ratio(graded.sum(precisions, groups.offsets), graded.relevant(rel))
