"""Where rows come from: files of any format and mappings, each of which a core can judge, align or list."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

from rankscope.align.engine import core
from rankscope.data.files import InputFile
from rankscope.data.formats import Format, Names, Role, detected, named
from rankscope.data.rows import Rows
from rankscope.errors import PolicyError, input_error, nearest

__all__ = [
    "Columns",
    "FileSource",
    "MappingSource",
    "Progress",
    "Role",
    "Source",
    "checked_names",
    "source_of",
]

Columns = dict[str, Any]
Progress = Callable[[int, int], None]
_FIELDS = ("query", "item", "score", "grade", "retrieved", "relevant")


class Source(Protocol):
    """Rows that a core can read; `name` says in errors what they are."""

    def judge(self, name: str) -> Columns: ...

    def align(self, index: object, name: str, options: Mapping[str, Any]) -> Columns: ...

    def rows(self, name: str, role: Role, progress: Progress | None = None) -> Rows: ...


def source_of(given: Any, role: Role, format: str | None = None, columns: Names | None = None) -> Source:
    """The source for whatever a user gives: a path, a mapping or a frame."""
    names = checked_names(columns)
    if isinstance(given, str | os.PathLike):
        return FileSource(InputFile(os.fsdecode(given)), role, format, names)
    if isinstance(given, InputFile):
        return FileSource(given, role, format, names)
    if format is not None:
        raise PolicyError(
            f"format={format} is for files, and this is of type {type(given).__name__}",
            code="format-of-memory",
            hint="leave it out",
        )
    if isinstance(given, Mapping):
        return MappingSource(given)
    from rankscope.data import frames

    if frames.is_frame(given):
        return frames.frame_source(given, role, names)
    raise input_error("unusable", role="a run" if role == "run" else role, found=type(given).__name__)


def checked_names(columns: Names | None) -> Names:
    """The names of columns that a user maps, if they map what there is."""
    for field in columns or {}:
        if field not in _FIELDS:
            close = nearest(field, _FIELDS, count=1)
            raise PolicyError(
                f"there is no '{field}' to map a column to",
                code="unknown-field",
                expected=f"some of {', '.join(_FIELDS)}",
                hint=f"did you mean {close[0]}?" if close else "",
            )
    return dict(columns or {})


class MappingSource:
    """A mapping of query to items and their scores or grades."""

    def __init__(self, mapping: Mapping[Any, Any]) -> None:
        self.mapping = mapping

    def judge(self, name: str) -> Columns:
        columns: Columns = core().judge_mapping(self.mapping, name=name)
        return columns

    def align(self, index: object, name: str, options: Mapping[str, Any]) -> Columns:
        columns: Columns = core().align_mapping(index, self.mapping, name=name, **options)
        return columns

    def rows(self, name: str, role: Role, progress: Progress | None = None) -> Rows:
        from rankscope.align.plain_rows import JUDGMENTS, RUN, MappingReader
        from rankscope.data.ids import Ids

        reader = MappingReader(self.mapping, RUN if role == "run" else JUDGMENTS, name, progress)
        query, item, value, _ = zip(*reader, strict=True)
        filled = set(query)
        empty = [q.decode("utf-8", "surrogateescape") for q in reader.queries if q not in filled]
        import numpy as np

        return Rows(Ids.of(query), Ids.of(item), np.array(value, np.float64), tuple(empty))


class FileSource:
    """A file of any format, looked at when it is read; ``-`` is standard input."""

    def __init__(
        self, file: InputFile | str, role: Role = "run", format: str | None = None, names: Names | None = None
    ) -> None:
        self.file = InputFile(file) if isinstance(file, str) else file
        self.role = role
        self.names = names or {}
        self.format = None if format is None else _for_role(named(format), role)
        self.path, self.label = self.file.path, self.file.label

    def judge(self, name: str) -> Columns:
        with self._opened() as source:
            return source.judge(self.label)

    def align(self, index: object, name: str, options: Mapping[str, Any]) -> Columns:
        with self._opened() as source:
            return source.align(index, self.label, options)

    def rows(self, name: str, role: Role, progress: Progress | None = None) -> Rows:
        with self._opened() as source:
            return source.rows(self.label, role, progress)

    def read(self) -> bytes:
        """All of the file, decompressed."""
        return self.file.read()

    @contextmanager
    def _opened(self) -> Iterator[Source]:
        with self.file.opened() as content:
            format = self.format or detected(content, self.role, self.names)
            yield format.source(content, self.role, self.names)


def _for_role(format: Format, role: Role) -> Format:
    if not format.holds(role):
        other = "judgments" if role == "run" else "runs"
        raise PolicyError(
            f"the format {format.name} holds {other} only",
            code="format-of-other-side",
            hint="rankscope formats",
        )
    return format
