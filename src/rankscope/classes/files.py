"""Class labels, distances and taxonomies from text files: comma, tab or white space between the columns."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rankscope.classes.distances import ANY, Rows
from rankscope.classes.frames import (
    CHILD_NAMES,
    DISTANCE_NAMES,
    FROM_NAMES,
    PARENT_NAMES,
    TO_NAMES,
    recognised,
)
from rankscope.classes.labels import shown
from rankscope.data.files import InputFile
from rankscope.errors import InputError, input_error

__all__ = [
    "TextTable",
    "distance_rows",
    "is_number",
    "labels_of_file",
    "numbers_of_file",
    "pairs_of_file",
    "taxonomy_rows",
]

LONG = {"distance": DISTANCE_NAMES, "from": FROM_NAMES, "to": TO_NAMES}
ROW = {"distance": DISTANCE_NAMES, "class": TO_NAMES}
TREE = {"child": CHILD_NAMES, "parent": PARENT_NAMES}


@dataclass(frozen=True)
class Line:
    number: int
    fields: Sequence[str]


@dataclass(frozen=True)
class TextTable:
    """The lines of a file, cut into fields; empty lines and lines that start with # are left out."""

    source: str
    lines: Sequence[Line]

    @classmethod
    def read(cls, path: str) -> TextTable:
        file = InputFile(path)
        text = file.read().removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
        return cls(file.label, list(_cut(text, file.label)))

    def named(self, wanted: Mapping[str, Sequence[str]]) -> tuple[list[int], Sequence[Line]] | None:
        """The numbers of the columns wanted and the lines below, if the first line names them all."""
        if not self.lines:
            return None
        header = list(self.lines[0].fields)
        found = recognised(header, wanted)
        if None in found.values() or len(header) < len(wanted):
            return None
        return [header.index(name) for name in found.values()], self.lines[1:]

    def field(self, line: Line, column: int) -> str:
        if column >= len(line.fields):
            raise self.error("class-columns", line.number, found=len(line.fields), expected=column + 1)
        return line.fields[column].strip()

    def number(self, line: Line, column: int, field: str = "distance") -> float:
        text = self.field(line, column)
        if not is_number(text):
            raise self.error("number", line.number, field=field, text=text)
        value = float(text)
        if not math.isfinite(value):
            raise self.error("not-finite", line.number, field=field, text=text)
        return value

    def error(self, code: str, line: int = 0, **facts: Any) -> InputError:
        return input_error(code, source=self.source, line=line, **facts)


def labels_of_file(path: str) -> list[str]:
    """One label per line, best first; empty lines and lines that start with # are left out."""
    text = InputFile(path).read().removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    return [line.strip() for line in text.split("\n") if line.strip() and not line.startswith("#")]


def numbers_of_file(path: str, field: str, *, problem: str = "number") -> list[float]:
    """One number per line; `problem` is the error of a line that has something else."""
    table = TextTable.read(path)
    for line in table.lines:
        text = " ".join(line.fields).strip()
        if not is_number(text):
            raise table.error(problem, line.number, field=field, text=text)
    return [table.number(line, 0, field) for line in table.lines]


def pairs_of_file(
    path: str, wanted: Mapping[str, Sequence[str]]
) -> tuple[str, Iterator[tuple[str, str, int]]]:
    """The name of the file, and from each line two fields (an id and a label) with its number."""
    table = TextTable.read(path)
    columns, lines = table.named(wanted) or ([0, 1], table.lines)
    first, second = columns
    pairs = ((table.field(line, first), table.field(line, second), line.number) for line in lines)
    return table.source, pairs


def taxonomy_rows(path: str) -> tuple[str, Iterator[tuple[str, str | None, int]]]:
    """The name of the file, and (child, parent, line) of each line; a root may stand alone."""
    table = TextTable.read(path)
    columns, lines = table.named(TREE) or ([0, 1], table.lines)
    child, parent = columns
    rows = (
        (
            table.field(line, child),
            line.fields[parent].strip() if parent < len(line.fields) else None,
            line.number,
        )
        for line in lines
    )
    return table.source, rows


def distance_rows(path: str) -> tuple[Rows, None, str]:
    """The distances of a file: a matrix, a table (from, to, distance), or a row (class, distance)."""
    table = TextTable.read(path)
    if not table.lines:
        raise table.error("no-rows", layout="from, to, distance; or a matrix with the names of the classes")
    width = {len(line.fields) for line in table.lines}
    if named := table.named(LONG):
        found = _long(table, *named)
    elif width == {3} and all(not is_number(line.fields[1]) for line in table.lines[1:]):
        found = _long(table, [2, 0, 1], table.lines)
    elif width == {2}:
        columns, lines = table.named(ROW) or ([1, 0], table.lines)
        found = _long(table, [columns[0], -1, columns[1]], lines)
    else:
        found = _matrix(table)
    return found, None, table.source


def _long(table: TextTable, columns: Sequence[int], lines: Sequence[Line]) -> Rows:
    distance, start, end = columns
    rows: Rows = {}
    for line in lines:
        origin, label = ANY if start < 0 else table.field(line, start), table.field(line, end)
        value = table.number(line, distance)
        if rows.setdefault(origin, {}).setdefault(label, value) != value:
            raise table.error("class-distance-twice", line.number, label=shown(label))
    return rows


def _matrix(table: TextTable) -> Rows:
    names = [name.strip() for name in table.lines[0].fields]
    body = table.lines[1:]
    if body and len(body[0].fields) == len(names):
        names = names[1:]  # the corner above the names of the rows
    if twice := [name for name in names if names.count(name) > 1]:
        raise table.error("class-twice", table.lines[0].number, label=shown(twice[0]))
    rows: Rows = {}
    for line in body:
        if len(line.fields) != len(names) + 1:
            raise table.error("class-columns", line.number, found=len(line.fields), expected=len(names) + 1)
        origin = table.field(line, 0)
        if origin in rows:
            raise table.error("class-twice", line.number, label=shown(origin))
        rows[origin] = {name: table.number(line, column) for column, name in enumerate(names, 1)}
    return rows


def _cut(text: str, source: str) -> Iterator[Line]:
    head = next((line for line in text.split("\n") if line.strip() and not line.startswith("#")), "")
    mark = "\t" if "\t" in head else "," if "," in head else None
    if mark != ",":
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip() and not line.startswith("#"):
                yield Line(number, line.rstrip("\r").split(mark))
        return
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for fields in reader:
            if any(fields) and not fields[0].startswith("#"):
                yield Line(reader.line_num, fields)
    except csv.Error as error:
        raise input_error(
            "unreadable", source=source, line=reader.line_num, reason=str(error), suggestion=""
        ) from error


def is_number(text: str) -> bool:
    """Whether a text is a number as files have it."""
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text
