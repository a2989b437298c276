"""Systems in place of lists: what measures make of the runs of a test collection."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from rankscope.errors import MeasureError, printable
from rankscope.measures import Measure
from rankscope.result import Result
from rankscope.study.columns import oriented
from rankscope.study.counts import PairCounts
from rankscope.study.degrees import Degrees, both_ways
from rankscope.study.levels import EQUAL, levels_of
from rankscope.study.requests import refused

__all__ = [
    "Panel",
    "defined_mean",
    "degrees_of_systems",
    "pair_counts",
    "panel_of",
    "quotient",
    "signs",
]

FloatArray = npt.NDArray[np.float64]
Signs = npt.NDArray[np.int8]

CELLS = 2**22
"""Pairs of systems on queries that are looked at in one go."""


@dataclass(frozen=True, eq=False)
class Panel:
    """The values of several systems; bigger is better for every measure, NaN where one is not defined."""

    measures: tuple[Measure, ...]
    systems: tuple[str, ...]
    values: FloatArray
    """Measure x system x query."""
    means: FloatArray
    """Measure x system: what stands for all queries."""
    notes: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(str(measure) for measure in self.measures)

    @property
    def queries(self) -> int:
        return int(self.values.shape[2])

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The numbers of each two systems."""
        return list(combinations(range(len(self.systems)), 2))


def panel_of(
    result: Result, measures: Sequence[Measure] | None = None, *, systems: int = 2, queries: int = 1
) -> Panel:
    """The values of a result with at least so many systems and queries.

    A query that a system does not count (missing=skip) counts for none.
    """
    if not isinstance(result, Result):
        raise refused(
            f"something of type {type(result).__name__} has no values of systems",
            "the result of rankscope.evaluate with several runs",
        )
    if len(result.runs) < systems:
        raise refused(
            f"{len(result.runs)} {'run' if len(result.runs) == 1 else 'runs'}",
            f"the result of rankscope.evaluate with at least {systems} runs",
            "too-few-runs",
        )
    chosen = tuple(result.measures) if measures is None else _computed(result, measures)
    counted = np.all([run.counted for run in result.runs.values()], axis=0)
    if np.count_nonzero(counted) < queries:
        found = int(np.count_nonzero(counted))
        raise refused(
            f"{found} {'query counts' if found == 1 else 'queries count'} for every run",
            f"at least {queries} queries",
            "too-few-queries",
        )
    values = [[oriented(m, run.values[str(m)][counted]) for run in result.runs.values()] for m in chosen]
    means = [[run.aggregate[str(m)] for run in result.runs.values()] for m in chosen]
    return Panel(
        measures=chosen,
        systems=tuple(printable(name) for name in result.runs),
        values=np.array(values),
        means=np.array([oriented(m, np.array(row)) for m, row in zip(chosen, means, strict=True)]),
        notes=tuple(_notes(chosen, np.array(values), len(counted) - int(np.count_nonzero(counted)))),
    )


def _computed(result: Result, measures: Sequence[Measure]) -> tuple[Measure, ...]:
    chosen = tuple(dict.fromkeys(result.asked.get(measure, measure) for measure in measures))
    for measure in chosen:
        if measure not in result.measures:
            raise MeasureError(
                f"{measure} is not in the result",
                code="not-computed",
                expected=f"one of {', '.join(str(m) for m in result.measures)}",
            )
    return chosen


def _notes(measures: Sequence[Measure], values: FloatArray, uncounted: int) -> Iterator[str]:
    if uncounted:
        yield f"left out are {uncounted} queries that do not count for every run"
    for measure, table in zip(measures, values, strict=True):
        undefined = int(np.count_nonzero(np.isnan(table).any(axis=0)))
        if undefined:
            queries = "1 query" if undefined == 1 else f"{undefined} queries"
            yield f"{measure} is not defined for {queries} of some run: left out of its pairs"


def signs(one: FloatArray, other: FloatArray) -> Signs:
    """1 where the first is better, -1 where the other is, 0 where they agree to 12 digits or one is NaN."""
    bigger = np.maximum(np.abs(one), np.abs(other))
    with np.errstate(invalid="ignore"):  # infinite values are as good as themselves
        far_apart = (np.abs(one - other) > EQUAL * bigger) | np.isinf(bigger)
    return far_apart * ((one > other).astype(np.int8) - (one < other).astype(np.int8))


def defined_mean(values: FloatArray) -> FloatArray:
    """The mean along the first axis of what is defined; NaN where nothing is."""
    known = ~np.isnan(values)
    return quotient(np.where(known, values, 0.0).sum(axis=0), known.sum(axis=0))


def quotient(sums: FloatArray, counts: npt.NDArray[Any]) -> FloatArray:
    """Sums by counts; NaN where there is nothing to count."""
    found = np.full(sums.shape, np.nan)
    np.divide(sums, counts, out=found, where=counts > 0)
    return found


def degrees_of_systems(result: Result, measures: Sequence[Measure] | None, *, by: str) -> Degrees:
    """C and D over pairs of systems, on each query or by their values over all queries."""
    if by not in ("query", "mean"):
        raise refused(f"by={by!r}", "by= query or mean")
    panel = panel_of(result, measures)
    if len(panel.measures) < 2:
        raise MeasureError(
            "1 measure, where measures are compared", code="too-few-measures", expected="at least 2 measures"
        )
    values = panel.values if by == "query" else panel.means[:, :, None]
    each = (
        f"each of {panel.queries} queries" if by == "query" else f"their values over {panel.queries} queries"
    )
    levels = [levels_of(table.ravel()) for table in values]
    return Degrees(
        measures=panel.measures,
        over=f"pairs of {len(panel.systems)} systems by {each}",
        lists=len(panel.systems),
        counts=both_ways(panel.measures, pair_counts(panel.names, values)),
        kind="systems",
        distinct={name: level.count for name, level in zip(panel.names, levels, strict=True)},
        gaps={name: level.gap for name, level in zip(panel.names, levels, strict=True)},
        notes=panel.notes,
        analysis="degrees" if by == "query" else "degrees-of-means",
    )


def pair_counts(names: Sequence[str], values: FloatArray) -> dict[tuple[str, str], PairCounts]:
    """The counts of each two measures over all pairs of systems on all queries, where both are defined."""
    found = {pair: PairCounts(0, 0, 0, 0, 0) for pair in combinations(names, 2)}
    systems, queries = values.shape[1:]
    portion = max(1, CELLS // max(1, systems * systems))
    one, other = np.triu_indices(systems, 1)
    for start in range(0, queries, portion):
        part = values[:, :, start : start + portion]
        first, second = part[:, one], part[:, other]
        seen = [signs(a, b) for a, b in zip(first, second, strict=True)]
        defined = ~(np.isnan(first) | np.isnan(second))
        for f, g in combinations(range(len(names)), 2):
            both = defined[f] & defined[g]
            found[names[f], names[g]] += _counted(seen[f][both], seen[g][both])
    return found


def _counted(f: Signs, g: Signs) -> PairCounts:
    apart_f, apart_g = f != 0, g != 0
    told_apart = int(np.count_nonzero(apart_f & apart_g))
    disagree = int(np.count_nonzero(f * g < 0))
    only_f = int(np.count_nonzero(apart_f)) - told_apart
    only_g = int(np.count_nonzero(apart_g)) - told_apart
    return PairCounts(told_apart - disagree, disagree, only_f, only_g, len(f) - told_apart - only_f - only_g)
