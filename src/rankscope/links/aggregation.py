"""Averages over several results: each the same, weighted, or all decisions pooled."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any, Generic, TypeVar

from rankscope.errors import InputError
from rankscope.links.classification import METRICS, ClassificationResult
from rankscope.links.confusion import Confusion

__all__ = ["Average", "RankSummary", "average_classifications", "average_ranks"]

R = TypeVar("R")

MACRO, WEIGHTED, MICRO = "MACRO_AVERAGE", "WEIGHTED_AVERAGE", "MICRO_AVERAGE"


@dataclass(frozen=True)
class RankSummary:
    """The rank metrics of one project, as they are averaged over several."""

    map: float
    lag: float
    auc: float | None = None
    ground_truth_size: int = 0

    def to_dict(self) -> dict[str, float | None]:
        """The keys of ArDoCo's metrics."""
        return {
            **{name: _defined(getattr(self, name)) for name in ("map", "lag", "auc")},
            "groundTruthSize": self.ground_truth_size,
        }


@dataclass(frozen=True)
class Average(Generic[R]):
    """One average of several results."""

    type: str
    """MACRO_AVERAGE, WEIGHTED_AVERAGE or MICRO_AVERAGE."""
    values: dict[str, float | None]
    """Of each metric, under its key in JSON."""
    results: tuple[R, ...]
    weights: tuple[float, ...] | None
    notes: tuple[str, ...] = ()

    def __getitem__(self, metric: str) -> float | None:
        return self.values[metric]

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and numbers under the keys of ArDoCo's metrics; what is not defined is None."""
        of_ranks = "map" in self.values
        return {
            "type": self.type,
            **{name: _defined(value) for name, value in self.values.items()},
            "originalRankResults" if of_ranks else "originalSingleClassificationResults": [
                result.to_dict()  # type: ignore[attr-defined]
                for result in self.results
            ],
            "weights": None if self.weights is None else [_plain(weight) for weight in self.weights],
        }


def average_ranks(
    results: Iterable[Any], weights: Sequence[float] | None = None
) -> list[Average[RankSummary]]:
    """The plain and the weighted mean of rank metrics.

    The weights are the sizes of the ground truths if not given.

    A result is a `RankResult`, or anything with map, lag, auc and ground_truth_size. Those without an AUC are
    left out of the mean of the AUCs; a MAP or LAG that is not defined leaves the mean undefined.

    >>> macro, weighted = average_ranks([RankSummary(1, 0, 0.8, 2), RankSummary(0.5, 3, 0.2, 1)])
    >>> macro["map"], macro["auc"], weighted["lag"]
    (0.75, 0.5, 1.0)
    """
    given = tuple(_summary(result) for result in results)
    chosen = _weights(weights, given, [one.ground_truth_size for one in given])
    lacking = sum(one.auc is None for one in given)
    notes = (f"{lacking} of {len(given)} results have no AUC: left out of its mean",) if lacking else ()
    return [
        Average(name, _rank_means(given, used), given, used, notes)
        for name, used in ((MACRO, (1.0,) * len(given)), (WEIGHTED, chosen))
    ]


def average_classifications(
    results: Iterable[ClassificationResult], weights: Sequence[float] | None = None
) -> list[Average[ClassificationResult]]:
    """The plain mean, the weighted mean, and the metrics of all counts together.

    The weights are the sizes of the ground truths if not given.

    >>> from rankscope.links import classify
    >>> one, other = classify([*"AB"], [*"AC"]), classify([*"XYZ"], [*"XYZ"])
    >>> [round(average["f1"], 4) for average in average_classifications([one, other])]
    [0.75, 0.8, 0.8]
    """
    given = tuple(results)
    for result in given:
        if not isinstance(result, ClassificationResult):
            raise _no_result(result, "results of classify()")
    counts = [result.confusion for result in given]
    chosen = _weights(weights, given, [count.tp + count.fn for count in counts])
    known = sum(count.tn is not None for count in counts)
    if 0 < known < len(counts):
        raise InputError(
            f"{known} of {len(counts)} results have true negatives",
            code="mixed-true-negatives",
            expected="true negatives in all results or in none",
            hint="the sum of the confusion matrix (--sum) for each of them",
        )
    plain = (1.0,) * len(given)
    pooled = reduce(add, counts)
    return [
        Average(MACRO, _count_means(counts, plain), given, plain),
        Average(WEIGHTED, _count_means(counts, chosen), given, chosen),
        Average(MICRO, {key: getattr(pooled, name) for key, name in METRICS.items()}, given, None),
    ]


def _summary(result: Any) -> RankSummary:
    try:
        return RankSummary(result.map, result.lag, result.auc, result.ground_truth_size)
    except AttributeError as error:
        raise _no_result(result, "results of rank_lists(), or RankSummary") from error


def _no_result(given: object, expected: str) -> InputError:
    what = f"something of type {type(given).__name__} is no such result"
    return InputError(what, code="result-shape", expected=expected)


def _rank_means(results: Sequence[RankSummary], weights: Sequence[float]) -> dict[str, float | None]:
    with_auc = [
        (one.auc, weight) for one, weight in zip(results, weights, strict=True) if one.auc is not None
    ]
    return {
        "map": _mean([one.map for one in results], weights),
        "lag": _mean([one.lag for one in results], weights),
        "auc": _mean(*zip(*with_auc, strict=True)) if with_auc else None,
    }


def _count_means(counts: Sequence[Confusion], weights: Sequence[float]) -> dict[str, float | None]:
    columns = {key: [getattr(count, name) for count in counts] for key, name in METRICS.items()}
    return {key: None if None in column else _mean(column, weights) for key, column in columns.items()}


def _mean(values: Sequence[float], weights: Sequence[float]) -> float:
    whole = math.fsum(weights)
    if not whole:
        return math.nan
    return math.fsum(v * w for v, w in zip(values, weights, strict=True)) / whole


def _weights(
    given: Sequence[float] | None, results: Sequence[Any], sizes: Sequence[int]
) -> tuple[float, ...]:
    if not results:
        raise InputError("no result to average", code="no-results", expected="at least one")
    if given is None:
        return tuple(map(float, sizes))
    weights = tuple(_weight(weight) for weight in given)
    if len(weights) != len(results):
        raise InputError(
            f"{len(weights)} weights for {len(results)} results", code="weights", expected="a weight for each"
        )
    return weights


def _weight(given: Any) -> float:
    try:
        weight = math.nan if isinstance(given, bool | str | bytes) else float(given)
    except (TypeError, ValueError, OverflowError):
        weight = math.nan
    if not 0 <= weight < math.inf:
        raise InputError(
            f"weight {given!r} is not a weight", code="weight", expected="a finite number from 0 up"
        )
    return weight


def _plain(weight: float) -> float | int:
    return int(weight) if weight.is_integer() else weight


def _defined(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value
