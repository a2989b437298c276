"""Phi as a share of the largest that a set of as many retrieved items could have; 0 if that is 0."""

from __future__ import annotations

import math

from rankscope.measures.base import REL, FloatArray, measure
from rankscope.measures.confusion import TOTAL, Counts, share
from rankscope.measures.graded import Graded


@measure(
    "PhiOverMax",
    aliases=("phi_over_phi_max",),
    params=[REL, TOTAL],
    range=(-math.inf, 1),
    empty=None,
    reference="cureton1959phi",
    formula=r"\frac{\phi}{\phi_{\max}}",
)
def phiovermax(graded: Graded, *, rel: float, total: int | None) -> FloatArray:
    counts = Counts.of(graded, rel, total)
    return share(counts.phi(), counts.phi_max(), otherwise=0.0)
