"""What align makes of a run and a truth: the columns that measures read."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from rankscope.data.ids import Ids

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Judged", "Ranked", "Tally"]

IntArray = npt.NDArray[np.signedinteger[Any]]
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Tally:
    """What was met on the way and is not in the columns; it becomes notes."""

    rows: int = 0
    """Rows of the run, those of queries without judgments included."""
    extra_queries: int = 0
    """Queries of the run that have no judgments."""
    extra_examples: tuple[str, ...] = ()
    """A few of them (at most 3)."""
    dropped_duplicates: int = 0
    """Rows left out because their item was in the ranking already."""
    integer_queries: bool = False
    """Whether query ids came as whole numbers rather than text."""
    integer_items: bool = False

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            rows=self.rows + other.rows,
            extra_queries=self.extra_queries + other.extra_queries,
            extra_examples=(self.extra_examples + other.extra_examples)[:3],
            dropped_duplicates=self.dropped_duplicates + other.dropped_duplicates,
            integer_queries=self.integer_queries or other.integer_queries,
            integer_items=self.integer_items or other.integer_items,
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class _Aligned:
    """Rows grouped by query, queries in the truth's order, rows of a query in rank order."""

    offsets: npt.NDArray[np.int64]
    """Rows ``offsets[q]:offsets[q + 1]`` belong to query q."""
    item: npt.NDArray[np.int32]
    rank: npt.NDArray[np.int32]
    """1 is best; equal scores are ordered by the tie order."""
    group_first: npt.NDArray[np.int32]
    """The best rank in the item's tie group."""
    group_size: npt.NDArray[np.int32]
    """How many retrieved items have its score, itself included."""
    score: npt.NDArray[np.float64]
    position: npt.NDArray[np.int32]
    """Where the run lists the item: 1 for its query's first row."""
    retrieved: npt.NDArray[np.int64]
    """Per query: how many items were retrieved, at most `depth`."""
    tied_rows: npt.NDArray[np.int64]
    """Per query: how many retrieved items (all of them, whatever `depth`) share their score with another."""
    in_run: npt.NDArray[np.bool_]
    """Per query: whether the run has it."""
    tally: Tally = field(default_factory=Tally)

    ROWS: ClassVar[tuple[str, ...]] = ("item", "rank", "group_first", "group_size", "score", "position")
    QUERIES: ClassVar[tuple[str, ...]] = ("retrieved", "tied_rows", "in_run")

    def __post_init__(self) -> None:
        for f in fields(self):
            value = getattr(self, f.name)
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    @property
    def n_queries(self) -> int:
        return len(self.retrieved)

    def part(self, queries: slice) -> Self:
        """The table of some neighbouring queries; its columns are views of these."""
        bounds = self.offsets[queries.start : queries.stop + 1]
        rows = slice(int(bounds[0]), int(bounds[-1]))
        columns = {c: getattr(self, c)[rows] for c in self.ROWS}
        columns |= {c: getattr(self, c)[queries] for c in self.QUERIES}
        return replace(self, offsets=bounds - bounds[0], **columns)

    def __eq__(self, other: object) -> bool:
        return (
            type(other) is type(self)
            and isinstance(other, _Aligned)
            and self.tally == other.tally
            and all(
                np.array_equal(getattr(self, c), getattr(other, c))
                for c in ("offsets", *self.ROWS, *self.QUERIES)
            )
        )

    __hash__ = None  # type: ignore[assignment]

    def _merged(self, other: Self) -> dict[str, Any]:
        """The columns of two tables over the same truth whose runs share no query."""
        counts = np.diff(self.offsets) + np.diff(other.offsets)
        offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        owner = np.concatenate([np.repeat(np.arange(t.n_queries), np.diff(t.offsets)) for t in (self, other)])
        order = np.argsort(owner, kind="stable")
        columns: dict[str, Any] = {
            c: np.concatenate([getattr(self, c), getattr(other, c)])[order] for c in self.ROWS
        }
        for c in self.QUERIES:
            columns[c] = np.where(self.in_run, getattr(self, c), getattr(other, c))
        return {"offsets": offsets, **columns, "tally": self.tally + other.tally}

    def _check_disjoint(self, other: Self) -> None:
        if self.n_queries != other.n_queries or bool(np.any(self.in_run & other.in_run)):
            raise ValueError("only tables over the same truth, of runs without a common query, can be added")

    def to_arrow(self) -> pa.Table:
        """One row per query, with the row columns as lists."""
        import pyarrow as pa

        offsets = pa.array(self.offsets)
        columns = {c: pa.LargeListArray.from_arrays(offsets, pa.array(getattr(self, c))) for c in self.ROWS}
        columns |= {c: pa.array(getattr(self, c)) for c in self.QUERIES}
        return pa.table(columns)

    @staticmethod
    def _columns_of_arrow(table: pa.Table) -> dict[str, Any]:
        lists = {c: table.column(c).combine_chunks() for c in _Aligned.ROWS}
        sizes = np.diff(lists["item"].offsets.to_numpy())
        columns: dict[str, Any] = {
            c: np.array(_numbers(values.flatten()).to_numpy(zero_copy_only=False))
            for c, values in lists.items()
        }
        for c in _Aligned.QUERIES:
            columns[c] = np.array(table.column(c).to_numpy())
        columns["offsets"] = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        return columns


@dataclass(frozen=True, eq=False, kw_only=True)
class Judged(_Aligned):
    """The retrieved items that have a judgment; `item` is the index among the query's judged items."""

    def __add__(self, other: Judged) -> Judged:
        self._check_disjoint(other)
        return Judged(**self._merged(other))

    @classmethod
    def from_arrow(cls, table: pa.Table, tally: Tally | None = None) -> Judged:
        return cls(**cls._columns_of_arrow(table), tally=tally or Tally())


@dataclass(frozen=True, eq=False, kw_only=True)
class Ranked(_Aligned):
    """Every retrieved item of a judged query; `item` is its code in `dictionary`.

    The first codes are the truth's own items, in the order of their first judgment.
    """

    dictionary: Ids

    def __add__(self, other: Ranked) -> Ranked:
        self._check_disjoint(other)
        code_of = {text: code for code, text in enumerate(self.dictionary)}
        codes = [code_of.setdefault(text, len(code_of)) for text in other.dictionary]
        recoded = np.asarray(codes, np.int32)[other.item]
        columns = self._merged(replace(other, item=recoded))
        # Codes the two have in common from the start stay; the rest follow as their items appear.
        shared = next((i for i, code in enumerate(codes) if code != i), len(codes))
        order = np.concatenate([np.arange(shared), _by_appearance(columns["item"], shared)])
        new_code = np.empty(len(order), np.int32)
        new_code[order] = np.arange(len(order))
        columns["item"] = new_code[columns["item"]]
        return Ranked(**columns, dictionary=Ids.of(code_of).take(order))

    def to_arrow(self) -> pa.Table:
        """One row per query, with the row columns as lists; items are ids in a dictionary."""
        import pyarrow as pa

        table = super().to_arrow()
        items = pa.DictionaryArray.from_arrays(pa.array(self.item), self.dictionary.to_arrow())
        column = pa.LargeListArray.from_arrays(pa.array(self.offsets), items)
        return table.set_column(table.column_names.index("item"), "item", column)

    @classmethod
    def from_arrow(cls, table: pa.Table, tally: Tally | None = None) -> Ranked:
        dictionary = Ids.from_arrow(table.column("item").combine_chunks().flatten().dictionary)
        return cls(**cls._columns_of_arrow(table), dictionary=dictionary, tally=tally or Tally())

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other) and isinstance(other, Ranked) and self.dictionary == other.dictionary

    __hash__ = None


def _numbers(values: pa.Array) -> pa.Array:
    """Values as numbers: of a dictionary its codes."""
    import pyarrow as pa

    return values.indices if pa.types.is_dictionary(values.type) else values


def _by_appearance(codes: IntArray, start: int) -> npt.NDArray[np.int64]:
    """The distinct codes from `start` on, in the order in which they first appear."""
    distinct, first = np.unique(codes, return_index=True)
    by_first = distinct[np.argsort(first, kind="stable")].astype(np.int64)
    return by_first[by_first >= start]
