"""Findings of a study as tables, JSON, CSV, Markdown and LaTeX, in pieces of text."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence

import click

from rankscope.cli.formats import USUAL_DIGITS, rounded
from rankscope.errors import printable
from rankscope.study.sheets import Finding, Sheet
from rankscope.tables import number

__all__ = ["FORMATS"]

Findings = Sequence[Finding]


def as_table(findings: Findings, digits: int | None) -> Iterator[str]:
    """Aligned columns for people, each table under its title, and then what follows from them."""
    parts = [f"{sheet.title}\n{sheet.table.to_text()}" for sheet in _sheets(findings, digits)]
    yield "\n\n".join([*parts, *_said(findings)]) + "\n"


def as_markdown(findings: Findings, digits: int | None) -> Iterator[str]:
    """The same for a page."""
    parts = [f"**{sheet.title}**\n\n{sheet.table.to_markdown()}" for sheet in _sheets(findings, digits)]
    yield "\n\n".join([*parts, *_said(findings)]) + "\n"


def as_latex(findings: Findings, digits: int | None) -> Iterator[str]:
    """The same for a paper; what is not a table is a comment."""
    parts = [f"% {sheet.title}\n{sheet.table.to_latex()}" for sheet in _sheets(findings, digits)]
    said = [f"% {line}" for text in _said(findings) for line in text.splitlines()]
    yield "\n\n".join([*parts, *said]) + "\n"


def as_json(findings: Findings, digits: int | None) -> Iterator[str]:
    """A list of objects, one for each analysis, with the notes in them."""
    content = [finding.to_dict() for finding in findings]
    shown = content if digits is None else rounded(content, digits)
    yield json.dumps(shown, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def as_csv(findings: Findings, digits: int | None) -> Iterator[str]:
    """A header, then a line for each record; the analyses must have the same columns."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    header: list[str] = []
    for finding in findings:
        for record in finding.records():
            columns = ["analysis", *record]
            if not header:
                header = columns
                writer.writerow(header)
            if columns != header:
                raise click.UsageError(
                    "csv has one table only, and these analyses have several: choose one --analysis, or json",
                    click.get_current_context(silent=True),
                )
            writer.writerow([finding.analysis, *(_cell(value, digits) for value in record.values())])
    yield written.getvalue()


FORMATS: dict[str, Callable[[Findings, int | None], Iterator[str]]] = {
    "table": as_table,
    "json": as_json,
    "csv": as_csv,
    "markdown": as_markdown,
    "latex": as_latex,
}


def _sheets(findings: Findings, digits: int | None) -> list[Sheet]:
    decimals = USUAL_DIGITS if digits is None else digits
    return [sheet for finding in findings for sheet in finding.sheets(decimals)]


def _said(findings: Findings) -> list[str]:
    """The sentences below the tables, as one paragraph if there are any."""
    several = len(findings) > 1
    lines = [
        f"{finding.analysis}: {line}" if several else line for finding in findings for line in finding.lines()
    ]
    return ["\n".join(lines)] if lines else []


def _cell(value: str | float, digits: int | None) -> str:
    if isinstance(value, str):
        return printable(value)
    return str(value) if isinstance(value, int) else number(value, digits, undefined="")
