"""Result: looking up, converting and showing."""

from __future__ import annotations

import json
import math
import sys

import pytest

import rankscope
from rankscope import MissingDependency, Result, evaluate

JUDGMENTS = {"q1": {"a": 1}, "q2": {"b": 0}}
RUNS = {"good": {"q1": ["a"], "q2": ["b"]}, "bad": {"q1": ["x", "a"]}}


@pytest.fixture
def one() -> Result:
    return evaluate(JUDGMENTS, {"q1": ["x", "a"]}, "RR AP NumRet", undefined="nan")


@pytest.fixture
def two() -> Result:
    return evaluate(JUDGMENTS, RUNS, "RR AP NumRet", undefined="nan")


def test_values_by_any_name_of_the_measure(one: Result) -> None:
    assert one["RR"] == one["recip_rank"] == one[rankscope.RR] == 0.25
    assert one["run"]["RR"] == 0.25
    assert one.aggregate == {"RR": 0.25, "AP": 0.5, "NumRet": 2}


def test_unknown_names_say_what_there_is(one: Result, two: Result) -> None:
    for result, key, said in [
        (one, "nDCG@10", "nDCG@10 was not computed; the measures are RR, AP, NumRet"),
        (one, "nope!", "the measures are RR, AP, NumRet"),
        (two, "RR", "there is no run 'RR'; the runs are good, bad"),
    ]:
        with pytest.raises(KeyError, match=said.replace("(", r"\(")):
            result[key]
    with pytest.raises(KeyError, match="there are 2 runs"):
        _ = two.aggregate


def test_queries_are_in_the_order_of_the_judgments() -> None:
    judgments = {q: {"a": 1} for q in ("z", "a", "m")}
    result = evaluate(judgments, {q: ["a"] for q in ("m", "a", "z")}, "RR")
    assert list(result.queries) == ["z", "a", "m"]
    assert len(result.queries) == 3
    with pytest.raises(KeyError):
        result.queries["nope"]


def test_dict_has_the_documented_shape(one: Result) -> None:
    assert one.to_dict(per_query=True) == {
        "measures": ["RR", "AP", "NumRet"],
        "policy": {
            "ties": "docid",
            "missing": "empty",
            "extra": "ignore",
            "undefined": "nan",
            "duplicates": "error",
            "unjudged": "irrelevant",
            "unretrieved": "last",
            "scores": "float64",
            "compat": "none",
        },
        "runs": [
            {
                "name": "run",
                "aggregate": {"RR": 0.25, "AP": 0.5, "NumRet": 2.0},
                "queries": {
                    "q1": {"RR": 0.5, "AP": 0.5, "NumRet": 2.0},
                    "q2": {"RR": 0.0, "AP": None, "NumRet": 0.0},
                },
                "notes": [
                    "the run lacks 1 judged query ('q2'): it counts as an empty ranking",
                    "1 of 2 retrieved items have no judgment: they count as not relevant",
                    "AP is not defined for 1 query: left out",
                ],
            }
        ],
    }
    assert "queries" not in one.to_dict()["runs"][0]


def test_json_reads_back(two: Result) -> None:
    for per_query in (False, True):
        assert json.loads(two.to_json(per_query=per_query)) == two.to_dict(per_query=per_query)


def test_undefined_aggregate_is_null() -> None:
    result = evaluate({"q": {"a": 0}}, {"q": ["a"]}, "AP", undefined="nan")
    assert json.loads(result.to_json())["runs"][0]["aggregate"] == {"AP": None}


def test_ids_that_print_alike_do_not_collide() -> None:
    byte, text = b"q\xff", "q\\xff"
    judgments = {byte: {"a": 1}, text: {"a": 1}}
    result = evaluate(judgments, {byte: ["a"], text: ["x", "a"]}, "RR")
    queries = result.to_dict(per_query=True)["runs"][0]["queries"]
    assert queries == {"q\\xff": {"RR": 1.0}, "q\\\\xff": {"RR": 0.5}}


def test_pandas(two: Result) -> None:
    frame = two.to_pandas()
    assert list(frame.columns) == ["run", "query", "RR", "AP", "NumRet"]
    assert frame["run"].tolist() == ["good", "good", "bad", "bad"]
    assert frame["RR"].tolist() == [1.0, 0.0, 0.5, 0.0]
    assert math.isnan(frame["AP"][1])
    assert two.to_pandas(per_query=False)["RR"].tolist() == [0.5, 0.25]


def test_polars(two: Result) -> None:
    frame = two.to_polars()
    assert frame.columns == ["run", "query", "RR", "AP", "NumRet"]
    assert frame["AP"].to_list() == [1.0, None, 0.5, None]
    assert two.to_polars(per_query=False).rows() == [("good", 0.5, 1.0, 2.0), ("bad", 0.25, 0.5, 2.0)]


def test_arrow(two: Result) -> None:
    table = two.to_arrow()
    assert table.column("query").to_pylist() == ["q1", "q2", "q1", "q2"]
    assert table.column("AP").to_pylist() == [1.0, None, 0.5, None]


def test_skipped_queries_are_not_in_frames() -> None:
    frame = evaluate(JUDGMENTS, RUNS, "RR", missing="skip").to_pandas()
    assert list(zip(frame["run"], frame["query"], strict=True)) == [
        ("good", "q1"),
        ("good", "q2"),
        ("bad", "q1"),
    ]


@pytest.mark.parametrize("package", ["pandas", "polars", "pyarrow"])
def test_a_package_that_is_not_there(one: Result, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    convert = {"pandas": one.to_pandas, "polars": one.to_polars, "pyarrow": one.to_arrow}[package]
    with pytest.raises(MissingDependency, match=f"pip install {package}"):
        convert()


def test_repr_of_one_run(one: Result) -> None:
    assert repr(one) == (
        "measure     run\n"
        "RR       0.2500\n"
        "AP       0.5000\n"
        "NumRet        2\n"
        "\n"
        "policy: ties=docid missing=empty extra=ignore undefined=nan duplicates=error unjudged=irrelevant "
        "unretrieved=last\n"
        "note: the run lacks 1 judged query ('q2'): it counts as an empty ranking\n"
        "note: 1 of 2 retrieved items have no judgment: they count as not relevant\n"
        "note: AP is not defined for 1 query: left out"
    )


def test_repr_of_several_runs_marks_the_best(two: Result) -> None:
    assert repr(two).splitlines()[:3] == [
        "run       RR       AP   NumRet",
        "good  0.5000*  1.0000*       2",
        "bad   0.2500   0.5000        2",
    ]


def test_notes_of_several_runs_say_whose_they_are(two: Result) -> None:
    assert two.notes == (
        "AP is not defined for 1 query: left out",
        "bad: the run lacks 1 judged query ('q2'): it counts as an empty ranking",
        "bad: 1 of 2 retrieved items have no judgment: they count as not relevant",
    )


def test_html_is_escaped() -> None:
    evil = "<img src=x onerror=alert(1)>"
    html = evaluate(
        {evil: {"a": 1}, "q": {"a": 1}}, {evil + "1": {"q": ["a"]}, "b": {"q": ["x", "a"]}}, "RR"
    )._repr_html_()
    assert "<img" not in html
    assert "&lt;img src=x onerror=alert(1)&gt;1" in html
    assert "<strong>0.5000</strong>" in html


def test_control_characters_are_not_printed() -> None:
    result = evaluate(
        {"q\x1b[31m": {"a": 1}, "q": {"a": 1}}, {"r\x1b[31m": {"q": ["a"]}, "b": {"q": ["a"]}}, "RR"
    )
    assert "\x1b" not in repr(result) + result.to_json(per_query=True) + result._repr_html_()
