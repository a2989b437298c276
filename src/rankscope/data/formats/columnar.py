"""Parquet and Arrow IPC: columns with names and types.

The native core reads a run of the usual kind itself, without a package and in little memory. Everything else
is for pyarrow: rare types, encodings and compressions, and whatever has a fault that needs words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankscope.align.engine import core
from rankscope.data.files import Content
from rankscope.data.formats.base import Names, Role, pyarrow
from rankscope.data.ids import Ids
from rankscope.data.rows import Rows
from rankscope.errors import InputError, input_error

__all__ = ["column_names", "read_arrow", "read_parquet", "write_arrow", "write_parquet"]

_BATCH = 1 << 20
_FILE_MAGIC = b"ARROW1"


@dataclass(frozen=True)
class StoredSource:
    """Columns of a file that is open."""

    content: Content
    role: Role
    names: Names
    by_pyarrow: Callable[[Content, Role, Names], Any]
    """The same as an `ArrowSource`."""

    def judge(self, name: str) -> dict[str, Any]:
        columns: dict[str, Any] = self._read().judge(name)
        return columns

    def align(self, index: object, name: str, options: Mapping[str, Any]) -> dict[str, Any]:
        columns: dict[str, Any] | None = self._align_stored(index, name, options)
        return self._read().align(index, name, options) if columns is None else columns

    def rows(self, name: str, role: Role, progress: Any = None) -> Rows:
        rows: Rows = self._read().rows(name, role, progress)
        return rows

    def _align_stored(self, index: object, name: str, options: Mapping[str, Any]) -> Any:
        from rankscope.data.frames import chosen_columns

        header = core().stored_names(self.content.data, name=name)
        if header is None:
            return None
        chosen = chosen_columns(header, self.role, self.names, self.content.label)
        places = [header.index(column) for column in chosen]
        return core().align_stored(index, self.content.data, places, name=name, **options)

    def _read(self) -> Any:
        return self.by_pyarrow(self.content, self.role, self.names)


def column_names(content: Content) -> list[str]:
    """The names of the columns of a Parquet or Arrow file."""
    names: list[str] | None = core().stored_names(content.data, name=content.label)
    if names is not None:
        return names
    pa = pyarrow("Parquet and Arrow")
    try:
        if content.head().startswith(b"PAR1"):
            import pyarrow.parquet as pq

            return list(pq.read_schema(_file(content, pa)).names)
        return list(_opened(content, pa).schema.names)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise _broken(content, "Parquet or Arrow", error) from error


def read_parquet(content: Content, role: Role, names: Names) -> StoredSource:
    return StoredSource(content, role, names, _parquet_by_pyarrow)


def _parquet_by_pyarrow(content: Content, role: Role, names: Names) -> Any:
    from rankscope.data.frames import ArrowSource, chosen_columns

    pa = pyarrow("Parquet")
    import pyarrow.parquet as pq

    try:
        file = _file(content, pa)
        schema = pq.read_schema(file)
        wanted = list(chosen_columns(schema.names, role, names, content.label))
        # A query stands in many rows: as a dictionary, its text is decoded once.
        texts = [wanted[0]] if pa.types.is_string(schema.field(wanted[0]).type) else []
        table = pq.ParquetFile(file, read_dictionary=texts).read(columns=wanted)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise _broken(content, "Parquet", error) from error
    return ArrowSource(table, [table.column_names.index(name) for name in wanted])


def read_arrow(content: Content, role: Role, names: Names) -> StoredSource:
    return StoredSource(content, role, names, _arrow_by_pyarrow)


def _arrow_by_pyarrow(content: Content, role: Role, names: Names) -> Any:
    from rankscope.data.frames import ArrowSource, chosen_columns

    pa = pyarrow("Arrow")
    try:
        reader = _opened(content, pa)
        header = reader.schema.names
        wanted = chosen_columns(header, role, names, content.label)
        table = reader.read_all().select([header.index(name) for name in wanted])
        table.validate(full=True)  # what a broken file says of itself is taken as it is otherwise
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise _broken(content, "Arrow", error) from error
    return ArrowSource(table, (0, 1, 2))


def _opened(content: Content, pa: Any) -> Any:
    is_file = content.head().startswith(_FILE_MAGIC)
    return (pa.ipc.open_file if is_file else pa.ipc.open_stream)(_file(content, pa))


def _file(content: Content, pa: Any) -> Any:
    """The file in memory: one that is mapped ends the process if somebody cuts it short meanwhile."""
    return pa.BufferReader(pa.py_buffer(content.read()))


def _broken(content: Content, format: str, error: Exception) -> InputError:
    return input_error("broken", source=content.label, format=format, reason=str(error))


def write_parquet(rows: Rows, role: Role, name: str, file: Any) -> None:
    pa = pyarrow("Parquet")
    import pyarrow.parquet as pq

    schema = _schema(rows, role, pa)
    with pq.ParquetWriter(pa.PythonFile(file, mode="w"), schema, compression="snappy") as writer:
        for batch in _batches(rows, schema, pa):
            writer.write_batch(batch)


def write_arrow(rows: Rows, role: Role, name: str, file: Any) -> None:
    pa = pyarrow("Arrow")
    schema = _schema(rows, role, pa)
    with pa.ipc.new_file(pa.PythonFile(file, mode="w"), schema) as writer:
        for batch in _batches(rows, schema, pa):
            writer.write_batch(batch)


def _schema(rows: Rows, role: Role, pa: Any) -> Any:
    """Ids are text, or bytes if some of them are not UTF-8; whole grades are whole numbers."""
    whole = role == "judgments" and bool(np.all(rows.value == np.floor(rows.value)))
    return pa.schema(
        [
            ("query", pa.string() if _is_text(rows.query) else pa.binary()),
            ("item", pa.string() if _is_text(rows.item) else pa.binary()),
            ("score" if role == "run" else "grade", pa.int64() if whole else pa.float64()),
        ]
    )


def _is_text(ids: Ids) -> bool:
    """Whether each id is UTF-8: all of them together, and none begins inside a character."""
    if not np.any(ids.data & 0x80):
        return True
    starts = ids.offsets[:-1][ids.offsets[:-1] < len(ids.data)]
    if np.any((ids.data[starts] & 0xC0) == 0x80):
        return False
    try:
        ids.data.tobytes().decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _batches(rows: Rows, schema: Any, pa: Any) -> Iterator[Any]:
    for start in range(0, len(rows), _BATCH):
        stop = min(start + _BATCH, len(rows))
        ids = [part.to_arrow(start, stop) for part in (rows.query, rows.item)]
        columns = [column.cast(field.type) for column, field in zip(ids, schema, strict=False)]
        value = pa.array(rows.value[start:stop]).cast(schema[2].type)
        yield pa.record_batch([*columns, value], schema=schema)
