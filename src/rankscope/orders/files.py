"""True and predicted orders in files: items with scores, items listed best first, or columns of scores."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass

from rankscope.classes.files import Line, TextTable
from rankscope.errors import InputError, nearest, printable

__all__ = ["Scores", "read_columns", "read_scores"]

ITEM_NAMES = ("item", "id", "doc", "docid", "document", "name", "label")
SCORE_NAMES = ("score", "scores", "value", "truth", "true", "target", "predicted", "prediction", "grade")


@dataclass(frozen=True)
class Scores:
    """The score of each item; bigger is better."""

    name: str
    values: dict[str, float]


def read_scores(path: str) -> Scores:
    """An item and its score on each line, or only an item, best first.

    Tabs, commas or white space are between columns. Empty lines and those that start with # do not count.
    """
    table = TextTable.read(path)
    lines = table.lines
    if lines and len(lines[0].fields) == 2 and _is_header(lines[0]):
        lines = lines[1:]
    if not lines:
        raise table.error("no-rows", layout="an item and its score, or an item, best first")
    scored = len(lines[0].fields) > 1
    _check_width(table, lines, 2 if scored else 1)
    values: dict[str, float] = {}
    first_line: dict[str, int] = {}
    for place, line in enumerate(lines):
        item = table.field(line, 0)
        if item in values:
            raise _twice(table, item, first_line[item], line.number)
        values[item] = _score(table, line, 1) if scored else float(len(lines) - place)
        first_line[item] = line.number
    return Scores(_name_of(path), values)


def read_columns(path: str, columns: Sequence[str]) -> list[Scores]:
    """Some columns of a file with a header, each as the scores of its rows; items are the rows' numbers."""
    table = TextTable.read(path)
    if len(table.lines) < 2:
        raise table.error("no-rows", layout="a header, and scores below it")
    header = [name.strip() for name in table.lines[0].fields]
    lines = table.lines[1:]
    _check_width(table, lines, len(header))
    places = [_place(table, header, name) for name in columns]
    return [
        Scores(name, {str(row): _score(table, line, place) for row, line in enumerate(lines, 1)})
        for name, place in zip(columns, places, strict=True)
    ]


def _is_header(line: Line) -> bool:
    item, score = (field.strip().casefold() for field in line.fields)
    return item in ITEM_NAMES and score in SCORE_NAMES


def _check_width(table: TextTable, lines: Sequence[Line], width: int) -> None:
    layout = "an item and its score" if width == 2 else "an item" if width == 1 else "a field for each column"
    for line in lines:
        if len(line.fields) != width:
            raise table.error("columns", line.number, found=len(line.fields), expected=width, layout=layout)


def _score(table: TextTable, line: Line, column: int) -> float:
    text = table.field(line, column)
    try:
        value = float(text.replace("_", "no digit"))  # which float() would overlook
    except ValueError:
        raise table.error("number", line.number, field="score", text=text) from None
    if not math.isfinite(value):
        raise table.error("not-finite", line.number, field="score", text=text)
    return value


def _place(table: TextTable, header: Sequence[str], name: str) -> int:
    if name in header:
        return header.index(name)
    close = nearest(name, header)
    raise InputError(
        f"no column '{printable(name)}' among these: {printable(', '.join(header))}",
        code="mapped-columns",
        where=printable(table.source),
        expected="a name that the header has",
        hint=f"did you mean {printable(' or '.join(close))}?" if close else "",
    )


def _twice(table: TextTable, item: str, first: int, second: int) -> InputError:
    return InputError(
        f"item '{printable(item)}' is listed twice (lines {first} and {second})",
        code="duplicate-item",
        where=printable(f"{table.source}:{second}"),
        expected="each item once",
        hint="remove one",
    )


def _name_of(path: str) -> str:
    return "stdin" if path == "-" else os.path.basename(path).partition(".")[0] or os.path.basename(path)
