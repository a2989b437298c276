"""evaluate: policies, options and notes, from plain dicts to numbers."""

from __future__ import annotations

import math
import pickle
import sys

import numpy as np
import pytest

import rankscope
from rankscope import InputError, Judgments, MeasureError, PolicyError, evaluate, evaluate_scores

JUDGMENTS = {
    "q1": {"a": 2, "b": 0, "c": 1},
    "q2": {"d": 1},
    "q3": {"e": 0},  # nothing relevant
    "q4": {"f": 1},  # not in the run
}
RUN = {
    "q1": {"b": 0.9, "a": 0.8, "x": 0.7},
    "q2": {"y": 0.5, "d": 0.5},
    "q3": {"e": 1.0},
    "q9": {"a": 1.0},
}


def per_query(measure: str, **options: object) -> dict[str, float]:
    result = evaluate(JUDGMENTS, RUN, measure, **options)  # type: ignore[arg-type]
    name = str(result.measures[0])
    return {query: values[name] for query, values in result.queries.items() if name in values}


def test_values_by_hand() -> None:
    result = evaluate(JUDGMENTS, RUN, "RR AP P@2 R")
    # q1: b, a, x.  q2: y, d (equal scores: larger id first).
    assert dict(result.queries["q1"]) == {"RR": 1 / 2, "AP": 1 / 4, "P@2": 1 / 2, "R": 1 / 2}
    assert dict(result.queries["q2"]) == {"RR": 1 / 2, "AP": 1 / 2, "P@2": 1 / 2, "R": 1}
    assert result["AP"] == pytest.approx((1 / 4 + 1 / 2 + 0 + 0) / 4)


def test_default_measures() -> None:
    assert [str(m) for m in evaluate(JUDGMENTS, RUN).measures] == ["nDCG@10", "AP", "RR", "P@10", "R@100"]


@pytest.mark.parametrize(
    "measures", ["AP, P@5", ["AP", "P@5"], [rankscope.AP, rankscope.P @ 5], ("map", "AP", "P_5")]
)
def test_measures_may_be_given_in_many_ways(measures: object) -> None:
    assert [str(m) for m in evaluate(JUDGMENTS, RUN, measures).measures] == ["AP", "P@5"]  # type: ignore[arg-type]


@pytest.mark.parametrize("measures", [[], (), ""])
def test_no_measure_is_an_error(measures: object) -> None:
    with pytest.raises(MeasureError):
        evaluate(JUDGMENTS, RUN, measures)  # type: ignore[arg-type]


class TestMissing:
    def test_empty(self) -> None:
        assert per_query("P@1") == {"q1": 0, "q2": 0, "q3": 0, "q4": 0}
        assert per_query("NumRel")["q4"] == 1

    def test_zero(self) -> None:
        assert per_query("NumRel", missing="zero")["q4"] == 0

    def test_skip(self) -> None:
        assert list(per_query("RR", missing="skip")) == ["q1", "q2", "q3"]
        assert evaluate(JUDGMENTS, RUN, "RR", missing="skip")["RR"] == pytest.approx(1 / 3)
        assert evaluate(JUDGMENTS, RUN, "NumRel", missing="skip")["NumRel"] == 3

    def test_error_names_examples(self) -> None:
        with pytest.raises(InputError, match="1 judged query \\('q4'\\)") as caught:
            evaluate(JUDGMENTS, RUN, "RR", missing="error")
        assert caught.value.code == "missing-queries"


class TestExtra:
    def test_ignored_with_a_note(self) -> None:
        assert "the run has 1 unjudged query ('q9'): left out" in evaluate(JUDGMENTS, RUN, "RR").notes

    def test_error(self) -> None:
        with pytest.raises(InputError, match="q9") as caught:
            evaluate(JUDGMENTS, RUN, "RR", extra="error")
        assert caught.value.code == "extra-queries"


class TestUndefined:
    def test_measure_decides(self) -> None:
        assert per_query("AP")["q3"] == 0
        assert "AP is not defined for 1 query: counted as 0" in evaluate(JUDGMENTS, RUN, "AP").notes

    def test_nan(self) -> None:
        assert math.isnan(per_query("AP", undefined="nan")["q3"])
        assert evaluate(JUDGMENTS, RUN, "AP", undefined="nan")["AP"] == pytest.approx((1 / 4 + 1 / 2) / 3)

    def test_skip(self) -> None:
        assert list(per_query("AP", undefined="skip")) == ["q1", "q2", "q4"]

    def test_error(self) -> None:
        with pytest.raises(InputError, match=r"AP is not defined for 1 query \('q3'\)"):
            evaluate(JUDGMENTS, RUN, "P AP", undefined="error")

    def test_whatever_the_run_has(self) -> None:
        """A query without relevant items is undefined, not empty, where the run lacks it."""
        run = {"q1": RUN["q1"]}
        result = evaluate(JUDGMENTS, run, "AP", undefined="nan")
        assert [math.isnan(v) for v in result.run.values["AP"]] == [False, False, True, False]

    def test_all_undefined(self) -> None:
        result = evaluate({"q": {"a": 0}}, {"q": {"a": 1.0}}, "AP", undefined="nan")
        assert math.isnan(result["AP"])


def test_ties() -> None:
    values = {ties: per_query("RR", ties=ties)["q2"] for ties in ("docid", "docid-asc", "given")}
    assert values == {"docid": 1 / 2, "docid-asc": 1, "given": 1 / 2}
    assert per_query("RR", ties="expected")["q2"] == 3 / 4
    assert "2 of 6 retrieved items are tied: ties=expected averages over their orders" in (
        evaluate(JUDGMENTS, RUN, "RR", ties="expected").notes
    )


def test_unjudged_drop() -> None:
    assert per_query("RR", unjudged="drop")["q2"] == 1
    assert per_query("Judged@2", unjudged="drop")["q2"] == 1


def test_depth() -> None:
    assert per_query("R", depth=1) == {"q1": 0, "q2": 0, "q3": 0, "q4": 0}
    assert per_query("NumRet", depth=2) == {"q1": 2, "q2": 2, "q3": 1, "q4": 0}
    assert "only the first 2 items of each ranking count" in evaluate(JUDGMENTS, RUN, "RR", depth=2).notes


@pytest.mark.parametrize("unjudged", ["irrelevant", "drop"])
@pytest.mark.parametrize("depth", [0, -1, 2.5, "3", True])
def test_depth_is_a_whole_number_from_1_up(depth: object, unjudged: str) -> None:
    with pytest.raises(InputError) as caught:
        evaluate(JUDGMENTS, RUN, "RR", depth=depth, unjudged=unjudged)  # type: ignore[arg-type]
    assert caught.value.code == "count"


def test_depth_counts_what_is_left_of_a_condensed_ranking() -> None:
    run = {"q1": ["x", "y", "b", "a", "c"]}
    result = evaluate(JUDGMENTS, run, "NumRet RR", depth=2, unjudged="drop")
    assert dict(result.queries["q1"]) == {"NumRet": 2, "RR": 1 / 2}


def test_lower_is_better() -> None:
    assert per_query("Judged@1")["q1"] == 1  # b is judged, and has the highest score
    assert per_query("Judged@1", lower_is_better=True)["q1"] == 0  # x is not, and has the lowest
    turned = {q: {i: -s for i, s in items.items()} for q, items in RUN.items()}
    assert (
        evaluate(JUDGMENTS, turned, "AP", lower_is_better=True)["AP"] == evaluate(JUDGMENTS, RUN, "AP")["AP"]
    )


def test_queries() -> None:
    result = evaluate(JUDGMENTS, RUN, "RR", queries=["q2", "q1"])
    assert list(result.queries) == ["q1", "q2"]
    assert list(evaluate(JUDGMENTS, RUN, "RR", queries="q2").queries) == ["q2"]
    with pytest.raises(InputError, match="q7"):
        evaluate(JUDGMENTS, RUN, "RR", queries=["q1", "q7"])


def test_a_judged_query_that_is_not_chosen_is_neither_extra_nor_missing() -> None:
    judgments, run = {"q1": ["a"], "q2": ["b"], "q3": ["c"]}, {"q1": ["a"], "q2": ["x", "b"]}
    result = evaluate(judgments, run, "RR", queries=["q2"], missing="error", extra="error")
    assert result["RR"] == 0.5
    assert result.notes == (
        "only 1 of 3 judged queries were chosen",
        "1 of 2 retrieved items have no judgment: they count as not relevant",
    )
    with pytest.raises(InputError, match=r"no query in common .* judged are 'q3', ranked are 'q1', 'q2'"):
        evaluate(judgments, run, "RR", queries=["q3"])


def test_rel_is_a_default_for_measures_that_have_it() -> None:
    names = [str(m) for m in evaluate(JUDGMENTS, RUN, "AP nDCG P(rel=3)", rel=2).measures]
    assert names == ["AP(rel=2)", "nDCG", "P(rel=3)"]


def test_unknown_policy() -> None:
    with pytest.raises(PolicyError, match="did you mean ties"):
        evaluate(JUDGMENTS, RUN, "RR", tie="docid")


def test_no_common_query_is_an_error() -> None:
    with pytest.raises(InputError) as caught:
        evaluate(JUDGMENTS, {"other": {"a": 1.0}}, "RR", missing="skip")
    assert caught.value.code == "no-common-query"


def test_ids_of_two_types_are_noted() -> None:
    result = evaluate({1: {"a": 1}}, {"1": {"a": 1.0}}, "RR")
    assert result["RR"] == 1
    assert "query ids are whole numbers in the judgments, text in the run: compared as text" in result.notes


def test_duplicates_are_noted() -> None:
    run = {"q1": ["b", "a", "b"]}
    assert any("1 row with an item" in n for n in evaluate(JUDGMENTS, run, "RR", duplicates="first").notes)


class TestGrades:
    def test_too_high_for_gain_exp(self) -> None:
        with pytest.raises(InputError, match=r"query 'q2' gives item 'b' the grade 1001, too high") as caught:
            evaluate({"q1": {"a": 1}, "q2": {"a": 3, "b": 1001}}, {"q1": ["a"]}, "nDCG(gain=exp)")
        assert caught.value.code == "grade-too-high"

    def test_up_to_1000_is_fine(self) -> None:
        assert (
            evaluate({"q": {"a": 1000, "b": 1}}, {"q": ["a", "b"]}, "nDCG(gain=exp)")["nDCG(gain=exp)"] == 1
        )

    @pytest.mark.parametrize("grade", [2**31, 2**40, 2**53, 100_000.5])
    def test_large_ones(self, grade: float) -> None:
        result = evaluate({"q": {"a": grade, "b": 1}}, {"q": ["b", "a"]}, "nDCG DCG@2 AP")
        ideal = grade + 1 / math.log2(3)
        assert result["nDCG"] == pytest.approx((1 + grade / math.log2(3)) / ideal, rel=1e-14)
        assert result["AP"] == 1

    def test_negative_ones(self) -> None:
        """Neither relevant nor judged non-relevant, but judged."""
        result = evaluate({"q": {"a": -1, "b": 1}}, {"q": ["a", "b"]}, "nDCG bpref Judged P(rel=0) DCG")
        assert result["bpref"] == 1
        assert result["Judged"] == 1
        assert result["P(rel=0)"] == 0.5
        assert result["DCG"] == pytest.approx(1 / math.log2(3))


class TestSeveralRuns:
    def test_as_a_mapping(self) -> None:
        result = evaluate(JUDGMENTS, {"one": RUN, "two": {"q1": ["a"]}}, "RR")
        assert result["one"]["RR"] == 1 / 4
        assert result["two"]["recip_rank"] == 1 / 4

    def test_each_aligned_once_whatever_the_number_of_measures(self, monkeypatch: pytest.MonkeyPatch) -> None:
        module = sys.modules["rankscope.measuring"]
        calls: list[object] = []
        align = module.align
        monkeypatch.setattr(module, "align", lambda *a, **k: calls.append(a) or align(*a, **k))
        evaluate(JUDGMENTS, [RUN, {"q1": ["a"]}], "RR AP nDCG P@5", ties="best")
        assert len(calls) == 2


def test_judgments_are_prepared_once() -> None:
    judgments = Judgments.of(JUDGMENTS)
    first = evaluate(judgments, RUN, "nDCG AP bpref")
    prepared = dict(judgments._memo)
    again = evaluate(judgments, {"q1": ["a", "b"]}, "nDCG AP bpref")
    assert set(judgments._memo) == set(prepared)
    assert all(judgments._memo[key] is prepared[key] for key in prepared)
    assert first["nDCG"] != again["nDCG"]


def test_judgments_pickle() -> None:
    judgments = Judgments.of(JUDGMENTS)
    evaluate(judgments, RUN)
    assert evaluate(pickle.loads(pickle.dumps(judgments)), RUN)["AP"] == evaluate(judgments, RUN)["AP"]


class TestScores:
    def test_matrix(self) -> None:
        result = evaluate_scores([[1, 0, 2], [0, 1, 0]], [[0.1, 0.3, 0.2], [0.3, 0.2, 0.1]], "RR")
        assert result.run.values["RR"].tolist() == [1 / 2, 1 / 2]

    def test_groups(self) -> None:
        result = evaluate_scores([1, 0, 0, 1], [0.1, 0.3, 0.2, 0.9], "RR", groups=["x", "x", "y", "y"])
        assert {q: v["RR"] for q, v in result.queries.items()} == {"x": 1 / 2, "y": 1}

    def test_against_scikit_learn(self) -> None:
        from sklearn.metrics import dcg_score, ndcg_score

        rng = np.random.default_rng(3)
        truth, scores = rng.integers(0, 4, (20, 15)), rng.integers(0, 5, (20, 15)).astype(float)
        result = evaluate_scores(truth, scores, "nDCG nDCG@5 DCG@5", ties="expected")
        assert result["nDCG"] == pytest.approx(ndcg_score(truth, scores), abs=1e-12)
        assert result["nDCG@5"] == pytest.approx(ndcg_score(truth, scores, k=5), abs=1e-12)
        assert result["DCG@5"] == pytest.approx(dcg_score(truth, scores, k=5), abs=1e-12)

    def test_shapes_must_agree(self) -> None:
        with pytest.raises(InputError):
            evaluate_scores([1, 0], [0.5], "RR")


def test_reading_options_are_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules["rankscope.measuring"]
    seen: dict[str, object] = {}
    align = module.align
    monkeypatch.setattr(module, "align", lambda *a, **k: seen.update(k) or align(*a, **k))

    def progress(done: int, total: int) -> None: ...

    evaluate(JUDGMENTS, RUN, "RR", progress=progress, threads=1, duplicates="best", ties="given")
    assert seen["progress"] is progress
    assert (seen["threads"], seen["duplicates"], seen["tie_order"]) == (1, "best", "given")


@pytest.mark.parametrize("ties", ["docid", "expected", "worst"])
def test_blocks_of_queries_change_nothing(monkeypatch: pytest.MonkeyPatch, ties: str) -> None:
    measures = [m.name for m in rankscope.measures.registered() if m.truth != "answer"]
    whole = evaluate(JUDGMENTS, RUN, measures, ties=ties)
    monkeypatch.setattr("rankscope.data.judgments.BLOCK_QUERIES", 1)
    prepared = Judgments.of(JUDGMENTS)
    assert [(place.start, len(block)) for place, block in prepared.blocks] == [
        (number, 1) for number in range(len(prepared))
    ]
    assert [list(block.items) for _, block in prepared.blocks] == [
        list(map(str, j)) for j in JUDGMENTS.values()
    ]
    assert evaluate(prepared, RUN, measures, ties=ties).to_json(per_query=True) == whole.to_json(
        per_query=True
    )


def test_unjudged_items_are_noted() -> None:
    notes = evaluate({"q": {"a": 1}}, {"q": ["a", "b", "c"]}, "RR").notes
    assert notes == ("2 of 3 retrieved items have no judgment: they count as not relevant",)
    notes = evaluate({"q": {"a": 1}}, {"q": ["a", "b", "c"]}, "RR", unjudged="drop").notes
    assert notes == ("2 of 3 retrieved items have no judgment: left out",)
    notes = evaluate({"q": {"doc-1": 1}}, {"q": ["1", "2"]}, "RR").notes
    assert notes == (
        "no retrieved item has a judgment: do the run and the judgments name their items alike?",
    )
