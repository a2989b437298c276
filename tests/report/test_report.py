"""What a report says, and that it says it as text."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from injections import INJECTIONS, MARK
from report_support import hostile

import rankscope
from rankscope import InputError, RankscopeError, report
from rankscope.report import content as contents
from rankscope.report import detail

ROOT = Path(__file__).parents[2]
QRELS = str(ROOT / "examples" / "judgments.qrels")
RUNS = [str(ROOT / "examples" / f"{name}.run") for name in ("bm25", "dense", "hybrid")]


def data_of(page: str) -> dict[str, object]:
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    loaded: dict[str, object] = json.loads(found[1])
    return loaded


@pytest.fixture(scope="module")
def page() -> str:
    return report(QRELS, RUNS, "nDCG@10, AP").html


def test_it_answers_from_top_to_bottom(page: str) -> None:
    parts = re.findall(r'<section id="(\w+)">', page)
    assert parts == ["best", "cutoffs", "queries", "detail", "care", "measures"]


def test_its_numbers_are_those_of_evaluate_and_compare(page: str) -> None:
    result = rankscope.evaluate(QRELS, RUNS, "nDCG@10, AP")
    for name in ("bm25", "dense", "hybrid"):
        for measure in ("nDCG@10", "AP"):
            assert f"{result[name][measure]:.4f}" in page
    pair = rankscope.compare(QRELS, RUNS, "nDCG@10", resamples=10_000).pair("nDCG@10", "hybrid", "bm25")
    assert f"hybrid has the best nDCG@10: {result['hybrid']['nDCG@10']:.4f}." in page
    assert f"{pair.difference:.4f} more than bm25 (95 % interval {pair.low:+.4f} to {pair.high:+.4f})" in page
    assert f"(p = {pair.corrected:.2g})" in page


def test_the_values_of_each_query_are_there_for_every_measure(page: str) -> None:
    found = data_of(page)
    result = rankscope.evaluate(QRELS, RUNS, "nDCG@10, AP")
    names = [query["name"] for query in found["queries"]]  # type: ignore[index]
    assert sorted(names) == sorted(result["bm25"].queries)
    for number, name in enumerate(names):
        for run, column in enumerate(found["values"]["AP"]):  # type: ignore[index]
            value = result[found["runs"][run]].queries[name]["AP"]  # type: ignore[index]
            assert column[number] == pytest.approx(value, abs=1e-6)


def test_a_query_in_detail_has_what_the_runs_rank_first() -> None:
    judgments = {"q": {"a": 2, "b": 0, "z": 1}}
    runs = {"one": {"q": ["b", "x", "a"]}, "two": {"q": ["a"]}}
    query = report(judgments, runs, "RR").content.detail.queries[0]
    assert query.rankings == ((("b", 0.0), ("x", None), ("a", 2.0)), (("a", 2.0),))
    assert query.missed == (("z", 1.0),)


def test_a_tie_at_the_end_of_the_detail_does_not_make_it_longer() -> None:
    ranking = {f"d{n:02}": 1.0 for n in range(30)}
    found = report({"q": {"d29": 1}}, {"one": {"q": ranking}}, "RR").content.detail.queries[0]
    assert [item for item, _ in found.rankings[0]] == [f"d{n}" for n in range(29, 19, -1)]


def test_queries_on_which_runs_differ_most_come_first() -> None:
    judgments = {q: {"a": 1} for q in ("same", "far", "near")}
    one = {"same": ["a"], "far": ["a"], "near": ["a"]}
    two = {"same": ["a"], "far": ["x", "y", "z", "a"], "near": ["x", "a"]}
    found = report(judgments, {"one": one, "two": two}, "RR").content.detail
    assert [query.name for query in found.queries] == ["far", "near", "same"]


def test_more_queries_than_fit_are_sampled_and_the_page_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detail, "MOST_ENTRIES", 40)
    judgments = {f"q{n}": {"a": 1} for n in range(9)}
    runs = {"one": {q: ["a"] for q in judgments}, "two": {q: ["x", "a"] for q in judgments}}
    page = report(judgments, runs, "RR").html
    assert "Only the 2 of 9 queries on which the runs differ most are here." in page
    assert "These are the 2 of 9 queries on which the runs differ most." in page


def test_one_run_is_reported_without_a_comparison() -> None:
    page = report(QRELS, RUNS[:1], "nDCG@10").html
    assert "there is no other run beside it" in page
    assert "Pair by pair" not in page
    with pytest.raises(InputError, match="one run only"):
        report(QRELS, RUNS[:1], "nDCG@10", baseline="bm25")


def test_two_runs_that_are_equally_good_share_the_first_place() -> None:
    judgments = {str(q): {"a": 1} for q in range(4)}
    runs = {name: {q: ["b", "a"] for q in judgments} for name in ("one", "two")}
    page = report(judgments, runs, "RR").html
    assert "one and two share the best RR: 0.5000." in page
    assert "query by query" not in page


def test_of_many_pairs_those_of_the_best_run_come_first() -> None:
    judgments = {str(q): {"a": 1} for q in range(4)}
    runs = {f"r{n}": {q: [f"x{i}" for i in range(n)] + ["a"] for q in judgments} for n in range(6)}
    page = report(judgments, runs, "RR").html
    assert "r0 beside the others, by RR" in page
    assert "All 15 pairs" in page
    first, every = (
        part.count("<tr>") - 1 for part in re.findall(r'<table class="words-3">.*?</table>', page, re.DOTALL)
    )
    assert (first, every) == (5, 15)
    few = report(judgments, dict(list(runs.items())[:3]), "RR").html
    assert "Pair by pair, by RR" in few
    assert "All 3 pairs" not in few


def test_a_lower_value_may_be_the_best() -> None:
    order = rankscope.Order.of({q: ["a", "b", "c"] for q in "12"})
    runs = {"wrong": {q: ["c", "b", "a"] for q in "12"}, "right": {q: ["a", "b", "c"] for q in "12"}}
    page = report(order, runs, "ED").html
    # 2^2 + 0 + 2^2: two items are two places from where they belong.
    assert "right has the best ED: 0.0000. That is 8.0000 less than wrong" in page
    assert "None of the measures has a cutoff." in page
    assert "Judged@10" not in page


def test_other_grades_may_be_relevant() -> None:
    found = report(QRELS, RUNS[:1], "P@10", rel=2).content
    assert str(found.curves[0].measure) == "P(rel=2)"
    at_5 = found.curves[0].values["bm25"][contents.CUTOFFS.index(5)]
    assert at_5 == rankscope.evaluate(QRELS, RUNS[:1], "P(rel=2)@5")["P(rel=2)@5"]


@pytest.mark.parametrize("option", [{"aggregate": "median"}, {"weights": {"q01": 2}}])
def test_queries_count_alike(option: dict[str, object]) -> None:
    with pytest.raises(InputError, match="count alike"):
        report(QRELS, RUNS, "AP", **option)


def test_measures_without_a_value_leave_a_page_all_the_same() -> None:
    judgments = {"q": {"a": 0}}
    page = report(judgments, {"one": {"q": ["a"]}, "two": {"q": ["b"]}}, "Rprec", undefined="nan").html
    assert "<td>-</td>" in page


def test_a_report_is_the_same_for_the_same_input(page: str) -> None:
    assert report(QRELS, RUNS, "nDCG@10, AP").html == page


def test_care_has_ties_and_the_judged_share() -> None:
    judgments = {"q": {"a": 1, "b": 0}}
    runs = {"tied": {"q": {"a": 1.0, "b": 1.0, "x": 0.0}}}
    care = report(judgments, runs, "RR").content.care[0]
    assert care.ties == {"best": 1.0, "expected": 0.75, "worst": 0.5}
    assert care.judged["Judged@10"] == pytest.approx(2 / 3)


def test_the_page_asks_for_nothing(page: str) -> None:
    """No address is loaded: the links are to parts of the page, and what looks like one is a name space."""
    assert not re.search(r"(?:src|action|poster|srcset)\s*=", page)
    assert set(re.findall(r'href="([^"#]*)', page)) <= {"", "data:,"}
    assert set(re.findall(r"https?://[^\s\"'<]+", page)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
        "http://www.w3.org/1998/Math/MathML",
    }


def test_ids_are_text_wherever_they_stand() -> None:
    page = report(*hostile(), "RR", title=INJECTIONS[1]).html
    assert f"<script>{MARK}" not in page
    assert "<img" not in page
    assert "<iframe" not in page
    assert "\x1b" not in page
    # Four scripts of our own would be two too many: the data and the code.
    assert page.count("<script") == 2


def test_the_curves_are_of_what_was_asked_for_first() -> None:
    found = report(QRELS, RUNS[:1], "RBP@20, AP").content.curves
    assert [str(curve.measure) for curve in found] == ["RBP", "nDCG", "P"]
    at_10 = found[1].values["bm25"][contents.CUTOFFS.index(10)]
    assert at_10 == rankscope.evaluate(QRELS, RUNS[:1], "nDCG@10")["nDCG@10"]


def test_it_is_written_whole_or_not_at_all(tmp_path: Path, page: str) -> None:
    found = report(QRELS, RUNS, "nDCG@10, AP")
    found.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text("utf-8") == page
    with pytest.raises(RankscopeError, match="cannot be written"):
        found.save(tmp_path / "no" / "page.html")
