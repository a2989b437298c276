"""Answers in files: one item on each line, and an empty line or a column between groups."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from rankscope.answers.ranking import Ranking
from rankscope.data.compression import without_suffix
from rankscope.data.files import Content, InputFile
from rankscope.data.frames import ITEM_NAMES, SCORE_NAMES
from rankscope.errors import InputError, printable

__all__ = ["ItemList", "holds_run", "read_items"]

GROUP_NAMES = ("group", "groups", "class", "cluster", "rank", "tie")


@dataclass(frozen=True)
class ItemList:
    """What a file of items holds: an answer, and what was forgiven when it was read."""

    ranking: Ranking
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Line:
    number: int
    item: str
    group: str | None
    """What its second column says."""
    block: int
    """The number of its stretch of lines: empty lines part them."""


def read_items(file: InputFile, *, unordered: bool = False) -> ItemList:
    """The answer in a file with an item on each line, best first.

    Empty lines part groups of tied items. So does a second column, after a tab (a comma if the name ends in
    .csv): items whose lines have the same in it, one after another, are a group. If a header says that it has
    scores, they make the order. Without either, each item is a group by itself. `unordered` takes all of them
    as a set.
    """
    header, lines = _read(file)
    if not lines:
        raise InputError(
            "no item in it", code="no-items", where=printable(file.label), expected="an item on each line"
        )
    _check_columns(lines, file.label)
    if unordered:
        return _as_set(lines)
    _check_once(lines, file.label)
    if header[1:] and header[1] in SCORE_NAMES:
        return ItemList(Ranking.of({line.item: _score(line, file.label) for line in lines}))
    has_column = lines[0].group is not None
    groups = _by_column(lines, file.label) if has_column else _by_block(lines)
    return ItemList(Ranking.of(groups))


def holds_run(content: Content) -> bool:
    """Whether a file has a run, with queries in it, rather than the items of one answer."""
    from rankscope.data.formats import detected
    from rankscope.data.formats.delimited import header_of
    from rankscope.data.frames import recognised

    head = content.head()
    format = detected(content, "run", {}).name
    if format in ("csv", "tsv"):
        return all(recognised(header_of(head), "run", {}))
    first = next((line.split() for line in head.split(b"\n") if line.strip()), [])
    score = {"trec": (6, 4), "ranks": (3, 2)}.get(format)
    return score is None or (len(first) == score[0] and _is_number(first[score[1]]))


def _is_number(text: bytes) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _read(file: InputFile) -> tuple[list[str], list[_Line]]:
    """The names of the columns, if the first line has them, and the lines below."""
    is_csv = without_suffix(file.path)[0].casefold().endswith(".csv")
    lines = list(_lines(file, is_csv))
    if not lines:
        return [], []
    head = [name.casefold() for name in (lines[0].item, lines[0].group) if name is not None]
    known = (*GROUP_NAMES, *SCORE_NAMES)
    # One word on top of a plain list may be an item; a CSV file has a header.
    named = head[0] in ITEM_NAMES and (head[1] in known if len(head) > 1 else is_csv)
    return (head, lines[1:]) if named else ([], lines)


def _lines(file: InputFile, is_csv: bool) -> Iterator[_Line]:
    text = file.read().removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    block, empty = 1, False
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            empty = True
            continue
        fields = _fields(line.rstrip("\r"), is_csv, f"{file.label}:{number}")
        block += empty
        empty = False
        yield _Line(number, fields[0], fields[1] if len(fields) > 1 else None, block)


def _fields(line: str, is_csv: bool, where: str) -> list[str]:
    try:
        fields = next(csv.reader([line], strict=True)) if is_csv else line.split("\t")
    except csv.Error as error:
        raise InputError(f"cannot be read as CSV: {error}", code="broken", where=printable(where)) from error
    fields = [field.strip() for field in fields]
    if len(fields) > 2 or not fields[0]:
        raise InputError(
            f"{len(fields)} columns" if fields[0] else "a line without an item",
            code="item-columns",
            where=printable(where),
            expected="an item, or an item and its group",
            hint="--as run if this is a run",
        )
    return fields


def _check_columns(lines: Sequence[_Line], label: str) -> None:
    other = next((line for line in lines if (line.group is None) != (lines[0].group is None)), None)
    if other is not None:
        raise InputError(
            "a group, where the lines before have none" if other.group is not None else "no group",
            code="columns-changed",
            where=f"{printable(label)}:{other.number}",
            expected="a group on every line, or on none",
        )


def _check_once(lines: Iterable[_Line], label: str) -> None:
    first: dict[str, int] = {}
    for line in lines:
        if line.item in first:
            raise InputError(
                f"item '{printable(line.item)}' stands twice (lines {first[line.item]} and {line.number})",
                code="duplicate-item",
                where=printable(label),
                expected="each item once in an answer",
                hint="remove one, or --unordered, which takes the items as a set",
            )
        first[line.item] = line.number


def _as_set(lines: Sequence[_Line]) -> ItemList:
    items = {line.item for line in lines}
    repeated = len(lines) - len(items)
    notes = (f"{repeated} of {len(lines)} lines repeat an item: it counts once",) if repeated else ()
    return ItemList(Ranking.of(items), notes)


def _by_block(lines: Sequence[_Line]) -> list[str] | list[list[str]]:
    if lines[0].block == lines[-1].block:
        return [line.item for line in lines]
    return [[line.item for line in block] for _, block in groupby(lines, key=lambda line: line.block)]


def _score(line: _Line, label: str) -> float:
    text = (line.group or "").encode("utf-8", "surrogateescape")
    if not _is_number(text):
        raise InputError(
            f"score '{printable(line.group or '')}' is not a finite number",
            code="not-finite",
            where=f"{printable(label)}:{line.number}",
            expected="a finite number for each item",
        )
    return float(text)


def _by_column(lines: Sequence[_Line], label: str) -> list[list[str]]:
    groups: dict[str, list[str]] = {}
    for name, stretch in groupby(lines, key=lambda line: line.group or ""):
        members = list(stretch)
        if name in groups:
            raise InputError(
                f"group '{printable(name)}' goes on after another group",
                code="group-interrupted",
                where=f"{printable(label)}:{members[0].number}",
                expected="the items of a group on neighbouring lines, the best group first",
            )
        groups[name] = [line.item for line in members]
    return list(groups.values())
