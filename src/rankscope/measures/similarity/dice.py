"""The items of both answers divided by the mean number of their items (Eq 2)."""

from __future__ import annotations

from rankscope.align import Ranked
from rankscope.answers.matched import Matched
from rankscope.answers.nominal import set_similarity
from rankscope.data import Answer
from rankscope.measures.base import FloatArray, measure


@measure(
    "Dice",
    aliases=("sorensen_dice",),
    truth="answer",
    product="ranked",
    reference="michel2000similarity",
    formula=r"\frac{2 |C \cap C'|}{|C| + |C'|}",
)
def dice(ranked: Ranked, answer: Answer) -> FloatArray:
    return set_similarity(Matched.aligned(ranked, answer), "dice")
