"""Data frames of any library, read by the names of their columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
import numpy.typing as npt

from rankscope.align.engine import core
from rankscope.data.formats import Names, Role
from rankscope.data.rows import Rows
from rankscope.data.sources import Columns, Progress, Source
from rankscope.errors import input_error

__all__ = ["ArrowSource", "ColumnSource", "chosen_columns", "frame_source", "is_frame", "recognised"]

QUERY_NAMES = ("query", "query_id", "qid", "q_id", "topic", "topic_id", "user", "user_id")
ITEM_NAMES = (
    *("item", "item_id", "doc", "doc_id", "docid", "docno", "document", "document_id", "did"),
    *("corpus_id", "passage_id", "pid"),
)
SCORE_NAMES = ("score", "sim", "similarity", "rating", "relevance_score", "prediction", "y_score")
GRADE_NAMES = ("grade", "relevance", "rel", "label", "judgment", "qrel", "rating", "score")


def is_frame(given: object) -> bool:
    """Whether `given` is a data frame of a library that can be read."""
    if isinstance(given, type) or type(given).__module__ == "builtins":
        return False
    if hasattr(given, "__arrow_c_stream__"):
        return True
    import narwhals as nw

    return isinstance(nw.from_native(given, pass_through=True), nw.DataFrame | nw.LazyFrame)


def frame_source(frame: Any, role: Role, names: Names | None = None) -> Source:
    """The source for a data frame: an Arrow stream where that is the short way, else columns."""
    if hasattr(frame, "read_next_batch"):
        frame = frame.read_all()  # a reader can be read once, but a run may be aligned more than once
    if not hasattr(frame, "__arrow_c_stream__") or _is_pandas(frame):
        return _by_columns(frame, role, names or {})
    header = _arrow_names(frame)
    return ArrowSource(frame, [header.index(name) for name in chosen_columns(header, role, names or {})])


@dataclass(frozen=True)
class ArrowSource:
    """An object that exports an Arrow stream, and the positions of its query, item and value columns."""

    stream: object
    columns: Sequence[int]

    def judge(self, name: str) -> Columns:
        columns: Columns = core().judge_arrow(self.stream, self.columns, name=name)
        return columns

    def align(self, index: object, name: str, options: Mapping[str, Any]) -> Columns:
        columns: Columns = core().align_arrow(index, self.stream, self.columns, name=name, **options)
        return columns

    def rows(self, name: str, role: Role, progress: Progress | None = None) -> Rows:
        grades = role == "judgments"
        return Rows.of_columns(core().list_arrow(self.stream, self.columns, name=name, grades=grades))


@dataclass(frozen=True)
class ColumnSource:
    """Columns in memory; ids are whole numbers (int64) or anything that can be encoded as ids."""

    query: npt.NDArray[Any] | Sequence[Any]
    item: npt.NDArray[Any] | Sequence[Any]
    value: npt.NDArray[np.float64]

    def judge(self, name: str) -> Columns:
        query, item, integers = self._encoded(name)
        return _with_integers(core().judge_columns(query, item, self.value, name=name), integers)

    def align(self, index: object, name: str, options: Mapping[str, Any]) -> Columns:
        query, item, integers = self._encoded(name)
        return _with_integers(
            core().align_columns(index, query, item, self.value, name=name, **options), integers
        )

    def rows(self, name: str, role: Role, progress: Progress | None = None) -> Rows:
        query, item, _ = self._encoded(name)
        grades = role == "judgments"
        return Rows.of_columns(core().list_columns(query, item, self.value, name=name, grades=grades))

    def _encoded(self, name: str) -> tuple[Any, Any, tuple[bool, bool]]:
        query, integer_queries = _encoded(self.query, "query id", name)
        item, integer_items = _encoded(self.item, "item id", name)
        return query, item, (integer_queries, integer_items)


def _encoded(ids: npt.NDArray[Any] | Sequence[Any], field: str, name: str) -> tuple[Any, bool]:
    if isinstance(ids, np.ndarray) and ids.dtype == np.int64:
        return ids, True
    data, offsets, integers = core().encode_ids(ids, field=field, name=name)
    return (data, offsets), integers


def _with_integers(columns: Columns, integers: tuple[bool, bool]) -> Columns:
    return {**columns, "integer_queries": integers[0], "integer_items": integers[1]}


def _value_field(role: Role) -> str:
    return "score" if role == "run" else "grade"


def _is_pandas(frame: object) -> bool:
    return type(frame).__module__.partition(".")[0] == "pandas"


def _arrow_names(frame: Any) -> list[str]:
    """Names without opening the stream where the frame tells them: opening may mean to run a query."""
    for attribute in ("column_names", "columns"):
        names = getattr(frame, attribute, None)
        if isinstance(names, list) and all(isinstance(name, str) for name in names):
            return names
    return list(core().arrow_names(frame))


def recognised(header: Sequence[str], role: Role, names: Names) -> tuple[str, str, str]:
    """The names of the query, item and value columns; empty for one that is not there.

    `names` says what a column is called; without it the common names are known, however they are written.
    """
    by_folded = {_folded(name): name for name in reversed(header)}

    def found(what: str, known: Sequence[str]) -> str:
        if what in names:
            return names[what] if names[what] in header else ""
        return next((by_folded[name] for name in known if name in by_folded), "")

    query, item, value = (found(what, known) for what, known in _wanted(role).items())
    return query, item, value


def chosen_columns(
    header: Sequence[str], role: Role, names: Names, source: str | None = None
) -> tuple[str, str, str]:
    """The names of the query, item and value columns, all of which have to be there."""
    wanted, found = _wanted(role), recognised(header, role, names)
    lacking = [what for what, name in zip(wanted, found, strict=True) if not name]
    if lacking:
        mapped = [f"'{names[what]}'" for what in lacking if what in names]
        raise input_error(
            "mapped-columns" if mapped else "frame-columns",
            source=source or role,
            lacking=" or ".join(mapped or lacking),
            found=", ".join(map(str, header)) or "none",
            accepted="; ".join(f"{what}: {', '.join(wanted[what])}" for what in lacking),
        )
    return found


def _wanted(role: Role) -> dict[str, Sequence[str]]:
    value_names = SCORE_NAMES if role == "run" else GRADE_NAMES
    return {"query": QUERY_NAMES, "item": ITEM_NAMES, _value_field(role): value_names}


def _folded(name: object) -> str:
    return str(name).strip().casefold().replace("-", "_").replace(" ", "_")


def _by_columns(native: Any, role: Role, names: Names) -> Source:
    import narwhals as nw

    frame: Any = nw.from_native(native)
    frame = frame.select(*chosen_columns(frame.collect_schema().names(), role, names))
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    query, item, value = (frame[name] for name in frame.columns)
    if not value.dtype.is_numeric():
        raise input_error("column-type", source=role, header=value.name, found=str(value.dtype).lower())
    if find_spec("pyarrow") is not None and _exports_fast(query) and _exports_fast(item):
        return ArrowSource(frame.to_native(), (0, 1, 2))
    for column, field in ((query, "query id"), (item, "item id"), (value, _value_field(role))):
        _check_complete(column, field, role)
    return ColumnSource(_ids(query), _ids(item), np.ascontiguousarray(value.to_numpy(), np.float64))


def _exports_fast(ids: Any) -> bool:
    """Whether an Arrow stream of these ids costs less than reading them one by one.

    pandas turns columns of Python objects into Arrow slowly, and only if all are of one type.
    """
    import narwhals as nw

    is_object = str(getattr(ids.to_native(), "dtype", "")) == "object"
    return bool(ids.dtype.is_integer() or (ids.dtype == nw.String and not is_object))


def _check_complete(column: Any, field: str, role: Role) -> None:
    missing = column.is_null()
    if missing.any():
        raise input_error("null", source=role, field=field, row=missing.arg_true()[0] + 1)


def _ids(column: Any) -> npt.NDArray[Any] | Sequence[Any]:
    import narwhals as nw

    if column.dtype.is_integer() and column.dtype != nw.UInt64:
        return np.ascontiguousarray(column.to_numpy(), np.int64)
    values: list[Any] = column.to_list()
    return values
