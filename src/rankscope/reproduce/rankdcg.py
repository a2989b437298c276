"""RankDCG: the arithmetic of the author's post, its statements, and the examples of the author's package."""

from __future__ import annotations

import math

from rankscope.evaluate import evaluate
from rankscope.gains.dcg import dcg, dcg_ratio, ndcg
from rankscope.gains.positional import positional_average_precision, positional_precision
from rankscope.gains.rankdcg import rankdcg_order, rankdcg_scores, rankdcg_terms
from rankscope.orders.correlations import kendall
from rankscope.reproduce.cells import Experiment, Reproduction, Row, Settings, claim, figure, rows_of

__all__ = ["LISTS", "reproduction"]

TRUTH = (3, 1, 0)
FIRST = (0, 1, 3)
SECOND = (1, 3, 0)
OVERESTIMATED = (10, 10, 10)

LISTS = {
    "L1": (9, 4, 4, 2, 2, 2, 1, 1, 1, 1),
    "L2": (9, 4, 4, 2, 2, 1, 2, 1, 1, 1),
    "L3": (4, 4, 2, 9, 2, 2, 1, 1, 1, 1),
    "L4": (1, 4, 4, 2, 2, 2, 9, 1, 1, 1),
    "L5": (1, 4, 4, 2, 2, 2, 1, 1, 1, 9),
    "L6": (1, 1, 1, 1, 2, 2, 2, 4, 4, 9),
}
"""The lists of the author's package; L1 is the reference."""


def reproduction(settings: Settings) -> Reproduction:
    """What the post and the package on RankDCG print, computed."""
    return Reproduction(
        "rankdcg",
        "the author's post on RankDCG (dk-lab.com, 2017), and the README and examples.py of "
        "dkaterenchuk/ranking_measures",
        "katerenchuk2016rankdcg",
        (_arithmetic(), _statements(), _readme(), _lists()),
    )


_BY_LOG = {
    "DCG of [D0, T1, A3]": ("2.125", "the post divides by 1.6, where log2 3 is 1.585"),
    "DCG of [T1, A3, D0]": ("2.5", "the post divides by i here, and not by log2(i + 1)"),
    "ideal DCG": ("9.5", "the post takes 9 for the relevance 3, and divides by i"),
    "nDCG of [D0, T1, A3]": ("0.22", "divided by the wrong ideal DCG"),
    "nDCG of [T1, A3, D0]": ("0.26", "divided by the wrong ideal DCG"),
    "lowest nDCG": ("0.22", "the same as of [D0, T1, A3], divided by the wrong ideal DCG"),
    "nDCG of [A10, T10, D10]": ("5.232", "divided by i it is 110/21 = 5.238, which must be meant"),
}
"""What the post prints, and why the formula with log2(i + 1) gives another number."""

_BY_RANK = {
    "DCG of [D0, T1, A3]": "the post divides by the logarithm here",
    "ideal DCG": "the post takes 9 for the relevance 3",
    "nDCG of [D0, T1, A3]": "divided by the wrong ideal DCG",
    "nDCG of [T1, A3, D0]": "divided by the wrong ideal DCG",
    "lowest nDCG": "divided by the wrong ideal DCG",
    "nDCG of [A10, T10, D10]": "it is 110/21 = 5.238: the last digit of the post is wrong",
}
"""The same for the formula with i."""


def _arithmetic() -> Experiment:
    rows = []
    by_log, by_rank = (_gains(discount) for discount in ("log", "rank"))
    for label, (printed, reason) in _BY_LOG.items():
        with_i = figure(by_rank[label], printed, otherwise=_BY_RANK.get(label, ""))
        rows.append(Row((label,), (figure(by_log[label], printed, otherwise=reason), with_i)))
    note = (
        "The truth is [A3, T1, D0]. The post's formula divides by log2(i + 1); some of its sums divide by i, "
        "so both are shown."
    )
    title = "The post's arithmetic, corrected"
    return Experiment("post", title, ("figure",), ("by log2(i + 1)", "by i"), tuple(rows), (note,))


def _gains(discount: str) -> dict[str, float]:
    first, second = (ndcg(ranking, discount=discount) for ranking in (FIRST, SECOND))
    return {
        "DCG of [D0, T1, A3]": dcg(FIRST, discount=discount),
        "DCG of [T1, A3, D0]": dcg(SECOND, discount=discount),
        "ideal DCG": dcg(TRUTH, discount=discount),
        "nDCG of [D0, T1, A3]": first,
        "nDCG of [T1, A3, D0]": second,
        "lowest nDCG": ndcg(sorted(TRUTH), discount=discount),
        "nDCG of [A10, T10, D10]": dcg_ratio(TRUTH, OVERESTIMATED, discount=discount).value,
    }


def _statements() -> Experiment:
    one, other = rankdcg_order([1, 2, 2, 1, 1]), rankdcg_order([1, 2, 1, 1, 2])
    top, last = rankdcg_order([1, 3, 1]), rankdcg_order([1, 1, 3])
    small, large = (rankdcg_order(ranking) for ranking in ([1, 3, 1], [5, 10, 5]))
    terms = rankdcg_terms([3, 1, 1])
    judged = {"q": {"A": 1, "B": 0, "C": 0, "D": 1, "E": 1}}
    found, missed = (evaluate(judged, {"q": list(run)}, "nDCG")["nDCG"] for run in ("ADE", "BC"))
    cells = {
        "[C1, B2, A2, D1, E1] and [E1, B2, C1, D1, A2]": claim(
            one == other, "equal", f"{one:g} and {other:g}"
        ),
        "[T1, A3, D1] and [T1, D1, A3]": claim(top == last, "equal", f"{top:g} and {last:g}"),
        "[A3, T1, D1] and [A10, T5, D5], both A second": claim(
            small == large, "equal", f"{small:g} and {large:g}"
        ),
        "relevance' of [A3, T1, D1]": claim(
            terms.relevances == (2, 1, 1), "2, 1, 1", _listed(terms.relevances)
        ),
        "discounts of [A3, T1, D1]": claim(terms.discounts == (1, 2, 2), "1, 2, 2", _listed(terms.discounts)),
        "nDCG of [A1, D1, E1], binary": figure(found, "1"),
        "nDCG of [B0, C0], binary": figure(missed, "0"),
        "RankDCG of [D0, T1, A3]": figure(rankdcg_order(FIRST)),
        "RankDCG of [T1, A3, D0]": figure(rankdcg_order(SECOND)),
    }
    return Experiment("statements", "The post's statements", ("figure",), ("ours",), rows_of(cells))


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers))


def _readme() -> Experiment:
    cells = {
        "find_rankdcg([9, 3, 1], [5, 1, 7])": figure(rankdcg_scores([9, 3, 1], [5, 1, 7]), "0.125"),
        "find_rankdcg([4, 3, 2, 2, 1], [3, 4, 2, 2, 1])": figure(
            rankdcg_scores([4, 3, 2, 2, 1], [3, 4, 2, 2, 1])
        ),
    }
    return Experiment("readme", "The README of the author's package", ("call",), ("ours",), rows_of(cells))


def _lists() -> Experiment:
    reference = LISTS["L1"]
    rows = {
        name: [
            figure(rankdcg_scores(reference, found)),
            figure(rankdcg_order(found)),
            figure(dcg(found, base=math.e)),
            figure(ndcg(found)),
            figure(positional_precision(reference, found)),
            figure(positional_average_precision(reference, found)),
            figure(float(kendall(reference, found))),
        ]
        for name, found in LISTS.items()
    }
    columns = ("RankDCG", "of the order", "DCG, natural log", "nDCG", "precision", "AP", "Kendall's tau-b")
    note = (
        "The package prints these when it is run, and keeps no output. Its lists are scores of the items of "
        "L1; 'of the order' reads each as a ranking instead. Its precision and AP count the positions on "
        "which the lists agree."
    )
    return Experiment("lists", "The six lists of examples.py", ("list",), columns, rows_of(rows), (note,))
