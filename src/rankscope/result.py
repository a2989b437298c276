"""Result: values per query, their aggregate, the policy that made them, and notes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rankscope.errors import MeasureError, package, printable
from rankscope.measures.base import Measure
from rankscope.measures.grammar import parse
from rankscope.policy import Policy
from rankscope.tables import Table
from rankscope.tabulate import Row, aggregate_rows, aggregate_table, per_query_table

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from rankscope.aggregate import Statistic
    from rankscope.data import Ids

__all__ = ["Result", "RunResult"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False, kw_only=True)
class RunResult:
    """The values of one run; ``run["nDCG@10"]`` is the aggregate of a measure."""

    name: str
    aggregate: dict[str, float]
    """Of each measure, by its name: the first one that was asked for, or what the measure declares."""
    values: dict[str, FloatArray]
    """Of each measure, one value for each of `query_ids`; NaN where it is not defined."""
    query_ids: Ids
    counted: BoolArray
    """Which queries count: not those that the run lacks, if these are skipped."""
    skips_undefined: bool
    notes: tuple[str, ...]
    asked: Mapping[Measure, Measure] = field(default_factory=dict)
    """What was asked for, and the measure that computed it: not the same if another system's was wanted."""
    aggregates: dict[str, dict[str, float]] = field(default_factory=dict)
    """Aggregate -> measure -> value, for those that were asked for by name."""
    groups: dict[str, RunResult] = field(default_factory=dict)
    """The same for each group of queries."""

    def __getitem__(self, measure: str | Measure) -> float:
        return self.aggregate[_key(measure, self.aggregate, self.asked)]

    @cached_property
    def queries(self) -> Mapping[str, Mapping[str, float]]:
        """The values of each query, in the order of the judgments."""
        return _PerQuery(self)

    def numbered_rows(self) -> Iterator[tuple[int, dict[str, float]]]:
        """The number and the values of each query that counts."""
        return _PerQuery(self).rows()

    def __repr__(self) -> str:
        return f"<RunResult '{printable(self.name)}': {_listed(self.aggregate)}>"


class _PerQuery(Mapping[str, Mapping[str, float]]):
    """Query -> measure -> value, made when looked at: a million queries cost no million dicts."""

    def __init__(self, run: RunResult) -> None:
        self._run = run
        self._numbers = np.flatnonzero(run.counted)

    @cached_property
    def _number_of(self) -> dict[str, int]:
        ids = self._run.query_ids
        return {text: n for n, text in enumerate(ids) if self._run.counted[n]}

    def row(self, query: int) -> dict[str, float]:
        """The values of query number `query`."""
        return self._kept({name: float(column[query]) for name, column in self._run.values.items()})

    def rows(self) -> Iterator[tuple[int, dict[str, float]]]:
        """The number and the values of each query."""
        names = tuple(self._run.values)
        columns = (column[self._numbers].tolist() for column in self._run.values.values())
        for query, *values in zip(self._numbers.tolist(), *columns, strict=True):
            yield query, self._kept(dict(zip(names, values, strict=True)))

    def _kept(self, values: dict[str, float]) -> dict[str, float]:
        if not self._run.skips_undefined:
            return values
        return {name: value for name, value in values.items() if not math.isnan(value)}

    def __getitem__(self, query: str | int) -> dict[str, float]:
        return self.row(self._number_of[str(query)])

    def __iter__(self) -> Iterator[str]:
        return iter(self._number_of)

    def __len__(self) -> int:
        return len(self._numbers)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Result:
    """What `evaluate` found: one run or many.

    ``result["nDCG@10"]`` is a value of the only run, ``result["bm25"]["nDCG@10"]`` one of several.
    """

    runs: dict[str, RunResult]
    measures: tuple[Measure, ...]
    policy: Policy
    asked: Mapping[Measure, Measure] = field(default_factory=dict)
    """What was asked for, and the measure that computed it."""
    statistics: tuple[Statistic, ...] = ()
    """The aggregates that were asked for by name."""
    members: Mapping[str, IntArray] = field(default_factory=dict)
    """The numbers of the queries of each group."""

    def __getitem__(self, key: str | Measure) -> Any:
        if len(self.runs) > 1 or key in self.runs:
            if key in self.runs:
                return self.runs[str(key)]
            raise KeyError(f"there is no run '{key}'; the runs are {_listed(self.runs)}")
        return self.run[key]

    @property
    def run(self) -> RunResult:
        """The run, if there is only one."""
        if len(self.runs) != 1:
            raise KeyError(f"there are {len(self.runs)} runs: {_listed(self.runs)}")
        return next(iter(self.runs.values()))

    @property
    def aggregate(self) -> dict[str, float]:
        """The aggregate values of the only run."""
        return self.run.aggregate

    @property
    def queries(self) -> Mapping[str, Mapping[str, float]]:
        """The values per query of the only run."""
        return self.run.queries

    @cached_property
    def groups(self) -> dict[str, Result]:
        """A result for each group of queries: ``result.groups["short"]["AP"]``."""
        return {
            group: replace(
                self, runs={name: run.groups[group] for name, run in self.runs.items()}, members={}
            )
            for group in self.members
        }

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the values should know; with several runs each note says whose it is."""
        if len(self.runs) == 1:
            return self.run.notes
        shared = [
            n for n in next(iter(self.runs.values())).notes if all(n in r.notes for r in self.runs.values())
        ]
        own = [f"{printable(r.name)}: {n}" for r in self.runs.values() for n in r.notes if n not in shared]
        return (*shared, *own)

    @cached_property
    def shown_queries(self) -> list[str]:
        """The query ids as they may be shown; two different ones are never shown alike."""
        return _shown_apart(list(next(iter(self.runs.values())).query_ids))

    @cached_property
    def shown_groups(self) -> list[str]:
        """The names of the groups as they may be shown."""
        return _shown_apart(list(self.members))

    @cached_property
    def shown_group_of_queries(self) -> list[str]:
        """The group of each query as it may be shown; empty if there are no groups."""
        if not self.members:
            return []
        found = [""] * len(self.shown_queries)
        for name, numbers in zip(self.shown_groups, self.members.values(), strict=True):
            for query in numbers.tolist():
                found[query] = name
        return found

    def rows(self, run: RunResult) -> Iterator[tuple[str, dict[str, float]]]:
        """The queries of a run as they may be shown, each with its values."""
        return ((self.shown_queries[query], values) for query, values in run.numbered_rows())

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """Plain lists, dicts and numbers; what is not defined is None.

        A run has "aggregates" and "groups" only where they were asked for.
        """
        return {
            "measures": [str(m) for m in self.measures],
            "policy": self.policy.to_dict(),
            "runs": [self._run_dict(run, per_query) for run in self.runs.values()],
        }

    def _run_dict(self, run: RunResult, per_query: bool) -> dict[str, Any]:
        shown: dict[str, Any] = {"name": printable(run.name), **_aggregate_dict(run)}
        if run.groups:
            parts = zip(self.shown_groups, run.groups.values(), strict=True)
            shown["groups"] = {
                name: {"size": int(np.count_nonzero(part.counted)), **_aggregate_dict(part)}
                for name, part in parts
            }
        if per_query:
            shown["queries"] = {query: _defined(values) for query, values in self.rows(run)}
        return {**shown, "notes": list(run.notes)}

    def to_json(self, *, per_query: bool = False, indent: int | None = 2) -> str:
        """The text of `to_dict` as JSON."""
        import json

        return json.dumps(
            self.to_dict(per_query=per_query), indent=indent, ensure_ascii=False, allow_nan=False
        )

    def to_pandas(self, *, per_query: bool = True) -> pd.DataFrame:
        """A row for each query of each run (or for each run) and a column for each measure."""
        frame: pd.DataFrame = package("pandas").DataFrame(self.columns(per_query=per_query))
        return frame

    def to_polars(self, *, per_query: bool = True) -> pl.DataFrame:
        """The same for polars; what is not defined is null."""
        polars = package("polars")
        columns = self.columns(per_query=per_query).items()
        series = [polars.Series(name, values, nan_to_null=True) for name, values in columns]
        frame: pl.DataFrame = polars.DataFrame(series)
        return frame

    def to_arrow(self, *, per_query: bool = True) -> pa.Table:
        """The same for Arrow; what is not defined is null."""
        arrow = package("pyarrow")
        columns = self.columns(per_query=per_query).items()
        table: pa.Table = arrow.table({n: arrow.array(v, from_pandas=True) for n, v in columns})
        return table

    def columns(self, *, per_query: bool) -> dict[str, list[str] | FloatArray]:
        """The columns of a frame: the run's name, the query, then one for each measure.

        The group and the name of the aggregate have columns where they were asked for.
        """
        runs = list(self.runs.values())
        names = [str(m) for m in self.measures]
        if not per_query:
            rows = [row for run in runs for row in aggregate_rows(self, run)]
            values = {n: np.array([row.values[n] for row in rows]) for n in names}
            return {**self._words(rows), **values}
        numbers = {run.name: np.flatnonzero(run.counted) for run in runs}
        return {
            "run": [printable(name) for name, kept in numbers.items() for _ in range(len(kept))],
            "query": [self.shown_queries[q] for kept in numbers.values() for q in kept.tolist()],
            **self._group_column(list(numbers.values())),
            **{n: np.concatenate([run.values[n][numbers[run.name]] for run in runs]) for n in names},
        }

    def _words(self, rows: Sequence[Row]) -> dict[str, list[str]]:
        wanted = {"run": True, "group": self.members, "aggregate": self.statistics}
        return {name: [getattr(row, name) for row in rows] for name, is_wanted in wanted.items() if is_wanted}

    def _group_column(self, numbers: Sequence[IntArray]) -> dict[str, list[str]]:
        groups = self.shown_group_of_queries
        return {"group": [groups[q] for kept in numbers for q in kept.tolist()]} if groups else {}

    def table(self, digits: int = 4, *, per_query: bool = False) -> Table:
        """The aggregate values, after those of each query if these are wanted, as a table to be shown."""
        return per_query_table(self, digits) if per_query else aggregate_table(self, digits)

    def to_markdown(self, *, per_query: bool = False, digits: int = 4) -> str:
        """A table in Markdown; of several runs the best values are bold."""
        return self.table(digits, per_query=per_query).to_markdown()

    def to_latex(self, *, per_query: bool = False, digits: int = 4) -> str:
        r"""A tabular in LaTeX, with ``\usepackage{booktabs}``; of several runs the best values are bold.

        Letters beyond those of the font's encoding need XeLaTeX or LuaLaTeX.
        """
        return self.table(digits, per_query=per_query).to_latex()

    def __repr__(self) -> str:
        return "\n".join(
            [self.table().to_text(), "", f"policy: {self.policy}", *(f"note: {n}" for n in self.notes)]
        )

    def _repr_html_(self) -> str:
        from html import escape

        notes = "".join(f"<li>{escape(note)}</li>" for note in self.notes)
        policy = f"<p><small>policy: {escape(str(self.policy))}</small></p>"
        return self.table().to_html() + policy + (f"<ul>{notes}</ul>" if notes else "")


def _key(measure: str | Measure, known: Mapping[str, float], asked: Mapping[Measure, Measure]) -> str:
    if str(measure) in known and not asked:
        return str(measure)
    try:
        parsed = parse(measure)
        name = str(asked.get(parsed, parsed))
    except MeasureError as error:
        raise KeyError(f"{error.what}; the measures are {_listed(known)}") from error
    if name not in known:
        raise KeyError(f"{name} was not computed; the measures are {_listed(known)}")
    if name != str(parsed) and str(parsed) in known:
        raise KeyError(
            f"{parsed} was asked for, which is {name} here, and is also what another measure became; "
            f"look in `aggregate` or `values`, whose keys are {_listed(known)}"
        )
    return name


def _listed(names: Mapping[str, Any]) -> str:
    return ", ".join(printable(name) for name in names)


def _defined(values: Mapping[str, float]) -> dict[str, float | None]:
    return {name: None if math.isnan(value) else value for name, value in values.items()}


def _aggregate_dict(run: RunResult) -> dict[str, Any]:
    shown: dict[str, Any] = {"aggregate": _defined(run.aggregate)}
    if run.aggregates:
        shown["aggregates"] = {name: _defined(values) for name, values in run.aggregates.items()}
    return shown


def _shown_apart(texts: list[str]) -> list[str]:
    """The texts as they may be shown; two different ones are never shown alike."""
    shown = [printable(text) for text in texts]
    if len(set(shown)) == len(shown):
        return shown
    return [printable(text.replace("\\", "\\\\")) for text in texts]
