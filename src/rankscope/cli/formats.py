"""A result as a table, JSON, CSV or the output of trec_eval, in pieces of text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rankscope.errors import printable
from rankscope.measures import Measure
from rankscope.result import Result, best_cells
from rankscope.tables import UNDEFINED, Table, number

__all__ = ["ALL", "FORMATS", "Layout"]

ALL = "all"
"""Stands where a query would, for the aggregate over all of them; as in trec_eval."""
USUAL_DIGITS = 4

Typed = Sequence[tuple[str, Measure]]
Row = tuple[str, str, Mapping[str, float]]


@dataclass(frozen=True)
class Layout:
    """How a result is to be shown."""

    per_query: bool
    digits: int | None
    typed: Typed
    """The measures asked for, each with the name it was asked by."""
    bold: bool
    """The best values are bold rather than marked with a star."""


def table(result: Result, layout: Layout) -> Iterator[str]:
    """Aligned columns for people."""
    digits = USUAL_DIGITS if layout.digits is None else layout.digits
    shown = _per_query_table(result, digits) if layout.per_query else result.table(digits)
    yield shown.to_text(bold=layout.bold) + "\n"


def as_json(result: Result, layout: Layout) -> Iterator[str]:
    """One object, with the notes in it."""
    import json

    content = result.to_dict(per_query=layout.per_query)
    if layout.digits is not None:
        for run in content["runs"]:
            for values in (run["aggregate"], *run.get("queries", {}).values()):
                values.update(_rounded(values, layout.digits))
    yield json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def as_csv(result: Result, layout: Layout) -> Iterator[str]:
    """A header, then a line for each value: run, query, measure, value; empty where it is not defined."""
    yield "run,query,measure,value\n"
    measures = [(_csv_cell(str(measure)), str(measure), measure) for measure in result.measures]
    for name, query, values in _rows(result, layout.per_query):
        start = f"{_csv_cell(name)},{_csv_cell(query)}"
        for cell, key, measure in measures:
            if key in values:
                yield f"{start},{cell},{_number(values[key], measure, layout.digits, undefined='')}\n"


def as_trec(result: Result, layout: Layout) -> Iterator[str]:
    """Measure, query and value as trec_eval prints them; with several runs, the name of each first."""
    digits = USUAL_DIGITS if layout.digits is None else layout.digits
    # A name may be typed with spaces in it, but here they separate columns.
    measures = [("".join(typed.split()), str(measure), measure) for typed, measure in layout.typed]
    current = None
    for name, query, values in _rows(result, layout.per_query):
        if len(result.runs) > 1 and name != current:
            yield _trec_line("runid", ALL, name)
        current = name
        for typed, key, measure in measures:
            if key in values:
                yield _trec_line(typed, query, _number(values[key], measure, digits, undefined="nan"))


FORMATS = {"table": table, "json": as_json, "csv": as_csv, "trec": as_trec}


def _rows(result: Result, per_query: bool) -> Iterator[Row]:
    """Name of the run, query and values: the queries first if they are wanted, then all of them together."""
    for run in result.runs.values():
        name = printable(run.name)
        if per_query:
            yield from ((name, query, values) for query, values in result.rows(run))
        yield name, ALL, run.aggregate


def _per_query_table(result: Result, digits: int) -> Table:
    """A line for each query of each run; what the runs have for one query stands together."""
    together: dict[str, list[Row]] = {query: [] for query in result.shown_queries}
    for run in result.runs.values():
        for query, values in result.rows(run):
            together[query].append((printable(run.name), query, values))
    several = len(result.runs) > 1
    words = 2 if several else 1
    measures = {str(measure): measure for measure in result.measures}
    lines: list[list[str]] = []
    best: set[tuple[int, int]] = set()
    for rows in (*together.values(), list(_rows(result, per_query=False))):
        if several:
            found = best_cells([values for _, _, values in rows], measures)
            best |= {(len(lines) + line, words + column) for line, column in found}
        lines += [
            [query, *([name] if several else []), *_cells(values, measures, digits)]
            for name, query, values in rows
        ]
    header = ("query", *(["run"] if several else []), *measures)
    return Table(header, lines, best=frozenset(best), words=words)


def _cells(values: Mapping[str, float], measures: Mapping[str, Measure], digits: int) -> list[str]:
    return [_number(values.get(key, math.nan), measure, digits) for key, measure in measures.items()]


def _number(value: float, measure: Measure, digits: int | None, undefined: str = UNDEFINED) -> str:
    return number(value, digits, count=measure.aggregate == "sum", undefined=undefined)


def _rounded(values: Mapping[str, Any], digits: int) -> dict[str, Any]:
    return {name: None if value is None else round(value, digits) for name, value in values.items()}


def _csv_cell(text: str) -> str:
    if "," in text or '"' in text:  # ids that are shown have no line breaks
        return '"' + text.replace('"', '""') + '"'
    return text


def _trec_line(measure: str, query: str, value: str) -> str:
    return f"{measure:<22}\t{query}\t{value}\n"
