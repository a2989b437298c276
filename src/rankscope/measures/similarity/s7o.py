"""The sum over common items of how near and how far up their two ranks are (Eq 24).

alpha is Eq 6 to 9 or 27, mu is Eq 10 to 15. It is not normalised, unless norm=self divides it by the
geometric mean of what each answer has with itself. Items with equal scores are one group, on both sides,
whatever the policy on ties.
"""

from __future__ import annotations

from rankscope.align import Ranked
from rankscope.answers.choices import ALPHA, MU, NORM, RANKS
from rankscope.answers.matched import Matched
from rankscope.answers.ordered import type2
from rankscope.answers.ranges import of_delay, of_type2
from rankscope.data import Answer
from rankscope.measures.base import FloatArray, measure


def _range(*, alpha: str, mu: str, **_: object) -> tuple[float, float]:
    return of_type2(of_delay(alpha, mu), normed=False)


@measure(
    "S7o",
    params=[ALPHA, MU, RANKS, NORM],
    range=_range,
    truth="answer",
    product="ranked",
    reference="michel2000similarity",
    formula=r"\sum_{i,j} \alpha(r_i, r'_j) \mu(r_i, r'_j) |C_i \cap C'_j|",
)
def s7o(ranked: Ranked, answer: Answer, *, alpha: str, mu: str, ranks: str, norm: str) -> FloatArray:
    return type2(Matched.aligned(ranked, answer), alpha, mu, ranks, norm)
