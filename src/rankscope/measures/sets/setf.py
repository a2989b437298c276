"""The harmonic mean of SetP and SetR, where recall weighs beta times as much.

If nothing was retrieved and nothing is relevant it is 1, for both are then; if only one of these is so, 0.
"""

from __future__ import annotations

from rankscope.measures.base import REL, FloatArray, Param, measure
from rankscope.measures.confusion import Counts, share
from rankscope.measures.graded import Graded


@measure(
    "SetF",
    aliases=("SetF1",),
    params=[
        Param("beta", float, default=1.0, bounds="(0, 1e6]", help="weight of recall against precision"),
        REL,
    ],
    empty=None,
    undefined=None,
    reference="vanrijsbergen1979",
    formula=r"\frac{(1 + \beta^2) TP}{(1 + \beta^2) TP + \beta^2 FN + FP}",
)
def setf(graded: Graded, *, beta: float, rel: float) -> FloatArray:
    counts = Counts.of(graded, rel)
    right = (1 + beta**2) * counts.tp
    return share(right, right + beta**2 * counts.fn + counts.fp, otherwise=1.0)
