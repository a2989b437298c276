"""The plain twin of the native core: the same functions and the same answers, in the plainest words.

It serves where the native core is not built, and it is what the native core is tested against.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rankscope.align.plain_arrow import align_stored, stored_names
from rankscope.align.plain_classes import later_costs, levels_of, prefix_curve
from rankscope.align.plain_pairs import count_pairs, mann_whitney, smaller_after
from rankscope.align.plain_rows import (
    JUDGMENTS,
    RUN,
    ArrowReader,
    ColumnReader,
    IdColumn,
    MappingReader,
    Progress,
    Reader,
    TextReader,
    id_bytes,
)
from rankscope.data.ids import Ids
from rankscope.errors import InputError

__all__ = [
    "Index",
    "align_arrow",
    "align_columns",
    "align_mapping",
    "align_stored",
    "align_text",
    "arrow_names",
    "count_pairs",
    "encode_ids",
    "judge_arrow",
    "judge_columns",
    "judge_mapping",
    "judge_text",
    "later_costs",
    "levels_of",
    "list_arrow",
    "list_columns",
    "list_text",
    "mann_whitney",
    "prefix_curve",
    "smaller_after",
    "stored_names",
]

Columns = dict[str, Any]


def judge_text(source: bytes | int, *, name: str, layout: str = "judgments") -> Columns:
    return _judge(TextReader(source, layout, name))


def judge_mapping(mapping: Mapping[Any, Any], *, name: str) -> Columns:
    return _judge(MappingReader(mapping, JUDGMENTS, name))


def judge_columns(query: IdColumn, item: IdColumn, grade: npt.NDArray[np.float64], *, name: str) -> Columns:
    return _judge(ColumnReader((query, item, grade), JUDGMENTS, name))


def judge_arrow(stream: object, columns: Sequence[int], *, name: str) -> Columns:
    return _judge(ArrowReader(stream, columns, JUDGMENTS, name))


def align_text(
    index: Index,
    source: bytes | int,
    *,
    name: str,
    progress: Progress | None,
    layout: str = "run",
    **options: Any,
) -> Columns:
    chosen = Options(**options)
    return _align(index, TextReader(source, layout, name, progress, ascending=chosen.ascending), chosen)


def align_mapping(
    index: Index, mapping: Mapping[Any, Any], *, name: str, progress: Progress | None, **options: Any
) -> Columns:
    chosen = Options(**options)
    return _align(index, MappingReader(mapping, RUN, name, progress, ascending=chosen.ascending), chosen)


def align_columns(
    index: Index,
    query: IdColumn,
    item: IdColumn,
    score: npt.NDArray[np.float64],
    *,
    name: str,
    progress: Progress | None,
    **options: Any,
) -> Columns:
    return _align(index, ColumnReader((query, item, score), RUN, name, progress), Options(**options))


def align_arrow(
    index: Index,
    stream: object,
    columns: Sequence[int],
    *,
    name: str,
    progress: Progress | None,
    **options: Any,
) -> Columns:
    return _align(index, ArrowReader(stream, columns, RUN, name, progress), Options(**options))


def list_text(source: bytes | int, *, name: str, layout: str, progress: Progress | None) -> Columns:
    return _listed(TextReader(source, layout, name, progress))


def list_columns(
    query: IdColumn, item: IdColumn, value: npt.NDArray[np.float64], *, name: str, grades: bool
) -> Columns:
    return _listed(ColumnReader((query, item, value), JUDGMENTS if grades else RUN, name))


def list_arrow(stream: object, columns: Sequence[int], *, name: str, grades: bool) -> Columns:
    return _listed(ArrowReader(stream, columns, JUDGMENTS if grades else RUN, name))


def arrow_names(stream: object) -> list[str]:
    """The names of the columns of an Arrow stream; a capsule is used up by asking."""
    from rankscope.align.plain_arrow import open_stream

    return list(open_stream(stream).schema.names)


def encode_ids(
    values: Sequence[Any], *, field: str, name: str
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], bool]:
    """Ids in the layout of `Ids`, and whether any of them came as a whole number."""
    encoded = [id_bytes(value, field, name, row=row) for row, value in enumerate(values, 1)]
    ids = Ids.of(raw for raw, _ in encoded)
    return ids.data, ids.offsets, any(is_integer for _, is_integer in encoded)


class Index:
    """Judged queries and items, ready to be looked up."""

    def __init__(
        self,
        query_data: npt.NDArray[np.uint8],
        query_offsets: npt.NDArray[np.int64],
        row_offsets: npt.NDArray[np.int64],
        item_data: npt.NDArray[np.uint8],
        item_offsets: npt.NDArray[np.int64],
    ) -> None:
        queries, items = Ids(query_data, query_offsets), Ids(item_data, item_offsets)
        self.judged: dict[bytes, dict[bytes, int]] = {}
        """query -> item -> its index among the query's judged items."""
        for number in range(len(queries)):
            rows = range(row_offsets[number], row_offsets[number + 1])
            self.judged[queries.raw(number)] = {items.raw(row): i for i, row in enumerate(rows)}

    def codes(self) -> dict[bytes, int]:
        """A code for each distinct judged item, in order of first appearance."""
        distinct = dict.fromkeys(item for items in self.judged.values() for item in items)
        return {item: code for code, item in enumerate(distinct)}


def _listed(reader: Reader) -> Columns:
    """Rows as they come, for writing them in another format."""
    rows = list(reader)
    queries, items = Ids.of(row[0] for row in rows), Ids.of(row[1] for row in rows)
    return {
        "query_data": queries.data,
        "query_offsets": queries.offsets,
        "item_data": items.data,
        "item_offsets": items.offsets,
        "values": np.array([row[2] for row in rows], np.float64),
    }


def _judge(reader: Reader) -> Columns:
    listed: dict[bytes, list[tuple[bytes, float, int]]] = {}
    for query, item, grade, place in reader:
        listed.setdefault(query, []).append((item, grade, place))
    groups = [_grades(reader, query, listed.get(query, [])) for query in reader.queries]
    queries = Ids.of(reader.queries)
    items = Ids.of(item for group in groups for item in group)
    return {
        "query_data": queries.data,
        "query_offsets": queries.offsets,
        "row_offsets": _offsets([len(group) for group in groups]),
        "item_data": items.data,
        "item_offsets": items.offsets,
        "grades": np.array([grade for group in groups for grade in group.values()], np.float64),
        "merged": reader.rows - sum(len(group) for group in groups),
        "integer_queries": reader.integer_queries,
        "integer_items": reader.integer_items,
    }


def _grades(reader: Reader, query: bytes, rows: list[tuple[bytes, float, int]]) -> dict[bytes, float]:
    """The grade of each item of a query; rows that say the same are merged."""
    first: dict[bytes, tuple[float, int]] = {}
    for item, grade, place in rows:
        first_grade, first_place = first.setdefault(item, (grade, place))
        if first_grade != grade:
            places = (first_place, place)
            raise _twice(reader, "conflicting-grades", query, item, places, first=first_grade, second=grade)
    return {item: grade for item, (grade, _) in first.items()}


@dataclass(frozen=True, kw_only=True)
class Options:
    """How a run is aligned; `threads` is accepted for the native core's sake."""

    tie_order: str
    duplicates: str
    depth: int
    float32: bool
    ascending: bool
    dense: bool
    threads: int = 1


class Entry(NamedTuple):
    """An item as the run lists it."""

    item: bytes
    score: float
    position: int
    place: int


class RankedEntry(NamedTuple):
    entry: Entry
    rank: int
    group_first: int
    group_size: int


def _align(index: Index, reader: Reader, options: Options) -> Columns:
    listed: dict[bytes, list[Entry]] = {}
    for query, item, score, place in reader:
        if query in index.judged:
            entries = listed.setdefault(query, [])
            value = _single_precision(score) if options.float32 else score
            entries.append(Entry(item, value, len(entries) + 1, place))
    # In the order of the run, in which a duplicate is to be reported.
    distinct = {q: _distinct(reader, q, listed[q], options) for q in reader.queries if q in listed}
    rankings = [list(_ranked(distinct.get(query, []), options)) for query in index.judged]
    extra = [query for query in reader.queries if query not in index.judged]
    return {
        **_rows(index, rankings, options),
        **_per_query(index, reader, rankings, options.depth),
        "rows": reader.rows,
        "extra_queries": len(extra),
        "extra_examples": tuple(query.decode("utf-8", "surrogateescape") for query in extra[:3]),
        "dropped_duplicates": sum(len(listed[query]) - len(distinct[query]) for query in listed),
        "integer_queries": reader.integer_queries,
        "integer_items": reader.integer_items,
    }


def _distinct(reader: Reader, query: bytes, entries: list[Entry], options: Options) -> list[Entry]:
    """Each item of a ranking once, by the policy for duplicates."""
    kept: dict[bytes, Entry] = {}
    for entry in entries:
        other = kept.setdefault(entry.item, entry)
        if other is entry:
            continue
        if options.duplicates == "error":
            raise _twice(reader, "duplicate-item", query, entry.item, (other.place, entry.place))
        if options.duplicates == "best" and _better(options)(entry.score, other.score):
            kept[entry.item] = entry
    return list(kept.values())


def _better(options: Options) -> Callable[[float, float], bool]:
    return float.__lt__ if options.ascending else float.__gt__


def _ranked(entries: list[Entry], options: Options) -> Iterator[RankedEntry]:
    """A ranking, best first, with the tie group of each item."""
    if options.tie_order == "given":
        entries = sorted(entries, key=attrgetter("position"))
    else:
        entries = sorted(entries, key=attrgetter("item"), reverse=options.tie_order == "docid")
    # Sorting is stable, so equal scores stay in the tie order.
    entries.sort(key=attrgetter("score"), reverse=not options.ascending)
    rank = 0
    for _, tied in groupby(entries, key=attrgetter("score")):
        group = list(tied)
        first = rank + 1
        for entry in group:
            rank += 1
            yield RankedEntry(entry, rank, first, len(group))


def _rows(index: Index, rankings: list[list[RankedEntry]], options: Options) -> Columns:
    """The row columns, of judged items or (dense) of all of them."""
    codes = index.codes() if options.dense else {}
    chosen: list[tuple[int, RankedEntry]] = []
    sizes = []
    for judged, ranking in zip(index.judged.values(), rankings, strict=True):
        before = len(chosen)
        for ranked in ranking:
            if options.depth and ranked.group_first > options.depth:
                break
            item = ranked.entry.item
            if options.dense:
                chosen.append((codes.setdefault(item, len(codes)), ranked))
            elif item in judged:
                chosen.append((judged[item], ranked))
        sizes.append(len(chosen) - before)
    columns: Columns = {
        "offsets": _offsets(sizes),
        "item": np.array([code for code, _ in chosen], np.int32),
        "rank": np.array([ranked.rank for _, ranked in chosen], np.int32),
        "group_first": np.array([ranked.group_first for _, ranked in chosen], np.int32),
        "group_size": np.array([ranked.group_size for _, ranked in chosen], np.int32),
        "score": np.array([ranked.entry.score for _, ranked in chosen], np.float64),
        "position": np.array([ranked.entry.position for _, ranked in chosen], np.int32),
    }
    if options.dense:
        dictionary = Ids.of(codes)
        columns |= {"dictionary_data": dictionary.data, "dictionary_offsets": dictionary.offsets}
    return columns


def _per_query(index: Index, reader: Reader, rankings: list[list[RankedEntry]], depth: int) -> Columns:
    retrieved = [min(len(ranking), depth or len(ranking)) for ranking in rankings]
    tied = [sum(ranked.group_size > 1 for ranked in ranking) for ranking in rankings]
    return {
        "retrieved": np.array(retrieved, np.int64),
        "tied_rows": np.array(tied, np.int64),
        "in_run": np.array([query in reader.queries for query in index.judged], np.bool_),
    }


def _twice(
    reader: Reader, code: str, query: bytes, item: bytes, places: tuple[int, int], **facts: float
) -> InputError:
    return reader.error(
        code,
        line=places[1] if reader.unit == "lines" else 0,
        query=query.decode("utf-8", "surrogateescape"),
        item=item.decode("utf-8", "surrogateescape"),
        places=f"{reader.unit} {places[0]} and {places[1]}",
        **facts,
    )


def _single_precision(score: float) -> float:
    with np.errstate(over="ignore"):  # beyond float32 is infinity, as in a C cast
        return float(np.float32(score))


def _offsets(sizes: Sequence[int]) -> npt.NDArray[np.int64]:
    offsets = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=offsets[1:])
    return offsets
