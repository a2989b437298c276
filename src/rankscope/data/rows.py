"""Rows as they are listed: what one format is written from and another was read into."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from rankscope.data.ids import Ids

__all__ = ["Rows"]

BLOCK = 1 << 16


@dataclass(frozen=True)
class Rows:
    """Queries, items and scores (or grades), row by row in the order of the input."""

    query: Ids
    item: Ids
    value: npt.NDArray[np.float64]
    empty: tuple[str, ...] = ()
    """Queries that were given without any item."""

    @classmethod
    def of_columns(cls, columns: Mapping[str, Any], empty: tuple[str, ...] = ()) -> Rows:
        query = Ids(columns["query_data"], columns["query_offsets"])
        return cls(query, Ids(columns["item_data"], columns["item_offsets"]), columns["values"], empty)

    def __len__(self) -> int:
        return len(self.value)

    def blocks(self) -> Iterator[list[tuple[bytes, bytes, float]]]:
        """(query, item, value) of so many rows at a time that writing them is one call."""
        for start in range(0, len(self), BLOCK):
            place = slice(start, min(start + BLOCK, len(self)))
            ids = (_raw(self.query, place), _raw(self.item, place))
            yield list(zip(*ids, self.value[place].tolist(), strict=True))

    def query_codes(self) -> tuple[list[bytes], npt.NDArray[np.int64]]:
        """The distinct queries in order of appearance, and for each row which one it is of."""
        numbers: dict[bytes, int] = {}
        codes = np.empty(len(self), np.int64)
        start = 0
        for block in self.blocks():
            codes[start : start + len(block)] = [numbers.setdefault(q, len(numbers)) for q, _, _ in block]
            start += len(block)
        return list(numbers), codes

    def ranks(self) -> npt.NDArray[np.int64]:
        """The rank of each row in its query by score, the highest first; ties in the order given."""
        _, codes = self.query_codes()
        order = np.lexsort((-self.value, codes))
        sizes = np.bincount(codes)
        starts = np.repeat(np.cumsum(sizes) - sizes, sizes)
        ranks = np.empty(len(self), np.int64)
        ranks[order] = np.arange(len(self)) - starts + 1
        return ranks

    def by_query(self) -> Iterator[tuple[bytes, list[tuple[bytes, float]]]]:
        """Each query with its items and values; the rows of a query may stand anywhere."""
        queries, codes = self.query_codes()
        gathered: list[list[tuple[bytes, float]]] = [[] for _ in queries]
        numbers = iter(codes.tolist())
        for block in self.blocks():
            for _, item, value in block:
                gathered[next(numbers)].append((item, value))
        return zip(queries, gathered, strict=True)


def _raw(ids: Ids, place: slice) -> list[bytes]:
    bounds = ids.offsets[place.start : place.stop + 1]
    data = ids.data[bounds[0] : bounds[-1]].tobytes()
    ends = (bounds - bounds[0]).tolist()
    return [data[a:b] for a, b in pairwise(ends)]
