"""Aggregates: one value for many queries, as the measure declares it or as the user asks for it.

What is asked for by name is taken over the values per query whatever the measure declares: the median of
a count is that of the queries' counts, and the mean of a measure whose own aggregate is a ratio is the plain
mean.

With weights w of sum W, an average is that of queries repeated w times, a standard deviation has the divisor
W - sum(w^2) / W in place of n - 1, and an interval counts W^2 / sum(w^2) queries (Kish's effective size).
None of these depends on the unit of the weights, and with equal weights all are the usual ones.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from rankscope.data import Ids
from rankscope.errors import InputError, nearest, package, printable
from rankscope.measures.base import Measure

__all__ = ["AGGREGATES", "Measured", "Sample", "Statistic", "Summary", "own_aggregate", "statistics_of"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

# name -> what it is.
AGGREGATES = {
    "mean": "arithmetic mean",
    "median": "value in the middle, or half way between the two in the middle",
    "gmean": "geometric mean; a value below 0.00001 counts as that, as in trec_eval",
    "min": "lowest value",
    "max": "highest value",
    "std": "standard deviation of a sample (n - 1)",
    "ci": "mean, and both ends of its confidence interval: Student's t at 95 %, or ci90, ci99 and so on",
}

_ALIASES = {
    "average": "mean",
    "geometric-mean": "gmean",
    "minimum": "min",
    "maximum": "max",
    "sd": "std",
    "stdev": "std",
}
_USUAL_LEVEL = "95"
_INTERVAL = re.compile(r"ci(\d{1,2}(?:\.\d{1,4})?)?")

# The geometric mean of anything with a zero is zero; trec_eval floors its values at this one.
GMEAN_FLOOR = 1e-5

# A sum of weights that is exactly half of all on paper may land a few units in the last place off it.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Sample:
    """Values of queries that count, with their weights (all above 0) if these differ."""

    values: FloatArray
    weights: FloatArray | None = None

    def mean(self, of: FloatArray | None = None) -> float:
        """The mean of the values, or of as many others."""
        values = self.values if of is None else of
        if self.weights is None:
            return float(np.mean(values))
        return float(np.sum(values * self.weights)) / float(np.sum(self.weights))

    def median(self) -> float:
        if self.weights is None:
            return float(np.median(self.values))
        order = np.argsort(self.values, kind="stable")
        reached = np.cumsum(self.weights[order])
        half, slack = reached[-1] / 2, reached[-1] * ROUNDING
        low = np.searchsorted(reached, half - slack, "left")
        high = np.searchsorted(reached, half + slack, "right")
        return float(self.values[order[low]] + self.values[order[high]]) / 2

    def gmean(self) -> float:
        if np.any(self.values < 0):
            return math.nan
        return math.exp(self.mean(np.log(np.maximum(self.values, GMEAN_FLOOR))))

    def min(self) -> float:
        return float(np.min(self.values))

    def max(self) -> float:
        return float(np.max(self.values))

    def std(self) -> float:
        """The standard deviation of a sample; not defined for one value."""
        size = self.size
        if not size > 1:
            return math.nan
        variance = self.mean((self.values - self.mean()) ** 2) * size / (size - 1)
        return math.sqrt(variance)

    def interval_end(self, level: float, side: int) -> float:
        """An end of the confidence interval of the mean: side -1 is the lower one, 1 the upper."""
        spread = self.std()
        if math.isnan(spread):
            return math.nan
        quantile = package("scipy.special").stdtrit(self.size - 1, (1 + level) / 2)
        return self.mean() + side * float(quantile) * spread / math.sqrt(self.size)

    @property
    def size(self) -> float:
        """How many values there are; with weights, how many of equal weight would tell as much."""
        if self.weights is None:
            return len(self.values)
        return float(np.sum(self.weights)) ** 2 / float(np.sum(self.weights**2))


@dataclass(frozen=True)
class Statistic:
    """One number for a sample."""

    name: str
    compute: Callable[[Sample], float]
    compares: bool = True
    """Whether a better value of it means a better run."""

    def __call__(self, sample: Sample) -> float:
        return self.compute(sample) if len(sample.values) else math.nan


_STATISTICS = {
    s.name: s
    for s in (
        Statistic("mean", Sample.mean),
        Statistic("median", Sample.median),
        Statistic("gmean", Sample.gmean),
        Statistic("min", Sample.min),
        Statistic("max", Sample.max),
        Statistic("std", Sample.std, compares=False),
    )
}


def statistics_of(given: str | Iterable[str] | None) -> tuple[Statistic, ...]:
    """The statistics that are asked for, each once; none means as each measure declares.

    >>> [s.name for s in statistics_of("median, ci")]
    ['median', 'mean', 'ci95_low', 'ci95_high']
    """
    if given is None:
        return ()
    names = re.split(r"[,\s]+", given.strip(", ")) if isinstance(given, str) else list(given)
    found = {statistic.name: statistic for name in names for statistic in _named(name)}
    if not found:
        raise _unknown("")
    return tuple(found.values())


def _named(given: object) -> tuple[Statistic, ...]:
    if not isinstance(given, str):
        raise _unknown(given)
    name = given.casefold().replace("_", "-")
    name = _ALIASES.get(name, name)
    if name in _STATISTICS:
        return (_STATISTICS[name],)
    interval = _INTERVAL.fullmatch(name)
    percent = (interval[1] or _USUAL_LEVEL) if interval else "0"
    if not float(percent):
        raise _unknown(given)
    end = partial(Sample.interval_end, level=float(percent) / 100)
    return (
        _STATISTICS["mean"],
        Statistic(f"ci{percent}_low", partial(end, side=-1), compares=False),
        Statistic(f"ci{percent}_high", partial(end, side=1), compares=False),
    )


def _unknown(given: object) -> InputError:
    close = nearest(str(given), [*AGGREGATES, *_ALIASES], count=1)
    return InputError(
        f"there is no aggregate '{printable(str(given))}'" if given else "no aggregate is asked for",
        code="unknown-aggregate",
        expected=f"{', '.join(AGGREGATES)}, or several of them",
        hint=f"did you mean {close[0]}?" if close else "",
    )


@dataclass(frozen=True)
class Summary:
    """How the values of the queries become values of a run: the same for every run of a call."""

    statistics: tuple[Statistic, ...] = ()
    """What is asked for; if nothing is, each measure has its own aggregate."""
    weights: FloatArray | None = None
    """Of each query."""
    groups: Mapping[str, IntArray] = field(default_factory=dict)
    """The numbers of the queries of each group."""
    notes: tuple[str, ...] = ()

    def part(self, queries: IntArray) -> Summary:
        """The same for some queries only."""
        return replace(self, groups={}, weights=None if self.weights is None else self.weights[queries])

    def aggregates(
        self, measures: Iterable[Measure], measured: Measured
    ) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
        """The first value of each measure, and all of them by statistic if any is asked for."""
        if not self.statistics:
            return {str(m): own_aggregate(m, measured, self.weights) for m in measures}, {}
        counted = measured.counted
        samples = {name: _sample(v, counted, self.weights) for name, v in measured.values.items()}
        found = {
            statistic.name: {name: statistic(sample) for name, sample in samples.items()}
            for statistic in self.statistics
        }
        return found[self.statistics[0].name], found


@dataclass(frozen=True)
class Measured:
    """The values of one run before they are aggregated."""

    query_ids: Ids
    counted: BoolArray
    values: dict[str, FloatArray]
    """Of each measure, by its name."""
    kernel_weights: dict[str, FloatArray | None]
    """The weights that kernels gave, for aggregates that are ratios."""

    def part(self, queries: IntArray) -> Measured:
        """The same for some queries only."""
        return Measured(
            query_ids=self.query_ids.take(queries),
            counted=self.counted[queries],
            values={name: values[queries] for name, values in self.values.items()},
            kernel_weights={n: None if w is None else w[queries] for n, w in self.kernel_weights.items()},
        )


def own_aggregate(measure: Measure, measured: Measured, weights: FloatArray | None = None) -> float:
    """One value for the run, as the measure declares, over the queries that count and are defined.

    With weights, a sum is one of weighted values, and the weights of a ratio are multiplied by them.
    """
    values, counted = measured.values[str(measure)], measured.counted
    kernel_weights = measured.kernel_weights[str(measure)]
    if measure.aggregate == "ratio" and kernel_weights is not None:
        both = kernel_weights if weights is None else kernel_weights * weights
        sample = _sample(values, counted & (kernel_weights > 0), both)
        return sample.mean() if len(sample.values) else math.nan
    if measure.aggregate == "sum":
        return float(np.sum(_sample(values if weights is None else values * weights, counted, None).values))
    return _STATISTICS["gmean" if measure.aggregate == "gmean" else "mean"](_sample(values, counted, weights))


def _sample(values: FloatArray, counted: BoolArray, weights: FloatArray | None) -> Sample:
    kept = counted & ~np.isnan(values)
    if weights is None:
        return Sample(values if kept.all() else values[kept])
    kept &= weights > 0
    if not kept.any():
        return Sample(values[kept])
    # A power of two changes no digit, and squares of weights around 1 do not overflow.
    _, exponent = np.frexp(weights[kept].max())
    return Sample(values[kept], np.ldexp(weights[kept], -exponent))
