"""The similarity of both answers as sets, times the mean of how far up their common items stand (Eq 20).

mu is Eq 10 to 15: only 10 and 12 lie between 0 and 1; 14 may be negative, the reciprocals 11, 13 and 15 are
not bounded. over=all averages over all pairs of items, as printed, and is then the same whatever their
order. Items with equal scores are one group, on both sides, whatever the policy on ties.
"""

from __future__ import annotations

from rankscope.align import Ranked
from rankscope.answers.choices import MU, NOMINAL, OVER, RANKS, SETS
from rankscope.answers.delays import mean_delay
from rankscope.answers.matched import Matched
from rankscope.answers.ordered import type1
from rankscope.answers.ranges import of_delay, of_type1
from rankscope.data import Answer
from rankscope.measures.base import FloatArray, measure


def _range(*, mu: str, sets: str, **_: object) -> tuple[float, float]:
    return of_type1(of_delay(None, mu), sets)


@measure(
    "S3o",
    params=[NOMINAL, MU, OVER, RANKS, SETS],
    range=_range,
    truth="answer",
    product="ranked",
    reference="michel2000similarity",
    formula=r"\overline{\mu} S(C, C')",
)
def s3o(
    ranked: Ranked, answer: Answer, *, nominal: str, mu: str, over: str, ranks: str, sets: str
) -> FloatArray:
    matched = Matched.aligned(ranked, answer)
    return type1(matched, mean_delay(matched, None, mu, over, ranks), nominal, sets)
