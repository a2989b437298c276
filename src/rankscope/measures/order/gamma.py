"""How far the run and the truth agree on the order of the pairs that neither of them ties.

Goodman and Kruskal's gamma: concordant less discordant pairs, divided by their number. It is not defined
where every pair is tied in one or the other.
"""

from __future__ import annotations

from rankscope.measures.base import FloatArray, measure
from rankscope.measures.ordered import Ordered
from rankscope.measures.paired import concordance
from rankscope.measures.scale import SCALE, scaled, scaled_range
from rankscope.measures.segments import ratio


@measure(
    "Gamma",
    aliases=("GoodmanKruskalGamma",),
    params=[SCALE],
    range=scaled_range(-1, 1),
    truth="order",
    product="ordered",
    empty=None,
    reference="goodman1954association",
    formula=r"\frac{C - D}{C + D}",
)
def gamma(ordered: Ordered, *, scale: str) -> FloatArray:
    def coefficient(view: Ordered) -> FloatArray:
        pairs = concordance(view)
        return ratio(pairs.balance, pairs.differ)

    return scaled(ordered, coefficient, scale)
