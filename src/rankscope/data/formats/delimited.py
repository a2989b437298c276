"""CSV and TSV: columns with names, as spreadsheets and BEIR have them."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from typing import Any

from rankscope.data.files import Content
from rankscope.data.formats.base import Names, Role, pyarrow
from rankscope.data.formats.text import number
from rankscope.data.rows import Rows
from rankscope.errors import InputError, input_error

__all__ = ["delimiter_of", "header_of", "read", "write_csv", "write_tsv"]

_DELIMITERS = (",", "\t", ";")
_BLOCK = 8 << 20
_SPECIAL = (b",", b'"', b"\n", b"\r", b"\t", b";", b" ")


def header_of(head: bytes) -> list[str]:
    """The names in the first line of a file; none if it is no line of names."""
    line = head.partition(b"\n")[0].decode("utf-8", "surrogateescape").rstrip("\r")
    try:
        return next(csv.reader([line], delimiter=delimiter_of(head)), [])
    except csv.Error:
        return []


def delimiter_of(head: bytes) -> str:
    """What stands between the columns: whatever there is most of in the first line."""
    line = head.partition(b"\n")[0].decode("utf-8", "surrogateescape")
    return max(_DELIMITERS, key=line.count)


def read(content: Content, role: Role, names: Names) -> Any:
    from rankscope.data.frames import ArrowSource, chosen_columns

    head = content.head()
    header = header_of(head)
    places = [header.index(name) for name in chosen_columns(header, role, names, content.label)]
    return ArrowSource(_table(content, header, places, delimiter_of(head)), (0, 1, 2))


def _table(content: Content, header: list[str], places: list[int], delimiter: str) -> Any:
    pa = pyarrow("CSV")
    import pyarrow.csv as arrow_csv

    # Names of our own, as a file may have a name twice; ids as bytes, so that 007 stays what it is.
    columns = [f"c{place}" for place in range(len(header))]
    kinds = (pa.binary(), pa.binary(), pa.float64())
    wanted = [columns[place] for place in places]
    try:
        return arrow_csv.read_csv(
            pa.PythonFile(content.file(), mode="r"),
            read_options=arrow_csv.ReadOptions(column_names=columns, skip_rows=1, block_size=_BLOCK),
            parse_options=arrow_csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
            convert_options=arrow_csv.ConvertOptions(
                column_types=dict(zip(wanted, kinds, strict=True)),
                include_columns=wanted,
                null_values=[],
                check_utf8=False,
            ),
        )
    except pa.ArrowInvalid as error:
        raise _found(content, header, places[2], delimiter, str(error)) from error


def _found(content: Content, header: list[str], value: int, delimiter: str, reason: str) -> InputError:
    """The first line that is wrong, which pyarrow does not tell."""
    rows = 0
    for line, fields in _lines(content, delimiter):
        rows += 1
        if len(fields) != len(header):
            return input_error(
                "fields", source=content.label, line=line, found=len(fields), expected=len(header)
            )
        if not _is_number(fields[value]):
            return input_error(
                "number", source=content.label, line=line, field=header[value], text=fields[value]
            )
    if not rows:
        return input_error("no-rows", source=content.label, layout=delimiter.join(header))
    return input_error("broken", source=content.label, format="CSV", reason=reason)


def _lines(content: Content, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Line numbers and fields, without the header and empty lines."""
    text = io.StringIO(content.read().decode("utf-8", "surrogateescape"), newline="")
    reader = csv.reader(text, delimiter=delimiter)
    last = 0
    try:
        for fields in reader:
            line, last = last + 1, reader.line_num
            if fields and line > 1:
                yield line, fields
    except csv.Error as error:
        raise input_error("broken", source=content.label, format="CSV", reason=str(error)) from error


def _is_number(text: str) -> bool:
    try:
        return not math.isinf(float(text)) and "_" not in text
    except ValueError:
        return False


def write_csv(rows: Rows, role: Role, name: str, file: Any) -> None:
    _write(rows, role, file, b",")


def write_tsv(rows: Rows, role: Role, name: str, file: Any) -> None:
    _write(rows, role, file, b"\t")


def _write(rows: Rows, role: Role, file: Any, delimiter: bytes) -> None:
    value = b"score" if role == "run" else b"grade"
    file.write(delimiter.join((b"query", b"item", value)) + b"\n")
    row = delimiter.join((b"%s", b"%s", b"%s")) + b"\n"
    shown = _repr if role == "run" else number
    for block in rows.blocks():
        file.write(b"".join([row % (_cell(q), _cell(i), shown(v)) for q, i, v in block]))


def _repr(score: float) -> bytes:
    return repr(score).encode()


def _cell(raw: bytes) -> bytes:
    if not raw or any(special in raw for special in _SPECIAL):
        return b'"%s"' % raw.replace(b'"', b'""')
    return raw
