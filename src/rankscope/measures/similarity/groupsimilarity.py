"""The similarity of each group of the one answer with each group of the other, summed up (Eq 25).

It does not see the order of the groups. An answer has its number of groups with itself, and with Jaccard no
more than the smaller number of groups with another. Items with equal scores are one group, on both sides,
whatever the policy on ties.
"""

from __future__ import annotations

import math

from rankscope.align import Ranked
from rankscope.answers.choices import NOMINAL
from rankscope.answers.matched import Matched
from rankscope.answers.nominal import group_similarity
from rankscope.data import Answer
from rankscope.measures.base import FloatArray, measure


@measure(
    "GroupSimilarity",
    params=[NOMINAL],
    range=(0, math.inf),
    truth="answer",
    product="ranked",
    reference="michel2000similarity",
    formula=r"\sum_{i,j} S(C_i, C'_j)",
)
def groupsimilarity(ranked: Ranked, answer: Answer, *, nominal: str) -> FloatArray:
    return group_similarity(Matched.aligned(ranked, answer), nominal)
