"""How many items were retrieved for each item of the other answer.

The first of the cardinal measures, which know nothing of the items but their number.
"""

from __future__ import annotations

import math

from rankscope.align import Ranked
from rankscope.answers.matched import Matched
from rankscope.answers.nominal import size_ratio
from rankscope.data import Answer
from rankscope.measures.base import FloatArray, measure


@measure(
    "SizeRatio",
    aliases=("cardinal_ratio",),
    range=(0, math.inf),
    truth="answer",
    product="ranked",
    reference="michel2000similarity",
    formula=r"\frac{|C|}{|C'|}",
)
def sizeratio(ranked: Ranked, answer: Answer) -> FloatArray:
    matched = Matched.aligned(ranked, answer)
    return size_ratio(matched.left.items, matched.right.items)
