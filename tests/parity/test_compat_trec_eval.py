"""compat=trec_eval-9 on tens of thousands of queries, and what is known of trec_eval 10."""

from __future__ import annotations

import math

import pytest
import pytrec_eval
from compat_support import many_queries, named, same
from parity_support import assert_same

from rankscope import evaluate, parse

SINGLE = ["map", "ndcg", "recip_rank", "Rprec", "bpref", "num_ret", "num_rel", "num_rel_ret"]
SETS = ["set_P", "set_recall"]
CUT = [f"{name}_{k}" for name in ("P", "recall", "success", "map_cut", "ndcg_cut") for k in (1, 5, 20)]
SPELLED = {name: name for name in (*SINGLE, *SETS, *CUT)} | {"set_F": "F(beta=2.5)"}
ASKED = {*SINGLE, *SETS, "set_F.2.5", *(f"{n}.1,5,20" for n in ("P", "recall", "success"))} | {
    "map_cut.1,5,20",
    "ndcg_cut.1,5,20",
}


def at_level(level: int) -> dict[str, str]:
    """Our spelling at a relevance level: each measure that has one."""
    found = {name: parse(ours) for name, ours in SPELLED.items()}
    return {n: str(m(rel=level) if "rel" in m.parameters else m) for n, m in found.items()}


@pytest.mark.parametrize("level", [1, 2])
def test_every_value_of_trec_eval_9(level: int) -> None:
    """Ties, scores that only double precision tells apart, missing and extra queries, negative grades."""
    case = many_queries(100 + level)
    found = pytrec_eval.RelevanceEvaluator(case.judgments, ASKED, relevance_level=level).evaluate(case.run)
    theirs = {(query, name): value for query, row in found.items() for name, value in row.items()}
    result = evaluate(case.judgments, case.run, list(SPELLED.values()), rel=level, compat="trec_eval-9")
    assert len(found) == len(case.shared) > 15_000
    assert_same(named(result, at_level(level)), theirs)
    for name, ours in at_level(level).items():
        mean = pytrec_eval.compute_aggregated_measure(name, [row[name] for row in found.values()])
        assert same(result[ours], mean), name


def test_single_precision_is_what_makes_the_difference() -> None:
    case = many_queries(103, 3000)
    nine, ten = (
        evaluate(case.judgments, case.run, "RR", compat=name).run.values["RR"]
        for name in ("trec_eval-9", "trec_eval-10")
    )
    assert 100 < (nine != ten).sum() < 1000  # among the third of the queries with scores around 1e8


def test_trec_eval_10_keeps_double_precision() -> None:
    judgments, run = {"q": {"a": 1}}, {"q": {"a": 1e8 + 1, "b": 1e8}}
    assert evaluate(judgments, run, "RR", compat="trec_eval-9")["RR"] == 0.5
    assert evaluate(judgments, run, "RR", compat="trec_eval-10")["RR"] == 1.0


@pytest.mark.parametrize("compat", ["trec_eval-9", "trec_eval-10"])
def test_missing_queries_are_left_out_as_without_c(compat: str) -> None:
    judgments, run = {"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": {"a": 1.0}}
    assert evaluate(judgments, run, "RR", compat=compat)["RR"] == 1.0
    assert evaluate(judgments, run, "RR", compat=compat, missing="empty")["RR"] == 0.5


def test_rbp_of_trec_eval_10_is_scaled_by_the_highest_grade_of_the_query() -> None:
    """Grades 3 and 1 of at most 3 at ranks 1 and 3, p = 0.9: (1 - 0.9) (3/3 + 0.9^2 / 3)."""
    judgments = {"q": {"a": 3, "b": 1, "c": 0, "d": -1}}
    run = {"q": {"a": 4.0, "c": 3.0, "b": 2.0, "d": 1.0}}
    result = evaluate(judgments, run, "RBP", compat="trec_eval-10", rel=2)
    assert result["RBP(rel=2)"] == pytest.approx(0.1 * (1 + 0.81 / 3), rel=1e-12)
    assert result.aggregate.keys() == {"RBP(p=0.9, gain=scaled)"}
    assert "compat=trec_eval-10: RBP(rel=2) is RBP(p=0.9, gain=scaled)" in result.notes


def test_rbp_of_trec_eval_10_with_grades_0_and_1_is_binary() -> None:
    case = many_queries(104, 2000, grades=(-1, 0, 0, 1))
    scaled = evaluate(case.judgments, case.run, "RBP(p=0.7)", compat="trec_eval-10").run.values
    binary = evaluate(case.judgments, case.run, "RBP(p=0.7)", missing="skip").run.values["RBP(p=0.7)"]
    assert (scaled["RBP(p=0.7, gain=scaled)"] == binary).all()
    assert binary.any()


def test_what_it_lacks_is_named() -> None:
    notes = evaluate(
        {"q": {"a": 1}}, {"q": ["a"]}, "RR, RR@10, Judged@5, nDCG(gain=exp)", compat="trec_eval-9"
    )
    assert notes.notes == (
        "compat=trec_eval-9: RR@10, Judged@5, nDCG(gain=exp) cannot be had from trec_eval-9: "
        "as Rankscope defines it",
    )


def test_beta_is_squared() -> None:
    """set_F with x = 2: 3 P R / (2 P + R) with P = 1/2 and R = 1/3 is 3/8."""
    judgments, run = {"q": {"a": 1, "b": 1, "c": 1}}, {"q": {"a": 3.0, "x": 2.0}}
    for compat in ("trec_eval-9", "trec_eval-10"):
        result = evaluate(judgments, run, "F(beta=2)", compat=compat)
        assert result["F(beta=2)"] == pytest.approx(0.375, rel=1e-12)
        assert list(result.aggregate) == [f"F(beta={math.sqrt(2)!r})"]
