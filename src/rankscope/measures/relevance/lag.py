"""How many items that are not relevant stand before a relevant one, on average over those retrieved.

The average over queries is micro, one over all relevant items that were retrieved, or macro, the mean of the
queries' own averages. A query without a retrieved relevant item has no LAG. In a group of tied items half of
those that are not relevant stand before each relevant one.
"""

from __future__ import annotations

import math

import numpy as np

from rankscope.measures.base import REL, FloatArray, Param, measure
from rankscope.measures.found import lags
from rankscope.measures.graded import Graded
from rankscope.measures.segments import ratio


@measure(
    "LAG",
    params=[
        Param(
            "average",
            str,
            default="micro",
            choices=("micro", "macro"),
            help="what all queries are together: a mean over relevant items, or over queries",
        ),
        REL,
    ],
    range=(0, math.inf),
    better="lower",
    empty=None,
    aggregate="ratio",
    reference="hayes2004",
    formula=r"\frac{1}{h} \sum_{i : r_i = 1} \sum_{j < i} (1 - r_j), \quad h = \sum_i r_i",
)
def lag(graded: Graded, *, average: str, rel: float) -> tuple[FloatArray, FloatArray]:
    found = lags(graded, rel)
    cases = found.cases
    hits = cases.mean(cases.hits)
    values = cases.mean(ratio(found.total, cases.hits))
    return values, hits if average == "micro" else (hits > 0).astype(np.float64)
