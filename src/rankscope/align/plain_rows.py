"""Rows for the plain core: every kind of input becomes (query, item, value, place)."""

from __future__ import annotations

import math
import os
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from rankscope.errors import InputError, input_error

Row = tuple[bytes, bytes, float, int]
Progress = Callable[[int, int], None]

LINE_LIMIT = 1 << 20
LARGEST_GRADE = 2.0**53
_BLOCK = 1 << 20
_BOM = b"\xef\xbb\xbf"
_NUMBER = re.compile(rb"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_NOT_FINITE = re.compile(rb"[+-]?(nan|inf|infinity)", re.IGNORECASE)
_FIELD = re.compile(rb"\S+")


@dataclass(frozen=True)
class Kind:
    """What tells a run from judgments while rows are read."""

    noun: str
    field: str
    inner_code: str
    """The error when what a mapping has for a query cannot be used."""
    inner_types: tuple[type[Collection[object]], ...]
    """What a mapping may have for a query instead of item -> value."""


RUN = Kind("a run", "score", "ranking-type", (list, tuple))
JUDGMENTS = Kind("judgments", "grade", "judged-items-type", (list, tuple, set, frozenset))


@dataclass(frozen=True)
class Layout:
    """What the columns of a text mean; the query is the first of them."""

    kind: Kind
    field: str
    """"score", "grade" or "rank"."""
    words: str
    columns: int
    item: int
    value: int
    swapped: tuple[int, str] = (0, "")
    """The number of columns that the other kind has, and the error that says so."""

    def allows(self, value: float) -> bool:
        if self.field == "score":
            return True
        return abs(value) <= LARGEST_GRADE and (self.field == "grade" or (value >= 1 and value.is_integer()))


LAYOUTS = {
    "run": Layout(RUN, "score", "query Q0 item rank score tag", 6, 2, 4, (4, "looks-like-judgments")),
    "scores": Layout(RUN, "score", "query item score", 3, 1, 2),
    "ranks": Layout(RUN, "rank", "query item rank", 3, 1, 2),
    "judgments": Layout(JUDGMENTS, "grade", "query 0 item grade", 4, 2, 3, (6, "looks-like-run")),
    "grades": Layout(JUDGMENTS, "grade", "query item grade", 3, 1, 2),
}


class Pace:
    """Reports progress, but not so often that reporting becomes the work."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress = progress
        self._total = total
        self._due = time.monotonic() + 0.1

    def at(self, done: int) -> None:
        if self._progress is not None and time.monotonic() >= self._due:
            self._progress(done, self._total)
            self._due = time.monotonic() + 0.1


class Reader(ABC):
    """Iterates over checked rows; the other attributes are complete when all rows were taken."""

    unit = "rows"

    def __init__(self, kind: Kind, name: str, progress: Progress | None = None) -> None:
        self.kind = kind
        self.name = name
        self.progress = progress
        self.queries: dict[bytes, None] = {}
        """Every query in order of appearance, those without rows included."""
        self.rows = 0
        self.integer_queries = False
        self.integer_items = False

    def __iter__(self) -> Iterator[Row]:
        pace = Pace(self.progress, self.total())
        for row in self.read(pace):
            self.queries[row[0]] = None
            self.rows += 1
            yield row
        if not self.rows:
            raise self.no_rows()

    @abstractmethod
    def read(self, pace: Pace) -> Iterator[Row]: ...

    @abstractmethod
    def total(self) -> int:
        """How much there is to read, for progress."""

    def no_rows(self) -> InputError:
        return self.error("no-rows-in-memory", kind=self.kind.noun)

    def error(self, code: str, **facts: Any) -> InputError:
        return input_error(code, source=self.name, **facts)

    def checked(self, value: float, **where: object) -> float:
        if not math.isfinite(value):
            raise self.error("not-finite", field=self.kind.field, text=value, **where)
        if self.kind is JUDGMENTS and abs(value) > LARGEST_GRADE:
            raise self.error("grade-too-large", text=value, **where)
        return value


class TextReader(Reader):
    """Lines of white-space separated columns, from bytes or from a seekable file."""

    unit = "lines"

    def __init__(
        self,
        source: bytes | int,
        layout: str,
        name: str,
        progress: Progress | None = None,
        *,
        ascending: bool = False,
    ) -> None:
        self.layout = LAYOUTS[layout]
        super().__init__(self.layout.kind, name, progress)
        self.source = source
        # Rank 1 is the best, whichever scores are.
        self.sign = -1.0 if self.layout.field == "rank" and not ascending else 1.0

    def total(self) -> int:
        return len(self.source) if isinstance(self.source, bytes) else os.fstat(self.source).st_size

    def no_rows(self) -> InputError:
        return self.error("no-rows", layout=self.layout.words)

    def read(self, pace: Pace) -> Iterator[Row]:
        columns, item, value = self.layout.columns, self.layout.item, self.layout.value
        for number, line in enumerate(self._lines(pace), 1):
            if number == 1:
                line = line.removeprefix(_BOM)
            if len(line) > LINE_LIMIT:
                raise self.error("line-too-long", line=number, limit=LINE_LIMIT)
            if line.startswith(b"#"):
                continue
            fields = line.split()
            if not fields:
                continue
            if len(fields) != columns:
                raise self._columns_error(len(fields), number)
            yield fields[0], fields[item], self.sign * self._number(fields[value], line, number), number

    def _lines(self, pace: Pace) -> Iterator[bytes]:
        rest = b""
        for block in self._blocks(pace):
            *lines, rest = (rest + block).split(b"\n")
            yield from lines
            if len(rest) > LINE_LIMIT + len(_BOM):
                break
        if rest:
            yield rest

    def _blocks(self, pace: Pace) -> Iterator[bytes]:
        done, total = 0, self.total()
        while done < total:
            if isinstance(self.source, bytes):
                block = self.source[done : done + _BLOCK]
            else:
                block = os.pread(self.source, min(_BLOCK, total - done), done)
            if not block:
                raise self.error("changed")
            yield block
            done += len(block)
            pace.at(done)

    def _columns_error(self, found: int, line: int) -> InputError:
        layout = self.layout
        others, swapped_code = layout.swapped
        code = swapped_code if found == others else "columns"
        if self.rows:
            code = "columns-changed"
        return self.error(code, line=line, found=found, expected=layout.columns, layout=layout.words)

    def _number(self, text: bytes, line: bytes, number: int) -> float:
        value = float(text) if _NUMBER.fullmatch(text) else math.nan
        if math.isfinite(value) and self.layout.allows(value):
            return value
        if math.isfinite(value):
            code = "rank" if self.layout.field == "rank" else "grade-too-large"
        elif math.isinf(value):
            code = "overflow"
        else:
            code = "not-finite" if _NOT_FINITE.fullmatch(text) else "number"
        starts = [match.start() for match in _FIELD.finditer(line)]
        raise self.error(
            code,
            line=number,
            column=starts[self.layout.value] + 1,
            field=self.layout.field,
            text=text.decode("utf-8", "surrogateescape"),
        )


class MappingReader(Reader):
    """query -> item -> value, or query -> items alone."""

    def __init__(
        self,
        mapping: Mapping[Any, Any],
        kind: Kind,
        name: str,
        progress: Progress | None = None,
        *,
        ascending: bool = False,
    ) -> None:
        super().__init__(kind, name, progress)
        self.mapping = mapping
        self.ascending = ascending

    def total(self) -> int:
        return sum(len(inner) for inner in self.mapping.values() if hasattr(inner, "__len__"))

    def read(self, pace: Pace) -> Iterator[Row]:
        sizes: dict[bytes, int] = {}
        for key, inner in self.mapping.items():
            query, is_integer = id_bytes(key, "query id", self.name)
            self.integer_queries |= is_integer
            self.queries[query] = None
            for place, (item_key, given) in enumerate(self._pairs(query, inner), sizes.get(query, 0) + 1):
                item, is_integer = id_bytes(item_key, "item id", self.name)
                self.integer_items |= is_integer
                sizes[query] = place
                yield query, item, self._value(given, query, item), place
                pace.at(self.rows)

    def _pairs(self, query: bytes, inner: Any) -> Iterable[tuple[object, object]]:
        if isinstance(inner, Mapping):
            return inner.items()
        if not isinstance(inner, self.kind.inner_types):
            raise self.error(self.kind.inner_code, query=_text(query), found=type(inner).__name__)
        items: Collection[object] = inner
        if self.kind is JUDGMENTS:
            return ((item, 1) for item in items)
        best_first = range(1, len(items) + 1) if self.ascending else range(len(items), 0, -1)
        return zip(items, best_first, strict=True)

    def _value(self, given: Any, query: bytes, item: bytes) -> float:
        where = {"query": _text(query), "item": _text(item)}
        try:
            if isinstance(given, str | bytes | bytearray):
                raise TypeError
            value = float(given)
        except (TypeError, ValueError):
            raise self.error(
                "value-type", field=self.kind.field, text=shown(given), found=type(given).__name__, **where
            ) from None
        except OverflowError:
            raise self.error("overflow", field=self.kind.field, text=shown(given), **where) from None
        return self.checked(value, **where)


IdColumn = npt.NDArray[np.int64] | tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]


class ColumnReader(Reader):
    """Three columns of equal length."""

    def __init__(
        self,
        columns: tuple[IdColumn, IdColumn, npt.NDArray[np.float64]],
        kind: Kind,
        name: str,
        progress: Progress | None = None,
    ) -> None:
        super().__init__(kind, name, progress)
        self.columns = columns
        self.integer_queries, self.integer_items = (isinstance(c, np.ndarray) for c in columns[:2])

    def total(self) -> int:
        return len(self.columns[2])

    def read(self, pace: Pace) -> Iterator[Row]:
        query, item, value = self.columns
        columns = zip(_column_bytes(query), _column_bytes(item), value.tolist(), strict=True)
        for place, (q, i, v) in enumerate(columns, 1):
            yield q, i, self.checked(v, row=place), place
            pace.at(place)


class ArrowReader(Reader):
    """Three columns of an Arrow stream, batch by batch."""

    def __init__(
        self, stream: object, columns: Sequence[int], kind: Kind, name: str, progress: Progress | None = None
    ) -> None:
        super().__init__(kind, name, progress)
        from rankscope.align import plain_arrow

        self.batches = plain_arrow.open_stream(stream)
        self.columns = columns
        fields = [self.batches.schema.field(c) for c in columns]
        for field, accepted in zip(
            fields, (plain_arrow.is_id, plain_arrow.is_id, plain_arrow.is_value), strict=True
        ):
            if not accepted(field.type):
                raise self.error("column-type", header=field.name, found=plain_arrow.describe(field.type))
        self.integer_queries, self.integer_items = (plain_arrow.is_integer(f.type) for f in fields[:2])

    def total(self) -> int:
        return 0  # a stream does not know its length

    def read(self, pace: Pace) -> Iterator[Row]:
        from rankscope.align import plain_arrow

        place = 0
        for batch in self.batches:
            query, item, value = (batch.column(c) for c in self.columns)
            for q, i, v in zip(
                plain_arrow.id_list(query), plain_arrow.id_list(item), value.to_pylist(), strict=True
            ):
                place += 1
                if q is None or i is None or v is None:
                    field = "query id" if q is None else "item id" if i is None else self.kind.field
                    raise self.error("null", field=field, row=place)
                yield q, i, self.checked(float(v), row=place), place
                pace.at(place)


def id_bytes(given: object, field: str, name: str, **where: int) -> tuple[bytes, bool]:
    """An id as bytes, and whether it came as a whole number."""
    found = type(given).__name__
    try:
        if isinstance(given, str):
            return given.encode("utf-8", "surrogateescape"), False
        if isinstance(given, bytes):
            return bytes(given), False
        if isinstance(given, int | np.integer) and not isinstance(given, bool):
            return b"%d" % int(given), True
    except UnicodeEncodeError:
        found = "text with a lone surrogate"
    except ValueError:
        found = "a whole number of too many digits"
    raise input_error("id-type", source=name, field=field, text=shown(given), found=found, **where)


def shown(value: object) -> str:
    """A value as an error may quote it."""
    try:
        return repr(value)
    except ValueError:  # Python refuses to write out whole numbers of thousands of digits
        return f"<{type(value).__name__}>"


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _column_bytes(column: IdColumn) -> Iterator[bytes]:
    if isinstance(column, tuple):
        data, offsets = column[0].tobytes(), column[1].tolist()
        return (data[start:end] for start, end in pairwise(offsets))
    return (b"%d" % number for number in column.tolist())
