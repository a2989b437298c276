"""The ROC curve: what share of the relevant items each threshold finds, and at what share of the others."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from rankscope.errors import InputError, input_error
from rankscope.links.frames import Cells, Columns

if TYPE_CHECKING:
    from rankscope.plots import Chart

__all__ = ["AucTies", "Roc", "roc"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
AucTies = Literal["half", "order"]


@dataclass(frozen=True, eq=False)
class Roc(Columns):
    """The points of a ROC curve, from no item accepted to all of them.

    With ties="half" there is a point for each distinct score, so that the curve crosses tied items in a
    straight line; with ties="order" there is one for each item, in the order given.
    """

    threshold: FloatArray
    """The score of the last item accepted; infinite where none is."""
    tp: IntArray
    """Relevant items accepted."""
    fp: IntArray
    """Other items accepted."""
    ties: AucTies

    @property
    def fn(self) -> IntArray:
        """Relevant items not accepted."""
        left: IntArray = self.tp[-1] - self.tp
        return left

    @property
    def tn(self) -> IntArray:
        """Other items not accepted."""
        left: IntArray = self.fp[-1] - self.fp
        return left

    @property
    def tpr(self) -> FloatArray:
        """TP / (TP + FN); NaN without a relevant item."""
        return _rate(self.tp)

    @property
    def fpr(self) -> FloatArray:
        """FP / (FP + TN); NaN where all items are relevant."""
        return _rate(self.fp)

    @property
    def auc(self) -> float:
        """The area under the curve: how likely a relevant item has a better score than another one.

        NaN where there are no items of one of the two kinds.
        """
        pairs = int(self.tp[-1]) * int(self.fp[-1])
        # Trapezoids in whole numbers: twice the area, in pairs of a relevant and another item.
        doubled = int(np.sum(np.diff(self.fp) * (self.tp[1:] + self.tp[:-1])))
        return doubled / (2 * pairs) if pairs else math.nan

    def columns(self) -> dict[str, Cells]:
        """threshold, tp, fp, fn, tn, tpr and fpr of each point."""
        names = ("threshold", "tp", "fp", "fn", "tn", "tpr", "fpr")
        return {name: getattr(self, name) for name in names}

    def to_dict(self) -> dict[str, Any]:
        """The area and the points in plain lists, dicts and numbers; None stands for what is not a number."""
        columns = {name: np.asarray(cells).tolist() for name, cells in self.columns().items()}
        points = zip(*columns.values(), strict=True)
        return {
            "auc": None if math.isnan(self.auc) else self.auc,
            "ties": self.ties,
            "points": [dict(zip(columns, map(_finite, point), strict=True)) for point in points],
        }

    def plot(self, name: str = "all queries", title: str = "") -> Chart:
        """The curve as a chart."""
        from rankscope import plots

        if math.isnan(self.auc):
            raise InputError(
                "no ROC curve can be drawn",
                code="no-curve",
                expected="relevant items and others among those ranked",
            )
        return plots.roc(plots.Series(name, self.fpr, self.tpr), title=title or f"ROC, AUC = {self.auc:.4f}")

    def __repr__(self) -> str:
        return f"<Roc of {len(self.tp)} points: AUC {self.auc:.4f}>"


def roc(
    relevant: npt.ArrayLike, scores: npt.ArrayLike, *, lower_is_better: bool = False, ties: AucTies = "half"
) -> Roc:
    """The ROC curve of items: which are relevant, and their scores.

    `ties` says how a relevant and another item with equal scores count: "half" (as half a pair, the statistic
    of Mann and Whitney), or "order" (the one that is listed first wins).

    >>> curve = roc([True, False, True], [0.9, 0.5, 0.5])
    >>> curve.auc, curve.tpr.tolist(), curve.fpr.tolist()
    (0.75, [0.0, 0.5, 1.0], [0.0, 0.0, 1.0])
    >>> roc([True, False, True], [0.9, 0.5, 0.5], ties="order").auc
    0.5
    """
    if ties not in ("half", "order"):
        raise InputError(f"ties={ties}", code="bad-value", expected="ties= half or order")
    flags, values = _flags(relevant), scores_of(scores, "scores")
    if len(flags) != len(values):
        raise InputError(
            f"{len(flags)} items and {len(values)} scores",
            code="array-shape",
            expected="a score for each item",
        )
    order = np.argsort(values if lower_is_better else -values, kind="stable")
    ranked, threshold = flags[order], values[order]
    last = np.ones(len(order), np.bool_)
    if ties == "half":
        last[:-1] = threshold[1:] != threshold[:-1]
    start = -math.inf if lower_is_better else math.inf
    return Roc(
        threshold=np.append(start, threshold[last]),
        tp=_counts(ranked, last),
        fp=_counts(~ranked, last),
        ties=ties,
    )


def scores_of(given: npt.ArrayLike, where: str) -> FloatArray:
    """One finite number for each item."""
    try:
        values = np.asarray(given, np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise input_error("array-values", source=where, reason=str(error)) from error
    if values.ndim != 1:
        raise input_error("array-shape", source=where, what=f"{values.ndim} dimensions", expected="one")
    bad = ~np.isfinite(values)
    if bad.any():
        first = int(np.argmax(bad))
        raise input_error("not-finite", source=where, row=first + 1, field="score", text=f"{values[first]:g}")
    return values


def _flags(given: npt.ArrayLike) -> BoolArray:
    flags = np.asarray(given)
    if flags.ndim != 1 or (flags.size and not np.all((flags == 0) | (flags == 1))):
        raise InputError(
            "what is relevant is not told by true and false",
            code="array-values",
            expected="one true or false (or 1 or 0) for each item",
        )
    return flags.astype(np.bool_)


def _counts(chosen: BoolArray, last: BoolArray) -> IntArray:
    return np.append(0, np.cumsum(chosen, dtype=np.int64)[last])


def _rate(count: IntArray) -> FloatArray:
    return count / count[-1] if count[-1] else np.full(len(count), np.nan)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
