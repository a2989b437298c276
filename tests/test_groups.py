"""Groups of queries, and what is read from files and frames about queries.

RR of the five queries is 1, 1/2, 1/4, 0 and 1, as their rankings show.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from rankscope import InputError, Result, evaluate

JUDGMENTS = {q: {"a": 1} for q in ("q1", "q2", "q3", "q4", "q5")}
RUN = {"q1": ["a"], "q2": ["x", "a"], "q3": ["x", "y", "z", "a"], "q4": ["x"], "q5": ["a", "x"]}
SHORT = {"q1": ["x", "a"], "q2": ["a"]}
GROUPS = {"q3": "long", "q1": "short", "q2": "short", "q4": "long"}


@pytest.fixture
def one() -> Result:
    return evaluate(JUDGMENTS, RUN, "RR, NumRet", groups=GROUPS)


@pytest.fixture
def two() -> Result:
    return evaluate(JUDGMENTS, {"a": RUN, "b": SHORT}, "RR", groups=GROUPS, missing="skip")


def test_a_result_for_each_group_in_the_order_of_their_naming(one: Result) -> None:
    assert list(one.groups) == ["long", "short", "(no group)"]
    assert {name: group.aggregate for name, group in one.groups.items()} == {
        "long": {"RR": 0.125, "NumRet": 5},
        "short": {"RR": 0.75, "NumRet": 3},
        "(no group)": {"RR": 1.0, "NumRet": 2},
    }
    assert one.aggregate == {"RR": 0.55, "NumRet": 10}


def test_a_group_is_a_result_of_its_queries(two: Result) -> None:
    short = two.groups["short"]
    assert short["a"]["RR"] == short["b"]["RR"] == 0.75
    assert dict(short.runs["b"].queries) == {"q1": {"RR": 0.5}, "q2": {"RR": 1.0}}
    assert short.notes == ("group 'short': 2 of 5 queries",)
    assert list(short.to_pandas().columns) == ["run", "query", "RR"]
    assert short.groups == {}


def test_queries_without_a_group_are_gathered_with_a_note(one: Result) -> None:
    assert one.notes[1:] == ("1 query ('q5') in no group: gathered under '(no group)'",)
    whole = evaluate(JUDGMENTS, RUN, "RR", groups={**GROUPS, "q5": "long"})
    assert (list(whole.groups), whole.notes) == (["long", "short"], one.notes[:1])


@pytest.mark.parametrize("nothing", [None, "", float("nan")])
def test_no_group_has_many_spellings(nothing: object) -> None:
    assert list(evaluate(JUDGMENTS, RUN, "RR", groups={"q1": "x", "q2": nothing}).groups) == [
        "x",
        "(no group)",
    ]


def test_groups_and_queries_that_are_not_judged_are_noted() -> None:
    groups = {**GROUPS, "q5": "long", "zz": "none such"}
    result = evaluate(JUDGMENTS, RUN, "RR", groups=groups)
    assert list(result.groups) == ["long", "short"]
    assert result.notes[1:] == (
        "1 group ('none such') without a judged query: left out",
        "1 unjudged query ('zz') with a group: left out",
    )


def test_groups_of_chosen_queries() -> None:
    result = evaluate(JUDGMENTS, RUN, "RR", groups=GROUPS, queries=["q1", "q3"])
    assert {name: group["RR"] for name, group in result.groups.items()} == {"long": 0.25, "short": 1}
    assert result.groups["short"].notes == ("group 'short': 1 of 2 queries",)


def test_groups_with_weights_and_aggregates() -> None:
    weights = {"q1": 3, "q2": 1, "q3": 0, "q4": 0, "q5": 1}
    result = evaluate(JUDGMENTS, RUN, "RR", groups=GROUPS, weights=weights, aggregate="mean,max")
    assert result.groups["short"].run.aggregates == {"mean": {"RR": 0.875}, "max": {"RR": 1.0}}
    # A group in which no query weighs anything has no mean.
    assert result.to_dict()["runs"][0]["groups"]["long"] == {
        "size": 2,
        "aggregate": {"RR": None},
        "aggregates": {"mean": {"RR": None}, "max": {"RR": None}},
    }


def test_dict_has_groups_beside_the_aggregate(two: Result) -> None:
    run = two.to_dict(per_query=True)["runs"][1]
    assert list(run) == ["name", "aggregate", "groups", "queries", "notes"]
    assert run["groups"] == {
        "long": {"size": 0, "aggregate": {"RR": None}},
        "short": {"size": 2, "aggregate": {"RR": 0.75}},
        "(no group)": {"size": 0, "aggregate": {"RR": None}},
    }
    assert json.loads(two.to_json()) == two.to_dict()


def test_nothing_new_is_in_the_dict_if_nothing_new_is_asked_for() -> None:
    content = evaluate(JUDGMENTS, RUN, "RR").to_dict(per_query=True)
    assert list(content) == ["measures", "policy", "runs"]
    assert list(content["runs"][0]) == ["name", "aggregate", "queries", "notes"]


def test_frames_have_a_column_of_groups(two: Result) -> None:
    frame = two.to_pandas()
    assert list(frame.columns) == ["run", "query", "group", "RR"]
    assert frame["group"].tolist() == ["short", "short", "long", "long", "(no group)", "short", "short"]
    together = two.to_polars(per_query=False)
    assert together.rows() == [
        ("a", "long", 0.125),
        ("a", "short", 0.75),
        ("a", "(no group)", 1.0),
        ("a", "all", 0.55),
        ("b", "long", None),
        ("b", "short", 0.75),
        ("b", "(no group)", None),
        ("b", "all", 0.75),
    ]
    assert two.to_arrow(per_query=False).column_names == ["run", "group", "RR"]


def test_table_has_each_group_and_then_all(one: Result, two: Result) -> None:
    assert [line.split("  ")[0] for line in one.table().to_text().splitlines()] == [
        "group",
        "long",
        "short",
        "(no group)",
        "all",
    ]
    assert two.table().to_text().splitlines()[-2:] == ["all         a    0.5500", "all         b    0.7500*"]
    assert "<td>short</td>" in two._repr_html_()


def test_names_that_print_alike_stay_apart() -> None:
    result = evaluate(JUDGMENTS, RUN, "RR", groups={"q1": "\x1b", "q2": "\\x1b"})
    assert result.shown_groups == ["\\x1b", "\\\\x1b", "(no group)"]
    assert "\x1b" not in repr(result) + result.to_json() + result.to_markdown() + result.to_latex()


def test_many_groups_take_no_more_than_their_queries() -> None:
    """A mask of all queries for each group would take 400 MB here."""
    size = 20_000
    judgments = {str(q): {"a": 1} for q in range(size)}
    result = evaluate(judgments, {q: ["a"] for q in judgments}, "RR", groups={q: f"g{q}" for q in judgments})
    assert len(result.groups) == size
    assert sum(len(run.counted) for run in result.run.groups.values()) == size


Write = Callable[[Path], Path]


def written(name: str, content: bytes) -> Write:
    def write(folder: Path) -> Path:
        path = folder / name
        path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
        return path

    return write


@pytest.mark.parametrize(
    "write",
    [
        written("g.txt", b"q3 long one\nq1  short\nq2 short\nq4 long one\n"),
        written(
            "g.tsv",
            b"\xef\xbb\xbfquery_id\tgroup\r\nq3\tlong one\r\n\r\nq1\tshort\r\nq2\tshort\r\nq4\tlong one",
        ),
        written("g.csv", b'query,group\nq3,"long one"\nq1,short\n\nq2,short\nq4,long one\n'),
        written("g.txt.gz", b"# kinds\nq3 long one\nq1 short\nq1 short\nq2 short\nq4 long one\n"),
    ],
)
def test_groups_from_a_file(tmp_path: Path, write: Write) -> None:
    path = write(tmp_path)
    for given in (path, str(path)):
        result = evaluate(JUDGMENTS, RUN, "RR", groups=given)
        assert {name: list(group.queries) for name, group in result.groups.items()} == {
            "long one": ["q3", "q4"],
            "short": ["q1", "q2"],
            "(no group)": ["q5"],
        }


def test_bytes_that_are_not_utf_8(tmp_path: Path) -> None:
    path = written("g.txt", b"q\xff \xc3\xa4\xff\n")(tmp_path)
    result = evaluate({b"q\xff": {"a": 1}}, {b"q\xff": ["a"]}, "RR", groups=path)
    assert result.shown_groups == ["ä\\xff"]


COLUMNS: dict[str, list[Any]] = {
    "other": [1, 2, 3],
    "Topic": ["q1", "q2", "q3"],
    "segment": ["s", "t", None],
}


class OnlyArrow:
    """An object of which nothing is known but that it exports a stream."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return pa.table(COLUMNS).__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize(
    "frame",
    [
        lambda: pd.DataFrame(COLUMNS),
        lambda: pd.DataFrame(COLUMNS).convert_dtypes(),
        lambda: pl.DataFrame(COLUMNS),
        lambda: pl.LazyFrame(COLUMNS),
        lambda: pa.table(COLUMNS),
        lambda: duckdb.from_arrow(pa.table(COLUMNS)),
        OnlyArrow,
    ],
    ids=["pandas", "pandas-nullable", "polars", "polars-lazy", "pyarrow", "duckdb", "stream"],
)
def test_groups_from_a_frame(frame: Callable[[], Any]) -> None:
    result = evaluate(JUDGMENTS, RUN, "RR", groups=frame())
    assert {name: list(group.queries) for name, group in result.groups.items()} == {
        "s": ["q1"],
        "t": ["q2"],
        "(no group)": ["q3", "q4", "q5"],
    }


def test_weights_from_files_and_frames(tmp_path: Path) -> None:
    path = written("w.tsv", b"query\tweight\nq1\t1\nq2\t2e0\nq3\t0\nq4\t0\nq5\t0\n")(tmp_path)
    frame = pl.DataFrame({"qid": [*JUDGMENTS], "weight": [1, 2, 0, 0, 0]})
    for given in (path, frame, frame.to_pandas()):
        # (1 + 2 * 1/2) / 3
        assert evaluate(JUDGMENTS, RUN, "RR", weights=given)["RR"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("option", "content", "said"),
    [
        ("weights", b"q1 1\nq2\n", r"f\.txt:2: one column, where a query and its weight belong"),
        ("weights", b"q1 1\nq2 two\n", r"f\.txt:2: weight 'two' is not a weight"),
        ("weights", b"q1 1_0\n", r"f\.txt:1: weight '1_0' is not a weight"),
        ("weights", b"q1 -1\n", r"f\.txt:1: weight '-1' is not a weight"),
        ("weights", b"q1 inf\n", "weight 'inf' is not a weight"),
        ("weights", b"q1 1\nq1 2\n", r"f\.txt:2: query 'q1' has two weights: 1 and 2"),
        ("weights", b"", "no weight for 5 judged queries"),
        ("groups", b"q1 a\n\n# x\nq1 b\n", r"f\.txt:4: query 'q1' has two groups: 'a' and 'b'"),
        ("groups", b"q1\n", r"f\.txt:1: one column, where a query and its group belong"),
    ],
)
def test_bad_files(tmp_path: Path, option: str, content: bytes, said: str) -> None:
    path = written("f.txt", content)(tmp_path)
    with pytest.raises(InputError, match=said):
        evaluate(JUDGMENTS, RUN, "RR", **{option: path})


def test_a_broken_csv_file(tmp_path: Path) -> None:
    path = written("f.csv", b'q1,a\nq2,"b\n')(tmp_path)
    with pytest.raises(InputError, match=r"f\.csv:2: cannot be read"):
        evaluate(JUDGMENTS, RUN, "RR", groups=path)


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        ({"q1": ["a", "b"]}, "query 'q1': the group is of type list"),
        (["q1"], "list cannot be read as a group for each query"),
        (
            pl.DataFrame({"query": ["q1"], "colour": ["red"]}),
            "no column for group among these: query, colour",
        ),
        ("nowhere.tsv", "there is no such file"),
    ],
)
def test_bad_groups(groups: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        evaluate(JUDGMENTS, RUN, "RR", groups=groups)


def test_numbers_can_name_groups() -> None:
    result = evaluate(JUDGMENTS, RUN, "RR", groups=pd.DataFrame({"query": ["q1", "q2"], "group": [1, 2]}))
    assert list(result.groups) == ["1", "2", "(no group)"]
