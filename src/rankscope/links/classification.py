"""A set of items that were chosen against the set that should have been."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rankscope.errors import InputError, printable
from rankscope.links.confusion import Confusion
from rankscope.links.items import Key, distinct, named

__all__ = ["METRICS", "ClassificationResult", "classify"]

METRICS = {
    "precision": "precision",
    "recall": "recall",
    "f1": "f1",
    "accuracy": "accuracy",
    "specificity": "specificity",
    "phiCoefficient": "phi",
    "phiCoefficientMax": "phi_max",
    "phiOverPhiMax": "phi_over_phi_max",
}
"""The key of each metric in JSON, and its name in Python."""


@dataclass(frozen=True)
class ClassificationResult:
    """Which items were rightly chosen, wrongly chosen and missed, and the metrics of their counts."""

    true_positives: tuple[str, ...]
    false_positives: tuple[str, ...]
    false_negatives: tuple[str, ...]
    true_negatives: int | None = None
    beta: float = 1.0
    notes: tuple[str, ...] = field(default=(), compare=False)

    @property
    def confusion(self) -> Confusion:
        """The counts, and everything that is made of them."""
        tp, fp, fn = map(len, (self.true_positives, self.false_positives, self.false_negatives))
        return Confusion(tp, fp, fn, self.true_negatives)

    @property
    def f(self) -> float:
        """The F-measure with this result's beta."""
        return self.confusion.f(self.beta)

    def metrics(self) -> dict[str, float | None]:
        """Every metric under its key in JSON; None where the true negatives are not known."""
        counts = self.confusion
        found = {key: getattr(counts, name) for key, name in METRICS.items()}
        return found if self.beta == 1 else {**found, "beta": self.beta, "fBeta": self.f}

    def __getitem__(self, metric: str) -> float | None:
        return self.metrics()[metric]

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and numbers under the keys of ArDoCo's metrics; what is not defined is None."""
        return {
            "truePositives": [printable(name) for name in self.true_positives],
            "falsePositives": [printable(name) for name in self.false_positives],
            "falseNegatives": [printable(name) for name in self.false_negatives],
            "trueNegatives": self.true_negatives,
            **{key: _defined(value) for key, value in self.metrics().items()},
        }

    @classmethod
    def from_dict(cls, content: Mapping[str, Any], where: str = "") -> ClassificationResult:
        """The result whose `to_dict` this is; the metrics are computed anew from its lists."""
        keys = ("truePositives", "falsePositives", "falseNegatives")
        right, wrong, missed = (_list(content, key, where) for key in keys)
        negatives = content.get("trueNegatives")
        if negatives is not None and (isinstance(negatives, bool) or not isinstance(negatives, int)):
            raise _misshapen(where, f"trueNegatives is {negatives!r}")
        if negatives is not None and negatives < 0:
            raise _misshapen(where, f"trueNegatives is {negatives}, which is below 0")
        return cls(right, wrong, missed, negatives)


def classify(
    classification: Iterable[Any],
    truth: Iterable[Any],
    *,
    total: int | None = None,
    beta: float = 1.0,
    key: Key | None = None,
) -> ClassificationResult:
    """Measure a set of items against the set of those that are right.

    - `total`: how many items there are in all, the sum of the confusion matrix. Without it what needs the
      true negatives (accuracy, specificity and the phi coefficients) is None.
    - `beta`: how much recall weighs against precision in `ClassificationResult.f`.
    - `key`: gives an item of any type the name by which items are compared.

    >>> result = classify(["A", "B", "C"], ["A", "C", "D"])
    >>> result.true_positives, result.false_positives, result.false_negatives
    (('A', 'C'), ('B',), ('D',))
    >>> round(result["f1"], 4)
    0.6667
    """
    if not (isinstance(beta, int | float) and 0 < beta <= 1e6):
        raise InputError(f"beta={beta}", code="bad-value", expected="beta= a number above 0, at most 1e6")
    chosen, chosen_again = distinct(classification, key, "classification")
    wanted, wanted_again = distinct(truth, key, "ground truth")
    right = chosen & wanted
    wrong, missed = chosen - right, wanted - right
    counts = Confusion.of_sum(len(right), len(wrong), len(missed), total)
    return ClassificationResult(
        tuple(sorted(right)),
        tuple(sorted(wrong)),
        tuple(sorted(missed)),
        true_negatives=counts.tn,
        beta=float(beta),
        notes=tuple(_notes(chosen_again, wanted_again)),
    )


def _notes(chosen_again: int, wanted_again: int) -> Iterator[str]:
    for count, where in ((chosen_again, "classification"), (wanted_again, "ground truth")):
        if count:
            items = "1 item is" if count == 1 else f"{count} items are"
            yield f"{items} in the {where} already: counted once"


def _list(content: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    found = content.get(key)
    if not isinstance(found, list):
        raise _misshapen(where, f"{key} is no list" if key in content else f"no {key}")
    names = named(found, None, where)
    if len(set(names)) < len(names):
        raise _misshapen(where, f"{key} has an item twice")
    return tuple(names)


def _misshapen(where: str, what: str) -> InputError:
    return InputError(
        f"{what}: not a result of a classification",
        code="result-shape",
        where=where,
        expected="lists truePositives, falsePositives and falseNegatives, and a number trueNegatives or null",
        hint="the JSON that rankscope classify writes",
    )


def _defined(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value
