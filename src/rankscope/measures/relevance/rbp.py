"""How fast a reader who goes on from each item to the next with chance p meets relevant items.

An item from grade rel up gains 1 (binary), its grade (linear: then values above 1 are possible), or its grade
divided by the highest grade that the query has, where that is above 1 (scaled).
"""

from __future__ import annotations

import math

import numpy as np

from rankscope.measures.base import CUTOFF, REL, FloatArray, Param, measure
from rankscope.measures.graded import Graded, binary, floored, linear


def _range(*, gain: str, **_: object) -> tuple[float, float]:
    return (0.0, math.inf if gain == "linear" else 1.0)


@measure(
    "RBP",
    aliases=("rank_biased_precision",),
    params=[
        Param("p", float, default=0.8, bounds="(0, 1)", help="chance of reading on"),
        Param(
            "gain",
            str,
            default="binary",
            choices=("binary", "linear", "scaled"),
            help="what a relevant item is worth",
        ),
        REL,
        CUTOFF,
    ],
    range=_range,
    undefined=None,
    reference="moffat2008rbp",
    formula=r"(1 - p) \sum_{i=1}^{k} g_i p^{i-1}",
)
def rbp(graded: Graded, *, p: float, gain: str, rel: float, k: int | None) -> FloatArray:
    worth = binary(rel) if gain == "binary" else floored(linear, rel)
    gained = (1 - p) * graded.total(worth, lambda rank: p ** (rank - 1), k)
    return gained / np.maximum(graded.highest(), 1.0) if gain == "scaled" else gained
