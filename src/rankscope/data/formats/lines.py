"""JSON Lines: an object for each query, with what was retrieved, what is relevant, or both."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rankscope.data.files import Content
from rankscope.data.formats.base import Names, Role
from rankscope.data.formats.nested import as_text, distinct_items, dumped, parsed, plain_number
from rankscope.data.rows import Rows
from rankscope.errors import InputError, input_error

__all__ = ["QUERY_KEYS", "read", "sides_of", "write"]

QUERY_KEYS = ("query", "query_id", "qid")
SIDE_KEYS: Mapping[Role, tuple[str, ...]] = {
    "run": ("retrieved", "results", "ranking"),
    "judgments": ("relevant", "judgments", "qrels"),
}
_USUAL: Mapping[Role, str] = {"run": "retrieved", "judgments": "relevant"}
_VALUE: Mapping[Role, str] = {"run": "score", "judgments": "grade"}


def sides_of(given: Mapping[str, Any], names: Names) -> list[Role]:
    """Which sides a line has."""
    return [role for role in SIDE_KEYS if _key(given, names, _USUAL[role], SIDE_KEYS[role]) is not None]


def _key(given: Mapping[str, Any], names: Names, what: str, usual: tuple[str, ...]) -> str | None:
    wanted = (names[what],) if what in names else usual
    return next((key for key in wanted if key in given), None)


@dataclass
class LinesSource:
    """The queries of one side, each with its line, and its items as they stand there."""

    label: str
    role: Role
    lines: dict[str | int, int] = field(default_factory=dict)
    ranked: dict[str | int, Any] = field(default_factory=dict)
    """Items alone (a list), or pairs of item and value (a tuple)."""

    def judge(self, name: str) -> dict[str, Any]:
        from rankscope.data.sources import MappingSource

        mapping, _ = self._mapping("error", False)
        return MappingSource(mapping).judge(name)

    def align(self, index: object, name: str, options: Mapping[str, Any]) -> dict[str, Any]:
        from rankscope.data.sources import MappingSource

        mapping, dropped = self._mapping(options["duplicates"], options["ascending"])
        columns = MappingSource(mapping).align(index, name, options)
        columns["dropped_duplicates"] += dropped
        columns["rows"] += dropped
        return columns

    def rows(self, name: str, role: Role, progress: Any = None) -> Rows:
        from rankscope.data.sources import MappingSource

        return MappingSource(self._mapping("error", False)[0]).rows(name, role)

    def _mapping(self, duplicates: str, ascending: bool) -> tuple[dict[str | int, Any], int]:
        """Items with their values as the core takes them, and how many were left out as duplicates."""
        mapping: dict[str | int, Any] = {}
        dropped = 0
        for query, items in self.ranked.items():
            pairs = items if isinstance(items, tuple) else tuple((item, 0.0) for item in items)
            distinct = {str(item) for item, _ in pairs}
            if len(distinct) == len(pairs):
                mapping[query] = dict(pairs) if isinstance(items, tuple) else items
            elif isinstance(items, tuple) and duplicates != "error":
                mapping[query] = _resolved(pairs, duplicates, ascending)
                dropped += len(pairs) - len(distinct)
            elif self.role == "run" and duplicates != "error":
                mapping[query] = items
            else:
                raise self._twice(query, [item for item, _ in pairs])
        return mapping, dropped

    def _twice(self, query: str | int, items: list[Any]) -> InputError:
        texts = [str(item) for item in items]
        again = next(number for number, text in enumerate(texts) if text in texts[:number])
        places = f"places {texts.index(texts[again]) + 1} and {again + 1}"
        return input_error(
            "duplicate-item" if self.role == "run" else "duplicate-judgment",
            source=self.label,
            line=self.lines[query],
            query=query,
            item=texts[again],
            places=places,
        )


def _resolved(pairs: tuple[tuple[Any, float], ...], duplicates: str, ascending: bool) -> dict[str, float]:
    kept: dict[str, float] = {}
    better = min if ascending else max
    for item, value in pairs:
        first = kept.setdefault(str(item), value)
        kept[str(item)] = better(first, value) if duplicates == "best" else first
    return kept


def read(content: Content, role: Role, names: Names) -> LinesSource:
    source = LinesSource(content.label, role)
    for line, given in _objects(content):
        key = _key(given, names, _USUAL[role], SIDE_KEYS[role])
        if key is None:
            continue
        query = _query(given, names, content.label, line)
        first = source.lines.setdefault(query, line)
        if first != line:
            places = f"lines {first} and {line}"
            raise input_error("repeated-query", source=content.label, line=line, query=query, places=places)
        source.ranked[query] = _items(given[key], _Place(content.label, line, key, _VALUE[role]))
    if not source.lines:
        raise input_error("no-side", source=content.label, key=names.get(_USUAL[role], _USUAL[role]))
    return source


def _objects(content: Content) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, text in enumerate(content.read().split(b"\n"), 1):
        if not text.strip():
            continue
        given = parsed(text, content.label, line)
        if not isinstance(given, dict):
            raise input_error("line-shape", source=content.label, line=line, found=type(given).__name__)
        yield line, given


def _query(given: Mapping[str, Any], names: Names, label: str, line: int) -> str | int:
    key = _key(given, names, "query", QUERY_KEYS)
    if key is None:
        raise input_error(
            "no-key",
            source=label,
            line=line,
            key=names.get("query", "query"),
            found=", ".join(given) or "none",
        )
    query = given[key]
    if not _is_id(query):
        raise input_error(
            "id-type", source=label, line=line, field=key, text=dumped(query), found=type(query).__name__
        )
    found: str | int = query
    return found


@dataclass(frozen=True)
class _Place:
    label: str
    line: int
    key: str
    value: str

    def error(self, code: str, **facts: Any) -> InputError:
        return input_error(code, source=self.label, line=self.line, **facts)


def _items(given: Any, place: _Place) -> Any:
    """A list of items, or a tuple of pairs of item and value."""
    if isinstance(given, dict):
        return tuple((item, _number(value, item, place)) for item, value in given.items())
    if not isinstance(given, list):
        raise place.error("items-type", key=place.key, found=type(given).__name__, value=place.value)
    if given and all(isinstance(entry, dict) for entry in given):
        return tuple(_pair(entry, place) for entry in given)
    for item in given:
        if not _is_id(item):
            raise place.error("id-type", field="item id", text=dumped(item), found=type(item).__name__)
    return given


def _pair(entry: dict[str, Any], place: _Place) -> tuple[str | int, float]:
    item = next((entry[key] for key in ("id", "item", "doc_id", "docid") if key in entry), None)
    if not _is_id(item) or place.value not in entry:
        raise place.error("entry-shape", text=dumped(entry), value=place.value)
    found: Any = item
    return found, _number(entry[place.value], str(item), place)


def _is_id(given: object) -> bool:
    return isinstance(given, str | int) and not isinstance(given, bool)


def _number(given: Any, item: str, place: _Place) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise place.error(
            "value-type", field=place.value, text=dumped(given), found=type(given).__name__, item=item
        )
    try:
        value = float(given)
    except OverflowError:
        value = math.inf
    if math.isinf(value):
        raise place.error("overflow", field=place.value, text=given, item=item)
    return value


def write(rows: Rows, role: Role, name: str, file: Any) -> None:
    key = _USUAL[role]
    for query, pairs in rows.by_query():
        items = {item: plain_number(value, role) for item, value in distinct_items(query, pairs, "jsonl")}
        file.write(f"{dumped({'query': as_text(query, 'jsonl'), key: items})}\n".encode())
    for empty in rows.empty:
        file.write(f"{dumped({'query': empty, key: {}})}\n".encode())
