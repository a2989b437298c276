"""How fast a reader who goes on from each item to the next with chance p meets relevant items."""

from __future__ import annotations

from rankscope.measures.base import CUTOFF, REL, FloatArray, Param, measure
from rankscope.measures.graded import Graded, binary


@measure(
    "RBP",
    aliases=("rank_biased_precision",),
    params=[Param("p", float, default=0.8, bounds="(0, 1)", help="chance of reading on"), REL, CUTOFF],
    undefined=None,
    reference="moffat2008rbp",
    formula=r"(1 - p) \sum_{i=1}^{k} r_i p^{i-1}",
)
def rbp(graded: Graded, *, p: float, rel: float, k: int | None) -> FloatArray:
    return (1 - p) * graded.total(binary(rel), lambda rank: p ** (rank - 1), k)
