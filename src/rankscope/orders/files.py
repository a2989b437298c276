"""True and predicted orders in files: items with scores, items listed best first, or columns of scores."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rankscope.classes.files import Line, TextTable, is_number
from rankscope.data.files import check_paired, named_files
from rankscope.errors import InputError, nearest, printable

__all__ = ["Scores", "read_columns", "read_folders", "read_scores", "read_two_columns"]

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
    _check_width(table, lines, *((2, "an item and its score") if scored else (1, "an item")))
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
    _check_width(table, lines, len(header), "a field for each column")
    places = [_place(table, header, name) for name in columns]
    return [_column(table, lines, place, name) for name, place in zip(columns, places, strict=True)]


def read_two_columns(path: str) -> list[Scores]:
    """The true and the predicted scores of a file that has nothing else; a header may name them."""
    table = TextTable.read(path)
    lines, names = table.lines, ["truth", _name_of(path)]
    if lines and not any(is_number(field) for field in lines[0].fields):
        lines, names = lines[1:], [name.strip() for name in lines[0].fields]
    if not lines or len(names) != 2 or not all(is_number(field) for field in lines[0].fields):
        raise InputError(
            "one file, which is not two columns of scores",
            code="one-file",
            where=printable(table.source),
            expected="TRUTH and PREDICTED, or one file with a true and a predicted score on each line",
            hint="--columns NAME,NAME for two columns of several",
        )
    _check_width(table, lines, 2, "a true and a predicted score")
    return [_column(table, lines, place, name) for place, name in enumerate(names)]


def read_folders(truths: str, predicted: str) -> tuple[list[Scores], list[Scores]]:
    """True and predicted orders from the files of two folders that have the same names."""
    true, found = (named_files(folder, "an order") for folder in (truths, predicted))
    check_paired(found, predicted, true, truths)
    return (
        [replace(read_scores(path), name=name) for name, path in true.items()],
        [replace(read_scores(found[name]), name=name) for name in true],
    )


def _column(table: TextTable, lines: Sequence[Line], place: int, name: str) -> Scores:
    return Scores(name, {str(row): _score(table, line, place) for row, line in enumerate(lines, 1)})


def _is_header(line: Line) -> bool:
    item, score = (field.strip().casefold() for field in line.fields)
    return item in ITEM_NAMES and score in SCORE_NAMES


def _check_width(table: TextTable, lines: Sequence[Line], width: int, layout: str) -> None:
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
