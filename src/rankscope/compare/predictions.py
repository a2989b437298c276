"""A table of true values and of what systems predicted for them, as a truth and runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rankscope.data import Judgments, Order, Run
from rankscope.data.files import InputFile
from rankscope.data.formats.delimited import delimiter_of
from rankscope.data.frames import is_frame
from rankscope.errors import InputError, nearest, package, printable
from rankscope.measures.base import Measure

__all__ = ["read_table", "tabled"]


_PARQUET = b"PAR1"


def tabled(
    table: Any, truth: str, systems: Sequence[str], by: str | None, measures: Sequence[Measure]
) -> tuple[Judgments, list[Run]]:
    """The true values and a run for each system; an item is a row, and a query a value of `by`.

    True values are an order where all measures can be taken against one, else grades.
    """
    import narwhals as nw

    if isinstance(table, Mapping):
        table = _from_columns(table)
    if not is_frame(table):
        raise InputError(
            f"something of type {type(table).__name__} is no table",
            code="no-table",
            expected="a data frame, or a mapping of names to columns",
        )
    frame: Any = nw.from_native(table, pass_through=True)
    if not isinstance(frame, nw.DataFrame | nw.LazyFrame):
        frame = nw.from_native(package("pyarrow").table(table))
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    _check_columns(frame.columns, [truth, *systems, *([] if by is None else [by])])
    row, query = _unused("row", frame.columns), by or _unused("query", frame.columns)
    frame = frame.with_row_index(row)
    if by is None:
        frame = frame.with_columns(nw.lit("all").alias(query))
    # Ids of one type on both sides: an order keeps its ids as text.
    whole = [name for name in (row, query) if frame[name].dtype.is_integer()]
    native = frame.with_columns(nw.col(*whole).cast(nw.String)).to_native()
    places = {"query": query, "item": row}
    kind = Order if all(m.truth in ("order", "classes") for m in measures) else Judgments
    value = "score" if kind is Order else "grade"
    true_values = kind.of(native, truth, columns={**places, value: truth})
    return true_values, [Run.of(native, name, columns={**places, "score": name}) for name in systems]


def read_table(path: str) -> Any:
    """The table in a file: Parquet, or text whose first line names the columns; ``-`` is standard input."""
    import io

    pa = package("pyarrow")
    with InputFile(path).opened() as content:
        data, label = content.read(), content.label
    try:
        if data.startswith(_PARQUET):
            return package("pyarrow.parquet").read_table(io.BytesIO(data))
        options = package("pyarrow.csv").ParseOptions(delimiter=delimiter_of(data))
        return package("pyarrow.csv").read_csv(io.BytesIO(data), parse_options=options)
    except pa.ArrowInvalid as error:
        reason = printable(" ".join(str(error).split()))
        raise InputError(
            f"no table can be read: {reason}",
            code="no-table",
            where=printable(label),
            expected="Parquet, or lines of columns with a comma, tab or semicolon between them, names first",
        ) from error


def _from_columns(table: Mapping[Any, Any]) -> Any:
    try:
        return package("pyarrow").table(dict(table))
    except (ValueError, TypeError) as error:  # pyarrow's own errors are one or the other
        raise InputError(
            f"no table can be made of these columns: {error}",
            code="no-table",
            expected="columns of equal length, each of one type",
        ) from error


def _check_columns(header: Sequence[str], wanted: Sequence[str]) -> None:
    for name in wanted:
        if name not in header:
            close = nearest(str(name), header, count=1)
            raise InputError(
                f"no column '{printable(str(name))}' among these: {', '.join(map(printable, header))}",
                code="no-column",
                expected="a name that the table has",
                hint=f"did you mean {printable(close[0])}?" if close else "",
            )


def _unused(name: str, taken: Sequence[str]) -> str:
    while name in taken:
        name = f"_{name}"
    return name
