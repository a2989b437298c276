"""The retrieved items of each query as decisions: how many are right, how many wrong, how many missed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankscope.measures.graded import Graded
from rankscope.measures.params import Param
from rankscope.measures.segments import FloatArray

__all__ = ["TOTAL", "Counts", "share"]

TOTAL = Param(
    "total",
    int,
    default=None,
    bounds="[1, inf)",
    help="how many items there are for each query; without it, those that are judged or retrieved",
)


@dataclass(frozen=True, eq=False)
class Counts:
    """Per query: true and false positives, false and true negatives.

    Where `total` is less than what was retrieved or is relevant, true negatives are NaN. If the depth of a
    run divides a tie group and ties are averaged, all are expected counts.
    """

    tp: FloatArray
    fp: FloatArray
    fn: FloatArray
    tn: FloatArray

    @classmethod
    def of(cls, graded: Graded, rel: float, total: int | None = None) -> Counts:
        tp, relevant = graded.hits(rel), graded.relevant(rel)
        if total is None:
            judged = np.diff(graded.judgments.offsets)
            tn = judged - relevant - (graded.judged() - tp)
        else:
            left = total - graded.retrieved - relevant + tp
            tn = np.where(left >= 0, left, np.nan)
        return cls(tp, graded.retrieved - tp, relevant - tp, tn)

    def phi(self) -> FloatArray:
        """The correlation of the decisions with the truth; 0 where either is the same for all items."""
        margins = (self.tp + self.fp) * (self.tp + self.fn) * (self.tn + self.fp) * (self.tn + self.fn)
        return share(self.tp * self.tn - self.fp * self.fn, np.sqrt(margins), otherwise=0.0)

    def phi_max(self) -> FloatArray:
        """The largest phi that the same margins allow."""
        x = (self.fp + self.tn) * (self.tp + self.fp)
        y = (self.fn + self.tn) * (self.tp + self.fn)
        more_missed = self.fn >= self.fp
        return np.sqrt(share(np.where(more_missed, x, y), np.where(more_missed, y, x), otherwise=0.0))


def share(part: FloatArray, whole: FloatArray, *, otherwise: float) -> FloatArray:
    """`part` / `whole`, or `otherwise` where there is no whole; NaN where either is not defined."""
    shares = np.full(len(whole), otherwise)
    np.divide(part, whole, out=shares, where=whole != 0)
    return shares
