"""How seldom judged non-relevant items stand before the relevant ones; unjudged items are passed over.

Of the judged non-relevant items before a relevant one at most R count, the number of relevant items.
In a tie group with g of them any number from 0 to g is equally likely to stand before a relevant one.
"""

from __future__ import annotations

import numpy as np

from rankscope.measures.base import REL, FloatArray, measure
from rankscope.measures.graded import Graded
from rankscope.measures.segments import IntArray, batches, line_sums, ratio


@measure(
    "bpref",
    aliases=("binary_preference",),
    params=[REL],
    undefined=0,
    reference="buckley2004bpref",
    formula=r"\frac{1}{R} \sum_{i : r_i = 1} \left( 1 - \frac{\min(n_i, R)}{\min(N, R)} \right)",
)
def bpref(graded: Graded, *, rel: float) -> FloatArray:
    groups = graded.groups(rel)
    relevant, nonrelevant = graded.relevant(rel), graded.nonrelevant(rel)
    most = graded.spread(relevant.astype(np.int64), groups.offsets)
    worst = np.maximum(np.minimum(most, graded.spread(nonrelevant.astype(np.int64), groups.offsets)), 1)
    before, within = graded.nonrelevant_around(rel)
    inside = graded.inside(groups)
    preferred = np.where(inside > 0, 1 - _mean_of_min(before, within, most) / worst, 0.0)
    for rows, i in batches(np.where((inside > 0) & (inside < groups.size), within + 1, 0)):
        reached = _chance_of_more(i, within[rows] + 1, inside[rows], groups.size[rows])
        terms = reached * (
            1 - np.minimum(before[rows][:, None] + i, most[rows][:, None]) / worst[rows][:, None]
        )
        preferred[rows] = line_sums(terms) / (within[rows] + 1)
    return ratio(graded.sum(preferred * groups.hits, groups.offsets), relevant)


def _mean_of_min(before: IntArray, within: IntArray, most: IntArray) -> FloatArray:
    """The mean of min(before + u, most) over u = 0, 1, ..., within."""
    below = np.clip(most - before, 0, within + 1)
    total = below * before + below * (below - 1) // 2 + (within + 1 - below) * most
    mean: FloatArray = total / (within + 1)
    return mean


def _chance_of_more(i: IntArray, marked: IntArray, inside: IntArray, size: IntArray) -> FloatArray:
    """The chance that more than i of the marked items of a group are on its ranks inside (hypergeometric).

    A relevant item with i judged non-relevant ones of its group before it is the (i + 1)-th of those marked:
    this is the chance that it is still retrieved where the depth of the run divides the group.
    """
    marked, inside, size = marked[:, None], inside[:, None], size[:, None]
    count = np.arange(len(i) + 1)
    possible = (count >= inside + marked - size) & (count <= np.minimum(marked, inside))
    # Each chance by its ratio to the one before, in logarithms, so that no group is too large.
    up = (marked - count + 1) * (inside - count + 1)
    down = count * (size - marked - inside + count)
    steps = np.log(np.where(possible & (up > 0) & (down > 0), up / np.maximum(down, 1), 1.0))
    height = np.where(possible, np.cumsum(steps, axis=1), -np.inf)
    chance = np.exp(height - height.max(axis=1, keepdims=True))
    above = np.cumsum(chance[:, ::-1], axis=1)[:, ::-1]
    chances: FloatArray = above[:, 1:] / above[:, :1]
    return chances
