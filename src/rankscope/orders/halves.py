"""How well a ranking parts the upper half of the true order from the lower: OrderAUC, OrderAccuracy, OAUC."""

from __future__ import annotations

import math
import operator
from typing import Any, SupportsFloat, SupportsIndex

import numpy as np

from rankscope.align.pairs import count_wins
from rankscope.errors import InputError, printable
from rankscope.measures.ordered import Ordered
from rankscope.measures.paired import accuracy_of, weighted_area
from rankscope.measures.paired import positives as positive_rows
from rankscope.measures.segments import BoolArray, IntArray
from rankscope.orders.inputs import Ties, arranged, numbers, paired_numbers

__all__ = ["oauc", "order_accuracy", "order_auc", "roc_auc"]

HALF = 0.5


def order_auc(
    truth: Any,
    predicted: Any = None,
    *,
    positives: Any = None,
    ties: Ties = "error",
    seed: int | None = None,
) -> float:
    """How likely a positive item is ranked above a negative one; bigger is better.

    Input and `ties` as for `ed`; "kept" counts a tied pair half. Positive is the upper half of the true order
    unless `positives` says otherwise:

    - a whole number: so many from the top of the true order;
    - a number between 0 and 1: that share of it;
    - a text such as ">=2.5": items with a true score (or label) from there up;
    - a list: for each item, in the order given, whether it is positive.

    A rough truth, which has two values only, says by itself what is positive.

    >>> order_auc([3, 6, 8, 1, 4, 2, 5, 7])
    0.625
    >>> order_auc([0, 1, 1, 0], [0.1, 0.4, 0.9, 0.6])
    0.75
    """
    ordered, item = arranged(truth, predicted, ties=ties, seed=seed, takes_rough=True)
    wins = count_wins(-ordered.first.astype(np.float64), _positive(ordered, item, positives), ordered.offsets)
    return float(wins.area[0])


def order_accuracy(
    truth: Any,
    predicted: Any = None,
    *,
    positives: Any = None,
    ties: Ties = "error",
    seed: int | None = None,
) -> float:
    """The share of items in the half where they belong; bigger is better.

    Input as for `order_auc`. As many items as there are positive ones, from the top of the ranking, are
    predicted to be positive. With ties="kept", tied items across that border are each above it with equal
    chance.

    >>> order_accuracy([3, 6, 8, 1, 4, 2, 5, 7])
    0.5
    """
    ordered, item = arranged(truth, predicted, ties=ties, seed=seed, takes_rough=True)
    return float(accuracy_of(ordered, _positive(ordered, item, positives))[0])


def oauc(
    truth: Any,
    predicted: Any = None,
    *,
    positives: Any = None,
    ties: Ties = "error",
    seed: int | None = None,
) -> float:
    """The area under the ROC curve, each positive item weighed by its true rank; bigger is better.

    Input as for `order_auc`, but the truth must be an order.

    >>> from fractions import Fraction
    >>> oauc([3, 6, 8, 1, 4, 2, 5, 7]) == float(Fraction(31, 52))
    True
    """
    ordered, item = arranged(truth, predicted, ties=ties, seed=seed)
    return float(weighted_area(ordered, _positive(ordered, item, positives))[0])


def roc_auc(labels: Any, scores: Any) -> float:
    """The area under the ROC curve of scores, where a label above 0 is positive; equal scores count half.

    >>> roc_auc([1, 0, 1, 0], [0.9, 0.6, 0.6, 0.2])
    0.875
    """
    given, column = paired_numbers(labels, scores)
    return float(count_wins(column, given > 0, np.array([0, len(column)])).area[0])


def _positive(ordered: Ordered, item: IntArray, given: Any) -> BoolArray:
    """Which rows are positive.

    Of a truth with two values it is the upper half that has the higher one: tied items share a rank, which is
    above the middle for these and below it for the others, however many there are.
    """
    if given is None:
        return positive_rows(ordered, HALF, None)
    if isinstance(given, str):
        return positive_rows(ordered, HALF, _threshold(given))
    n = len(ordered.value)
    if np.ndim(given) > 0:
        return _labels(given, n)[item]
    if isinstance(given, SupportsIndex) and not isinstance(given, bool):
        count = operator.index(given)
        if not 0 <= count <= n:
            raise _no_positives(given, f"a count from 0 to {n}")
        return positive_rows(ordered, count, None)
    share = float(given) if isinstance(given, SupportsFloat) else math.nan
    if not 0 < share < 1:
        raise _no_positives(given, "a share between 0 and 1")
    return positive_rows(ordered, share, None)


def _labels(given: Any, n: int) -> BoolArray:
    labels = numbers(given, "positives")
    if len(labels) != n:
        raise _no_positives(f"{len(labels)} labels", f"a label for each of the {n} items")
    if not np.all((labels == 0) | (labels == 1)):
        raise _no_positives("labels other than 0 and 1", "0 or 1 (False or True) for each item")
    positive: BoolArray = labels == 1
    return positive


def _threshold(text: str) -> float:
    try:
        threshold = float(text.strip().removeprefix(">="))
    except ValueError:
        threshold = math.nan
    if not text.strip().startswith(">=") or not math.isfinite(threshold):
        raise _no_positives(text, "a threshold as in '>=2.5'")
    return threshold


def _no_positives(given: Any, expected: str) -> InputError:
    return InputError(
        f"positives={printable(str(given))} does not say which items are positive",
        code="bad-positives",
        expected=expected,
        hint="a count (3), a share (0.3), a threshold ('>=2.5') or a list of labels",
    )
