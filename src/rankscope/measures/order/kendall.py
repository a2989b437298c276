"""How far the run and the truth agree on the order of pairs of items, from 1 (always) to -1 (never).

Kendall's tau: concordant less discordant pairs, as a share. variant=a divides by all pairs, b (the
default) leaves out those tied in the truth and those tied in the run, each by the square root, and c
allows for the number m of different values that the coarser of the two has. It is not defined where there
is nothing to divide by: for one item, or where all are tied.
"""

from __future__ import annotations

import numpy as np

from rankscope.measures.base import FloatArray, Param, measure
from rankscope.measures.ordered import Ordered
from rankscope.measures.paired import concordance, distinct, tau
from rankscope.measures.scale import SCALE, scaled, scaled_range


@measure(
    "Kendall",
    aliases=("KendallTau", "tau"),
    params=[
        Param(
            "variant",
            str,
            default="b",
            choices=("a", "b", "c"),
            help="how ties count: not at all, by the square root, or by the number of different values",
        ),
        SCALE,
    ],
    range=scaled_range(-1, 1),
    truth="order",
    product="ordered",
    empty=None,
    reference="kendall1945ties",
    formula=r"\tau_b = \frac{C - D}{\sqrt{(N - T_x) (N - T_y)}}, \quad \tau_a = \frac{C - D}{N}, "
    r"\quad \tau_c = \frac{2 (C - D)}{n^2 (m - 1) / m}",
)
def kendall(ordered: Ordered, *, variant: str, scale: str) -> FloatArray:
    def coefficient(view: Ordered) -> FloatArray:
        pairs = concordance(view)
        if variant != "c":
            return tau(pairs, variant)
        groups = view.counts if view.averaged else distinct(view.first.astype(np.float64), view.offsets)
        return tau(pairs, "c", view.counts, np.minimum(distinct(view.value, view.offsets), groups))

    return scaled(ordered, coefficient, scale)
