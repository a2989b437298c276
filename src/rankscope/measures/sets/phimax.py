"""The largest Phi that a set of as many retrieved items could have.

With X = (FP + TN)(TP + FP) and Y = (FN + TN)(TP + FN) it is the root of X / Y if as many items or more are
missed as are wrong, else that of Y / X; 0 if there is nothing to divide by.
"""

from __future__ import annotations

from rankscope.measures.base import REL, FloatArray, measure
from rankscope.measures.confusion import TOTAL, Counts
from rankscope.measures.graded import Graded


@measure(
    "PhiMax",
    params=[REL, TOTAL],
    empty=None,
    reference="cureton1959phi",
    formula=r"\sqrt{\min(X / Y, Y / X)}",
)
def phimax(graded: Graded, *, rel: float, total: int | None) -> FloatArray:
    return Counts.of(graded, rel, total).phi_max()
