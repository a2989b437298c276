"""The similarity of both answers as sets, times a weight made of Tague's R (Eq 16).

The weight is (1 + R) / 2, or R where it is above 0. sets=eq25 takes S of each pair of groups and sums up.
Items with equal scores are one group, on both sides, whatever the policy on ties.
"""

from __future__ import annotations

import math

from rankscope.align import Ranked
from rankscope.answers.choices import ABSENT, D0, NOMINAL, SETS
from rankscope.answers.matched import Matched
from rankscope.answers.ordered import D0S, correlation, type1
from rankscope.answers.ranges import of_type1
from rankscope.data import Answer
from rankscope.measures.base import FloatArray, measure


def _range(*, nominal: str, d0: str, absent: str, sets: str) -> tuple[float, float]:
    return of_type1((0.0, 1.0) if absent == "common" else (-math.inf, math.inf), sets)


@measure(
    "S1o",
    params=[NOMINAL, D0, ABSENT, SETS],
    range=_range,
    truth="answer",
    product="ranked",
    reference="tague1995information",
    formula=r"d_0(R) S(C, C')",
)
def s1o(ranked: Ranked, answer: Answer, *, nominal: str, d0: str, absent: str, sets: str) -> FloatArray:
    matched = Matched.aligned(ranked, answer)
    return type1(matched, D0S[d0](correlation(matched, absent)), nominal, sets)
