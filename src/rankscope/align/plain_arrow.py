"""The Arrow side of the plain core, by way of pyarrow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rankscope.errors import MissingDependency

if TYPE_CHECKING:
    import pyarrow as pa


def open_stream(stream: Any) -> pa.RecordBatchReader:
    """A reader of an Arrow stream, given as an object that exports one or as its capsule."""
    try:
        import pyarrow as pa
    except ImportError as error:
        raise MissingDependency(
            "the plain core reads Arrow data with pyarrow, which is not installed",
            code="missing-dependency",
            hint="pip install pyarrow",
        ) from error
    if hasattr(stream, "__arrow_c_stream__"):
        return pa.RecordBatchReader.from_stream(stream)
    return pa.RecordBatchReader._import_from_c_capsule(stream)


def stored_names(source: bytes | int, *, name: str) -> list[str] | None:
    """None: this core leaves files of Arrow and Parquet to pyarrow."""
    return None


def align_stored(
    index: object, source: bytes | int, columns: Sequence[int], *, name: str, **options: Any
) -> dict[str, Any] | None:
    """None, as above."""
    return None


def is_text(kind: pa.DataType) -> bool:
    from pyarrow import types

    tests = (
        types.is_string,
        types.is_large_string,
        types.is_string_view,
        types.is_binary,
        types.is_large_binary,
        types.is_binary_view,
    )
    return any(test(kind) for test in tests)


def is_integer(kind: pa.DataType) -> bool:
    from pyarrow import types

    return bool(types.is_integer(kind.value_type if types.is_dictionary(kind) else kind))


def is_id(kind: pa.DataType) -> bool:
    from pyarrow import types

    return is_integer(kind) or is_text(kind.value_type if types.is_dictionary(kind) else kind)


def is_value(kind: pa.DataType) -> bool:
    from pyarrow import types

    return any(test(kind) for test in (types.is_integer, types.is_float32, types.is_float64))


def describe(kind: pa.DataType) -> str:
    """A type that cannot be used, in one word that needs no knowledge of Arrow."""
    from pyarrow import types

    words = {
        "bool": types.is_boolean,
        "half float": types.is_float16,
        "float": types.is_floating,
        "decimal": types.is_decimal,
        "date or time": types.is_temporal,
        "category": types.is_dictionary,
        "null": types.is_null,
        "text": is_text,
        "nested": types.is_nested,
    }
    return next((word for word, test in words.items() if test(kind)), "other")


def id_list(column: Any) -> list[bytes | None]:
    """A column of ids as bytes, with None for null."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        words = id_list(column.dictionary)
        return [None if number is None else words[number] for number in column.indices.to_pylist()]
    if is_integer(column.type):
        return [None if number is None else b"%d" % number for number in column.to_pylist()]
    # As binary, because text that is not UTF-8 is an id like any other.
    raw: list[bytes | None] = column.cast(pa.large_binary()).to_pylist()
    return raw
