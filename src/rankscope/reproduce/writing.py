"""Reproductions as tables for people, as Markdown for a page, and as JSON for programs, in pieces of text."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from textwrap import fill

from rankscope.reproduce.cells import VERDICTS, Cell, Experiment, Reproduction
from rankscope.study.sheets import shown
from rankscope.tables import UNDEFINED, Table, in_markdown

__all__ = ["FORMATS", "as_json", "as_markdown", "as_table", "markdown_experiment", "table_of"]

Reproductions = Sequence[Reproduction]

DIGITS = 4
ROUNDING = 1e-12
WIDTH = 110
"""Of the lines below a table."""


def as_table(found: Reproductions) -> Iterator[str]:
    """Aligned columns, what is printed beside ours; reasons as numbered lines below each table."""
    for paper in found:
        yield f"{paper.name}: {paper.citation}\nprinted in {paper.source}\n\n"
        for experiment in paper.experiments:
            table, reasons = table_of(experiment)
            below = (fill(line, WIDTH) for line in (*_numbered(reasons), *experiment.notes))
            yield "\n".join([experiment.title, table.to_text(), *below]) + "\n\n"
    yield _summary(found).to_text() + "\n"


def as_markdown(found: Reproductions) -> Iterator[str]:
    """The same for a page."""
    for paper in found:
        yield f"## {paper.name}\n\n{in_markdown(paper.citation)}\n\n"
        yield f"Printed in {in_markdown(paper.source)}.\n\n"
        for experiment in paper.experiments:
            yield from markdown_experiment(experiment)
    yield f"## Verdicts\n\n{_summary(found).to_markdown()}\n\n"
    yield "\n".join(f"- *{verdict}*: {meaning}" for verdict, meaning in VERDICTS.items()) + "\n"


def markdown_experiment(experiment: Experiment) -> Iterator[str]:
    """One experiment for a page: its table, and below it the reasons and the notes."""
    table, reasons = table_of(experiment)
    yield f"### {in_markdown(experiment.title)}\n\n{table.to_markdown()}\n\n"
    if reasons:
        yield "\n".join(in_markdown(line) for line in _numbered(reasons)).replace("\n", "  \n") + "\n\n"
    for note in experiment.notes:
        yield f"{in_markdown(note)}\n\n"


def as_json(found: Reproductions) -> Iterator[str]:
    """A list of objects, one for each source."""
    content = [paper.to_dict() for paper in found]
    yield json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


FORMATS: dict[str, Callable[[Reproductions], Iterator[str]]] = {
    "table": as_table,
    "json": as_json,
    "markdown": as_markdown,
}


def table_of(experiment: Experiment) -> tuple[Table, list[str]]:
    """The table of an experiment, and the reasons that its verdicts refer to by number.

    There is a column for what is printed if anything is, and one for verdicts beside each that has any.
    """
    reasons = [*dict.fromkeys(cell.reason for cell in experiment.cells() if cell.reason)]
    judged = [
        any(row.cells[column].verdict != "not printed" for row in experiment.rows)
        for column in range(len(experiment.columns))
    ]
    header = [*experiment.labels, *(["printed"] if any(judged) else [])]
    for name, has_verdict in zip(experiment.columns, judged, strict=True):
        header += [name, "verdict"] if has_verdict else [name]
    lines = []
    for row in experiment.rows:
        line = [*row.labels, *([row.printed] if any(judged) else [])]
        for cell, has_verdict in zip(row.cells, judged, strict=True):
            line += [_shown(cell), _verdict(cell, reasons)] if has_verdict else [_shown(cell)]
        lines.append(line)
    return Table(header, lines, words=len(experiment.labels)), reasons


def _shown(cell: Cell) -> str:
    if cell.value is None:
        return cell.said or UNDEFINED
    # What is whole but for rounding is shown as it was meant.
    whole = round(cell.value) if math.isfinite(cell.value) else math.nan
    return str(whole) if abs(cell.value - whole) < ROUNDING else shown(cell.value, DIGITS)


def _verdict(cell: Cell, reasons: Sequence[str]) -> str:
    if cell.verdict == "not printed":
        return ""
    return f"{cell.verdict} ({reasons.index(cell.reason) + 1})" if cell.reason else cell.verdict


def _numbered(reasons: Sequence[str]) -> list[str]:
    return [f"({number}) {reason}" for number, reason in enumerate(reasons, 1)]


def _summary(found: Reproductions) -> Table:
    lines = [[paper.name, *map(str, paper.counts.values())] for paper in found]
    return Table(("cells", *VERDICTS), lines)
