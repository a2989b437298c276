"""How measures go together over queries: where one is high, is the other?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rankscope.measures import Measure
from rankscope.result import Result
from rankscope.study.levels import levels_of
from rankscope.study.requests import refused
from rankscope.study.sheets import Finding, Record, Sheet, matrix_sheet, plain
from rankscope.study.systems import defined_mean, panel_of
from rankscope.study.taus import tau_b

if TYPE_CHECKING:
    from rankscope.plots import Chart

__all__ = ["Correlation", "correlation"]

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Correlation(Finding):
    """The correlation of the values per query of each two measures: the mean of those of all systems."""

    measures: tuple[Measure, ...]
    systems: tuple[str, ...]
    method: str
    matrix: FloatArray
    by_system: FloatArray
    """System x measure x measure."""
    notes: tuple[str, ...] = ()
    analysis: str = "correlation"

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(str(measure) for measure in self.measures)

    @property
    def title(self) -> str:
        return f"{self.method.capitalize()} correlation over queries, mean of {len(self.systems)} systems"

    def sheets(self, digits: int = 4) -> list[Sheet]:
        return [matrix_sheet(self.title, "measure", self.names, self.matrix, digits)]

    def records(self) -> Iterator[Record]:
        for system, matrix in zip(("all", *self.systems), (self.matrix, *self.by_system), strict=True):
            for row, f in enumerate(self.names):
                for column, g in enumerate(self.names[:row]):
                    yield {"system": system, "f": g, "g": f, "correlation": float(matrix[row, column])}

    def to_dict(self) -> dict[str, Any]:
        return {
            "analysis": self.analysis,
            "method": self.method,
            "measures": list(self.names),
            "correlation": plain(self.matrix),
            "systems": dict(zip(self.systems, plain(self.by_system), strict=True)),
            "notes": list(self.notes),
        }

    def charts(self) -> dict[str, Chart]:
        from rankscope.plots import heatmap

        return {"correlation": heatmap(self.matrix, self.names, title=self.title)}


def correlation(result: Result, *, method: str = "pearson") -> Correlation:
    """The matrix of correlations of measures over queries: pearson, spearman or kendall (tau-b).

    Queries for which either measure is not defined are left out; a measure that has the same value for all
    queries has no correlation with any other.

    >>> import rankscope
    >>> truth = {"q1": ["a"], "q2": ["b"], "q3": ["c"]}
    >>> result = rankscope.evaluate(truth, {"q1": ["a"], "q2": ["x", "b"], "q3": ["x"]}, "P@1, RR")
    >>> correlation(result).matrix.round(3).tolist()
    [[1.0, 0.866], [0.866, 1.0]]
    """
    chosen = _METHODS.get(method)
    if chosen is None:
        raise refused(f"method={method!r}", f"method= one of {', '.join(_METHODS)}")
    panel = panel_of(result, systems=1, queries=2)
    by_system = np.array([_matrix(panel.values[:, number], chosen) for number in range(len(panel.systems))])
    return Correlation(panel.measures, panel.systems, method, defined_mean(by_system), by_system, panel.notes)


def _matrix(values: FloatArray, correlated: Callable[[FloatArray, FloatArray], float]) -> FloatArray:
    matrix = np.full((len(values), len(values)), np.nan)
    for row, one in enumerate(values):
        for column, other in enumerate(values[: row + 1]):
            both = ~(np.isnan(one) | np.isnan(other))
            matrix[row, column] = matrix[column, row] = correlated(one[both], other[both])
    return matrix


def _pearson(one: FloatArray, other: FloatArray) -> float:
    if len(one) < 2 or levels_of(one).count < 2 or levels_of(other).count < 2:
        return np.nan
    x, y = one - one.mean(), other - other.mean()
    return float(np.clip((x @ y) / np.sqrt((x @ x) * (y @ y)), -1, 1))


def _spearman(one: FloatArray, other: FloatArray) -> float:
    return _pearson(_midranks(one), _midranks(other))


def _midranks(values: FloatArray) -> FloatArray:
    """Ranks, where values that agree to 12 digits share the mean of theirs."""
    found = levels_of(values)
    counts = np.bincount(found.level, minlength=found.count)
    return (np.cumsum(counts) - (counts - 1) / 2)[found.level]


_METHODS: dict[str, Callable[[FloatArray, FloatArray], float]] = {
    "pearson": _pearson,
    "spearman": _spearman,
    "kendall": tau_b,
}
