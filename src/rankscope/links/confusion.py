"""Counts of right and wrong decisions, and what is made of them."""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass, fields
from typing import SupportsIndex

from rankscope.errors import InputError

__all__ = ["Confusion", "f_measure"]

MOST = 2**63 - 1


def f_measure(precision: float, recall: float, beta: float = 1.0) -> float:
    """The harmonic mean of precision and recall, where recall weighs `beta` times as much; 0 if both are 0.

    >>> round(f_measure(0.9, 0.1), 12)
    0.18
    """
    below = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / below if below else 0.0


@dataclass(frozen=True)
class Confusion:
    """True and false positives, false negatives and, where the number of all items is known, true negatives.

    What needs the true negatives is None without them. A share of nothing is 1 for precision, recall and
    specificity, as nothing is wrong then; the accuracy of no decision at all is NaN.

    >>> Confusion(6, 1, 2, 3).accuracy
    0.75
    """

    tp: int
    fp: int
    fn: int
    tn: int | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            given = getattr(self, field.name)
            if given is None and field.name == "tn":
                continue
            is_whole = isinstance(given, SupportsIndex) and not isinstance(given, bool)
            if not is_whole or not 0 <= operator.index(given) <= MOST:
                raise InputError(
                    f"{field.name}={given}", code="count", expected="counts that are whole numbers from 0 up"
                )
            object.__setattr__(self, field.name, operator.index(given))

    @classmethod
    def of_sum(cls, tp: int, fp: int, fn: int, total: int | None) -> Confusion:
        """The counts of which all but the true negatives are known, and their sum if it is known."""
        if total is None:
            return cls(tp, fp, fn)
        if isinstance(total, bool) or not isinstance(total, SupportsIndex):
            raise InputError(f"sum={total}", code="count", expected="sum= a whole number")
        if operator.index(total) < tp + fp + fn:
            raise InputError(
                f"the confusion matrix has the sum {operator.index(total)}, "
                f"but {tp + fp + fn} items were found or are wanted",
                code="negative-true-negatives",
                expected=f"a sum from {tp + fp + fn} up: TP + FP + FN + TN",
            )
        return cls(tp, fp, fn, operator.index(total) - tp - fp - fn)

    def __add__(self, other: Confusion) -> Confusion:
        """The counts of both together; true negatives only if both have them."""
        tn = None if self.tn is None or other.tn is None else self.tn + other.tn
        return Confusion(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn, tn)

    @property
    def precision(self) -> float:
        return _share(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        return _share(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float:
        return self.f()

    def f(self, beta: float = 1.0) -> float:
        """The F-measure in which recall weighs `beta` times as much as precision."""
        return f_measure(self.precision, self.recall, beta)

    @property
    def accuracy(self) -> float | None:
        if self.tn is None:
            return None
        total = self.tp + self.fp + self.fn + self.tn
        return (self.tp + self.tn) / total if total else math.nan

    @property
    def specificity(self) -> float | None:
        return None if self.tn is None else _share(self.tn, self.tn + self.fp)

    @property
    def phi(self) -> float | None:
        """The correlation of the decisions with the truth; 0 where either is the same for all items."""
        if self.tn is None:
            return None
        margins = (self.tp + self.fp) * (self.tp + self.fn) * (self.tn + self.fp) * (self.tn + self.fn)
        found = (self.tp * self.tn - self.fp * self.fn) / math.sqrt(margins) if margins else 0.0
        return max(-1.0, min(found, 1.0))  # which rounding may pass by a hair

    @property
    def phi_max(self) -> float | None:
        """The largest phi that the same numbers of positive decisions and of relevant items allow."""
        if self.tn is None:
            return None
        x = (self.fp + self.tn) * (self.tp + self.fp)
        y = (self.fn + self.tn) * (self.tp + self.fn)
        less, more = (x, y) if self.fn >= self.fp else (y, x)
        return math.sqrt(less / more) if more else 0.0

    @property
    def phi_over_phi_max(self) -> float | None:
        if self.phi is None or self.phi_max is None:
            return None
        return min(self.phi / self.phi_max, 1.0) if self.phi_max else 0.0


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0
