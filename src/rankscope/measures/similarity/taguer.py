"""Spearman's rank correlation of the items that both answers have, ranked anew on both sides (Eq 5).

It needs two common items that are not all tied. absent=literal is the equation as printed, with the ranks
in the whole answers: where items are in only one of them it is no correlation, and may lie beyond -1 and 1.
Items with equal scores are one group, on both sides, whatever the policy on ties.
"""

from __future__ import annotations

import math

from rankscope.align import Ranked
from rankscope.answers.choices import ABSENT
from rankscope.answers.matched import Matched
from rankscope.answers.ordered import correlation
from rankscope.data import Answer
from rankscope.measures.base import FloatArray, measure


def _range(*, absent: str) -> tuple[float, float]:
    return (-1.0, 1.0) if absent == "common" else (-math.inf, math.inf)


@measure(
    "TagueR",
    params=[ABSENT],
    range=_range,
    truth="answer",
    product="ranked",
    empty=None,
    reference="tague1995information",
    formula=r"\frac{\sum_i i r_i - m(m+1)^2/4}{\sqrt{\frac{m(m^2-1)}{12} (\sum_i r_i^2 - m(m+1)^2/4)}}",
)
def taguer(ranked: Ranked, answer: Answer, *, absent: str) -> FloatArray:
    return correlation(Matched.aligned(ranked, answer), absent)
