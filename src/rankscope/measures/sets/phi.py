"""The correlation between being retrieved and being relevant; 0 where either holds for all items or none.

It is also known as the correlation coefficient of Matthews.
"""

from __future__ import annotations

from rankscope.measures.base import REL, FloatArray, measure
from rankscope.measures.confusion import TOTAL, Counts
from rankscope.measures.graded import Graded


@measure(
    "Phi",
    aliases=("MCC", "matthews_corrcoef"),
    params=[REL, TOTAL],
    range=(-1, 1),
    empty=None,
    reference="yule1912phi",
    formula=r"\frac{TP \cdot TN - FP \cdot FN}{\sqrt{(TP + FP)(TP + FN)(TN + FP)(TN + FN)}}",
)
def phi(graded: Graded, *, rel: float, total: int | None) -> FloatArray:
    return Counts.of(graded, rel, total).phi()
