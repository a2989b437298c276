"""The discounted cumulative gain divided by that of the best possible ranking.

The best possible ranking has all judged items of the query, retrieved or not, by falling grade, cut at k.
The base of the logarithm cancels out.
"""

from __future__ import annotations

from rankscope.measures.base import CUTOFF, FloatArray, measure
from rankscope.measures.graded import Graded, floored
from rankscope.measures.relevance.dcg import BASE, FLOOR, GAIN, GAINS, LogDiscount
from rankscope.measures.segments import ratio


@measure(
    "nDCG",
    aliases=("normalized_discounted_cumulative_gain",),
    params=[GAIN, BASE, FLOOR, CUTOFF],
    undefined=0,
    reference="jarvelin2002ndcg",
    formula=r"\frac{DCG@k}{IDCG@k}",
)
def ndcg(graded: Graded, *, gain: str, base: float, floor: float, k: int | None) -> FloatArray:
    worth, discount = floored(GAINS[gain], floor), LogDiscount(base)
    return ratio(graded.total(worth, discount, k), graded.ideal(worth, discount, k))
