"""The numbers of ir-measures 0.4.3; most come from trec_eval 9, some from code of its own."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

import ir_measures
import pytest
from parity_support import Grades, Scores, Values, assert_same, ours, random_case

from rankscope import evaluate

NAMES = [
    *(
        "AP",
        "RR",
        "Rprec",
        "SetP",
        "SetR",
        "SetF",
        "Bpref",
        "nDCG",
        "NumRet",
        "NumRel",
        "NumRelRet",
        "Judged",
    ),
    *(f"{name}@{k}" for name in ("P", "R", "Success", "AP", "nDCG", "Judged") for k in (1, 4, 50)),
    *(
        "P(rel=2)@5",
        "R(rel=2)@5",
        "Success(rel=3)@5",
        "AP(rel=2)",
        "AP(rel=2)@7",
        "RR(rel=2)",
        "Rprec(rel=2)",
    ),
    *("SetP(rel=2)", "SetR(rel=2)", "SetF(rel=2)", "Bpref(rel=2)", "NumRelRet(rel=2)"),
]
# Of no item at all, SetP, SetR and SetF of ir_measures are 0, as P, R and F are here; our own are 1.
OURS = {name: name.removeprefix("Set") for name in NAMES}
# These put equal scores in the order of ascending ids, unlike all others.
ASCENDING = [name for name in NAMES if name.startswith("Judged")] + ["RR@1", "RR@4", "RR@50", "RR(rel=2)@6"]


def theirs(judgments: Grades, run: Scores, names: Iterable[str], **parameters: object) -> Values:
    asked = {ir_measures.parse_measure(name)(**parameters): name for name in names}
    found = ir_measures.iter_calc(list(asked), judgments, run)
    return {(value.query_id, asked[value.measure]): value.value for value in found}


@pytest.mark.parametrize("scores", ["untied", "tied", "nearly tied"])
def test_every_query(scores: str, tmp_path: Path) -> None:
    """A query that the run lacks counts as an empty ranking, in ir_measures and by our default."""
    case = random_case(11, scores=scores)
    names = [name for name in NAMES if name not in ASCENDING]
    lacking = [query for query in case.judgments if query not in case.run]
    expected = theirs(case.judgments, case.run, names)
    # How many items are relevant has nothing to do with the run, but ir_measures says 0 without one.
    assert all(expected.pop((query, "NumRel")) == 0 for query in lacking)
    for source in ((case.judgments, case.run), case.paths(tmp_path)):
        found = ours(*source, {name: OURS[name] for name in names})
        relevant = [found.pop((query, "NumRel")) for query in lacking]
        assert_same(found, expected)
        assert sum(relevant) > 0


@pytest.mark.parametrize("scores", ["untied", "tied"])
def test_measures_that_order_ties_by_ascending_id(scores: str) -> None:
    case = random_case(12, scores=scores, one_sided=False)
    found = ours(case.judgments, case.run, ASCENDING, ties="docid-asc")
    assert_same(found, theirs(case.judgments, case.run, ASCENDING))


@pytest.mark.parametrize("scores", ["untied", "tied"])
def test_condensed_lists(scores: str) -> None:
    """judged_only=True is our unjudged=drop."""
    case = random_case(13, scores=scores, one_sided=False)
    names = ["P@5", "R@5", "Success@5", "AP", "AP@9", "RR", "Rprec", "nDCG", "nDCG@5", "SetP", "SetF"]
    spelled = {name: name.removeprefix("Set") for name in names}
    found = ours(case.judgments, case.run, spelled, unjudged="drop")
    assert_same(found, theirs(case.judgments, case.run, names, judged_only=True))


def test_the_mean_is_over_all_judged_queries() -> None:
    case = random_case(14, scores="tied")
    names = ["AP", "nDCG@10", "P@5", "NumRelRet"]
    expected = ir_measures.calc_aggregate(
        [ir_measures.parse_measure(name) for name in names], case.judgments, case.run
    )
    result = evaluate(case.judgments, case.run, names)
    for measure, value in zip(names, map(expected.get, map(ir_measures.parse_measure, names)), strict=True):
        assert result[measure] == pytest.approx(value, rel=1e-12)


def test_ir_measures_rr_at_k_breaks_ties_by_ascending_id() -> None:
    """RR comes from trec_eval (higher id first), RR@10 from MS MARCO's script (lower id first).

    Two numbers for one ranking in one call; ours has one tie policy for all measures.
    """
    judgments, run = {"q": {"b": 1}}, {"q": {"b": 1.0, "c": 1.0}}
    assert theirs(judgments, run, ["RR", "RR@10"]) == {("q", "RR"): 0.5, ("q", "RR@10"): 1.0}
    assert ours(judgments, run, ["RR", "RR@10"]) == {("q", "RR"): 0.5, ("q", "RR@10"): 0.5}
    ascending = ours(judgments, run, ["RR", "RR@10"], ties="docid-asc")
    assert ascending == {("q", "RR"): 1.0, ("q", "RR@10"): 1.0}


def test_ir_measures_judged_breaks_ties_by_ascending_id() -> None:
    judgments, run = {"q": {"b": 1}}, {"q": {"b": 1.0, "c": 1.0}}
    assert theirs(judgments, run, ["P@1", "Judged@1"]) == {("q", "P@1"): 0.0, ("q", "Judged@1"): 1.0}
    assert ours(judgments, run, ["P@1", "Judged@1"]) == {("q", "P@1"): 0.0, ("q", "Judged@1"): 0.0}


def test_judged_at_k_of_a_short_ranking_divides_by_its_length() -> None:
    """min(k, n), as in ir_measures; P@k divides by k all the same."""
    judgments, run = {"q": {"a": 1}}, {"q": {"a": 2.0, "x": 1.0}}
    names = ["Judged@10", "P@10"]
    assert theirs(judgments, run, names) == ours(judgments, run, names)
    assert ours(judgments, run, names) == {("q", "Judged@10"): 0.5, ("q", "P@10"): 0.1}


def test_ir_measures_beta_of_SetF_is_beta_squared() -> None:
    """P = 1/4, R = 2/7: SetF(beta=2) there is the F of beta = sqrt(2), 3/11; ours is F2, 5/18."""
    judgments = {"q": {f"r{i}": 1 for i in range(7)}}
    run = {"q": {"r0": 9.0, "r1": 8.0, **{f"x{i}": float(i) for i in range(6)}}}
    name = "SetF(beta=2)"
    precision, recall = 1 / 4, 2 / 7
    squared = 3 * precision * recall / (2 * precision + recall)
    f2 = 5 * precision * recall / (4 * precision + recall)
    assert theirs(judgments, run, ["SetF(beta=2.0)"])["q", "SetF(beta=2.0)"] == pytest.approx(
        squared, rel=1e-12
    )
    assert evaluate(judgments, run, name)[name] == pytest.approx(f2, rel=1e-12)
    assert abs(squared - f2) > 0.004


def test_ir_measures_num_rel_of_a_missing_query_is_zero() -> None:
    """The number of relevant items is a fact of the judgments; ir_measures loses it with the ranking."""
    judgments, run = {"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": {"a": 1.0}}
    assert theirs(judgments, run, ["NumRel"])["q2", "NumRel"] == 0.0
    assert ours(judgments, run, ["NumRel"])["q2", "NumRel"] == 1.0


def test_recall_and_success_are_two_things() -> None:
    """R@k is a share of the relevant items, Success@k (what some call recall) whether there is one."""
    judgments, run = {"q": {"a": 1, "b": 1}}, {"q": {"a": 1.0}}
    expected = {("q", "R@5"): 0.5, ("q", "Success@5"): 1.0}
    assert theirs(judgments, run, ["R@5", "Success@5"]) == expected
    assert ours(judgments, run, ["R@5", "Success@5"]) == expected


@pytest.mark.skipif(
    shutil.which("perl") is None, reason="runs where there is perl, which gdeval is written in"
)
def test_ir_measures_exponential_ndcg_has_five_decimals() -> None:
    """gain=exp comes from a script that prints five decimals; ours agrees as far as they go."""
    case = random_case(15, queries=40, one_sided=False)
    judgments = {str(n): items for n, items in enumerate(case.judgments.values())}
    run = {str(n): items for n, items in enumerate(case.run.values())}
    expected = theirs(judgments, run, ["nDCG(dcg='exp-log2')@10"])
    found = ours(judgments, run, ["nDCG(dcg='exp-log2')@10"])
    assert found.keys() == expected.keys()
    assert all(abs(found[key] - value) <= 0.5e-5 + 1e-12 for key, value in expected.items())
    assert any(abs(found[key] - value) > 1e-9 for key, value in expected.items())
