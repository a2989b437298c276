"""How far the run agrees with the truth on the order of the pairs that the truth does not tie.

Somers' d: concordant less discordant pairs, divided by the pairs that the other side does not tie. With
direction=run, the run depends on the truth, and pairs tied in the truth are left out; with two grades it
is 2 AUC - 1. With direction=truth it is the other way round. It is not defined where all pairs are left
out.
"""

from __future__ import annotations

from rankscope.measures.base import FloatArray, Param, measure
from rankscope.measures.ordered import Ordered
from rankscope.measures.paired import concordance
from rankscope.measures.scale import SCALE, scaled, scaled_range
from rankscope.measures.segments import ratio


@measure(
    "Somers",
    aliases=("SomersD",),
    params=[
        Param(
            "direction",
            str,
            default="run",
            choices=("run", "truth"),
            help="which of the two depends on the other; pairs tied in the other are left out",
        ),
        SCALE,
    ],
    range=scaled_range(-1, 1),
    truth="order",
    product="ordered",
    empty=None,
    reference="somers1962association",
    formula=r"\frac{C - D}{N - T_x}",
)
def somers(ordered: Ordered, *, direction: str, scale: str) -> FloatArray:
    def coefficient(view: Ordered) -> FloatArray:
        pairs = concordance(view)
        return ratio(pairs.balance, pairs.differ_x if direction == "run" else pairs.differ_y)

    return scaled(ordered, coefficient, scale)
