"""The sum over common items of how near their two ranks are (Eq 22).

alpha is Eq 6 to 9, or Eq 27 with the lengths in groups, which may be negative. An answer has its number of
items with itself. It is not normalised, unless norm=self divides it by the geometric mean of what each
answer has with itself. Items with equal scores are one group, on both sides, whatever the policy on ties.
"""

from __future__ import annotations

from rankscope.align import Ranked
from rankscope.answers.choices import ALPHA, NORM, RANKS
from rankscope.answers.matched import Matched
from rankscope.answers.ordered import type2
from rankscope.answers.ranges import of_delay, of_type2
from rankscope.data import Answer
from rankscope.measures.base import FloatArray, measure


def _range(*, alpha: str, norm: str, **_: object) -> tuple[float, float]:
    return of_type2(of_delay(alpha, None), normed=norm == "self")


@measure(
    "S5o",
    params=[ALPHA, RANKS, NORM],
    range=_range,
    truth="answer",
    product="ranked",
    reference="michel2000similarity",
    formula=r"\sum_{i,j} \alpha(r_i, r'_j) |C_i \cap C'_j|",
)
def s5o(ranked: Ranked, answer: Answer, *, alpha: str, ranks: str, norm: str) -> FloatArray:
    return type2(Matched.aligned(ranked, answer), alpha, None, ranks, norm)
