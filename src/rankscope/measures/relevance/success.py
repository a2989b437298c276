"""Whether there is a relevant item among the first k.

Of tied items only the first group with a relevant one leaves it to chance, and only if the cutoff divides it.
"""

from __future__ import annotations

import numpy as np

from rankscope.measures.base import CUTOFF, REL, FloatArray, measure
from rankscope.measures.graded import Graded
from rankscope.measures.segments import IntArray, batches


@measure(
    "Success",
    aliases=("hit_rate", "HitRate"),
    params=[REL, CUTOFF],
    undefined=None,
    reference="buckley2005trec",
    formula=r"\max_{i \le k} r_i",
)
def success(graded: Graded, *, rel: float, k: int | None) -> FloatArray:
    queries, groups = graded.groups(rel).leading()
    inside = graded.inside(groups, k)
    chance = (inside == groups.size).astype(np.float64)
    cut = np.flatnonzero((inside > 0) & (inside < groups.size))
    chance[cut] = 1 - _all_beyond(groups.size[cut], groups.hits[cut], inside[cut])
    values = np.zeros(len(graded))
    values[queries] = chance
    return values


def _all_beyond(size: IntArray, hits: IntArray, inside: IntArray) -> FloatArray:
    """The chance that all hits are beyond the ranks inside: one factor for each hit or each such rank."""
    fewer, more = np.minimum(hits, inside), np.maximum(hits, inside)
    chance = np.ones(len(size))
    for rows, i in batches(fewer):
        left = (size[rows] - more[rows])[:, None] - i
        factors = np.maximum(left, 0) / np.maximum(size[rows][:, None] - i, 1)
        taken = np.where(i < fewer[rows][:, None], factors, 1.0)
        chance[rows] = np.multiply.accumulate(taken, axis=1)[:, -1]
    return chance
