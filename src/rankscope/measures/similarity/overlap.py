"""The items of both answers divided by the items of the smaller one (Eq 4).

It is 1 as soon as one contains the other.
"""

from __future__ import annotations

from rankscope.align import Ranked
from rankscope.answers.matched import Matched
from rankscope.answers.nominal import set_similarity
from rankscope.data import Answer
from rankscope.measures.base import FloatArray, measure


@measure(
    "Overlap",
    aliases=("overlap_coefficient",),
    truth="answer",
    product="ranked",
    reference="michel2000similarity",
    formula=r"\frac{|C \cap C'|}{\min(|C|, |C'|)}",
)
def overlap(ranked: Ranked, answer: Answer) -> FloatArray:
    return set_similarity(Matched.aligned(ranked, answer), "overlap")
