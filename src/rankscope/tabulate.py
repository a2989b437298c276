"""A result as rows, and as tables of such rows: one place for what is shown, in whatever format."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rankscope.errors import printable
from rankscope.measures.base import Measure
from rankscope.tables import Table, number

if TYPE_CHECKING:
    from rankscope.result import Result, RunResult

__all__ = ["ALL", "Row", "aggregate_rows", "aggregate_table", "best_cells", "per_query_table", "query_rows"]

ALL = "all"
"""Stands where a query or a group would, for all of them together; as in trec_eval."""


@dataclass(frozen=True)
class Row:
    """Values of a run for one query, or their aggregate over a group or over all; ready to be shown."""

    run: str
    values: Mapping[str, float]
    query: str = ALL
    group: str = ALL
    aggregate: str = ""
    """Which one it is, if it was asked for by name."""


def query_rows(result: Result, run: RunResult) -> Iterator[Row]:
    """A row for each query."""
    name, groups = printable(run.name), result.shown_group_of_queries
    for query, values in run.numbered_rows():
        group = groups[query] if groups else ALL
        yield Row(name, values, query=result.shown_queries[query], group=group)


def aggregate_rows(result: Result, run: RunResult) -> Iterator[Row]:
    """A row for each group, then one for all queries; for each aggregate that was asked for by name."""
    name = printable(run.name)
    parts = zip((*result.shown_groups, ALL), (*run.groups.values(), run), strict=True)
    for group, part in parts:
        if not result.statistics:
            yield Row(name, part.aggregate, group=group)
        for statistic, values in part.aggregates.items():
            yield Row(name, values, group=group, aggregate=statistic)


def aggregate_table(result: Result, digits: int) -> Table:
    """The aggregate values: a line for each measure of one run, else one for each row."""
    if len(result.runs) == 1 and not result.shown_groups:
        rows = list(aggregate_rows(result, result.run))
        lines = [
            [name, *(_shown(row.values, name, measure, digits) for row in rows)]
            for name, measure in _by_name(result).items()
        ]
        return Table(("measure", *(row.aggregate or row.run for row in rows)), lines)
    return _table(result, _columns(result), _aggregate_blocks(result), digits)


def per_query_table(result: Result, digits: int) -> Table:
    """A line for each query and run, then the aggregate; what runs have for one query stands together."""
    together: dict[str, list[Row]] = {query: [] for query in result.shown_queries}
    for run in result.runs.values():
        for row in query_rows(result, run):
            together[row.query].append(row)
    blocks = [*together.values(), *_aggregate_blocks(result)]
    return _table(result, ["query", *_columns(result)], blocks, digits)


def best_cells(
    lines: Sequence[Mapping[str, float]], measures: Mapping[str, Measure]
) -> Iterator[tuple[int, int]]:
    """(line, column) of the best value of each measure; none where all values are alike."""
    for column, (name, measure) in enumerate(measures.items()):
        values = [line.get(name, math.nan) for line in lines]
        defined = {value for value in values if not math.isnan(value)}
        if len(defined) > 1:
            best = max(defined) if measure.better == "higher" else min(defined)
            yield from ((line, column) for line, value in enumerate(values) if value == best)


def _columns(result: Result) -> list[str]:
    """What tells the rows of a table apart, beside the query."""
    wanted = {"group": result.shown_groups, "aggregate": result.statistics, "run": len(result.runs) > 1}
    return [name for name, is_wanted in wanted.items() if is_wanted]


def _aggregate_blocks(result: Result) -> Iterator[list[Row]]:
    """The rows that can be compared: the runs of one group and one aggregate."""
    each = [aggregate_rows(result, run) for run in result.runs.values()]
    yield from (list(rows) for rows in zip(*each, strict=True))


def _table(result: Result, columns: Sequence[str], blocks: Iterable[Sequence[Row]], digits: int) -> Table:
    measures = _by_name(result)
    compares = {statistic.name: statistic.compares for statistic in result.statistics}
    lines: list[list[str]] = []
    best: set[tuple[int, int]] = set()
    for rows in blocks:
        if len(result.runs) > 1 and all(compares.get(row.aggregate, True) for row in rows):
            found = best_cells([row.values for row in rows], measures)
            best |= {(len(lines) + line, len(columns) + column) for line, column in found}
        lines += [
            [
                *(getattr(row, column) for column in columns),
                *(_shown(row.values, name, measure, digits) for name, measure in measures.items()),
            ]
            for row in rows
        ]
    return Table((*columns, *measures), lines, best=frozenset(best), words=len(columns))


def _by_name(result: Result) -> dict[str, Measure]:
    return {str(measure): measure for measure in result.measures}


def _shown(values: Mapping[str, float], name: str, measure: Measure, digits: int) -> str:
    return number(values.get(name, math.nan), digits, count=measure.aggregate == "sum")
