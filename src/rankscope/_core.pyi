"""The native core. `rankscope.align.plain` is its twin: the same functions, the same answers."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

class Index:
    """Judged queries and items, ready to be looked up; built once, used for many runs."""

    def __init__(
        self,
        query_data: npt.NDArray[np.uint8],
        query_offsets: npt.NDArray[np.int64],
        row_offsets: npt.NDArray[np.int64],
        item_data: npt.NDArray[np.uint8],
        item_offsets: npt.NDArray[np.int64],
    ) -> None: ...

# A text source is bytes, or the descriptor of a seekable file. Its layout is "run" (query Q0 item rank score
# tag), "scores" or "ranks" (three columns), "judgments" (query 0 item grade) or "grades" (three columns).
# Judgments come back as a dict of columns: query_data, query_offsets, row_offsets, item_data, item_offsets,
# grades; and merged, integer_queries, integer_items.
def judge_text(source: bytes | int, *, name: str, layout: str = "judgments") -> dict[str, Any]: ...
def judge_mapping(mapping: Mapping[Any, Any], *, name: str) -> dict[str, Any]: ...
def judge_columns(query: Any, item: Any, grade: npt.NDArray[np.float64], *, name: str) -> dict[str, Any]: ...
def judge_arrow(stream: object, columns: Sequence[int], *, name: str) -> dict[str, Any]: ...

# Aligned tables come back as a dict of the columns of rankscope.align.tables and of Tally;
# with dense=True also dictionary_data and dictionary_offsets.
def align_text(
    index: Index,
    source: bytes | int,
    *,
    name: str,
    tie_order: str,
    duplicates: str,
    depth: int,
    float32: bool,
    ascending: bool,
    dense: bool,
    threads: int,
    progress: Callable[[int, int], None] | None,
    layout: str = "run",
) -> dict[str, Any]: ...
def align_mapping(
    index: Index,
    mapping: Mapping[Any, Any],
    *,
    name: str,
    tie_order: str,
    duplicates: str,
    depth: int,
    float32: bool,
    ascending: bool,
    dense: bool,
    threads: int,
    progress: Callable[[int, int], None] | None,
) -> dict[str, Any]: ...
def align_columns(
    index: Index,
    query: Any,
    item: Any,
    score: npt.NDArray[np.float64],
    *,
    name: str,
    tie_order: str,
    duplicates: str,
    depth: int,
    float32: bool,
    ascending: bool,
    dense: bool,
    threads: int,
    progress: Callable[[int, int], None] | None,
) -> dict[str, Any]: ...
def align_arrow(
    index: Index,
    stream: object,
    columns: Sequence[int],
    *,
    name: str,
    tie_order: str,
    duplicates: str,
    depth: int,
    float32: bool,
    ascending: bool,
    dense: bool,
    threads: int,
    progress: Callable[[int, int], None] | None,
) -> dict[str, Any]: ...

# The names of the columns of an Arrow or Parquet file, and its rows aligned; None for a file that is left to
# pyarrow: with rare types or encodings, missing values, or broken.
def stored_names(source: bytes | int, *, name: str) -> list[str] | None: ...
def align_stored(
    index: Index,
    source: bytes | int,
    columns: Sequence[int],
    *,
    name: str,
    tie_order: str,
    duplicates: str,
    depth: int,
    float32: bool,
    ascending: bool,
    dense: bool,
    threads: int,
    progress: Callable[[int, int], None] | None,
) -> dict[str, Any] | None: ...

# Rows as they come, for writing them in another format: query_data, query_offsets, item_data, item_offsets,
# values.
def list_text(
    source: bytes | int, *, name: str, layout: str, progress: Callable[[int, int], None] | None
) -> dict[str, Any]: ...
def list_columns(
    query: Any, item: Any, value: npt.NDArray[np.float64], *, name: str, grades: bool
) -> dict[str, Any]: ...
def list_arrow(stream: object, columns: Sequence[int], *, name: str, grades: bool) -> dict[str, Any]: ...
def encode_ids(values: Sequence[Any], *, field: str, name: str) -> tuple[Any, Any, bool]: ...

# Pairs of rows within segments, rows offsets[s] to offsets[s + 1]; see rankscope.align.pairs.
def count_pairs(
    x: npt.NDArray[np.float64],
    y: npt.NDArray[np.float64],
    offsets: npt.NDArray[np.int64],
    *,
    threads: int,
) -> dict[str, npt.NDArray[np.int64]]: ...
def smaller_after(
    values: npt.NDArray[np.float64], offsets: npt.NDArray[np.int64], *, threads: int
) -> npt.NDArray[np.int64]: ...
def mann_whitney(
    scores: npt.NDArray[np.float64],
    positive: npt.NDArray[np.bool_],
    offsets: npt.NDArray[np.int64],
    *,
    threads: int,
) -> dict[str, npt.NDArray[np.int64]]: ...

# The names of the columns, from the schema alone.
def arrow_names(stream: object) -> list[str]: ...

# For ClasSi: the distinct values from low to high with the place of each value among them, and what each row
# costs for the rows of its query behind it at a lower level.
def levels_of(values: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int32]]: ...
def later_costs(
    level: npt.NDArray[np.int32],
    distance: npt.NDArray[np.float64],
    offsets: npt.NDArray[np.int64],
    *,
    unit: bool,
) -> npt.NDArray[np.float64]: ...
def prefix_curve(
    cost: npt.NDArray[np.float64], worst: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]: ...
