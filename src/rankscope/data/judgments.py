"""Judgments: how relevant the items of each query are, prepared once and used for many runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
import numpy.typing as npt

from rankscope.align.engine import core, engine_name
from rankscope.data.formats import Names
from rankscope.data.ids import Ids
from rankscope.data.rows import Rows
from rankscope.data.sources import Columns, FileSource, source_of
from rankscope.errors import input_error

__all__ = ["Judgments"]

T = TypeVar("T")

BLOCK_QUERIES = 2**15
BLOCK_ROWS = 2**17


@dataclass(frozen=True, eq=False, repr=False)
class Judgments:
    """Graded relevance of (query, item), grouped by query.

    >>> judgments = Judgments.of({"q1": {"a": 2, "b": 0}, "q2": {"c": 1}})
    >>> list(judgments.queries), judgments.grades
    (['q1', 'q2'], array([2., 0., 1.]))
    """

    kind: ClassVar[str] = "judgments"
    """What kind of truth this is."""

    queries: Ids
    offsets: npt.NDArray[np.int64]
    """Rows ``offsets[q]:offsets[q + 1]`` are the judged items of query q."""
    items: Ids
    grades: npt.NDArray[np.float64]
    name: str = "judgments"
    notes: tuple[str, ...] = ()
    integer_queries: bool = False
    """Whether query ids came as whole numbers rather than text."""
    integer_items: bool = False
    _memo: dict[Hashable, Any] = field(default_factory=dict, init=False)

    @classmethod
    def of(
        cls,
        given: Any,
        name: str | None = None,
        *,
        format: str | None = None,
        columns: Names | None = None,
    ) -> Judgments:
        """Judgments from a path (``-`` is standard input), a mapping, a data frame or judgments.

        `format` is that of the file, which is told from its content otherwise. `columns` says which column
        is the query, the item and the grade: {"query": "qid", "grade": "label"}.
        """
        if isinstance(given, Judgments):
            return given if name is None else replace(given, name=name)
        source = source_of(given, "judgments", format, columns)
        chosen = name or (source.label if isinstance(source, FileSource) else "judgments")
        return cls._of_columns(source.judge(chosen), chosen)

    @classmethod
    def _of_columns(cls, columns: Columns, name: str) -> Self:
        return cls(
            queries=Ids(columns["query_data"], columns["query_offsets"]),
            offsets=columns["row_offsets"],
            items=Ids(columns["item_data"], columns["item_offsets"]),
            grades=columns["grades"],
            name=name,
            notes=_merge_notes(columns["merged"]),
            integer_queries=columns["integer_queries"],
            integer_items=columns["integer_items"],
        )

    def write(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        """Write the judgments to a file, which is there whole or not at all.

        The format is that of the name (.csv, .json, .jsonl, .parquet, .arrow; TREC otherwise) unless it is
        given; .gz and .zst compress.
        """
        from rankscope.data.writing import write

        write(self.rows(), "judgments", os.fsdecode(path), format, self.name)

    def rows(self) -> Rows:
        """Every judgment, query by query."""
        sizes = np.diff(self.offsets)
        empty = tuple(self.queries[q] for q in np.flatnonzero(sizes == 0).tolist())
        return Rows(self.queries.take(np.repeat(np.arange(len(self)), sizes)), self.items, self.grades, empty)

    def __post_init__(self) -> None:
        for array in (self.offsets, self.grades, *_arrays(self.queries), *_arrays(self.items)):
            array.flags.writeable = False

    @property
    def index(self) -> Any:
        """What the core in use looks judged queries and items up in."""
        return self.remember(
            ("index", engine_name()),
            lambda: core().Index(
                self.queries.data, self.queries.offsets, self.offsets, self.items.data, self.items.offsets
            ),
        )

    @property
    def blocks(self) -> Sequence[tuple[slice, Judgments]]:
        """Blocks of queries, each with its place, so small that what is computed of one fits a cache."""
        return self.remember("blocks", self._cut)

    def _cut(self) -> Sequence[tuple[slice, Judgments]]:
        per_block = max(1, min(BLOCK_QUERIES, BLOCK_ROWS * len(self) // max(1, len(self.grades))))
        if len(self) <= per_block:
            return [(slice(0, len(self)), self)]
        starts = range(0, len(self), per_block)
        places = [slice(start, min(start + per_block, len(self))) for start in starts]
        return [(place, self._part(place)) for place in places]

    def _part(self, place: slice) -> Judgments:
        bounds = self.offsets[place.start : place.stop + 1]
        first, last = int(bounds[0]), int(bounds[-1])
        return replace(
            self,
            queries=Ids(self.queries.data, self.queries.offsets[place.start : place.stop + 1]),
            offsets=bounds - first,
            items=Ids(self.items.data, self.items.offsets[first : last + 1]),
            grades=self.grades[first:last],
        )

    def remember(self, key: Hashable, compute: Callable[[], T]) -> T:
        """What `compute` gives, computed once for these judgments.

        Two threads that ask for the same thing at once may both compute it, and then share one answer.
        """
        if key not in self._memo:
            self._memo.setdefault(key, compute())
        answer: T = self._memo[key]
        return answer

    @property
    def there(self) -> str:
        """What is said of a query that is among these."""
        return "judged" if self.kind == "judgments" else f"in the {self.kind}"

    def among(self, queries: Iterable[str | int]) -> npt.NDArray[np.bool_]:
        """Which of the judged queries are among these; one that is not judged is an error."""
        wanted = {str(query) for query in queries}
        among = np.fromiter((query in wanted for query in self.queries), np.bool_, len(self))
        unknown = sorted(wanted.difference(self.queries))
        if unknown or not wanted:
            code = "unknown-queries" if unknown else "no-queries"
            known = _listed(self.queries[:3])
            raise input_error(code, source=self.name, unknown=_listed(unknown), known=known, there=self.there)
        return among

    def __len__(self) -> int:
        """How many queries there are."""
        return len(self.queries)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Judgments)
            and self.queries == other.queries
            and self.items == other.items
            and np.array_equal(self.offsets, other.offsets)
            and np.array_equal(self.grades, other.grades)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        queries, items = _counted(len(self), "query", "queries"), _counted(len(self.grades), "item", "items")
        return f"<{type(self).__name__} '{self.name}': {queries}, {items}>"

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_memo": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()


def _arrays(ids: Ids) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    return ids.data, ids.offsets


def _merge_notes(merged: int) -> tuple[str, ...]:
    if not merged:
        return ()
    subject = _counted(merged, "judgment", "judgments")
    return (f"{subject} given twice with the same grade {'was' if merged == 1 else 'were'} merged",)


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _listed(ids: list[str], limit: int = 5) -> str:
    return ", ".join(ids[:limit]) + (f" and {len(ids) - limit} more" if len(ids) > limit else "")
