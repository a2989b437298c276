"""Two-way analysis of variance over runs and queries, and Tukey's honest significant differences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

from rankscope.compare.panel import SLACK, Pairing, Panel
from rankscope.errors import package

__all__ = ["Anova", "AnovaRow", "hsd_p", "two_way"]

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class AnovaRow:
    """A source of variance."""

    source: str
    squares: float
    """The sum of squares."""
    freedom: int
    """Degrees of freedom."""
    mean_square: float
    f: float = math.nan
    p: float = math.nan


@dataclass(frozen=True)
class Anova:
    """The table of an analysis of variance with one value for each run and query, and no interaction."""

    rows: tuple[AnovaRow, ...]
    """Of runs, queries and error."""

    @property
    def error(self) -> AnovaRow:
        return self.rows[-1]

    def to_dict(self) -> list[dict[str, float | int | str | None]]:
        """Plain dicts; what is not defined is None."""
        return [
            {n: None if isinstance(v, float) and math.isnan(v) else v for n, v in asdict(row).items()}
            for row in self.rows
        ]


def two_way(values: FloatArray) -> Anova:
    """The analysis of a table of runs x queries.

    >>> two_way(np.array([[0.2, 0.4, 0.3], [0.4, 0.5, 0.6]])).error.freedom
    2
    """
    runs, queries = values.shape
    grand = float(np.mean(values)) if values.size else 0.0
    of_run = np.mean(values, axis=1, keepdims=True) - grand if queries else np.zeros((runs, 1))
    of_query = np.mean(values, axis=0, keepdims=True) - grand
    rest = values - grand - of_run - of_query
    error = _row("error", rest, (runs - 1) * max(queries - 1, 0))
    between = (
        _row("runs", np.broadcast_to(of_run, values.shape), runs - 1),
        _row("queries", np.broadcast_to(of_query, values.shape), max(queries - 1, 0)),
    )
    return Anova((*(_tested(row, error) for row in between), error))


def hsd_p(panel: Panel) -> tuple[FloatArray, Anova]:
    """Tukey's p-values of the pairs, family-wise over all runs, and the analysis behind them."""
    analysis = two_way(panel.values)
    error, runs = analysis.error, len(panel.values)
    if not error.freedom:
        return np.full(len(panel.pairs), math.nan), analysis
    gaps = _gaps(panel.values, panel.pairs)
    width = math.sqrt(error.mean_square / panel.size)
    if width <= SLACK * float(np.max(np.abs(panel.values))):
        return np.where(gaps <= width, 1.0, 0.0), analysis
    # One evaluation is a double integral: equal gaps share it.
    distinct, place = np.unique(gaps / width, return_inverse=True)
    chances = package("scipy.stats").studentized_range.sf(distinct, runs, error.freedom)
    return np.clip(chances, 0.0, 1.0)[place], analysis


def _gaps(values: FloatArray, pairs: Sequence[Pairing]) -> FloatArray:
    means = np.mean(values, axis=1)
    return np.array([abs(means[run] - means[baseline]) for baseline, run in pairs])


def _row(source: str, parts: FloatArray, freedom: int) -> AnovaRow:
    squares = float(np.sum(parts**2))
    return AnovaRow(source, squares, freedom, squares / freedom if freedom else math.nan)


def _tested(row: AnovaRow, error: AnovaRow) -> AnovaRow:
    if not row.freedom or not error.freedom or not error.mean_square:
        return row
    f = row.mean_square / error.mean_square
    p = float(package("scipy.special").fdtrc(row.freedom, error.freedom, f))
    return AnovaRow(row.source, row.squares, row.freedom, row.mean_square, f, p)
