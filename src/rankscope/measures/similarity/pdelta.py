"""How alike two rankings of groups are, in what the groups hold and in where they stand (Eq 33).

It is 0 if nothing is in common, 1 for the same groups in the same order, and between otherwise; so it is
with Dice and the cosine in place of Jaccard, while the overlap coefficient may go beyond 1. A match near
the top is worth more, but an exchange near the bottom costs more. Items with equal scores are one group, on
both sides, whatever the policy on ties.
"""

from __future__ import annotations

import math

from rankscope.align import Ranked
from rankscope.answers.choices import NOMINAL
from rankscope.answers.matched import Matched
from rankscope.answers.type3 import type3
from rankscope.data import Answer
from rankscope.measures.base import FloatArray, measure


def _range(*, nominal: str) -> tuple[float, float]:
    return (0.0, 1.0 if nominal in ("jaccard", "dice", "cosine") else math.inf)


@measure(
    "Pdelta",
    aliases=("p_delta",),
    params=[NOMINAL],
    range=_range,
    truth="answer",
    product="ranked",
    reference="michel2000similarity",
    formula=r"\sum_{i,j} J(C_i, C'_j) \delta(i(|i-j|+1)) \delta(j(|i-j|+1))",
)
def pdelta(ranked: Ranked, answer: Answer, *, nominal: str) -> FloatArray:
    return type3(Matched.aligned(ranked, answer), nominal)
