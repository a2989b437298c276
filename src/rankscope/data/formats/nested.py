"""JSON: one object of query to items and their scores or grades."""

from __future__ import annotations

import json
from typing import Any

from rankscope.data.files import Content
from rankscope.data.formats.base import Names, Role
from rankscope.data.rows import Rows
from rankscope.errors import InputError, input_error

__all__ = ["as_text", "distinct_items", "dumped", "parsed", "plain_number", "read", "write"]


class _Repeated(Exception):
    """A key that an object has twice."""


def parsed(text: bytes, label: str, line: int = 0) -> Any:
    """JSON without what is not JSON: NaN and infinity, repeated keys, bytes that are not UTF-8."""
    try:
        return json.loads(
            text.decode("utf-8-sig"), object_pairs_hook=_distinct, parse_constant=_refused_constant
        )
    except json.JSONDecodeError as error:
        place = {"line": line or error.lineno, "column": error.colno}
        raise input_error("json", source=label, reason=error.msg, **place) from error
    except UnicodeDecodeError as error:
        found = line or text.count(b"\n", 0, error.start) + 1
        raise input_error("json", source=label, line=found, reason="bytes that are not UTF-8") from error
    except _Repeated as error:
        raise input_error("repeated-key", source=label, line=line, key=str(error)) from error
    except (ValueError, RecursionError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise input_error("json", source=label, line=line, reason=reason) from error


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        raise _Repeated(next(key for key, _ in pairs if key in seen or seen.add(key)))  # type: ignore[func-returns-value]
    return found


def _refused_constant(text: str) -> Any:
    raise ValueError(f"{text} is not a number that JSON knows")


def read(content: Content, role: Role, names: Names) -> Any:
    from rankscope.data.sources import MappingSource

    found = parsed(content.read(), content.label)
    if not isinstance(found, dict):
        raise input_error("json-shape", source=content.label, found=type(found).__name__, role=role)
    return MappingSource(found)


def write(rows: Rows, role: Role, name: str, file: Any) -> None:
    separator = "{\n"
    for query, pairs in rows.by_query():
        inner = {item: plain_number(value, role) for item, value in distinct_items(query, pairs, "json")}
        file.write(f"{separator}{dumped(as_text(query, 'json'))}: {dumped(inner)}".encode())
        separator = ",\n"
    for empty in rows.empty:
        file.write(f"{separator}{dumped(empty)}: {{}}".encode())
        separator = ",\n"
    file.write(b"\n}\n")


def dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def plain_number(value: float, role: Role) -> float:
    return int(value) if role == "judgments" and value.is_integer() else value


def as_text(raw: bytes, format: str) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _unwritable(raw, format, "it is not UTF-8") from error


def distinct_items(query: bytes, pairs: list[tuple[bytes, float]], format: str) -> list[tuple[str, float]]:
    """Items of a query as text; one that stands there twice has no place under one key."""
    if len({item for item, _ in pairs}) < len(pairs):
        seen: dict[bytes, None] = {}
        again = next(item for item, _ in pairs if item in seen or seen.setdefault(item))
        text = query.decode("utf-8", "surrogateescape")
        raise _unwritable(again, format, f"query '{text}' has it twice")
    return [(as_text(item, format), value) for item, value in pairs]


def _unwritable(raw: bytes, format: str, reason: str) -> InputError:
    text = raw.decode("utf-8", "surrogateescape")
    return input_error("unwritable-id", id=text, format=format, reason=reason)
