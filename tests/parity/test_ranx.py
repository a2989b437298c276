"""The numbers of ranx 0.3.21, on rankings without ties or with their order fixed."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from parity_support import Case, Values, assert_same, ours, random_case

from rankscope import evaluate

CUTOFFS = (1, 4, 30, 200)
NAMES = [
    *("precision", "recall", "f1", "r-precision", "mrr", "map", "ndcg", "ndcg_burges", "dcg", "dcg_burges"),
    *("hits", "hit_rate", "precision-l2", "recall@5-l2", "f1@5-l2", "map-l2", "mrr-l3", "r-precision-l2"),
    *(
        f"{name}@{k}"
        for name in [
            "precision",
            "recall",
            "f1",
            "mrr",
            "map",
            "ndcg",
            "ndcg_burges",
            "dcg",
            "hits",
            "hit_rate",
        ]
        for k in CUTOFFS
    ),
]
RBP = ["rbp.8", "rbp.95", "rbp.5"]

RANDOM = random_case(31, queries=150, longest=50, one_sided=False)
ONE_SIDED = random_case(32, queries=150, longest=30)
# Only grades 0 and 1, and in every query both of them.
BINARY = random_case(33, queries=150, longest=50, grades=(0.7, 0.3), one_sided=False)
BINARY = Case({q: {**items, "good": 1, "bad": 0} for q, items in BINARY.judgments.items()}, BINARY.run)

QUESTIONS: dict[str, tuple[Any, Any, list[str], bool]] = {
    "random": (RANDOM.judgments, RANDOM.run, NAMES, False),
    "one-sided": (ONE_SIDED.judgments, ONE_SIDED.run, ["map", "ndcg@10", "precision@5", "mrr"], True),
    "binary": (BINARY.judgments, BINARY.run, ["bpref", *RBP], False),
    "missing": ({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": {"a": 1.0}}, ["map"], False),
    "raw grades": ({"q": {"a": 3, "b": 1}}, {"q": {"a": 0.9, "b": 0.8}}, ["rbp.9"], False),
    "no bad": ({"q": {"a": 1, "b": 1}}, {"q": {"x": 3.0, "a": 2.0, "b": 1.0}}, ["bpref"], False),
    "level": ({"q": {"a": 1, "b": 2}}, {"q": {"a": 2.0, "b": 1.0}}, ["ndcg", "ndcg-l2"], False),
    "a listed first": ({"q": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0}}, ["mrr"], False),
    "b listed first": ({"q": {"a": 1}}, {"q": {"b": 1.0, "a": 1.0}}, ["mrr"], False),
    "short": ({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["precision", "precision@10", "f1@10"], False),
    "nothing relevant": ({"q": {"a": 0}}, {"q": {"a": 1.0}}, ["map", "ndcg", "mrr", "bpref"], False),
    "large": ({"q": {"a": 1}}, {"q": {"a": 1e8 + 1, "b": 1e8}}, ["mrr"], False),
}


@pytest.fixture(scope="session")
def answers() -> dict[str, Any]:
    """What ranx says to all questions, asked at once."""
    asked = [
        dict(zip(("judgments", "run", "metrics", "comparable"), question, strict=True))
        for question in QUESTIONS.values()
    ]
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("ranx_answers.py")],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return dict(zip(QUESTIONS, json.loads(done.stdout), strict=True))


def theirs(answers: dict[str, Any], name: str) -> Values:
    queries = sorted(QUESTIONS[name][0])
    return {
        (query, metric): value
        for metric, found in answers[name].items()
        for query, value in zip(queries, found, strict=True)
    }


def same(answers: dict[str, Any], name: str) -> None:
    judgments, run, metrics, _ = QUESTIONS[name]
    assert_same(ours(judgments, run, metrics), theirs(answers, name))


def test_every_query(answers: dict[str, Any]) -> None:
    same(answers, "random")


def test_every_query_of_files(answers: dict[str, Any], tmp_path: Path) -> None:
    found = ours(*RANDOM.paths(tmp_path), NAMES)
    assert_same(found, theirs(answers, "random"))


def test_missing_and_extra_queries_when_made_comparable(answers: dict[str, Any]) -> None:
    """make_comparable=True drops extra queries and counts missing ones as 0, which is our default."""
    same(answers, "one-sided")


def test_bpref_and_rbp_of_binary_grades(answers: dict[str, Any]) -> None:
    same(answers, "binary")


def test_ranx_refuses_missing_queries_unless_told(answers: dict[str, Any]) -> None:
    """Unequal query ids are an AssertionError there; here the query counts as empty, or missing=error."""
    judgments, run, _, _ = QUESTIONS["missing"]
    assert answers["missing"] == "AssertionError"
    assert evaluate(judgments, run, "AP")["AP"] == 0.5
    with pytest.raises(ValueError, match="the run lacks 1 judged query"):
        evaluate(judgments, run, "AP", missing="error")


def test_ranx_rbp_uses_raw_grades(answers: dict[str, Any]) -> None:
    """Grades 3 and 1 at ranks 1 and 2 give 0.1 (3 + 0.9) = 0.39; as relevant or not, 0.1 (1 + 0.9) = 0.19."""
    judgments, run, metrics, _ = QUESTIONS["raw grades"]
    assert answers["raw grades"]["rbp.9"] == [pytest.approx(0.39, rel=1e-12)]
    assert evaluate(judgments, run, metrics)["RBP(p=0.9)"] == pytest.approx(0.19, rel=1e-12)


def test_ranx_bpref_is_nan_without_a_judged_nonrelevant_item(answers: dict[str, Any]) -> None:
    """It divides 0 by 0; as in trec_eval nothing stands before the relevant items, which is perfect."""
    judgments, run, _, _ = QUESTIONS["no bad"]
    assert math.isnan(answers["no bad"]["bpref"][0])
    assert evaluate(judgments, run, "bpref")["bpref"] == 1.0


def test_ranx_level_takes_gains_from_ndcg(answers: dict[str, Any]) -> None:
    """-l2 removes grade 1 from the gains and from the ideal; in trec_eval and here nDCG knows no level."""
    judgments, run, _, _ = QUESTIONS["level"]
    assert answers["level"]["ndcg-l2"] == [pytest.approx(1 / math.log2(3), rel=1e-12)]
    ours = evaluate(judgments, run, "nDCG", rel=2)["nDCG"]
    assert answers["level"]["ndcg"] == [pytest.approx(ours, rel=1e-12)]
    assert ours == pytest.approx((1 + 2 / math.log2(3)) / (2 + 1 / math.log2(3)), rel=1e-12)


def test_ranx_ties_depend_on_the_order_of_the_mapping(answers: dict[str, Any]) -> None:
    """Equal scores stay as listed there; here the ids decide, unless ties=given asks for the listed order."""
    judgments, first, _, _ = QUESTIONS["a listed first"]
    second = QUESTIONS["b listed first"][1]
    assert answers["a listed first"]["mrr"] == [1.0]
    assert answers["b listed first"]["mrr"] == [0.5]
    assert [evaluate(judgments, run, "RR")["RR"] for run in (first, second)] == [0.5, 0.5]
    assert [evaluate(judgments, run, "RR", ties="given")["RR"] for run in (first, second)] == [1.0, 0.5]


def test_precision_of_a_short_ranking_divides_by_k(answers: dict[str, Any]) -> None:
    same(answers, "short")
    assert answers["short"]["precision@10"] == [0.1]
    assert answers["short"]["precision"] == [1.0]


def test_nothing_relevant_is_zero_but_nan_for_bpref_of_ranx(answers: dict[str, Any]) -> None:
    """0 divided by 0 again; trec_eval says 0, and so do we, with a note that it is not defined."""
    expected = theirs(answers, "nothing relevant")
    assert math.isnan(expected.pop(("q", "bpref")))
    judgments, run, metrics, _ = QUESTIONS["nothing relevant"]
    found = ours(judgments, run, metrics)
    assert found.pop(("q", "bpref")) == 0.0
    assert found == expected == {("q", name): 0.0 for name in ("map", "ndcg", "mrr")}


def test_scores_have_double_precision(answers: dict[str, Any]) -> None:
    same(answers, "large")
    assert answers["large"]["mrr"] == [1.0]
