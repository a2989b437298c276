"""The squared distance between the true ranks of the items and their ranks in the run.

Tied items share the mean of their ranks, in the truth and in the run. Without ties $\\rho = 1 - 6 ED /
(n^3 - n)$ is Spearman's rho. form=root is the Euclidean distance itself. A query with one item has 0, one
without any has no value. It takes a true order: where the truth says only good or bad, use OrderAUC or
OrderAccuracy.
"""

from __future__ import annotations

import numpy as np

from rankscope.measures.base import FloatArray, Param, measure
from rankscope.measures.ordered import Ordered
from rankscope.measures.paired import NORMALISED, distance_range, run_ranks, true_ranks
from rankscope.measures.scale import SCALE, scaled
from rankscope.measures.segments import ratio


@measure(
    "ED",
    aliases=("EuclideanDistance",),
    params=[
        Param("form", str, default="squared", choices=("squared", "root"), help="squared, or its root"),
        NORMALISED,
        SCALE,
    ],
    range=distance_range,
    better="lower",
    truth="order",
    detail="full",
    product="ordered",
    empty=None,
    reference="huang2005ordering",
    formula=r"\sum_{i=1}^{n} (a_i - i)^2",
)
def ed(ordered: Ordered, *, form: str, normalised: str, scale: str) -> FloatArray:
    def distance(view: Ordered) -> FloatArray:
        squares = _squares(view)
        n = view.counts.astype(np.float64)
        whole = ratio(squares, (n**3 - n) / 3) if normalised == "yes" else np.where(n > 0, squares, np.nan)
        return np.sqrt(whole) if form == "root" else whole

    return scaled(ordered, distance, scale)


def _squares(ordered: Ordered) -> FloatArray:
    squares = (true_ranks(ordered) - run_ranks(ordered)) ** 2
    if ordered.averaged and ordered.tied:
        squares += (ordered.size**2 - 1.0) / 12  # the variance of a rank within its group
    return ordered.sum(squares)
