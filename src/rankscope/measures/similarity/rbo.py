"""How much two rankings agree at each depth, the more the nearer to the top; extrapolated beyond their ends.

A tie is an unknown order (variant a: of equally long rankings the value is the mean over all orders of the
ties; b: the same, corrected so that a ranking agrees with itself) or one rank for several items (w). Items
with equal scores are one group, on both sides, whatever the policy on ties.
"""

from __future__ import annotations

from rankscope.align import Ranked
from rankscope.answers.choices import VARIANT, P
from rankscope.answers.matched import Matched
from rankscope.answers.rbo import overlap
from rankscope.data import Answer
from rankscope.measures.base import FloatArray, measure


@measure(
    "RBO",
    aliases=("rank_biased_overlap",),
    params=[P, VARIANT],
    truth="answer",
    product="ranked",
    reference="corsi2024rbo",
    formula=r"\frac{1-p}{p} \sum_{d=1}^{\infty} A_d p^d",
)
def rbo(ranked: Ranked, answer: Answer, *, p: float, variant: str) -> FloatArray:
    return overlap(Matched.aligned(ranked, answer), p, variant)
