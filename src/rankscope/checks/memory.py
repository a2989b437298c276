"""Readers of mappings and frames that count what is wrong and leave it out."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from rankscope.align import plain_arrow
from rankscope.align.plain_rows import JUDGMENTS, LARGEST_GRADE, ArrowReader, Kind, id_bytes, shown
from rankscope.checks.rows import Faults, Rows, Vocabulary, quoted
from rankscope.data.frames import ArrowSource, ColumnSource
from rankscope.errors import InputError, printable

__all__ = ["read_frame", "read_mapping"]

Triple = tuple[object, object, object]


def read_mapping(
    mapping: Mapping[Any, Any],
    kind: Kind,
    vocabulary: Vocabulary,
    faults: Faults,
    done: Callable[[int], None],
    *,
    ascending: bool,
) -> Rows:
    """The usable rows of a mapping of query to items; they have no places."""

    def triples() -> Iterator[Triple]:
        for query, inner in mapping.items():
            for item, value in _pairs(query, inner, kind, faults, ascending):
                yield query, item, value

    return _rows(triples(), kind, vocabulary, faults, done, numbered=False)


def read_frame(
    source: ArrowSource | ColumnSource,
    kind: Kind,
    vocabulary: Vocabulary,
    faults: Faults,
    done: Callable[[int], None],
) -> Rows:
    """The usable rows of columns in memory."""
    if isinstance(source, ArrowSource):
        triples = _arrow_triples(ArrowReader(source.stream, source.columns, kind, kind.noun))
    else:
        triples = _column_triples(source)
    return _rows(triples, kind, vocabulary, faults, done, numbered=True)


def _pairs(
    query: object, inner: object, kind: Kind, faults: Faults, ascending: bool
) -> Iterable[tuple[object, object]]:
    if isinstance(inner, Mapping):
        return inner.items()
    if not isinstance(inner, kind.inner_types):
        faults.add(kind.inner_code, f"query {printable(shown(query))}: {type(inner).__name__}")
        return ()
    items: Collection[object] = inner
    if kind is JUDGMENTS:
        return ((item, 1) for item in items)
    best_first = range(1, len(items) + 1) if ascending else range(len(items), 0, -1)
    return zip(items, best_first, strict=True)


def _arrow_triples(reader: ArrowReader) -> Iterator[Triple]:
    for batch in reader.batches:
        query, item, value = (batch.column(c) for c in reader.columns)
        yield from zip(plain_arrow.id_list(query), plain_arrow.id_list(item), value.to_pylist(), strict=True)


def _column_triples(source: ColumnSource) -> Iterator[Triple]:
    ids = (c.tolist() if isinstance(c, np.ndarray) else c for c in (source.query, source.item))
    return zip(*ids, source.value.tolist(), strict=True)


def _rows(
    triples: Iterable[Triple],
    kind: Kind,
    vocabulary: Vocabulary,
    faults: Faults,
    done: Callable[[int], None],
    *,
    numbered: bool,
) -> Rows:
    queries: list[int] = []
    items: list[int] = []
    values: list[float] = []
    places: list[int] = []
    for row, (query, item, value) in enumerate(triples, 1):
        place = row if numbered else 0
        try:
            raw_query, raw_item = id_bytes(query, "query id", "")[0], id_bytes(item, "item id", "")[0]
        except InputError as error:
            faults.add("null" if query is None or item is None else error.code, error.what, place)
            continue
        number = _number(value)
        if code := _fault(value, number, kind):
            said = (
                f"{kind.field} {quoted(shown(value))} of query {quoted(raw_query)}, item {quoted(raw_item)}"
            )
            faults.add(code, said, place)
            continue
        queries.append(vocabulary.queries[raw_query])
        items.append(vocabulary.items[raw_item])
        values.append(number)
        places.append(place)
        done(row)
    return Rows(
        query=np.array(queries, np.int64),
        item=np.array(items, np.int64),
        value=np.array(values, np.float64),
        place=np.array(places, np.int64),
    )


def _number(value: Any) -> float:
    """The value as a float; NaN if it is none."""
    if isinstance(value, str | bytes | bytearray):
        return math.nan
    try:
        return float(value)
    except (TypeError, ValueError):
        return math.nan
    except OverflowError:
        return math.inf


def _fault(value: object, number: float, kind: Kind) -> str:
    """The code of what is wrong with a value, if anything is."""
    if value is None:
        return "null"
    if math.isfinite(number):
        return "grade-too-large" if kind is JUDGMENTS and abs(number) > LARGEST_GRADE else ""
    if isinstance(value, float | np.floating):
        return "not-finite"
    return "overflow" if math.isinf(number) else "value-type"
