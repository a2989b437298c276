"""A result as a table, JSON, CSV, TSV, Markdown, LaTeX or the output of trec_eval, in pieces of text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from rankscope.errors import printable
from rankscope.measures import Measure
from rankscope.result import Result
from rankscope.tables import UNDEFINED, Table, number
from rankscope.tabulate import ALL, Row, aggregate_rows, query_rows

__all__ = ["FORMATS", "Layout", "rounded"]

USUAL_DIGITS = 4

Typed = Sequence[tuple[str, Measure]]


@dataclass(frozen=True)
class Layout:
    """How a result is to be shown."""

    per_query: bool
    digits: int | None
    typed: Typed
    """The measures asked for, each with the name it was asked by."""
    bold: bool
    """The best values are bold rather than marked with a star."""

    @property
    def decimals(self) -> int:
        return USUAL_DIGITS if self.digits is None else self.digits


def as_table(result: Result, layout: Layout) -> Iterator[str]:
    """Aligned columns for people."""
    yield _table(result, layout).to_text(bold=layout.bold) + "\n"


def as_markdown(result: Result, layout: Layout) -> Iterator[str]:
    """The same for a page."""
    yield _table(result, layout).to_markdown() + "\n"


def as_latex(result: Result, layout: Layout) -> Iterator[str]:
    """The same for a paper."""
    yield _table(result, layout).to_latex() + "\n"


def as_json(result: Result, layout: Layout) -> Iterator[str]:
    """One object, with the notes in it."""
    import json

    content = result.to_dict(per_query=layout.per_query)
    if layout.digits is not None:
        content["runs"] = rounded(content["runs"], layout.digits)
    yield json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def as_csv(result: Result, layout: Layout) -> Iterator[str]:
    """A header, then a line for each value: run, query, measure, value; empty where it is not defined."""
    return _long(result, layout, ",", _csv_cell)


def as_tsv(result: Result, layout: Layout) -> Iterator[str]:
    """The same with tabs, and nothing quoted: ids that are shown have no tabs."""
    return _long(result, layout, "\t", str)


def as_trec(result: Result, layout: Layout) -> Iterator[str]:
    """Measure, query and value as trec_eval prints them; with several runs, the name of each first.

    A group stands where a query would, and an aggregate that was asked for by name follows the measure's.
    """
    # A name may be typed with spaces in it, but here they separate columns.
    measures = [("".join(typed.split()), str(measure), measure) for typed, measure in layout.typed]
    for run in result.runs.values():
        if len(result.runs) > 1:
            yield _trec_line("runid", ALL, printable(run.name))
        queries = ((row.query, row) for row in query_rows(result, run) if layout.per_query)
        for subject, row in chain(queries, ((row.group, row) for row in aggregate_rows(result, run))):
            for typed, key, measure in measures:
                if key in row.values:
                    name = f"{typed}_{row.aggregate}" if row.aggregate else typed
                    value = _number(row.values[key], measure, layout.decimals, undefined="nan")
                    yield _trec_line(name, subject, value)


FORMATS: dict[str, Callable[[Result, Layout], Iterator[str]]] = {
    "table": as_table,
    "json": as_json,
    "csv": as_csv,
    "tsv": as_tsv,
    "markdown": as_markdown,
    "latex": as_latex,
    "trec": as_trec,
}


def _table(result: Result, layout: Layout) -> Table:
    return result.table(layout.decimals, per_query=layout.per_query)


def _rows(result: Result, per_query: bool) -> Iterator[Row]:
    """The queries of each run first if they are wanted, then what they are together."""
    for run in result.runs.values():
        if per_query:
            yield from query_rows(result, run)
        yield from aggregate_rows(result, run)


def _long(result: Result, layout: Layout, mark: str, cell: Callable[[str], str]) -> Iterator[str]:
    """A line for each value; with columns for the group and the aggregate only where there are any."""
    before = ["run", *(["group"] if result.members else []), "query"]
    after = ["aggregate"] if result.statistics else []
    yield mark.join([*before, "measure", *after, "value"]) + "\n"
    measures = [(cell(str(measure)), str(measure), measure) for measure in result.measures]
    for row in _rows(result, layout.per_query):
        start = mark.join(cell(getattr(row, name)) for name in before)
        end = "".join(f"{mark}{cell(getattr(row, name))}" for name in after)
        for name, key, measure in measures:
            if key in row.values:
                value = _number(row.values[key], measure, layout.digits, undefined="")
                yield f"{start}{mark}{name}{end}{mark}{value}\n"


def _number(value: float, measure: Measure, digits: int | None, undefined: str = UNDEFINED) -> str:
    return number(value, digits, count=measure.aggregate == "sum", undefined=undefined)


def rounded(content: Any, digits: int) -> Any:
    """The same lists and dicts with every number that is not a count rounded."""
    if isinstance(content, dict):
        return {name: rounded(value, digits) for name, value in content.items()}
    if isinstance(content, list):
        return [rounded(value, digits) for value in content]
    return round(content, digits) if isinstance(content, float) else content


def _csv_cell(text: str) -> str:
    if "," in text or '"' in text:  # ids that are shown have no line breaks
        return '"' + text.replace('"', '""') + '"'
    return text


def _trec_line(measure: str, query: str, value: str) -> str:
    return f"{measure:<22}\t{query}\t{value}\n"
