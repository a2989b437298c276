"""The mean of the precisions at the ranks of the relevant items, where one that is not retrieved counts 0.

Take a group of n tied items, r of them relevant, with s ranks and c relevant items before it. Its first t
ranks count; let $A = \\sum_{j=1}^{t} 1/(s+j)$. Each rank holds a relevant item with chance r/n; before that
item are the c, and on each earlier rank of the group another one with chance (r-1)/(n-1). On the average:
$\\frac{r}{n} ((c + 1) A + \\frac{r-1}{n-1} (t - (s + 1) A))$.

With denominator=retrieved the sum is divided by the number of relevant items in the ranking, at whatever
rank, instead of R: one that is not retrieved does not count. It is 0 if none is.
"""

from __future__ import annotations

import numpy as np

from rankscope.measures.base import CUTOFF, REL, FloatArray, Param, measure
from rankscope.measures.found import Cases
from rankscope.measures.graded import Graded, Groups
from rankscope.measures.scale import SCALE, scaled, scaled_undefined
from rankscope.measures.segments import ratio


@measure(
    "AP",
    aliases=("MAP", "average_precision"),
    params=[
        REL,
        Param(
            "denominator",
            str,
            default="gold",
            choices=("gold", "retrieved"),
            help="which relevant items count: all, or those retrieved",
        ),
        SCALE,
        CUTOFF,
    ],
    undefined=scaled_undefined(0),
    reference="buckley2000",
    formula=r"\frac{1}{R} \sum_{i=1}^{k} r_i \frac{1}{i} \sum_{j=1}^{i} r_j",
)
def ap(
    graded: Graded, *, rel: float, denominator: str, scale: str, k: int | None
) -> tuple[FloatArray, FloatArray | None]:
    values, weights = _average(graded, rel, denominator, k)
    if scale != "none":
        values = scaled(graded, lambda view: _average(view, rel, denominator, k)[0], scale)
    return values, weights


def _average(
    graded: Graded, rel: float, denominator: str, k: int | None
) -> tuple[FloatArray, FloatArray | None]:
    """The value of each query, and what it weighs if that is not the same for all."""
    groups = graded.groups(rel)
    precisions = _precisions(graded, groups, k)
    if denominator == "gold":
        return ratio(graded.sum(precisions, groups.offsets), graded.relevant(rel)), None
    return _of_those_found(graded, groups, precisions, rel, k)


def _precisions(graded: Graded, groups: Groups, k: int | None) -> FloatArray:
    """For each group: the precisions at the ranks of its relevant items among the first k, summed."""
    inside = graded.inside(groups, k)
    precisions: FloatArray = (groups.before + 1) / groups.first * inside
    if graded.tied:
        shared = groups.size > 1
        a = graded.weigh(np.reciprocal, groups, k)
        others = (groups.hits - 1) / np.maximum(groups.size - 1, 1) * (inside - groups.first * a)
        mean = groups.hits / groups.size * ((groups.before + 1) * a + others)
        precisions = np.where(shared, mean, precisions)
    return precisions


def _of_those_found(
    graded: Graded, groups: Groups, precisions: FloatArray, rel: float, k: int | None
) -> tuple[FloatArray, FloatArray]:
    """The means over the relevant items that are in the ranking; a query that has none weighs nothing."""
    cases = Cases.of(graded, groups)
    total = graded.sum(np.where(cases.whole, precisions, 0.0), groups.offsets)[cases.query]
    if not cases.whole.all():
        # Of a divided group, x of the d items inside are relevant: the same mean with d for n and x for r.
        x, d = cases.of_divided, np.maximum(cases.column(graded.inside(groups)), 1)
        first, before = cases.column(groups.first), cases.column(groups.before)
        a = cases.column(graded.weigh(np.reciprocal, groups, k))
        others = (x - 1) / np.maximum(d - 1, 1) * (cases.column(graded.inside(groups, k)) - first * a)
        total = total + x / d * ((before + 1) * a + others)
    found = np.where(graded.relevant(rel) > 0, 0.0, np.nan)[cases.query]
    np.divide(total, cases.hits, out=found, where=cases.hits > 0)
    return cases.mean(found), (cases.mean(cases.hits) > 0).astype(np.float64)
