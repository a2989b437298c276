"""Class labels, distances and taxonomies from data frames of any library."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rankscope.classes.distances import ANY, Rows, finite
from rankscope.classes.labels import class_of, shown
from rankscope.errors import input_error, package

__all__ = ["LABEL_NAMES", "columns_named", "distance_columns", "taxonomy_columns"]

LABEL_NAMES = ("label", "class", "class_label", "category", "classes", "labels")
FROM_NAMES = ("from", "query_class", "source")
TO_NAMES = ("to", "class", "label", "target")
DISTANCE_NAMES = ("distance", "dist")
CHILD_NAMES = ("child", "class", "label", "node", "name")
PARENT_NAMES = ("parent", "parent_class", "superclass")

SOURCE = "the class distance"


def columns_named(given: Any, wanted: Mapping[str, Sequence[str]], source: str) -> list[list[Any]]:
    """The values of some columns, each by one of its common names; a missing value is None."""
    frame = _collected(given)
    found = recognised(frame.columns, wanted)
    lacking = [what for what, name in found.items() if name is None]
    if lacking:
        raise input_error(
            "frame-columns",
            source=source,
            lacking=" or ".join(lacking),
            found=", ".join(map(str, frame.columns)) or "none",
            accepted="; ".join(f"{what}: {', '.join(wanted[what])}" for what in lacking),
        )
    return [_values(frame[name]) for name in found.values()]


def recognised(header: Sequence[Any], wanted: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The column for each thing wanted, None where there is none; no column stands for two."""
    by_folded = {str(name).strip().casefold().replace(" ", "_"): name for name in reversed(header)}
    found: dict[str, Any] = {}
    for what, known in wanted.items():
        name = next((n for n in known if n in by_folded), None)
        found[what] = None if name is None else by_folded.pop(name)
    return found


def taxonomy_columns(given: Any) -> Iterator[tuple[Any, Any]]:
    """(child, parent) of each row."""
    wanted = {"child": CHILD_NAMES, "parent": PARENT_NAMES}
    return zip(*columns_named(given, wanted, "the taxonomy"), strict=True)


def distance_columns(given: Any) -> Rows:
    """The distances of a table (from, to, distance; or class, distance) or of a matrix."""
    frame = _collected(given)
    header = frame.columns
    long = recognised(header, {"distance": DISTANCE_NAMES, "from": FROM_NAMES, "to": TO_NAMES})
    if None not in long.values():
        values, starts, ends = (_values(frame[name]) for name in long.values())
        return long_rows(zip(starts, ends, values, strict=True))
    row = recognised(header, {"distance": DISTANCE_NAMES, "class": TO_NAMES})
    if len(header) == 2 and None not in row.values():
        values, ends = (_values(frame[name]) for name in row.values())
        return long_rows((ANY, end, value) for end, value in zip(ends, values, strict=True))
    return _matrix_rows(given, frame)


def long_rows(rows: Iterator[tuple[Any, Any, Any]]) -> Rows:
    """Distances by pairs of classes, each pair once or always with the same value."""
    found: Rows = {}
    for start, end, value in rows:
        row = found.setdefault(start if start is ANY else class_of(start), {})
        number = finite(value, end, SOURCE)
        if row.setdefault(class_of(end), number) != number:
            raise input_error("class-distance-twice", source=SOURCE, label=shown(end))
    return found


def _matrix_rows(given: Any, frame: Any) -> Rows:
    """A matrix: a pandas index has the names of its rows, otherwise the first column has them."""
    names, header = _index_of(given, frame.columns), list(frame.columns)
    if not names and header:
        names, header = _values(frame[header[0]]), header[1:]
    columns = {class_of(name): _values(frame[name]) for name in header}
    rows: Rows = {}
    for number, start in enumerate(names):
        if class_of(start) in rows:
            raise input_error("class-twice", source=SOURCE, label=shown(start))
        rows[class_of(start)] = {end: finite(values[number], end, SOURCE) for end, values in columns.items()}
    return rows


def _index_of(given: Any, header: Sequence[str]) -> list[Any]:
    """The index of a pandas frame if it has names of classes; the numbers it has by default may be none."""
    if not _is_pandas(given) or not header or header[0].casefold() in (*FROM_NAMES, *TO_NAMES):
        return []
    names = list(given.index)
    return names if {class_of(name) for name in names} <= {class_of(name) for name in header} else []


def _is_pandas(given: Any) -> bool:
    return type(given).__module__.partition(".")[0] == "pandas"


def _collected(given: Any) -> Any:
    import narwhals as nw

    if _is_pandas(given):  # whose columns may have numbers for names
        given = given.set_axis([str(name) for name in given.columns], axis="columns")
    frame: Any = nw.from_native(given, pass_through=True)
    if not isinstance(frame, nw.DataFrame | nw.LazyFrame):
        frame = nw.from_native(package("pyarrow").table(given))
    return frame.collect() if isinstance(frame, nw.LazyFrame) else frame


def _values(column: Any) -> list[Any]:
    missing = column.is_null().to_list()
    return [None if is_null else value for value, is_null in zip(column.to_list(), missing, strict=True)]
