"""The sum over common items of how far up they stand in both answers (Eq 23).

mu is Eq 10 to 15: only 10 and 12 lie between 0 and 1; 14 may be negative, the reciprocals 11, 13 and 15 are
not bounded. It is not normalised, unless norm=self divides it by the geometric mean of what each answer has
with itself. Items with equal scores are one group, on both sides, whatever the policy on ties.
"""

from __future__ import annotations

from rankscope.align import Ranked
from rankscope.answers.choices import MU, NORM, RANKS
from rankscope.answers.matched import Matched
from rankscope.answers.ordered import type2
from rankscope.answers.ranges import of_delay, of_type2
from rankscope.data import Answer
from rankscope.measures.base import FloatArray, measure


def _range(*, mu: str, **_: object) -> tuple[float, float]:
    return of_type2(of_delay(None, mu), normed=False)


@measure(
    "S6o",
    params=[MU, RANKS, NORM],
    range=_range,
    truth="answer",
    product="ranked",
    reference="michel2000similarity",
    formula=r"\sum_{i,j} \mu(r_i, r'_j) |C_i \cap C'_j|",
)
def s6o(ranked: Ranked, answer: Answer, *, mu: str, ranks: str, norm: str) -> FloatArray:
    return type2(Matched.aligned(ranked, answer), None, mu, ranks, norm)
