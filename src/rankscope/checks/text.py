"""A reader of TREC text that goes on where the cores stop: it counts what is wrong and leaves it out.

It works on blocks of lines. A block in which all is well costs a few calls that run over whole columns;
rows are looked at one by one only where something is odd.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import compress, repeat
from typing import Any

import numpy as np

from rankscope.align.plain_rows import LAYOUTS, LINE_LIMIT, Kind, Layout
from rankscope.checks.rows import BoolArray, Faults, FloatArray, IntArray, Rows, Vocabulary, quoted

__all__ = ["layout_of", "read_text"]

TREC_RUN = LAYOUTS["run"]
RANK_COLUMN = 3
DETECTED = {"score": (TREC_RUN, LAYOUTS["ranks"]), "grade": (LAYOUTS["judgments"], LAYOUTS["grades"])}
"""The layouts that can be told from the text alone, by the field of their kind."""
SAMPLE = 100
_BOM = b"\xef\xbb\xbf"
_NUMBER = re.compile(rb"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_NOT_FINITE = re.compile(rb"[+-]?(nan|inf|infinity)", re.IGNORECASE)

_MARK = b"\x1e"

Fields = Sequence[bytes]
Columns = tuple[Sequence[Fields], IntArray]
"""The columns of some lines, and the numbers of the lines."""


def layout_of(start: bytes, kind: Kind) -> Layout | None:
    """What the columns of a text mean, by the number that most of its first lines have.

    None if no layout of the kind has that number.
    """
    lines = [line for line in start.splitlines()[:SAMPLE] if not line.startswith(b"#")]
    sizes = [size for size in map(len, map(bytes.split, lines)) if size]
    return next(
        (layout for layout in DETECTED[kind.field] if 2 * sizes.count(layout.columns) > len(sizes)), None
    )


def read_text(
    pieces: Iterable[bytes],
    layout: Layout,
    vocabulary: Vocabulary,
    faults: Faults,
    done: Callable[[int], None],
    *,
    ascending: bool,
) -> Rows:
    """The usable rows of a text; `done` is told how many bytes were read."""
    reader = _BlockReader(layout, vocabulary, faults, ascending)
    parts = []
    read = 0
    for first, block in _blocks(pieces, faults):
        parts.append(reader.rows(block, first))
        read += len(block)
        done(read)
    return Rows.joined(parts)


def _blocks(pieces: Iterable[bytes], faults: Faults) -> Iterator[tuple[int, bytes]]:
    """Blocks of whole lines, each with the number of its first.

    Of a line that is too long only the start is kept, so that a file without line breaks needs no memory.
    """
    number, rest, too_long, start = 1, b"", False, True
    for piece in pieces:
        if start:
            piece, start = piece.removeprefix(_BOM), False
        whole, newline, rest = (rest + piece).rpartition(b"\n")
        block = whole + newline
        # A piece is no longer than a line may be, so only the line that began before it can be too long.
        if block and (too_long or block.find(b"\n") > LINE_LIMIT):
            faults.add("line-too-long", quoted(block), number)
            block, too_long = block[block.find(b"\n") :], False
        if block:
            yield number, block
            number += block.count(b"\n")
        if len(rest) > LINE_LIMIT:
            rest, too_long = rest[:LINE_LIMIT], True
    if too_long:
        faults.add("line-too-long", quoted(rest), number)
    elif rest:
        yield number, rest


class _BlockReader:
    """Turns blocks of lines into rows."""

    def __init__(self, layout: Layout, vocabulary: Vocabulary, faults: Faults, ascending: bool) -> None:
        self._layout = layout
        # Rank 1 is the best, whichever scores are.
        self._sign = -1.0 if layout.field == "rank" and not ascending else 1.0
        self._vocabulary = vocabulary
        self._faults = faults

    def rows(self, block: bytes, first: int) -> Rows:
        """The usable rows of a block, the first line of which has this number."""
        columns, place = self._regular(block, first) or self._whole(block.split(b"\n"), first)
        value = self._values(columns[self._layout.value], place)
        rank = self._ranks(columns[RANK_COLUMN], place) if self._layout is TREC_RUN else None
        rows = Rows(
            self._vocabulary.queries.of(columns[0], len(place)),
            self._vocabulary.items.of(columns[self._layout.item], len(place)),
            value,
            place,
            rank,
        )
        usable = np.isfinite(value)
        return rows if usable.all() else rows.take(usable)

    def _regular(self, block: bytes, first: int) -> Columns | None:
        """The columns of a block in which every line has all of them; None if one has not.

        One split of the whole block, with a mark at the end of each line, costs far less than a list for
        each line: millions of lists would keep the garbage collector busy.
        """
        if _MARK in block or block.startswith(b"#") or b"\n#" in block:
            return None
        text = block if block.endswith(b"\n") else block + b"\n"
        words = text.replace(b"\n", b" %s " % _MARK).split()
        lines, width = text.count(b"\n"), self._layout.columns + 1
        if len(words) != lines * width or words[width - 1 :: width].count(_MARK) != lines:
            return None
        return [words[column::width] for column in range(width - 1)], np.arange(first, first + lines)

    def _whole(self, lines: list[bytes], first: int) -> Columns:
        """The columns of the lines that have all of them; the others are faults."""
        fields: list[Any] = list(map(bytes.split, lines))
        sizes = np.fromiter(map(len, fields), np.int64, len(fields))
        sizes[np.fromiter(map(bytes.startswith, lines, repeat(b"#")), np.bool_, len(lines))] = 0
        whole: BoolArray = sizes == self._layout.columns
        for n in np.flatnonzero(~whole & (sizes > 0)).tolist():
            self._faults.add("columns", f"{sizes[n]} columns: {quoted(lines[n])}", first + n)
        columns: list[Any] = list(zip(*compress(fields, whole), strict=True))
        return columns or [()] * self._layout.columns, first + np.flatnonzero(whole)

    def _values(self, texts: Fields, place: IntArray) -> FloatArray:
        values = _floats(texts)
        odd = ~np.isfinite(values)
        if self._layout.field != "score":
            odd |= ~np.fromiter(map(self._layout.allows, values.tolist()), np.bool_, len(values))
        for n in np.flatnonzero(odd).tolist():
            self._faults.add(
                _fault(texts[n], values[n], self._layout),
                f"{self._layout.field} {quoted(texts[n])}",
                int(place[n]),
            )
            values[n] = math.nan
        return self._sign * values

    def _ranks(self, texts: Fields, place: IntArray) -> FloatArray:
        ranks = _floats(texts)
        for n in np.flatnonzero(~np.isfinite(ranks)).tolist():
            self._faults.add("rank-number", f"rank {quoted(texts[n])}", int(place[n]))
        return ranks


def _floats(texts: Fields) -> FloatArray:
    """The numbers that the texts say, NaN where one says none."""
    # Python reads 1_000 as a number, which it is nowhere else.
    if b"_" not in b"".join(texts):
        with suppress(ValueError):
            return np.fromiter(map(float, texts), np.float64, len(texts))
    return np.array([float(t) if _NUMBER.fullmatch(t) else math.nan for t in texts], np.float64)


def _fault(text: bytes, value: float, layout: Layout) -> str:
    if math.isfinite(value):
        return "rank" if layout.field == "rank" else "grade-too-large"
    if _NUMBER.fullmatch(text):
        return "overflow"
    return "not-finite" if _NOT_FINITE.fullmatch(text) else "number"
