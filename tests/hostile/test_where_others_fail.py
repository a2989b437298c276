"""Inputs on which other tools crash, hang or answer wrongly without a word; each docstring says which.

The versions: trec_eval 10.0, pytrec_eval-terrier 0.5.11, ir_measures 0.4.3, ranx 0.3.21, scikit-learn 1.9.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hostile_support import (
    built_in,
    each_by_itself,
    evaluate_text,
    every_measure,
    exactly,
    qrels_text,
    run_text,
)

import rankscope
from rankscope import InputError, MeasureError, Result, evaluate, evaluate_scores

pytestmark = pytest.mark.usefixtures("core")

Evaluate = Callable[..., Result]
RUN = {"q": {"a": 2.0, "b": 1.0}}


@pytest.fixture(params=["mapping", "text"])
def measured(request: pytest.FixtureRequest, tmp_path: Path) -> Evaluate:
    """`evaluate` for a dict of dicts, which reaches it as it is or as two text files."""
    if request.param == "mapping":
        return evaluate

    def through_files(judgments: Any, run: Any, measures: Any, **options: Any) -> Result:
        return evaluate_text(tmp_path, qrels_text(judgments), run_text(run), measures, **options)

    return through_files


@pytest.mark.parametrize("grade", [10**5, 3 * 10**6, 2**31, 2**32, 2**40, 2**53, -(2**31), -(2**53)])
def test_large_grades(measured: Evaluate, grade: int) -> None:
    """2**31 kills trec_eval and pytrec_eval, 2**40 gives 0 there, 100 000 takes trec_eval 8 seconds.

    Here the work does not depend on the grade: counting up to 2**53 would never end.
    """
    names = [name for name in every_measure() if "DCG" not in name]
    result = measured({"q": {"b": grade, "x": 0}}, RUN, [*names, "DCG", "nDCG", "nDCG@10"])
    relevant = grade > 0
    assert result["RR"] == (0.5 if relevant else 0.0)
    assert result["nDCG"] == pytest.approx(1 / math.log2(3) if relevant else 0.0, rel=1e-12)
    assert result["DCG"] == pytest.approx(max(grade, 0) / math.log2(3), rel=1e-12)


@pytest.mark.parametrize("grade", [2**53 + 2, 2**63, 2**64, 10**30, -(2**53) - 2])
def test_grades_that_a_double_cannot_hold(measured: Evaluate, grade: int) -> None:
    with pytest.raises(InputError, match=r"beyond 2\^53") as caught:
        measured({"q": {"b": grade}}, RUN, "nDCG")
    assert caught.value.code == "grade-too-large"


def test_exponential_gain_of_a_large_grade_names_it(measured: Evaluate) -> None:
    assert measured({"q": {"b": 1000}}, RUN, "nDCG(gain=exp)")["nDCG(gain=exp)"] > 0
    with pytest.raises(InputError, match=r"query 'q' gives item 'b' the grade 1001, too high for gain=exp"):
        measured({"q": {"b": 1001}}, RUN, "nDCG(gain=exp)")


@pytest.mark.parametrize("name", ["P@0", "nDCG@0", "P@-1", "P@1.5", "P@nan", "P_0", "P@99999999999999999999"])
def test_a_cutoff_of_nothing(measured: Evaluate, name: str) -> None:
    """P@0 aborts the process in pytrec_eval; ranx takes it for no cutoff at all."""
    with pytest.raises(MeasureError, match="cutoff") as caught:
        measured({"q": {"a": 1}}, RUN, [name])
    assert "a whole number from 1 to 2147483647" in str(caught.value)


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf])
def test_scores_that_are_not_finite(measured: Evaluate, score: float) -> None:
    """trec_eval, pytrec_eval and ranx rank NaN somewhere and say nothing; scipy's weightedtau gives -0.36."""
    with pytest.raises(InputError, match="is not finite") as caught:
        measured({"q": {"a": 1}}, {"q": {"a": 1.0, "b": score}}, "RR")
    assert caught.value.where.endswith(("system.run:2:10", "query 'q', item 'b'"))
    with pytest.raises(InputError, match="is not finite"):
        measured({"q": {"a": score}}, RUN, "RR")


def test_a_score_that_is_no_number(measured: Evaluate) -> None:
    """trec_eval reads abc as 0 and gives a perfect map; pytrec_eval's ValueError does not say where."""
    with pytest.raises(InputError, match="abc") as caught:
        measured({"q": {"a": 1}}, {"q": {"a": 1.0, "b": "abc"}}, "RR")
    assert caught.value.code in ("number", "value-type")
    assert "'b'" in str(caught.value) or caught.value.where.endswith("system.run:2:10")


def test_grades_between_whole_numbers_are_kept(measured: Evaluate) -> None:
    """trec_eval cuts 1.5 down to 1, and 0.5 to nothing, without a word."""
    result = measured({"q": {"b": 1.5, "a": 0.5}}, RUN, "DCG, NumRel, NumRel(rel=0.5), NumRel(rel=1.5)")
    assert result["DCG"] == pytest.approx(0.5 + 1.5 / math.log2(3), rel=1e-12)
    assert [result[f"NumRel{rel}"] for rel in ("", "(rel=0.5)", "(rel=1.5)")] == [1, 2, 1]


def test_an_item_twice_in_a_ranking(tmp_path: Path) -> None:
    """trec_eval's error has no line; ir_measures keeps the last in silence. Here both lines are named."""
    run = b"q Q0 a 1 3 t\nq Q0 b 2 2 t\nq Q0 a 3 1 t\n"
    with pytest.raises(InputError, match=r"query 'q' ranks item 'a' twice \(lines 1 and 3\)") as caught:
        evaluate_text(tmp_path, b"q 0 b 1\n", run, "RR")
    assert caught.value.where == f"{tmp_path / 'system.run'}:3"
    for policy in ("first", "best"):
        result = evaluate_text(tmp_path, b"q 0 b 1\n", run, "RR", duplicates=policy)
        assert result["RR"] == 0.5
        assert any("1 row with an item that its ranking has already" in note for note in result.notes)


def test_an_item_twice_in_a_list() -> None:
    with pytest.raises(InputError, match=r"query 'q' ranks item 'a' twice \(rows 1 and 3\)"):
        evaluate({"q": {"a": 1}}, {"q": ["a", "b", "a"]}, "AP")


def test_scores_that_single_precision_cannot_tell_apart(measured: Evaluate) -> None:
    """trec_eval before 10 and pytrec_eval tie 1e8 with 1e8 + 1 and rank the wrong one first."""
    assert measured({"q": {"a": 1}}, {"q": {"a": 1e8 + 1, "b": 1e8}}, "RR")["RR"] == 1.0
    assert measured({"q": {"b": 1}}, {"q": {"a": 1e8 + 1, "b": 1e8}}, "RR")["RR"] == 0.5


def test_a_tie_does_not_depend_on_the_order_of_the_input(measured: Evaluate) -> None:
    """ranx keeps the order of the dict, so the same data has two values."""
    judgments = {"q": {"a": 1}}
    expected = {"docid": 0.5, "docid-asc": 1.0, "expected": 0.75, "best": 1.0, "worst": 0.5}
    for run in ({"q": {"a": 1.0, "b": 1.0}}, {"q": {"b": 1.0, "a": 1.0}}):
        for ties, value in expected.items():
            assert measured(judgments, run, "RR", ties=ties)["RR"] == value


def test_a_byte_order_mark(tmp_path: Path) -> None:
    """pytrec_eval makes it a part of the first query id, which then matches nothing."""
    mark = b"\xef\xbb\xbf"
    result = evaluate_text(tmp_path, mark + b"q 0 a 1\n", mark + b"q Q0 a 1 1 t\n", "RR")
    assert dict(result.queries) == {"q": {"RR": 1.0}}


def test_bytes_that_are_not_utf8(tmp_path: Path) -> None:
    """pytrec_eval raises UnicodeDecodeError without a line; here they are kept and can be printed."""
    result = evaluate_text(
        tmp_path, b"q\xff 0 d\xe9 1\n", b"q\xff Q0 d\xe9 1 1 t\nq\xff Q0 d\xe8 1 2 t\n", "RR"
    )
    assert result["RR"] == 0.5
    assert '"q\\\\xff"' in result.to_json(per_query=True)


def test_a_query_that_the_run_lacks(measured: Evaluate) -> None:
    """trec_eval drops it without -c, ranx refuses; here it counts, is named, and the policy can be chosen."""
    judgments = {"q": {"a": 1}, "lost": {"a": 1}}
    result = measured(judgments, RUN, "RR")
    assert result["RR"] == 0.5
    assert "the run lacks 1 judged query ('lost'): it counts as an empty ranking" in result.notes
    assert measured(judgments, RUN, "RR", missing="skip")["RR"] == 1.0
    with pytest.raises(InputError, match=r"the run lacks 1 judged query \('lost'\)"):
        measured(judgments, RUN, "RR", missing="error")


def test_no_judgments_at_all(tmp_path: Path) -> None:
    """pytrec_eval returns {}, ir_measures NaN, ranx a ValueError about max()."""
    for empty in (b"", b"\n\n", b"# nothing\n"):
        with pytest.raises(InputError, match="no row in it"):
            evaluate_text(tmp_path, empty, b"q Q0 a 1 1 t\n", "RR")
        with pytest.raises(InputError, match="no row in it"):
            evaluate_text(tmp_path, b"q 0 a 1\n", empty, "RR")
    for nothing in ({}, {"q": {}}, {"q": []}):
        with pytest.raises(InputError, match="judgments without any row"):
            evaluate(nothing, RUN, "RR")
        with pytest.raises(InputError, match="a run without any row"):
            evaluate({"q": {"a": 1}}, nothing, "RR")


@pytest.mark.parametrize("kind", [np.int64, np.int8, np.uint64, np.float32, np.float64, np.bool_, bool])
def test_numbers_of_numpy(kind: Callable[[int], Any]) -> None:
    """np.int64 is a TypeError in pytrec_eval."""
    result = evaluate(
        {"q": {"b": kind(1), "a": kind(0)}}, {"q": {"a": np.float32(2), "b": np.int64(1)}}, "RR"
    )
    assert result["RR"] == 0.5


def test_one_document(measured: Evaluate) -> None:
    """scikit-learn's ndcg_score refuses it."""
    result = measured({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["nDCG", "AP", "RR", "bpref", "F", "Rprec"])
    assert set(result.aggregate.values()) == {1.0}
    assert evaluate_scores([[1]], [[0.3]], "nDCG")["nDCG"] == 1.0


def test_nothing_relevant(measured: Evaluate) -> None:
    """0 in trec_eval, an undefined AUC in scikit-learn; here 0, a note, and the policy can be chosen."""
    judgments = {"q": {"a": 0}}
    result = measured(judgments, RUN, every_measure())
    zero = {m.name for m in built_in() if m.undefined == 0 or m.name in ("P", "RR", "Success", "RBP", "DCG")}
    assert {"AP", "nDCG", "R", "Rprec", "bpref", "F"} < zero
    assert {name: result[name] for name in zero} == dict.fromkeys(zero, 0.0)
    assert any("not defined for 1 query: counted as 0" in note for note in result.notes)
    assert math.isnan(measured(judgments, RUN, "nDCG", undefined="nan")["nDCG"])
    with pytest.raises(InputError, match=r"nDCG is not defined for 1 query \('q'\)"):
        measured(judgments, RUN, "nDCG", undefined="error")


def test_a_constant_scorer_has_no_advantage_in_any_measure(measured: Evaluate) -> None:
    """Two tie rules in one report once gave a constant scorer MRR 1.0 and nDCG 0.0.

    With every item tied the expected values are those of chance, and all measures have the same tie rule.
    """
    items = [f"d{i}" for i in range(10)]
    judgments = {"q": {"d0": 1}}
    constant = {"q": dict.fromkeys(items, 0.5)}
    expected = measured(judgments, constant, "RR, nDCG, AP, P@1, Success@1", ties="expected")
    harmonic = sum(1 / rank for rank in range(1, 11)) / 10
    assert expected["RR"] == pytest.approx(harmonic, rel=1e-12)
    assert expected["AP"] == pytest.approx(harmonic, rel=1e-12)
    assert expected["nDCG"] == pytest.approx(sum(1 / math.log2(r + 1) for r in range(1, 11)) / 10, rel=1e-12)
    assert (expected["P@1"], expected["Success@1"]) == (pytest.approx(0.1), pytest.approx(0.1))
    by_id = measured(judgments, constant, "RR, nDCG, AP, P@1")
    assert [by_id["RR"], by_id["AP"], by_id["P@1"]] == [0.1, 0.1, 0.0]
    assert by_id["nDCG"] == pytest.approx(1 / math.log2(11), rel=1e-12)


def test_a_query_with_an_empty_set_of_judgments_harms_no_other() -> None:
    """In pytrec_eval it once corrupted the values of the queries after it."""
    judgments = {"q1": {"a": 1}, "empty": {}, "q2": {"b": 1}}
    run = {"q1": {"a": 1.0}, "empty": {"a": 1.0}, "q2": {"b": 1.0, "c": 2.0}}
    alone = evaluate({"q1": {"a": 1}, "q2": {"b": 1}}, run, each_by_itself())
    beside = evaluate(judgments, run, each_by_itself())
    for query in ("q1", "q2"):
        assert beside.queries[query] == exactly(alone.queries[query])


def test_a_query_with_an_empty_ranking_is_as_good_as_missing() -> None:
    judgments = {"q1": {"a": 1}, "q2": {"b": 1}}
    empty = evaluate(judgments, {"q1": {"a": 1.0}, "q2": {}}, every_measure())
    missing = evaluate(judgments, {"q1": {"a": 1.0}}, every_measure())
    for query in judgments:
        assert empty.queries[query] == exactly(missing.queries[query])


@pytest.mark.parametrize("policy", ["first", "best"])
def test_repeated_ids_never_lift_a_value_above_one(policy: str) -> None:
    """Elsewhere AP = 2.0 and nDCG = 1.63 were reported for rankings that repeat a relevant item."""
    names = [n for n in every_measure() if rankscope.parse(n).range == (0, 1)]
    result = evaluate({"q": {"a": 1}}, {"q": ["a", "a", "a", "b", "a"]}, names, duplicates=policy)
    assert max(result.aggregate.values()) == 1.0
    assert result["AP"] == result["nDCG"] == 1.0


def test_a_hash_in_the_middle_of_a_line_is_no_comment(tmp_path: Path) -> None:
    """Comments broke ids such as msmarco_doc_00_0#1 in trec_eval 10."""
    qrels = b"# judged by hand\nq#1 0 doc#0 1\n"
    result = evaluate_text(tmp_path, qrels, b"#\nq#1 Q0 doc#0 1 1 t#\nq#1 Q0 #x 1 2 t\n", "RR")
    assert dict(result.queries) == {"q#1": {"RR": 0.5}}


@pytest.mark.parametrize("missing", ["empty", "zero", "skip", "error"])
def test_no_query_in_common(measured: Evaluate, missing: str) -> None:
    """A segmentation fault in trec_eval; here an error under every policy, with ids of both sides."""
    with pytest.raises(InputError, match="no query in common") as caught:
        measured({"1": {"a": 1}}, {"q01": {"a": 1.0}}, "RR", missing=missing)
    assert "judged are '1', ranked are 'q01'" in str(caught.value)


def test_the_same_evaluation_twice_gives_the_same_values() -> None:
    """A second call on one evaluator once lost its cutoffs and returned 0."""
    judgments = rankscope.Judgments.of({"q": {"a": 1, "b": 2}})
    run = rankscope.Run.of(RUN)
    first, second = (evaluate(judgments, run, every_measure()).to_json(per_query=True) for _ in range(2))
    assert first == second


def test_the_same_cutoff_twice_is_one_measure(measured: Evaluate) -> None:
    """pytrec_eval aborted the process over duplicate cutoffs."""
    assert list(measured({"q": {"a": 1}}, RUN, "P@5, P_5, p@5").aggregate) == ["P@5"]


def test_negative_grades_keep_ndcg_within_bounds(measured: Evaluate) -> None:
    """scikit-learn's nDCG came to 396 on negative grades."""
    result = measured({"q": {"a": -3, "b": 2, "c": -10, "d": 1}}, RUN, "nDCG, nDCG(gain=exp), AP, bpref")
    assert all(0 <= value <= 1 for value in result.aggregate.values())
    # b at rank 2 against b at rank 1 and d at rank 2: 2 / log2(3) over 2 + 1 / log2(3)
    assert result["nDCG"] == pytest.approx(2 / math.log2(3) / (2 + 1 / math.log2(3)), rel=1e-12)


def test_query_ids_of_any_size_cost_nothing(core: ModuleType) -> None:
    """torchmetrics allocates memory up to the largest query number."""
    truth, scores = np.array([0, 1, 1, 0]), np.array([2.0, 1.0, 2.0, 1.0])
    groups = np.array([2**62, 2**62, -5, -5])
    result = evaluate_scores(truth, scores, "RR", groups=groups)
    assert dict(result.queries) == {str(2**62): {"RR": 0.5}, "-5": {"RR": 1.0}}


def test_two_dimensions_are_not_flattened_into_one_ranking() -> None:
    """torchmetrics' nDCG once took all rows for one list."""
    result = evaluate_scores([[0, 1], [1, 0]], [[0.9, 0.1], [0.2, 0.1]], "RR")
    assert [row["RR"] for row in result.queries.values()] == [0.5, 1.0]
