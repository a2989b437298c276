"""compat=ranx on ten thousand queries without ties; its order of ties cannot be had, which is named."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from compat_support import many_queries, named, same
from parity_support import Values, assert_same

from rankscope import InputError, evaluate

NAMES = [
    *(
        "precision",
        "precision@5-l2",
        "recall@5",
        "f1@5-l2",
        "r-precision",
        "mrr@10",
        "map",
        "map@3-l2",
        "hits@5",
    ),
    *("hit_rate@1", "ndcg", "ndcg@5-l2", "ndcg_burges@10", "dcg-l3", "dcg_burges@5", "rbp.8", "rbp.95-l2"),
]
CASE = many_queries(120, 10_000, ties=False, one_sided=False)
# Every query has a relevant and a non-relevant item: else bpref of ranx divides by zero.
BPREF = many_queries(121, 1000, ties=False, one_sided=False, grades=(0, 0, 1, 2))
BPREF_TRUTH = {q: {**row, "good": 2, "bad": 0} for q, row in BPREF.judgments.items()}


def theirs(*questions: tuple[Any, Any, list[str]]) -> list[Values]:
    """What ranx says, for each question (judgments, run, metrics)."""
    asked = [{"judgments": j, "run": r, "metrics": m, "comparable": False} for j, r, m in questions]
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("ranx_answers.py")],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    return [
        {
            (query, name): value
            for name, values in answer.items()
            for query, value in zip(sorted(judgments), values, strict=True)
        }
        for (judgments, _, _), answer in zip(questions, json.loads(done.stdout), strict=True)
    ]


def test_every_value() -> None:
    questions = [(CASE.judgments, CASE.run, NAMES), (BPREF_TRUTH, BPREF.run, ["bpref", "bpref-l2"])]
    for (judgments, run, names), expected in zip(questions, theirs(*questions), strict=True):
        result = evaluate(judgments, run, names, compat="ranx")
        assert_same(named(result, {name: name for name in names}), expected)
        for name in names:
            values = [value for (_, metric), value in expected.items() if metric == name]
            assert same(result[name], math.fsum(values) / len(values)), name


def test_bpref_of_ranx_takes_negative_grades_for_nonrelevant() -> None:
    judgments, run = {"q": {"a": 1, "b": -1, "c": 0}}, {"q": {"b": 3.0, "a": 2.0}}
    result = evaluate(judgments, run, "bpref", compat="ranx")
    assert (theirs((judgments, run, ["bpref"])), result["bpref"]) == ([{("q", "bpref"): 0.0}], 1.0)
    assert any("takes negative grades for non-relevant" in note for note in result.notes)


def test_missing_and_extra_queries_are_errors() -> None:
    judgments, run = {"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": {"a": 1.0}}
    with pytest.raises(InputError, match="lacks 1 judged query"):
        evaluate(judgments, run, "AP", compat="ranx")
    with pytest.raises(InputError, match="has 1 unjudged query"):
        evaluate({"q1": {"a": 1}}, {**run, "q3": ["a"]}, "AP", compat="ranx")
    # make_comparable=True
    assert evaluate(judgments, run, "AP", compat="ranx", missing="empty", extra="ignore")["AP"] == 0.5


def test_the_relevance_level_takes_gains_from_ndcg() -> None:
    """Grade 2 at rank 2 is all that gains: 1 / log2(3) of the ideal."""
    judgments, run = {"q": {"a": 1, "b": 2}}, {"q": {"a": 2.0, "b": 1.0}}
    result = evaluate(judgments, run, "nDCG", compat="ranx", rel=2)
    assert result["nDCG"] == pytest.approx(1 / math.log2(3), rel=1e-12)
    assert result.notes == ("compat=ranx: nDCG is nDCG(floor=2)",)


def test_the_order_of_ties_is_named_as_not_to_be_had() -> None:
    run = {"q": {"b": 1.0, "a": 1.0}}
    tied = evaluate({"q": {"a": 1}}, run, "RR", compat="ranx")
    assert tied["RR"] == 0.5
    assert (
        "compat=ranx: ranx leaves the order of tied items to chance; here it is the one listed" in tied.notes
    )
    assert not any("chance" in n for n in evaluate({"q": {"a": 1}}, {"q": ["a"]}, "RR", compat="ranx").notes)
