"""The discounted cumulative gain divided by that of the best possible ranking.

The best possible ranking has all judged items of the query, retrieved or not, by falling grade, cut at k.
The base of the logarithm cancels out.
"""

from __future__ import annotations

from rankscope.measures.base import CUTOFF, FloatArray, measure
from rankscope.measures.graded import Graded, floored
from rankscope.measures.relevance.dcg import BASE, DISCOUNT, FLOOR, GAIN, GAINS, discounted
from rankscope.measures.scale import SCALE, scaled, scaled_range, scaled_undefined
from rankscope.measures.segments import ratio


@measure(
    "nDCG",
    aliases=("normalized_discounted_cumulative_gain",),
    params=[GAIN, BASE, DISCOUNT, FLOOR, SCALE, CUTOFF],
    range=scaled_range(0, 1),
    undefined=scaled_undefined(0),
    reference="jarvelin2002ndcg",
    formula=r"\frac{DCG@k}{IDCG@k}",
)
def ndcg(
    graded: Graded, *, gain: str, base: float, discount: str, floor: float, scale: str, k: int | None
) -> FloatArray:
    worth, weight = floored(GAINS[gain], floor), discounted(discount, base)
    ideal = graded.ideal(worth, weight, k)
    return scaled(graded, lambda view: ratio(view.total(worth, weight, k), ideal), scale)
