"""How near a ranking is to the ideal one, where only the order of the grades matters, not how big they are.

The g different grades of the judged items count as 1 (the lowest) to g. An item is divided by the discount
of its rank, which is 1 on the ranks that the best grade takes in the ideal ranking, 2 on those of the second
best, and so on. The sum S is scaled so that the ideal ranking has 1 and its reverse 0. Items of equal grade
may change places, and so may items on ranks of equal discount. Tied items count with their mean relevance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from rankscope.measures.base import FloatArray, measure
from rankscope.measures.ordered import Ordered
from rankscope.measures.scale import SCALE, scaled
from rankscope.measures.segments import IntArray, ratio, segment_sums


@measure(
    "RankDCG",
    aliases=("rank_dcg",),
    params=[SCALE],
    truth="order",
    product="ordered",
    empty=None,
    reference="katerenchuk2016rankdcg",
    formula=r"\frac{S - S_{min}}{S_{max} - S_{min}}, \quad S = \sum_i \frac{rel'(x_i)}{disc(i)}",
)
def rankdcg(ordered: Ordered, *, scale: str) -> FloatArray:
    return scaled(ordered, _normalised, scale)


def _normalised(ordered: Ordered) -> FloatArray:
    terms = Terms.of(ordered.value, ordered.offsets)
    relative = _mean_of_group(ordered, terms.relative) if ordered.tied else terms.relative
    # Item by item rather than sum by sum: differences of whole numbers are exact.
    above_lowest = ordered.sum((relative - terms.rising) / terms.discount)
    return ratio(above_lowest, ordered.sum((terms.falling - terms.rising) / terms.discount))


@dataclass(frozen=True)
class Terms:
    """What RankDCG makes of the grades of each query."""

    relative: FloatArray
    """rel' of each item: the place of its grade among the different ones; the lowest has 1."""
    falling: FloatArray
    """rel' of the item on each rank of the ideal ranking."""
    rising: FloatArray
    """The same of the reversed ideal ranking."""
    discount: FloatArray
    """disc of each rank."""

    @classmethod
    def of(cls, value: FloatArray, offsets: IntArray) -> Self:
        counts = np.diff(offsets)
        begin, end = np.repeat(offsets[:-1], counts), np.repeat(offsets[1:], counts)
        order = np.lexsort((value, begin))
        place = np.arange(len(value))
        opens = np.ones(len(value), np.bool_)
        opens[1:] = np.diff(value[order]) != 0
        level = np.cumsum(opens | (place == begin))
        rising = (level - level[begin] + 1).astype(np.float64)
        falling = rising[begin + end - 1 - place]
        relative = np.empty(len(value))
        relative[order] = rising
        return cls(relative, falling, rising, discount=falling[begin] + 1.0 - falling)


def _mean_of_group(ordered: Ordered, relative: FloatArray) -> FloatArray:
    """The mean relevance of each row's tie group; the sum S is linear in the relevances."""
    place = np.arange(1, len(relative) + 1) - ordered.spread(ordered.offsets[:-1])
    heads = np.flatnonzero(place == ordered.first)
    sizes = ordered.size[heads]
    return np.repeat(segment_sums(relative, np.append(heads, len(relative))) / sizes, sizes)
