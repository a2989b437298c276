"""The similarity of both answers as sets, times the mean of how near the ranks of common items are (Eq 19).

alpha is Eq 6 to 9, or Eq 27 with the lengths in groups, which may be negative. over=all averages over all
pairs of items, as printed, and is then the same whatever their order. Items with equal scores are one
group, on both sides, whatever the policy on ties.
"""

from __future__ import annotations

from rankscope.align import Ranked
from rankscope.answers.choices import ALPHA, NOMINAL, OVER, RANKS, SETS
from rankscope.answers.delays import mean_delay
from rankscope.answers.matched import Matched
from rankscope.answers.ordered import type1
from rankscope.answers.ranges import of_delay, of_type1
from rankscope.data import Answer
from rankscope.measures.base import FloatArray, measure


def _range(*, alpha: str, sets: str, **_: object) -> tuple[float, float]:
    return of_type1(of_delay(alpha, None), sets)


@measure(
    "S2o",
    params=[NOMINAL, ALPHA, OVER, RANKS, SETS],
    range=_range,
    truth="answer",
    product="ranked",
    reference="michel2000similarity",
    formula=r"\overline{\alpha} S(C, C')",
)
def s2o(
    ranked: Ranked, answer: Answer, *, nominal: str, alpha: str, over: str, ranks: str, sets: str
) -> FloatArray:
    matched = Matched.aligned(ranked, answer)
    return type1(matched, mean_delay(matched, alpha, None, over, ranks), nominal, sets)
