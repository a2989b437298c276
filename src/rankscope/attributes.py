"""What is known of queries beside their judgments: how much each weighs, and which group it is in."""

from __future__ import annotations

import csv
import io
import math
import operator
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, SupportsFloat, SupportsIndex

import numpy as np
import numpy.typing as npt

from rankscope.data import Judgments
from rankscope.data.files import InputFile
from rankscope.errors import InputError, input_error, package
from rankscope.notes import WORDS, listed, named

__all__ = ["NO_GROUP", "groups_of", "weights_of"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
Field = Literal["weight", "group"]

NO_GROUP = "(no group)"
"""Gathers the queries that are in no group."""

NAMES = {
    "weight": ("weight", "weights", "w"),
    "group": ("group", "groups", "segment", "slice", "category", "type"),
}


def weights_of(given: Any, judgments: Judgments, chosen: BoolArray) -> tuple[FloatArray, tuple[str, ...]]:
    """The weight of each judged query, and notes; every chosen query must have one."""
    table = _Table("weight")
    by_query: dict[str, float] = table.read(given)
    weights = np.fromiter((by_query.get(q, math.nan) for q in judgments.queries), np.float64, len(judgments))
    lacking = chosen & np.isnan(weights)
    if lacking.any():
        raise table.error("no-weight", queries=listed(WORDS[judgments.kind].ours, judgments.queries, lacking))
    chosen_weights = weights[chosen]
    if not chosen_weights.any():
        raise table.error("weights-zero")
    notes = [f"queries have weights, from {chosen_weights.min():g} to {chosen_weights.max():g}"]
    if not chosen_weights.all():
        without = listed("", judgments.queries, chosen & (weights == 0))
        notes.append(f"weight 0 leaves {without} out of the aggregates")
    return weights, (*notes, *_on_unjudged("weight", by_query, judgments))


def groups_of(
    given: Any, judgments: Judgments, chosen: BoolArray
) -> tuple[dict[str, IntArray], tuple[str, ...]]:
    """The numbers of the chosen queries of each group, and notes; the order is that of their first naming.

    A query is in one group; those without are gathered under `NO_GROUP`.
    """
    by_query: dict[str, str] = _Table("group").read(given)
    members: dict[str, list[int]] = {group: [] for group in by_query.values() if group != NO_GROUP}
    members[NO_GROUP] = []
    for number, query in enumerate(judgments.queries):
        if chosen[number]:
            members[by_query.get(query, NO_GROUP)].append(number)
    notes = []
    if rest := [judgments.queries[n] for n in members[NO_GROUP]]:
        notes.append(f"{listed('', rest)} in no group: gathered under '{NO_GROUP}'")
    if empty := [group for group, numbers in members.items() if not numbers and group != NO_GROUP]:
        notes.append(f"{named(empty, 'group', 'groups')} without a judged query: left out")
    found = {group: np.array(numbers, np.int64) for group, numbers in members.items() if numbers}
    return found, (*notes, *_on_unjudged("group", by_query, judgments))


def _on_unjudged(field: Field, by_query: Mapping[str, object], judgments: Judgments) -> Iterator[str]:
    judged = set(judgments.queries)
    unjudged = [query for query in by_query if query not in judged]
    if unjudged:
        yield f"{listed(WORDS[judgments.kind].theirs, unjudged)} with a {field}: left out"


@dataclass
class _Table:
    """Reads query -> weight or group from a mapping, a data frame or a file, and knows where it is."""

    field: Field
    source: str = ""

    def read(self, given: Any) -> dict[str, Any]:
        self.source = f"{self.field}s"
        if isinstance(given, str | os.PathLike):
            return self._collected(self._rows_of_file(os.fsdecode(given)))
        if isinstance(given, Mapping):
            return self._collected((query, value, 0) for query, value in given.items())
        from rankscope.data.frames import is_frame

        if is_frame(given):
            return self._collected((query, value, 0) for query, value in self._rows_of_frame(given))
        raise self.error("attribute-type", found=type(given).__name__)

    def _collected(self, rows: Iterable[tuple[Any, Any, int]]) -> dict[str, Any]:
        """The value of each query; 0 stands for no line."""
        found: dict[str, Any] = {}
        for query, given, line in rows:
            key = self._id(query, line)
            value = (
                self._weight(key, given, line) if self.field == "weight" else self._group(key, given, line)
            )
            if value is None:
                continue
            if found.setdefault(key, value) != value:
                first, second = (f"{v:g}" if isinstance(v, float) else f"'{v}'" for v in (found[key], value))
                raise self.error("attribute-twice", line=line, query=key, first=first, second=second)
        return found

    def _id(self, query: Any, line: int) -> str:
        if isinstance(query, str):
            return query
        if isinstance(query, bytes):
            return query.decode("utf-8", "surrogateescape")
        if isinstance(query, SupportsIndex) and not isinstance(query, bool):
            return str(operator.index(query))
        raise self.error("id-type", line=line, field="query id", text=repr(query), found=type(query).__name__)

    def _weight(self, query: str, given: Any, line: int) -> float:
        try:
            # float() alone would also take True and "1_000".
            usable = (isinstance(given, str) and "_" not in given) or isinstance(
                given, SupportsFloat | SupportsIndex
            )
            weight = float(given) if usable and not isinstance(given, bool) else math.nan
        except (TypeError, ValueError, OverflowError):
            weight = math.nan
        if not 0 <= weight < math.inf:
            place = {"line": line} if line else {"query": query}
            raise self.error("weight", text=given, **place)
        return weight

    def _group(self, query: str, given: Any, line: int) -> str | None:
        if given is None or isinstance(given, str):
            return given or None
        if isinstance(given, float) and math.isnan(given):
            return None
        if isinstance(given, int | float | np.generic):
            return str(given)
        raise self.error("group-type", query=query, found=type(given).__name__)

    def _rows_of_file(self, path: str) -> Iterator[tuple[str, str, int]]:
        file = InputFile(path)
        self.source = file.label
        text = file.read().removeprefix(b"\xef\xbb\xbf")
        is_csv = path.casefold().removesuffix(".gz").removesuffix(".zst").endswith(".csv")
        first = True
        for line, fields in self._csv_fields(text) if is_csv else _fields(text):
            if len(fields) < 2:
                raise self.error("attribute-columns", line=line)
            query, value = fields[:2]
            if not (first and self._is_header(query, value)):
                yield query, value, line
            first = False

    def _csv_fields(self, text: bytes) -> Iterator[tuple[int, Sequence[str]]]:
        reader = csv.reader(io.StringIO(_decoded(text), newline=""), strict=True)
        try:
            yield from ((reader.line_num, fields) for fields in reader if any(fields))
        except csv.Error as error:
            raise self.error("unreadable", line=reader.line_num, reason=str(error), suggestion="") from error

    def _is_header(self, query: str, value: str) -> bool:
        from rankscope.data.frames import QUERY_NAMES

        return query.casefold() in QUERY_NAMES and value.casefold() in NAMES[self.field]

    def _rows_of_frame(self, given: Any) -> Iterator[tuple[Any, Any]]:
        import narwhals as nw

        from rankscope.data.frames import QUERY_NAMES

        frame: Any = nw.from_native(given, pass_through=True)
        if not isinstance(frame, nw.DataFrame | nw.LazyFrame):
            frame = nw.from_native(package("pyarrow").table(given))
        names = list(frame.collect_schema().names())
        by_folded = {str(name).casefold(): name for name in reversed(names)}
        wanted = {"query": QUERY_NAMES, self.field: NAMES[self.field]}
        found = {what: next((n for n in known if n in by_folded), "") for what, known in wanted.items()}
        lacking = [what for what, name in found.items() if not name]
        if lacking:
            raise self.error(
                "frame-columns",
                lacking=" or ".join(lacking),
                found=", ".join(map(str, names)) or "none",
                accepted="; ".join(f"{what}: {', '.join(wanted[what])}" for what in lacking),
            )
        frame = frame.select(*(by_folded[name] for name in found.values()))
        if isinstance(frame, nw.LazyFrame):
            frame = frame.collect()
        queries, values = (frame[name] for name in frame.columns)
        for query, value, is_null in zip(
            queries.to_list(), values.to_list(), values.is_null().to_list(), strict=True
        ):
            yield query, None if is_null else value

    def error(self, code: str, **facts: Any) -> InputError:
        return input_error(code, source=self.source, **{"field": self.field, **facts})


def _fields(text: bytes) -> Iterator[tuple[int, Sequence[str]]]:
    """The number and the fields of each line: a query, and all that follows it."""
    for number, line in enumerate(text.split(b"\n"), 1):
        if line.strip() and not line.startswith(b"#"):
            yield number, [_decoded(field) for field in line.strip().split(maxsplit=1)]


def _decoded(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")
