"""Parquet and Arrow IPC: columns with names and types, read by pyarrow and measured where they lie."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from rankscope.data.files import Content
from rankscope.data.formats.base import Format, Names, Role, pyarrow
from rankscope.data.ids import Ids
from rankscope.data.rows import Rows
from rankscope.errors import InputError, input_error

__all__ = ["ARROW", "PARQUET", "column_names"]

_BATCH = 1 << 20
_STREAM_MAGIC = b"\xff\xff\xff\xff"
_FILE_MAGIC = b"ARROW1"


def column_names(content: Content) -> list[str]:
    """The names of the columns of a Parquet or Arrow file."""
    pa = pyarrow("Parquet and Arrow")
    try:
        if content.head().startswith(b"PAR1"):
            import pyarrow.parquet as pq

            return list(pq.read_schema(_file(content, pa)).names)
        return list(_opened(content, pa).schema.names)
    except (pa.ArrowException, OSError) as error:
        raise _broken(content, "Parquet or Arrow", error) from error


def _parquet(content: Content, role: Role, names: Names) -> Any:
    from rankscope.data.frames import ArrowSource, chosen_columns

    pa = pyarrow("Parquet")
    import pyarrow.parquet as pq

    try:
        schema = pq.read_schema(_file(content, pa))
        wanted = list(chosen_columns(schema.names, role, names, content.label))
        # A query stands in many rows: as a dictionary, its text is decoded once.
        texts = [wanted[0]] if pa.types.is_string(schema.field(wanted[0]).type) else []
        table = _by_row_groups(lambda: pq.ParquetFile(_file(content, pa), read_dictionary=texts), wanted, pa)
    except (pa.ArrowException, OSError) as error:
        raise _broken(content, "Parquet", error) from error
    return ArrowSource(table, [table.column_names.index(name) for name in wanted])


def _by_row_groups(opened: Callable[[], Any], wanted: list[str], pa: Any) -> Any:
    """All row groups, several at a time: most of the work is one column, which pyarrow gives one thread."""
    from concurrent.futures import ThreadPoolExecutor

    count = opened().num_row_groups
    if count < 2:
        return opened().read(columns=wanted)

    def read(group: int) -> Any:
        return opened().read_row_group(group, columns=wanted, use_threads=False)

    with ThreadPoolExecutor(min(count, pa.cpu_count())) as pool:
        return pa.concat_tables(pool.map(read, range(count)))


def _arrow(content: Content, role: Role, names: Names) -> Any:
    from rankscope.data.frames import ArrowSource, chosen_columns

    pa = pyarrow("Arrow")
    try:
        reader = _opened(content, pa)
        header = reader.schema.names
        wanted = chosen_columns(header, role, names, content.label)
        table = reader.read_all().select([header.index(name) for name in wanted])
    except (pa.ArrowException, OSError) as error:
        raise _broken(content, "Arrow", error) from error
    return ArrowSource(table, (0, 1, 2))


def _opened(content: Content, pa: Any) -> Any:
    is_file = content.head().startswith(_FILE_MAGIC)
    return (pa.ipc.open_file if is_file else pa.ipc.open_stream)(_file(content, pa))


def _file(content: Content, pa: Any) -> Any:
    return pa.BufferReader(pa.py_buffer(content.mapped()))


def _broken(content: Content, format: str, error: Exception) -> InputError:
    return input_error("broken", source=content.label, format=format, reason=str(error))


def write_parquet(rows: Rows, role: Role, name: str, file: Any) -> None:
    pa = pyarrow("Parquet")
    import pyarrow.parquet as pq

    schema = _schema(rows, role, pa)
    with pq.ParquetWriter(pa.PythonFile(file, mode="w"), schema, compression="zstd") as writer:
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
        ids = [_ids(part, start, stop, pa) for part in (rows.query, rows.item)]
        columns = [column.cast(field.type) for column, field in zip(ids, schema, strict=False)]
        value = pa.array(rows.value[start:stop]).cast(schema[2].type)
        yield pa.record_batch([*columns, value], schema=schema)


def _ids(ids: Ids, start: int, stop: int, pa: Any) -> Any:
    buffers = [None, pa.py_buffer(ids.offsets[start : stop + 1]), pa.py_buffer(ids.data)]
    return pa.Array.from_buffers(pa.large_binary(), stop - start, buffers)


_COLUMNS = "columns: query, item, "
PARQUET = Format(
    "parquet",
    "columns with names, compressed; read without a copy of what is not needed",
    {"run": f"{_COLUMNS}score", "judgments": f"{_COLUMNS}grade"},
    _parquet,
    write_parquet,
    (".parquet", ".pq"),
    "pyarrow",
)
ARROW = Format(
    "arrow",
    "columns with names, as Arrow's IPC files and streams (Feather) have them",
    {"run": f"{_COLUMNS}score", "judgments": f"{_COLUMNS}grade"},
    _arrow,
    write_arrow,
    (".arrow", ".feather", ".ipc"),
    "pyarrow",
)
