"""The correlation between the ranks of the items in the run and in the true order.

Spearman's rho: the correlation coefficient of the two columns of ranks, where tied items share the mean of
theirs. It is not defined for one item, or where all are tied in the truth or in the run.
"""

from __future__ import annotations

import numpy as np

from rankscope.measures.base import FloatArray, measure
from rankscope.measures.ordered import Ordered
from rankscope.measures.paired import run_ranks, true_ranks
from rankscope.measures.scale import SCALE, scaled, scaled_range
from rankscope.measures.segments import ratio


@measure(
    "Spearman",
    aliases=("SpearmanRho", "rho"),
    params=[SCALE],
    range=scaled_range(-1, 1),
    truth="order",
    product="ordered",
    empty=None,
    reference="spearman1904association",
    formula=r"\frac{\sum_i (a_i - \bar a) (b_i - \bar b)}"
    r"{\sqrt{\sum_i (a_i - \bar a)^2 \sum_i (b_i - \bar b)^2}}",
)
def spearman(ordered: Ordered, *, scale: str) -> FloatArray:
    return scaled(ordered, _correlation, scale)


def _correlation(ordered: Ordered) -> FloatArray:
    middle = (ordered.spread(ordered.counts) + 1) / 2
    true, run = true_ranks(ordered) - middle, run_ranks(ordered) - middle
    n = ordered.counts.astype(np.float64)
    # Over strict orders, the ranks of a run have the same squares whatever the order.
    of_run = (n**3 - n) / 12 if ordered.averaged else ordered.sum(run**2)
    return ratio(ordered.sum(true * run), np.sqrt(ordered.sum(true**2) * of_run))
