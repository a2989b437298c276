"""Comparison: which runs differ, by how much, and how sure one can be."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from rankscope.compare.panel import SLACK, settled_difference
from rankscope.errors import InputError, nearest, package, printable

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from rankscope.compare.anova import Anova
    from rankscope.compare.settings import Settings
    from rankscope.measures.base import Measure
    from rankscope.result import Result
    from rankscope.tables import Table

__all__ = ["Comparison", "Pair", "QueryDifference"]

FloatArray = npt.NDArray[np.float64]
Verdict = Literal["better", "worse", "undecided"]


@dataclass(frozen=True, kw_only=True)
class Pair:
    """A run beside a baseline, by one measure; what is not defined is NaN."""

    measure: str
    run: str
    baseline: str
    queries: int
    """Queries for which both have a value; all else is about these."""
    mean: float
    """Of the run."""
    baseline_mean: float
    difference: float
    """The run's mean less the baseline's."""
    relative: float
    """The difference as a share of the baseline's mean."""
    low: float
    """The lower end of the confidence interval of the difference."""
    high: float
    effect: float
    """The standardised mean difference: that of the queries' differences by their standard deviation."""
    won: int
    """Queries on which the run is better, whichever way the measure points."""
    tied: int
    lost: int
    robustness: float
    urisk: float
    trisk: float
    p: float
    corrected: float
    """The p-value corrected for all comparisons by this measure."""
    verdict: Verdict
    """Whether the run is significantly better or worse."""
    draws: int = 0
    """How many permutations or resamples the test looked at."""
    needed: int | None = None
    """Queries with which the t-test would see such a difference, if that was asked for."""


@dataclass(frozen=True)
class QueryDifference:
    """What one query says about two runs."""

    query: str
    baseline: float
    run: float
    difference: float
    """Run less baseline."""


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Comparison:
    """What `compare` found, for every measure and every pair of runs (or every run beside the baseline)."""

    result: Result
    """The values behind it."""
    baseline: str | None
    pairs: tuple[Pair, ...]
    settings: Settings
    own_notes: tuple[str, ...] = ()
    anova: Mapping[str, Anova] = field(default_factory=dict)
    """The analysis of variance by each measure, if that is the test."""
    groups: Mapping[str, Comparison] = field(default_factory=dict)
    """The same for each group of queries."""

    @property
    def runs(self) -> tuple[str, ...]:
        """The names of the runs."""
        return tuple(self.result.runs)

    @property
    def measures(self) -> tuple[Measure, ...]:
        return self.result.measures

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know: about the values, then about the comparison."""
        return (*self.result.notes, *self.own_notes)

    @cached_property
    def means(self) -> dict[str, dict[str, float]]:
        """Run -> measure -> the mean of all its values."""
        tables = {str(m): self.values(m) for m in self.measures}
        return {
            name: {measure: _mean(values[row]) for measure, values in tables.items()}
            for row, name in enumerate(self.runs)
        }

    @property
    def method(self) -> str:
        """The test that was used, with its seed and number of draws, the correction and alpha."""
        return self.settings.words([pair.queries for pair in self.pairs])

    def values(self, measure: str | Measure) -> FloatArray:
        """The values by a measure, runs x queries; NaN where there is none, or none that can be compared."""
        name = self._measure(measure)
        rows = [np.where(run.counted, run.values[name], math.nan) for run in self.result.runs.values()]
        values = np.array(rows)
        values[~np.isfinite(values)] = math.nan
        return values

    def by(self, measure: str | Measure) -> tuple[Pair, ...]:
        """The pairs by one measure."""
        name = self._measure(measure)
        return tuple(pair for pair in self.pairs if pair.measure == name)

    def pair(self, measure: str | Measure, run: str, baseline: str | None = None) -> Pair:
        """A run beside a baseline by one measure; without one, beside the baseline of the comparison."""
        beside = self.baseline if baseline is None else baseline
        for pair in self.by(measure):
            if pair.run == run and (pair.baseline == beside or (beside is None and len(self.runs) == 2)):
                return pair
        known = ", ".join(
            f"'{printable(p.run)}' beside '{printable(p.baseline)}'" for p in self.by(measure)[:5]
        )
        raise KeyError(f"'{run}' was not compared with '{beside}'; there is {known}, ...")

    def queries(
        self, measure: str | Measure, run: str, baseline: str | None = None
    ) -> tuple[QueryDifference, ...]:
        """Every query that both runs have a value for, from the one helped most to the one harmed most.

        Queries that are helped or harmed alike stand in the order of the truth.
        """
        found = self.pair(measure, run, baseline)
        values = self.values(measure)
        here, there = (values[self.runs.index(name)] for name in (found.run, found.baseline))
        difference = settled_difference(there, here)
        order = np.argsort(-self._sign(found.measure) * difference, kind="stable")
        shown = self.result.shown_queries
        return tuple(
            QueryDifference(shown[q], float(there[q]), float(here[q]), float(difference[q]))
            for q in order.tolist()
            if not math.isnan(difference[q])
        )

    def helped(
        self, measure: str | Measure, run: str, baseline: str | None = None, *, most: int = 5
    ) -> tuple[QueryDifference, ...]:
        """The queries on which the run gains most, the largest gain first."""
        sign = self._sign(self._measure(measure))
        return tuple(q for q in self.queries(measure, run, baseline)[:most] if sign * q.difference > 0)

    def harmed(
        self, measure: str | Measure, run: str, baseline: str | None = None, *, most: int = 5
    ) -> tuple[QueryDifference, ...]:
        """The queries on which the run loses most, the largest loss first."""
        sign = self._sign(self._measure(measure))
        last = self.queries(measure, run, baseline)[::-1][:most]
        return tuple(q for q in last if sign * q.difference < 0)

    def worse_by(self, limit: float, *, significant: bool = False) -> tuple[Pair, ...]:
        """The pairs whose run is worse than its baseline by more than `limit`, in the unit of the measure.

        With `significant`, only those of them that are significantly worse.
        """
        if not limit >= 0:
            raise InputError(f"limit={limit}", code="number", expected="limit= a number from 0 up")
        for pair in self.pairs:
            if math.isnan(pair.difference):
                raise InputError(
                    f"{pair.measure} has no value for any query that both '{printable(pair.run)}' and "
                    f"'{printable(pair.baseline)}' have",
                    code="nothing-in-common",
                    expected="runs that can be compared",
                )
        slack = SLACK * max(limit, 1.0)
        worse = [p for p in self.pairs if -self._sign(p.measure) * p.difference > limit + slack]
        return tuple(pair for pair in worse if pair.verdict == "worse" or not significant)

    def _measure(self, measure: str | Measure) -> str:
        """The name of a measure as it was computed."""
        names = [str(m) for m in self.measures]
        if str(measure) in names:
            return str(measure)
        asked = {str(wanted): str(found) for wanted, found in self.result.asked.items()}
        from rankscope.measures.grammar import parse

        name = asked.get(str(parse(measure)), str(parse(measure)))
        if name not in names:
            close = nearest(name, names, count=1)
            raise InputError(
                f"{name} was not compared",
                code="not-compared",
                expected=f"one of {', '.join(names)}",
                hint=f"did you mean {close[0]}?" if close else "",
            )
        return name

    def _sign(self, name: str) -> int:
        """1 where a higher value is better, else -1."""
        better = next(m.better for m in self.measures if str(m) == name)
        return 1 if better == "higher" else -1

    def to_dict(self) -> dict[str, Any]:
        """Plain lists, dicts and numbers; what is not defined is None."""
        shown: dict[str, Any] = {
            "measures": [str(m) for m in self.measures],
            "policy": self.result.policy.to_dict(),
            "method": {"words": self.method, **self.settings.to_dict()},
            "baseline": None if self.baseline is None else printable(self.baseline),
            "runs": [
                {"name": printable(name), "means": {n: _defined(v) for n, v in means.items()}}
                for name, means in self.means.items()
            ],
            "pairs": [_shown_pair(pair) for pair in self.pairs],
        }
        if self.anova:
            shown["anova"] = {name: table.to_dict() for name, table in self.anova.items()}
        if self.groups:
            groups = zip(self.result.shown_groups, self.groups.values(), strict=True)
            shown["groups"] = {
                name: {key: part for key, part in group.to_dict().items() if key in _OF_A_GROUP}
                for name, group in groups
            }
        return {**shown, "notes": list(self.notes)}

    def to_json(self, *, indent: int | None = 2) -> str:
        """The text of `to_dict` as JSON."""
        import json

        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False, allow_nan=False)

    def columns(self) -> dict[str, list[Any]]:
        """The columns of a frame: a row for each pair, those of all queries before those of groups."""
        parts = [("", self), *zip(self.result.shown_groups, self.groups.values(), strict=False)]
        rows = [(group, _shown_pair(pair)) for group, part in parts for pair in part.pairs]
        names = [f.name for f in fields(Pair) if f.name != "needed" or self.settings.power is not None]
        group = {"group": [group or "all" for group, _ in rows]} if self.groups else {}
        return {**group, **{name: [row[name] for _, row in rows] for name in names}}

    def to_pandas(self) -> pd.DataFrame:
        """A row for each pair of runs and each measure."""
        frame: pd.DataFrame = package("pandas").DataFrame(self.columns())
        return frame

    def to_polars(self) -> pl.DataFrame:
        """The same for polars."""
        frame: pl.DataFrame = package("polars").DataFrame(self.columns())
        return frame

    def to_arrow(self) -> pa.Table:
        """The same for Arrow."""
        table: pa.Table = package("pyarrow").table(self.columns())
        return table

    def table(self, digits: int = 4) -> Table:
        """The means of the runs; marks tell significant differences, and `legend` tells the marks."""
        from rankscope.compare.tabulate import summary_table

        return summary_table(self, digits)

    def pairs_table(self, digits: int = 4) -> Table:
        """A line for each pair and measure."""
        from rankscope.compare.tabulate import pairs_table

        return pairs_table(self, digits)

    @property
    def legend(self) -> tuple[str, ...]:
        """What the marks of `table` mean, and the method behind them."""
        from rankscope.compare.tabulate import legend

        return legend(self)

    def to_markdown(self, *, pairs: bool = False, digits: int = 4) -> str:
        """The means in Markdown, the best bold, with the legend; after them the pairs if these are wanted."""
        from rankscope.compare.writing import markdown

        return markdown(self, digits, pairs=pairs)

    def to_latex(self, *, pairs: bool = False, digits: int = 4) -> str:
        r"""The same in LaTeX, with ``\usepackage{booktabs}``."""
        from rankscope.compare.writing import latex

        return latex(self, digits, pairs=pairs)

    def to_html(self, *, pairs: bool = True, digits: int = 4) -> str:
        """A page of its own, which needs nothing from elsewhere."""
        from rankscope.compare.writing import html

        return html(self, digits, pairs=pairs)

    def __repr__(self) -> str:
        notes = (f"note: {note}" for note in self.notes)
        return "\n".join([self.table().to_text(), "", *self.legend, *notes])

    def _repr_html_(self) -> str:
        from rankscope.compare.writing import html_body

        return html_body(self, digits=4, pairs=False)


_OF_A_GROUP = ("runs", "pairs", "anova", "notes")


def _mean(values: FloatArray) -> float:
    defined = values[~np.isnan(values)]
    return float(np.mean(defined)) if len(defined) else math.nan


def _defined(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _shown_pair(pair: Pair) -> dict[str, Any]:
    shown = {name: _defined(value) for name, value in asdict(pair).items()}
    return {**shown, "run": printable(pair.run), "baseline": printable(pair.baseline)}
