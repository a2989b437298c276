"""The area under the ROC curve of all queries together, whose scores are compared with each other.

The value of a query is the share of all other items, of whatever query, that have a worse score than its
relevant ones; the mean weighted by the number of these is the area. So it depends on the other queries of
the run, all those judged. Only retrieved items count, and all of them that are not relevant, judged or not,
are the others. Equal scores count as half a pair, or (ties=order) the item that comes first in the ranking
wins, and between queries that of the query judged first. Whether high or low scores are better is told from
the order of the rankings; if no ranking has two different scores, it is not defined.
"""

from __future__ import annotations

import numpy as np

from rankscope.align.tables import Ranked
from rankscope.data.judgments import Judgments
from rankscope.measures.base import REL, FloatArray, Param, measure
from rankscope.measures.segments import BoolArray, IntArray, ratio, segment_sums


@measure(
    "PooledAUC",
    params=[
        Param(
            "ties",
            str,
            default="half",
            choices=("half", "order"),
            help="equal scores: half a pair, or the one that comes first wins",
        ),
        REL,
    ],
    product="ranked",
    empty=None,
    aggregate="ratio",
    reference="fawcett2006roc",
    formula=r"\frac{1}{P N} \sum_{i : r_i = 1} \sum_{j : r_j = 0} ([s_i > s_j] + \frac{1}{2} [s_i = s_j])",
)
def pooledauc(
    ranked: Ranked, judgments: Judgments, *, ties: str, rel: float
) -> tuple[FloatArray, FloatArray]:
    relevant = _relevant(ranked, judgments, rel)
    positives = segment_sums(relevant.astype(np.float64), ranked.offsets)
    direction = _direction(ranked)
    if not direction:
        return np.full(len(positives), np.nan), positives
    others = ~relevant
    place = np.flatnonzero(relevant)
    worse = _worse(direction * ranked.score, others, place, ties)
    beaten = np.zeros(len(relevant))
    beaten[place] = worse
    total = np.full(len(positives), np.count_nonzero(others), np.float64)
    return ratio(segment_sums(beaten, ranked.offsets), positives * total), positives


def _relevant(ranked: Ranked, judgments: Judgments, rel: float) -> BoolArray:
    """Whether each retrieved item is relevant for its query."""
    relevant = judgments.grades >= max(rel, 0.0)
    query = np.repeat(np.arange(len(judgments)), np.diff(judgments.offsets))
    codes = _codes(ranked, judgments)
    width = len(ranked.dictionary)
    wanted = query[relevant] * width + codes[relevant]
    owner = np.repeat(np.arange(len(judgments)), np.diff(ranked.offsets))
    return np.isin(owner * width + ranked.item, wanted)


def _codes(ranked: Ranked, judgments: Judgments) -> IntArray:
    """The code of each judged item in the dictionary of the table."""
    code_of = {text: code for code, text in enumerate(ranked.dictionary)}
    return np.fromiter((code_of[item] for item in judgments.items), np.int64, len(judgments.items))


def _direction(ranked: Ranked) -> int:
    """1 if high scores come first, -1 if low ones do, 0 if no ranking tells."""
    steps = np.diff(ranked.score)
    inner = ranked.offsets[1:-1]
    steps[inner[(inner > 0) & (inner < len(ranked.score))] - 1] = 0
    told = steps[steps != 0]
    return 0 if not len(told) else 1 if told[0] < 0 else -1


def _worse(score: FloatArray, others: BoolArray, place: IntArray, ties: str) -> FloatArray:
    """For each row of `place`: how many of the others have a worse score; equal ones as `ties` says."""
    if ties == "half":
        values = np.sort(score[others])
        below = np.searchsorted(values, score[place], "left")
        above = np.searchsorted(values, score[place], "right")
        halves: FloatArray = (below + above) / 2
        return halves
    order = np.argsort(-score, kind="stable")
    passed = np.cumsum(others[order])
    after = np.empty(len(score))
    after[order] = passed[-1] - passed if len(passed) else 0.0
    return after[place]
