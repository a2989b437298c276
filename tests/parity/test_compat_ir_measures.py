"""compat=ir_measures on tens of thousands of queries."""

from __future__ import annotations

import ir_measures
import pytest
from compat_support import many_queries, named, same
from parity_support import assert_same

from rankscope import evaluate

SPELLED = {
    name: name
    for name in (
        *("AP", "AP(rel=2)@5", "RR", "RR@3", "RR(rel=2)@20", "Rprec", "Bpref", "nDCG@5", "P(rel=2)@5", "R@5"),
        *("Success@1", "SetP", "SetR(rel=2)", "NumRel", "NumRelRet", "Judged", "Judged@1"),
    )
} | {"SetF(beta=2.0)": "F(beta=2)"}


def test_every_value() -> None:
    """Most come from trec_eval 9, with its precision and order of ties; RR@k and Judged have their own."""
    case = many_queries(110)
    asked = {ir_measures.parse_measure(name): name for name in SPELLED}
    found = list(ir_measures.iter_calc(list(asked), case.judgments, case.run))
    theirs = {(value.query_id, asked[value.measure]): float(value.value) for value in found}
    result = evaluate(case.judgments, case.run, list(SPELLED.values()), compat="ir_measures")
    assert len(case.judgments) > 15_000
    assert len(case.judgments) - len(case.shared) > 1000
    assert_same(named(result, SPELLED), theirs)


def test_every_aggregate() -> None:
    case = many_queries(111, 3000)
    asked = {ir_measures.parse_measure(name): name for name in SPELLED}
    theirs = ir_measures.calc_aggregate(list(asked), case.judgments, case.run)
    result = evaluate(case.judgments, case.run, list(SPELLED.values()), compat="ir_measures")
    for measure, value in theirs.items():
        assert same(result[SPELLED[asked[measure]]], value), measure


def test_two_tie_orders_in_one_call_are_named() -> None:
    judgments, run = {"q": {"b": 1}}, {"q": {"b": 1.0, "c": 1.0}}
    result = evaluate(judgments, run, "RR, RR@10, Judged@1", compat="ir_measures")
    assert result.aggregate == {"RR": 0.5, "RR@10": 1.0, "Judged@1": 1.0}
    assert "compat=ir_measures: RR@10, Judged@1 with ties=docid-asc scores=float64" in result.notes


def test_an_order_of_ties_that_is_given_holds_for_all_measures() -> None:
    judgments, run = {"q": {"b": 1}}, {"q": {"b": 1.0, "c": 1.0}}
    result = evaluate(judgments, run, "RR, RR@10", compat="ir_measures", ties="docid")
    assert result.aggregate == {"RR": 0.5, "RR@10": 0.5}
    assert "compat=ir_measures: RR@10 with scores=float64" in result.notes


@pytest.mark.parametrize("name", ["nDCG(gain=exp)@10", "RBP"])
def test_what_comes_from_optional_programs_is_named(name: str) -> None:
    result = evaluate({"q": {"a": 1}}, {"q": ["a"]}, name, compat="ir_measures")
    assert result.notes == (
        f"compat=ir_measures: {name} cannot be had from ir_measures: as Rankscope defines it",
    )
