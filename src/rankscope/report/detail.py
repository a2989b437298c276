"""The queries in detail: what each run ranks first, and what none of them found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rankscope.align import Ranked, align
from rankscope.data import Judgments, Run
from rankscope.errors import printable
from rankscope.measures import Measure
from rankscope.policy import Policy
from rankscope.result import Result

__all__ = ["Detail", "Query", "details"]

DEPTH = 10
MOST_ENTRIES = 120_000
MOST_MISSED = 10

FloatArray = npt.NDArray[np.float64]
Entry = tuple[str, float | None]
"""An item and its grade; None: it has no judgment."""


@dataclass(frozen=True)
class Query:
    """The first items of each run for one query, and relevant items that are in none of these."""

    name: str
    rankings: tuple[tuple[Entry, ...], ...]
    missed: tuple[Entry, ...]


@dataclass(frozen=True)
class Detail:
    """The queries that are shown in detail, those on which the runs differ most first."""

    queries: tuple[Query, ...]
    of: int
    """How many queries there are."""
    highest: float
    """The highest grade of all."""
    depth: int = DEPTH


def details(
    truth: Judgments, runs: Sequence[Run], result: Result, leading: Measure, policies: Mapping[str, Any]
) -> Detail:
    """The detail of all queries, or of those on which the runs differ most if there are too many."""
    chosen = _most_different(result, leading, max(1, MOST_ENTRIES // (DEPTH * len(runs))))
    given = {**Policy.among(policies).alignment, "ascending": bool(policies.get("lower_is_better"))}
    tables = [align(truth, run, depth=DEPTH, dense=True, **given) for run in runs]
    readers = [_Reader(table) for table in tables]
    names = result.shown_queries
    queries = tuple(_query(truth, names[q], q, readers) for q in chosen.tolist())
    highest = float(truth.grades.max(initial=1.0))
    return Detail(queries, of=len(truth), highest=max(highest, 1.0))


def _most_different(result: Result, leading: Measure, most: int) -> npt.NDArray[np.int64]:
    """The numbers of the queries, by how far apart the runs are; with one run, the worst first."""
    columns = np.array([run.values[str(leading)] for run in result.runs.values()])
    values = np.nan_to_num(columns, nan=0.0, posinf=0.0, neginf=0.0)
    spread = values.max(axis=0) - values.min(axis=0) if len(values) > 1 else -values[0]
    counted = np.flatnonzero(np.any([run.counted for run in result.runs.values()], axis=0))
    order = np.argsort(-spread[counted], kind="stable")
    found: npt.NDArray[np.int64] = counted[order][:most]
    return found


class _Reader:
    """The first items of a run, by query."""

    def __init__(self, table: Ranked) -> None:
        kept = np.flatnonzero(table.rank <= DEPTH)
        self._items = list(table.dictionary.take(table.item[kept].astype(np.int64)))
        self._offsets = np.searchsorted(kept, table.offsets)

    def items(self, query: int) -> list[str]:
        begin, end = self._offsets[query : query + 2].tolist()
        return self._items[begin:end]


def _query(truth: Judgments, name: str, query: int, readers: Sequence[_Reader]) -> Query:
    begin, end = truth.offsets[query : query + 2].tolist()
    judged = truth.items.take(np.arange(begin, end))
    grade_of = dict(zip(judged, truth.grades[begin:end].tolist(), strict=True))
    listed = [reader.items(query) for reader in readers]
    seen = {item for items in listed for item in items}
    missed = sorted(
        (i for i, grade in grade_of.items() if grade > 0 and i not in seen), key=lambda i: -grade_of[i]
    )
    return Query(
        name=name,
        rankings=tuple(tuple((printable(i), grade_of.get(i)) for i in items) for items in listed),
        missed=tuple((printable(i), grade_of[i]) for i in missed[:MOST_MISSED]),
    )
