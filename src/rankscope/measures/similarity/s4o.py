"""The similarity of both answers as sets, times the mean of how near and far up common items stand (Eq 21).

alpha is Eq 6 to 9 or 27, mu is Eq 10 to 15; the mean is that of their product. over=all averages over all
pairs of items, as printed, and is then the same whatever their order. Items with equal scores are one
group, on both sides, whatever the policy on ties.
"""

from __future__ import annotations

from rankscope.align import Ranked
from rankscope.answers.choices import ALPHA, MU, NOMINAL, OVER, RANKS, SETS
from rankscope.answers.delays import mean_delay
from rankscope.answers.matched import Matched
from rankscope.answers.ordered import type1
from rankscope.answers.ranges import of_delay, of_type1
from rankscope.data import Answer
from rankscope.measures.base import FloatArray, measure


def _range(*, alpha: str, mu: str, sets: str, **_: object) -> tuple[float, float]:
    return of_type1(of_delay(alpha, mu), sets)


@measure(
    "S4o",
    params=[NOMINAL, ALPHA, MU, OVER, RANKS, SETS],
    range=_range,
    truth="answer",
    product="ranked",
    reference="michel2000similarity",
    formula=r"\overline{\alpha \mu} S(C, C')",
)
def s4o(
    ranked: Ranked, answer: Answer, *, nominal: str, alpha: str, mu: str, over: str, ranks: str, sets: str
) -> FloatArray:
    matched = Matched.aligned(ranked, answer)
    return type1(matched, mean_delay(matched, alpha, mu, over, ranks), nominal, sets)
