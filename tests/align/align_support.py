"""Short ways to call a core, and a ranking worked out the slow and obvious way."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from types import ModuleType
from typing import Any

import numpy as np

from rankscope.errors import RankscopeError

OPTIONS: dict[str, Any] = {
    "tie_order": "docid",
    "duplicates": "error",
    "depth": 0,
    "float32": False,
    "ascending": False,
    "dense": False,
    "threads": 1,
    "progress": None,
}

JUDGED = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"d": 1}}


def index_of(core: ModuleType, judged: Mapping[Any, Any]) -> Any:
    columns = core.judge_mapping(judged, name="judgments")
    names = ("query_data", "query_offsets", "row_offsets", "item_data", "item_offsets")
    return core.Index(*(columns[name] for name in names))


def align_text(
    core: ModuleType, text: bytes | int, judged: Mapping[Any, Any] = JUDGED, **options: Any
) -> Any:
    return core.align_text(index_of(core, judged), text, name="my.run", **{**OPTIONS, **options})


def align_mapping(core: ModuleType, run: Any, judged: Mapping[Any, Any] = JUDGED, **options: Any) -> Any:
    return core.align_mapping(index_of(core, judged), run, name="run", **{**OPTIONS, **options})


def rows_of(aligned: Mapping[str, Any], *columns: str) -> list[tuple[Any, ...]]:
    """Some columns of all rows, as Python values."""
    return list(zip(*(aligned[column].tolist() for column in columns), strict=True))


def ids_of(data: Any, offsets: Any) -> list[bytes]:
    raw = data.tobytes()
    return [raw[start:end] for start, end in pairwise(offsets)]


def outcome(call: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
    """What a call gives, in a form that `==` compares: columns with their types, or the error."""
    try:
        columns = call()
    except RankscopeError as error:
        return {"error": type(error).__name__, "code": error.code, "where": error.where, "says": str(error)}
    return {
        name: (str(value.dtype), value.tolist()) if isinstance(value, np.ndarray) else value
        for name, value in columns.items()
    }


def brute_force(
    judged: Mapping[bytes, Sequence[bytes]],
    rows: Sequence[tuple[bytes, bytes, float]],
    *,
    tie_order: str,
    duplicates: str,
    depth: int,
    float32: bool,
    ascending: bool,
) -> list[tuple[Any, ...]]:
    """(query, item, rank, group_first, group_size, score, position), by comparing all with all."""
    answer: list[tuple[Any, ...]] = []
    for query, items in judged.items():
        listed = [(item, score) for q, item, score in rows if q == query]
        listed = [(item, ctypes.c_float(s).value if float32 else s) for item, s in listed]
        entries = [(item, score, position) for position, (item, score) in enumerate(listed, 1)]
        sign = -1 if ascending else 1

        def loses(entry: Any, other: Any, sign: int = sign) -> bool:
            """Whether `entry` is the duplicate to leave out."""
            if entry[0] != other[0] or entry == other:
                return False
            if duplicates == "first" or entry[1] == other[1]:
                return bool(entry[2] > other[2])
            return bool(sign * entry[1] < sign * other[1])

        def precedes(entry: Any, other: Any, sign: int = sign) -> bool:
            if entry[1] != other[1]:
                return bool(sign * entry[1] > sign * other[1])
            if tie_order == "given":
                return bool(entry[2] < other[2])
            return bool(entry[0] > other[0]) if tie_order == "docid" else bool(entry[0] < other[0])

        kept = [e for e in entries if not any(loses(e, other) for other in entries)]
        found = []
        for entry in kept:
            rank = 1 + sum(precedes(other, entry) for other in kept)
            first = 1 + sum(sign * other[1] > sign * entry[1] for other in kept)
            size = sum(other[1] == entry[1] for other in kept)
            if entry[0] in items and (not depth or first <= depth):
                found.append((query, entry[0], rank, first, size, entry[1], entry[2]))
        answer += sorted(found, key=lambda row: row[2])
    return answer
