"""The share of the retrieved items, or of those of the other answer, in the items of both counted together.

The second and the third of the cardinal measures; the third, of the other answer, is printed as |C| / (|C|
+ |C|).
"""

from __future__ import annotations

from rankscope.align import Ranked
from rankscope.answers.choices import SHARE
from rankscope.answers.matched import Matched
from rankscope.answers.nominal import share_of_sizes
from rankscope.data import Answer
from rankscope.measures.base import FloatArray, measure


@measure(
    "SizeShare",
    aliases=("cardinal_share",),
    params=[SHARE],
    truth="answer",
    product="ranked",
    empty=None,
    reference="michel2000similarity",
    formula=r"\frac{|C|}{|C| + |C'|}",
)
def sizeshare(ranked: Ranked, answer: Answer, *, of: str) -> FloatArray:
    matched = Matched.aligned(ranked, answer)
    return share_of_sizes(matched.left.items, matched.right.items, of)
