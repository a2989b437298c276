"""Which format a file has, told from its first bytes and its name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from rankscope.data.compression import without_suffix
from rankscope.data.files import Content
from rankscope.data.formats.base import Format, Names, Role
from rankscope.data.formats.catalogue import (
    ARROW,
    CSV,
    FORMATS,
    GRADES,
    JSON,
    JSONL,
    PARQUET,
    RANKS,
    TREC,
    TSV,
)
from rankscope.errors import PolicyError, input_error, nearest

__all__ = ["FORMATS", "detected", "format_for_output", "named", "role_of"]

_MAGIC = {b"PAR1": PARQUET, b"ARROW1": ARROW, b"\xff\xff\xff\xff": ARROW}
_STARTS_JSON = re.compile(rb'\s*(\{\s*["}]|\[)')
_DELIMITERS = (b",", b"\t", b";")
_THREE: dict[Role, Format] = {"run": RANKS, "judgments": GRADES}


def named(name: str) -> Format:
    """The format of a name; one that does not exist is answered with the nearest."""
    found = next((f for f in FORMATS if f.name == name.casefold()), None)
    if found is None:
        close = nearest(name, [f.name for f in FORMATS])
        raise PolicyError(
            f"there is no format '{name}'",
            code="unknown-format",
            expected=", ".join(f.name for f in FORMATS),
            hint=f"did you mean {' or '.join(close)}?" if close else "rankscope formats",
        )
    return found


def format_for_output(path: str) -> Format:
    """The format that the name of a file to be written asks for: TREC if it asks for none."""
    return _by_name(path) or TREC


def detected(content: Content, role: Role, names: Names) -> Format:
    """The format of a file of a run or of judgments."""
    return _untold(content, names) or _by_columns(content, role)


def role_of(content: Content, names: Names, format: Format | None = None) -> Role:
    """Whether a file has a run or judgments, where it tells."""
    found = format or _untold(content, names)
    if found is None and len(_first_line(content.head()).split()) == 3:
        sides: Sequence[Role] = _told_by_name(content.path)
    else:
        found = found or _by_columns(content, "run")
        sides = list(found.examples)
        if len(sides) > 1:
            sides = _sides(content, names, found)
    if len(sides) != 1:
        raise input_error("which-side", source=content.label)
    return sides[0]


def _untold(content: Content, names: Names) -> Format | None:
    """The format where it does not depend on whether the file has a run or judgments."""
    head = content.head()
    for magic, format in _MAGIC.items():
        if head.startswith(magic):
            return format
    if _STARTS_JSON.match(head):
        return _json_or_lines(head, content.path)
    if _is_header(head, names):
        from rankscope.data.formats.delimited import delimiter_of

        return TSV if delimiter_of(head) == "\t" else CSV
    return None


def _by_columns(content: Content, role: Role) -> Format:
    fields = _first_line(content.head()).split()
    if len(fields) == 3:
        return _THREE[role]
    by_name = _by_name(content.path)
    alone = len(fields) == 1 and any(mark in fields[0] for mark in (b",", b";"))
    if alone or (len(fields) not in (0, 4, 6) and by_name in (CSV, TSV)):
        return CSV  # it lacks a header, which its reader says
    return TREC


def _by_name(path: str) -> Format | None:
    stem = without_suffix(path)[0].casefold()
    return next((f for f in FORMATS if stem.endswith(f.suffixes)), None)


def _json_or_lines(head: bytes, path: str) -> Format:
    from rankscope.data.formats.lines import QUERY_KEYS

    by_name = _by_name(path)
    if by_name in (JSON, JSONL):
        return by_name
    first, newline, _ = head.lstrip().partition(b"\n")
    given = _object(first) if newline or len(head) < len(first) + 2 else None
    if given is not None:
        return JSONL if any(isinstance(given.get(key), str | int) for key in QUERY_KEYS) else JSON
    has_query = rb'"(%s)"\s*:\s*["0-9-]' % b"|".join(key.encode() for key in QUERY_KEYS)
    return JSONL if re.search(has_query, first) else JSON


def _object(text: bytes) -> dict[str, Any] | None:
    import json

    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _is_header(head: bytes, names: Names) -> bool:
    """Whether the first line names a query and an item and a score or grade, as no row does."""
    if not any(mark in head.partition(b"\n")[0] for mark in _DELIMITERS):
        return False
    from rankscope.data.formats.delimited import header_of
    from rankscope.data.frames import recognised

    header = header_of(head)
    return any(all(recognised(header, role, names)) for role in ("run", "judgments"))


def _first_line(head: bytes) -> bytes:
    lines = (line for line in head.split(b"\n") if line.strip() and not line.startswith(b"#"))
    return next(lines, b"")


def _sides(content: Content, names: Names, format: Format) -> list[Role]:
    head = content.head()
    if format is JSONL:
        from rankscope.data.formats.lines import sides_of

        given = _object(_first_line(head)) or {}
        return sides_of(given, names)
    if format is TREC:
        by_count: dict[int, Role] = {6: "run", 4: "judgments"}
        side = by_count.get(len(_first_line(head).split()))
        return [side] if side else []
    if format is JSON:
        return _told_by_name(content.path)
    return _told_by_columns(_header(content, format), names) or _told_by_name(content.path)


def _header(content: Content, format: Format) -> list[str]:
    if format in (CSV, TSV):
        from rankscope.data.formats.delimited import header_of

        return header_of(content.head())
    from rankscope.data.formats.columnar import column_names

    return column_names(content)


def _told_by_columns(header: list[str], names: Names) -> list[Role]:
    from rankscope.data.frames import recognised

    if {"query-id", "corpus-id"} <= set(header):
        return ["judgments"]  # BEIR calls grades scores
    told: list[Role] = [role for role in ("run", "judgments") if all(recognised(header, role, names))]
    return ["run"] if len(told) == 2 and "grade" not in names else told


def _told_by_name(path: str) -> list[Role]:
    name = path.casefold()
    told: list[Role] = ["judgments"] if "qrel" in name or "judgment" in name else []
    return told or (["run"] if "run" in name else [])
