"""rankscope.check: every kind of finding, from text and from memory.

Expected counts follow from the few rows written out in each test.
"""

from __future__ import annotations

import doctest
import gzip
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankscope
from rankscope.checks import Finding, Report, check
from rankscope.checks.catalogue import CATALOGUE

PAGE = Path(__file__).parents[2] / "docs" / "check.md"
JUDGED = "q1 0 a 1\nq1 0 b 0\nq2 0 c 2\n"
RANKED = "q1 Q0 a 1 0.9 t\nq1 Q0 b 2 0.8 t\nq2 Q0 c 1 0.5 t\nq2 Q0 d 2 0.4 t\n"


@pytest.fixture
def report(tmp_path: Path, core: ModuleType) -> Any:
    """The report on judgments and a run given as text."""

    def made(judgments: str | bytes = JUDGED, *runs: str | bytes, **options: Any) -> Report:
        paths = [tmp_path / "truth.qrels", *(tmp_path / f"{n}.run" for n in range(1, len(runs) + 1))]
        for path, text in zip(paths, (judgments, *runs), strict=True):
            path.write_bytes(text.encode() if isinstance(text, str) else text)
        return check(paths[0], paths[1:], **options)

    return made


def only(report: Report, code: str) -> Finding:
    found = [finding for finding in report if finding.code == code]
    assert len(found) == 1, (code, list(map(str, report)))
    return found[0]


def codes(report: Report) -> set[str]:
    return {finding.code for finding in report}


def test_nothing_is_found_where_all_is_well(report: Any) -> None:
    done = report(JUDGED + "q2 0 d 0\n", RANKED)
    assert done.ok
    assert len(done) == 0
    assert list(done.sources.values()) == ["4 usable rows, 2 queries"] * 2


@pytest.mark.parametrize(
    ("line", "code", "example"),
    [
        ("q1 Q0 x 3 0.7", "columns", "5 columns: 'q1 Q0 x 3 0.7'"),
        ("q1 Q0 x 3 abc t", "number", "score 'abc'"),
        ("q1 Q0 x 3 1_0 t", "number", "score '1_0'"),
        ("q1 Q0 x 3 nan t", "not-finite", "score 'nan'"),
        ("q1 Q0 x 3 -Inf t", "not-finite", "score '-Inf'"),
        ("q1 Q0 x 3 1e999 t", "overflow", "score '1e999'"),
        ("q1 Q0 x third 0.1 t", "rank-number", "rank 'third'"),
        ("q1 Q0 a 3 0.7 t", "duplicate-item", "query 'q1', item 'a': score 0.7 after 0.9, first in line 1"),
    ],
)
def test_a_bad_row_of_a_run(report: Any, line: str, code: str, example: str) -> None:
    found = only(report(JUDGED, f"{RANKED}# a comment\n\n{line}\n"), code)
    assert found.count == 1
    assert [(e.text, e.place) for e in found.examples] == [(example, 7)]
    assert found.severity == ("warning" if code == "rank-number" else "problem")


@pytest.mark.parametrize(
    ("line", "code", "severity"),
    [
        ("q1 0 x", "columns", "problem"),
        ("q1 0 x yes", "number", "problem"),
        ("q1 0 x 9007199254740994", "grade-too-large", "problem"),
        ("q1 0 a 2", "conflicting-grades", "problem"),
        ("q1 0 a 1.0", "repeated-judgments", "remark"),
    ],
)
def test_a_bad_row_of_judgments(report: Any, line: str, code: str, severity: str) -> None:
    done = report(f"{JUDGED}{line}\n", RANKED)
    found = only(done, code)
    assert (found.severity, found.count, found.examples[0].place) == (severity, 1, 4)
    assert done.ok == (severity != "problem")


def test_all_are_counted_and_ten_are_kept(report: Any) -> None:
    bad = "".join(f"q1 Q0 x{n} 1 oops t\n" for n in range(25)) + "short\n" * 3
    done = report(JUDGED, RANKED + bad)
    found = only(done, "number")
    assert found.count == 25
    assert [e.place for e in found.examples] == list(range(5, 15))
    assert "and 15 more" in repr(done)
    assert only(done, "columns").count == 3


def test_the_good_rows_around_bad_ones_are_still_checked(report: Any) -> None:
    done = report(JUDGED, "q1 Q0 a 1 nan t\nq1 Q0 b 2 0.8 t\nq2 Q0 c 1 0.5 t\nbroken\nq2 Q0 c 2 0.4 t\n")
    assert {"not-finite", "columns", "duplicate-item"} <= codes(done)
    assert only(done, "duplicate-item").examples[0].place == 5


def test_a_line_longer_than_any_row_is_passed_over(report: Any) -> None:
    done = report(JUDGED, RANKED + "x" * (3 << 20) + "\nq2 Q0 e 3 oops t\n")
    assert only(done, "line-too-long").examples[0].place == 5
    assert only(done, "number").examples[0].place == 6


def test_many_blocks_keep_their_line_numbers(report: Any) -> None:
    rows = "".join(f"q1 Q0 item-{n:06} {n} {1e6 - n} t\n" for n in range(1, 100_001))
    done = report(JUDGED, rows + "q1 Q0 item-000007 5 x t\nq1 Q0 item-000007 6 0 t\n")
    assert only(done, "number").examples[0].place == 100_001
    assert only(done, "duplicate-item").examples[0].text.endswith("first in line 7")


def test_gzip_byte_order_mark_and_line_ends_of_windows(report: Any) -> None:
    text = b"\xef\xbb\xbf" + RANKED.replace("\n", "\r\n").encode() + b"q2 Q0 e 3 x t"
    done = report(gzip.compress(JUDGED.encode()), gzip.compress(text))
    assert codes(done) == {"number", "unjudged"}
    assert only(done, "number").examples[0].place == 5


def test_broken_gzip_is_a_finding(report: Any) -> None:
    done = report(JUDGED, gzip.compress(RANKED.encode() * 1000)[:-20])
    assert only(done, "gzip").severity == "problem"


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n"])
def test_an_empty_input(report: Any, text: str) -> None:
    done = report(JUDGED, text)
    assert only(done, "no-rows").source.endswith("1.run")
    assert not report(text, RANKED).ok


def test_files_in_the_wrong_places(report: Any) -> None:
    done = report(RANKED, JUDGED)
    assert [finding.code for finding in done] == ["looks-like-run", "looks-like-judgments"]


def test_something_else_than_rows(report: Any) -> None:
    assert not report(JUDGED, b"\x00\x01\x02\xff" * 500).ok


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "truth.qrels").write_text(JUDGED)
    with pytest.raises(rankscope.InputError, match="no such file"):
        check(tmp_path / "truth.qrels", tmp_path / "nothing.run")
    with pytest.raises(rankscope.InputError, match="no such file"):
        check(tmp_path / "nothing.qrels", {"q1": {"a": 1}})


def test_queries_missing_and_extra(report: Any) -> None:
    done = report(JUDGED + "q3 0 a 1\nq4 0 a 1\n", RANKED + "other Q0 a 1 1 t\n")
    missing, extra = only(done, "missing-queries"), only(done, "extra-queries")
    assert [e.text for e in missing.examples] == ["'q3'", "'q4'"]
    assert [e.text for e in extra.examples] == ["'other'"]
    assert (missing.severity, extra.severity) == ("warning", "remark")


def test_no_query_in_common(report: Any) -> None:
    assert only(report(JUDGED, "x Q0 a 1 1 t\ny Q0 a 1 1 t\n"), "no-common-query").severity == "problem"


def test_look_alike_queries(report: Any) -> None:
    found = only(report(JUDGED, RANKED.replace("q2", "Q02")), "alike-queries")
    assert (found.count, found.severity) == (1, "problem")
    assert found.facts["difference"] == "case and leading zeros"
    assert found.examples[0].text == "'q2' (the run has 'Q02')"


def test_look_alike_items(report: Any) -> None:
    judged = "".join(f"q1 0 d{n} 1\n" for n in range(8))
    ranked = "".join(f"q1 Q0 {n if n else 'd0'} {n} {9 - n} t\n" for n in range(8))
    done = report(judged, ranked)
    found = only(done, "alike-items")
    assert (found.count, found.facts["items"], found.severity) == (7, 7, "problem")
    assert found.facts["difference"] == "prefix 'd'"
    none = report(judged, ranked.replace(" d0 ", " 0 "))
    assert only(none, "no-judged-item").facts["items"] == 8


def test_few_look_alike_items_are_a_warning(report: Any) -> None:
    judged = "".join(f"q1 0 {name} 1\n" for name in ("a", "b", "c", "d", "e"))
    done = report(judged, "q1 Q0 a 1 9 t\nq1 Q0 B 2 8 t\n")
    assert (only(done, "alike-items").severity, only(done, "alike-items").facts["share"]) == ("warning", 0.25)


def test_what_ties_do(report: Any) -> None:
    """One relevant item among two that are tied: its rank is 1 or 2, so nDCG is 1 or 1/log2(3)."""
    done = report("q1 0 a 1\n", "q1 Q0 a 1 5 t\nq1 Q0 b 2 5 t\nq1 Q0 c 3 1 t\nq1 Q0 d 4 0 t\n")
    found = only(done, "ties")
    worst = 1 / np.log2(3)
    assert (found.count, found.facts["items"], found.facts["share"]) == (2, 4, 0.5)
    assert found.facts["best"] == pytest.approx(1, abs=1e-15)
    assert found.facts["worst"] == pytest.approx(worst, abs=1e-15)
    assert found.facts["expected"] == pytest.approx((1 + worst) / 2, abs=1e-15)
    assert found.severity == "warning"


def test_ties_without_effect_are_a_remark(report: Any) -> None:
    done = report("q1 0 a 1\n", "q1 Q0 a 1 5 t\nq1 Q0 b 2 1 t\nq1 Q0 c 3 1 t\n")
    assert only(done, "ties").severity == "remark"


def test_shares_of_unjudged_items(report: Any) -> None:
    """40 items, of which the first 8 and the last 2 are judged."""
    judged = "".join(f"q1 0 d{n} 1\n" for n in (*range(8), 38, 39))
    found = only(report(judged, "".join(f"q1 Q0 d{n} {n} {99 - n} t\n" for n in range(40))), "unjudged")
    assert found.facts["at_10"] == pytest.approx(0.2, abs=1e-15)
    assert found.facts["at_100"] == pytest.approx(0.75, abs=1e-15)
    assert found.severity == "remark"


def test_shares_do_not_depend_on_missing_queries(report: Any) -> None:
    done = report(JUDGED + "q3 0 a 1\n", RANKED)
    # q1: both of two are judged; q2: one of two.
    assert only(done, "unjudged").facts["at_10"] == pytest.approx(0.25, abs=1e-15)


def test_ranks_against_scores(report: Any) -> None:
    rows = (
        "q1 Q0 a 1 0.5 t\nq1 Q0 b 2 0.9 t\nq1 Q0 e 3 0.4 t\nq1 Q0 f 4 0.4 t\nq2 Q0 c 1 3 t\nq2 Q0 d 2 2 t\n"
    )
    found = only(report(JUDGED, rows), "rank-order")
    assert (found.count, found.severity) == (1, "warning")
    assert found.examples[0].text == "query 'q1', item 'b': rank 2 has score 0.9, rank 1 has 0.5"
    assert found.examples[0].place == 2


def test_distances_given_as_scores(report: Any) -> None:
    rows = "".join(f"q1 Q0 d{n} {n} {n / 10} t\n" for n in range(1, 6))
    assert "lower_is_better" in only(report(JUDGED, rows), "reversed-scores").hint
    assert not codes(report(JUDGED, rows, lower_is_better=True)) & {"reversed-scores", "rank-order"}


def test_a_query_that_finds_itself(report: Any) -> None:
    found = only(report(JUDGED, RANKED + "q2 Q0 q2 3 0.1 t\nq2 Q0 q1 4 0.05 t\n"), "own-id")
    assert (found.count, found.examples[0].place) == (1, 5)


def test_rankings_cut_at_different_depths(report: Any) -> None:
    done = report(JUDGED, RANKED, RANKED + "q2 Q0 e 3 0.3 t\nq2 Q0 f 4 0.2 t\n")
    short, depths = only(done, "short-rankings"), only(done, "different-depths")
    assert (short.count, short.facts["depth"], short.examples[0].text) == (1, 4, "'q1' has 2")
    assert depths.source.endswith("1.run")
    assert depths.facts["least"] == 2


def test_ranks_alone_decide_in_three_columns(report: Any) -> None:
    """MS MARCO's layout: query, item, rank."""
    done = report("q1 a 1\nq1 b 0\n", "q1 a 1\nq1 b 2\nq1 c 2.5\n")
    assert [(f.code, f.examples[0].place) for f in done] == [("rank", 3)]


def test_other_formats(tmp_path: Path, core: ModuleType) -> None:
    """What their readers accept is checked like the rest; what they refuse is one finding."""
    (tmp_path / "truth.csv").write_text("query,item,grade\nq1,a,1\nq1,a,2\nQ2,b,1\n")
    (tmp_path / "run.json").write_text('{"q1": {"a": 1.5, "c": 0.5}, "q2": {"b": 1}}')
    (tmp_path / "bad.json").write_text('{"q1": {"a": "high"}}')
    done = check(tmp_path / "truth.csv", [tmp_path / "run.json", tmp_path / "bad.json"])
    assert only(done, "conflicting-grades").examples[0].place == 2
    assert only(done, "alike-queries").facts["difference"] == "case"
    bad = done.of(str(tmp_path / "bad.json"))
    assert [(finding.severity, finding.count) for finding in bad] == [("problem", 1)]


NOT_A_NUMBER = float("nan")


def test_a_mapping(core: ModuleType) -> None:
    done = check(
        {"q1": {"a": 1, "b": "good"}, "q2": 7, "q3": ["c"]},
        {"q1": {"a": NOT_A_NUMBER, "b": 1, None: 2}, "q3": ["c", "c"]},
    )
    assert codes(done) >= {"value-type", "judged-items-type", "not-finite", "null", "duplicate-item"}
    assert only(done, "not-finite").examples[0].text == "score 'nan' of query 'q1', item 'a'"
    assert only(done, "judged-items-type").count == 1


@pytest.mark.parametrize("library", [pd, pl])
def test_a_frame(library: Any, core: ModuleType) -> None:
    judgments = library.DataFrame({"query": ["q1", "q1"], "item": ["a", "b"], "grade": [1, 0]})
    run = library.DataFrame(
        {"query": ["q1"] * 4, "item": ["a", "b", "a", "c"], "score": [3.0, float("inf"), 1.0, 0.5]}
    )
    done = check(judgments, {"mine": run})
    assert only(done, "not-finite").examples[0].place == 2
    assert only(done, "duplicate-item").examples[0].text.endswith("first in row 1")
    assert list(done.sources) == ["judgments", "mine"]


def test_a_frame_without_the_columns_is_an_error() -> None:
    unnamed = pd.DataFrame({"query": ["q1"], "what": ["a"]})
    for judgments, run in (({"q1": {"a": 1}}, unnamed), (unnamed, {"q1": {"a": 1}})):
        with pytest.raises(rankscope.InputError, match="no column for item"):
            check(judgments, run)


def test_prepared_judgments_and_whole_numbers(core: ModuleType) -> None:
    prepared = rankscope.Judgments.of({1: {10: 1, 11: 0}})
    assert codes(check(prepared, {1: {10: 0.5, 11: 0.4}})) == set()
    assert only(check(prepared, {1: {10: 0.5, 12: 0.4}}), "unjudged").facts["at_10"] == 0.5


def test_something_that_nobody_reads_is_an_error() -> None:
    with pytest.raises(rankscope.InputError, match="cannot be read as"):
        check(42, {"q1": {"a": 1}})


def test_both_cores_find_the_same(report: Any, examples: Path) -> None:
    """The values in the sentences are those that evaluate gives for the example data."""
    done = check(examples / "judgments.qrels", examples / "bm25.run")
    facts = only(done, "ties").facts
    for ties in ("expected", "best", "worst"):
        result = rankscope.evaluate(examples / "judgments.qrels", examples / "bm25.run", "nDCG@10", ties=ties)
        assert facts[ties] == pytest.approx(result["nDCG@10"], abs=1e-14)


@pytest.fixture
def examples() -> Path:
    return Path(__file__).parents[2] / "examples"


def test_the_order_of_findings_and_what_a_report_says_of_itself(report: Any) -> None:
    done = report(JUDGED + "q3 0 a 1\n", "q1 Q0 zz 1 5 t\nq1 Q0 q1 2 4 t\nq1 Q0 a 3 x t\n")
    order = [finding.severity for finding in done]
    assert order == sorted(order, key=["problem", "warning", "remark"].index)
    assert len(done) == len(order) > 3
    assert bool(done)
    content = json.loads(done.to_json())
    assert content == done.to_dict()
    assert content["ok"] is False
    shown = {f["code"]: f for f in content["inputs"][1]["findings"]}
    assert shown["number"]["examples"] == [{"text": "score 'x'", "line": 3}]
    for finding in done:
        assert finding.what in repr(done)


def test_ids_are_shown_without_control_characters(report: Any) -> None:
    done = report(JUDGED, RANKED + "q1 Q0 \x1b[31mred 3 \x1b[0m t\n")
    assert "\x1b" not in repr(done)
    assert "\x1b" not in done.to_json()


def test_progress_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.monotonic", iter(range(10**6)).__next__)
    (tmp_path / "truth.qrels").write_text(JUDGED)
    (tmp_path / "one.run").write_text(RANKED)
    told: list[tuple[int, int]] = []
    check(tmp_path / "truth.qrels", tmp_path / "one.run", progress=lambda *now: told.append(now))
    assert (len(RANKED), len(RANKED)) in told


def test_the_examples_of_the_page() -> None:
    done = doctest.testfile(str(PAGE), module_relative=False)
    assert (done.failed, done.attempted) == (0, 5)


def test_the_page_explains_every_kind_of_finding() -> None:
    page = PAGE.read_text()
    explained = [line.split("`")[1] for line in page.splitlines() if line.startswith("| `")]
    assert sorted(explained) == sorted(CATALOGUE)
    for code, kind in CATALOGUE.items():
        assert f"| `{code}` | {kind.severity}" in page
