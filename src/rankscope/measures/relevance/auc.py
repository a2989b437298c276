"""How likely a relevant item stands before another one of the ranking: the area under the ROC curve.

All retrieved items that are not relevant, judged or not, are the others. A relevant item that was not
retrieved has no score and is left out; with denominator=gold it counts as standing after all that were. With
N others the area is 1 - LAG / N. It is not defined without items of both kinds. Tied items count as half a
pair where ties are averaged.
"""

from __future__ import annotations

from rankscope.measures.base import REL, FloatArray, Param, measure
from rankscope.measures.found import lags
from rankscope.measures.graded import Graded
from rankscope.measures.segments import ratio


@measure(
    "AUC",
    aliases=("ROC_AUC", "roc_auc_score"),
    params=[
        Param(
            "denominator",
            str,
            default="retrieved",
            choices=("retrieved", "gold"),
            help="which relevant items count: those retrieved, or all",
        ),
        REL,
    ],
    empty=None,
    reference="hanley1982auc",
    formula=r"\frac{1}{h N} \sum_{i : r_i = 1} \sum_{j > i} (1 - r_j), \quad N = n - h",
)
def auc(graded: Graded, *, denominator: str, rel: float) -> FloatArray:
    found = lags(graded, rel)
    cases = found.cases
    others = graded.retrieved[cases.query] - cases.hits
    wanted = cases.hits if denominator == "retrieved" else graded.relevant(rel)[cases.query]
    return cases.mean(ratio(cases.hits * others - found.total, wanted * others))
