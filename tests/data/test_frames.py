"""Data frames of four libraries: the same numbers, columns by their names, clear refusals."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from rankscope.align import align
from rankscope.data import Judgments, Run, frames
from rankscope.errors import InputError

JUDGED = {"q1": {"a": 2, "b": 0}, "q2": {"c": 1}}
RUN = {"query_id": ["q1", "q2", "q1", "q1"], "doc_id": ["x", "c", "a", "b"], "score": [3.0, 2.5, 2.0, 2.0]}
AS_MAPPING = {"q1": {"x": 3, "a": 2, "b": 2}, "q2": {"c": 2.5}}


def pandas_objects(columns: dict[str, Any]) -> pd.DataFrame:
    frame = pd.DataFrame(columns)
    return frame.astype({name: object for name in frame if frame[name].dtype.kind not in "iuf"})


def pandas_categories(columns: dict[str, Any]) -> pd.DataFrame:
    frame = pd.DataFrame(columns)
    return frame.astype(dict.fromkeys(list(frame)[:2], "category"))


LIBRARIES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "pandas": pd.DataFrame,
    "pandas with an index": lambda columns: pd.DataFrame(columns, index=[7, 7, 8, 9]),
    "pandas of objects": pandas_objects,
    "pandas of categories": pandas_categories,
    "pandas of arrow": lambda columns: pd.DataFrame(columns).convert_dtypes(dtype_backend="pyarrow"),
    "polars": pl.DataFrame,
    "polars lazy": pl.LazyFrame,
    "polars in pieces": lambda c: pl.concat([pl.DataFrame(c)[:1], pl.DataFrame(c)[1:]], rechunk=False),
    "polars categories": lambda c: pl.DataFrame(c).with_columns(pl.col(pl.String).cast(pl.Categorical)),
    "pyarrow": pa.table,
    "pyarrow batch": pa.record_batch,
    "pyarrow reader": lambda columns: pa.table(columns).to_reader(),
    "duckdb": lambda columns: duckdb.from_arrow(pa.table(columns)),
}


@pytest.fixture(params=LIBRARIES)
def make_frame(request: pytest.FixtureRequest) -> Callable[[dict[str, Any]], Any]:
    return LIBRARIES[request.param]


def test_frames_of_text_ids(core: ModuleType, make_frame: Callable[[dict[str, Any]], Any]) -> None:
    judgments = Judgments.of(JUDGED)
    run = Run.of(make_frame(RUN))
    expected = align(judgments, Run.of(AS_MAPPING))
    assert align(judgments, run).rank.tolist() == expected.rank.tolist()
    assert align(judgments, run).tally == expected.tally  # a run can be aligned again


def test_frames_of_whole_number_ids(core: ModuleType, make_frame: Callable[[dict[str, Any]], Any]) -> None:
    judgments = Judgments.of({1: {10: 1, 9: 1}, 2: {9: 1}})
    aligned = align(
        judgments, Run.of(make_frame({"qid": [1, 1, 2, 1], "docno": [9, 10, 9, 8], "score": [1, 2, 3, 4]}))
    )
    assert aligned.rank.tolist() == [2, 3, 1]
    assert (aligned.tally.integer_queries, aligned.tally.integer_items) == (True, True)


def test_judgments_of_frames(core: ModuleType, make_frame: Callable[[dict[str, Any]], Any]) -> None:
    columns = {
        "QID": ["q1", "q1", "q2", "q2"],
        "Doc": ["a", "b", "c", "c"],
        "rel": [2, 0, 1, 1],
        "score": [9, 9, 9, 9],
    }
    judgments = Judgments.of(make_frame(columns))
    assert judgments == Judgments.of(JUDGED)
    assert judgments.notes == ("1 judgment given twice with the same grade was merged",)


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        (["score", "docno", "qid"], ("qid", "docno", "score")),
        (["User_ID", "ITEM", "Rating"], ("User_ID", "ITEM", "Rating")),
        (["q_id", "query", "pid", "doc_id", "sim", "score"], ("query", "doc_id", "score")),
        (["topic", "document", "relevance_score", "rank", "tag"], ("topic", "document", "relevance_score")),
    ],
)
def test_columns_of_a_run_by_name(names: list[str], chosen: tuple[str, ...]) -> None:
    assert frames.chosen_columns(names, "run", {}) == chosen


@pytest.mark.parametrize(
    ("names", "grade"),
    [
        (["query", "item", "score"], "score"),
        (["query", "item", "score", "label"], "label"),
        (["qid", "did", "rel", "grade"], "grade"),
    ],
)
def test_the_grade_is_a_score_only_if_nothing_else_is(names: list[str], grade: str) -> None:
    assert frames.chosen_columns(names, "judgments", {})[2] == grade


def test_names_that_are_not_recognised(make_frame: Callable[[dict[str, Any]], Any]) -> None:
    frame = make_frame({"a": ["q", "q", "q", "q"], "docno": ["1", "2", "3", "4"], "c": [1.0, 2, 3, 4]})
    with pytest.raises(InputError, match="no column for query or score among these: a, docno, c") as caught:
        Run.of(frame)
    assert caught.value.code == "frame-columns"
    assert "query: query, query_id, qid" in caught.value.expected
    assert "item_id" not in caught.value.expected


@pytest.mark.parametrize("make", [pd.DataFrame, pandas_objects, pl.DataFrame, pa.table])
@pytest.mark.parametrize(
    ("column", "values", "field"),
    [("query", ["q1", None], "query id"), ("item", ["a", None], "item id"), ("score", [1.0, None], "score")],
)
def test_missing_values(core: ModuleType, make: Any, column: str, values: list[Any], field: str) -> None:
    frame = make({"query": ["q1", "q1"], "item": ["a", "b"], "score": [1.0, 2.0], column: values})
    with pytest.raises(InputError, match=rf"run, row 2: {field} is missing"):
        align(Judgments.of(JUDGED), Run.of(frame))


@pytest.mark.parametrize("make", [pl.DataFrame, pa.table])
def test_nan_in_a_frame_that_tells_it_from_missing(core: ModuleType, make: Any) -> None:
    with pytest.raises(InputError, match="run, row 1: score 'nan' is not finite"):
        align(Judgments.of(JUDGED), Run.of(make({"query": ["q1"], "item": ["a"], "score": [float("nan")]})))


@pytest.mark.parametrize("make", [pd.DataFrame, pandas_objects, pl.DataFrame, pl.LazyFrame, pa.table])
@pytest.mark.parametrize("values", [["1.5"], [True]])
def test_scores_that_are_no_numbers(core: ModuleType, make: Any, values: list[Any]) -> None:
    with pytest.raises(InputError, match="column 'score' has type"):
        align(Judgments.of(JUDGED), Run.of(make({"query": ["q1"], "item": ["a"], "score": values})))


def test_ids_of_mixed_types_in_pandas(core: ModuleType) -> None:
    frame = pd.DataFrame(
        {"query": pd.Series(["1", 1, b"1"], dtype=object), "item": [1, 2, 3], "score": [1, 2, 3]}
    )
    aligned = align(Judgments.of({1: [1, 2, 3]}), Run.of(frame))
    assert aligned.rank.tolist() == [1, 2, 3]
    assert (aligned.tally.integer_queries, aligned.tally.integer_items) == (True, True)
    floats = pd.DataFrame({"query": [1.0], "item": [1], "score": [1]})
    with pytest.raises(InputError, match=r"row 1: query id 1\.0 is float, which cannot be an id"):
        align(Judgments.of({1: [1]}), Run.of(floats))


def test_large_unsigned_ids(core: ModuleType) -> None:
    large = 2**63 + 5
    columns = {"query": np.array([large], np.uint64), "item": np.array([7], np.uint8), "score": [1]}
    for frame in (
        pd.DataFrame(columns),
        pandas_categories(columns),
        pl.DataFrame(columns),
        pa.table(columns),
    ):
        assert align(Judgments.of({large: [7]}), Run.of(frame)).rank.tolist() == [1]


@pytest.mark.parametrize("given", [3, None, "text", [1], {}, object(), pd.DataFrame, np.zeros(3)])
def test_what_is_no_frame(given: Any) -> None:
    assert not frames.is_frame(given)


def test_without_pyarrow_pandas_columns_are_read_one_by_one(
    core: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames, "find_spec", lambda name: None)
    run = Run.of(pd.DataFrame(RUN))
    assert isinstance(run.source, frames.ColumnSource)
    judgments = Judgments.of(JUDGED)
    assert align(judgments, run).rank.tolist() == align(judgments, Run.of(AS_MAPPING)).rank.tolist()
