"""The items of both answers divided by the geometric mean of the numbers of their items (Eq 3)."""

from __future__ import annotations

from rankscope.align import Ranked
from rankscope.answers.matched import Matched
from rankscope.answers.nominal import set_similarity
from rankscope.data import Answer
from rankscope.measures.base import FloatArray, measure


@measure(
    "Cosine",
    truth="answer",
    product="ranked",
    reference="michel2000similarity",
    formula=r"\frac{|C \cap C'|}{\sqrt{|C| |C'|}}",
)
def cosine(ranked: Ranked, answer: Answer) -> FloatArray:
    return set_similarity(Matched.aligned(ranked, answer), "cosine")
