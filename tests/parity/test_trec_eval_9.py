"""The numbers of trec_eval 9, as pytrec-eval-terrier computes them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pytrec_eval
from parity_support import Case, Grades, Scores, Values, assert_same, ours, random_case

from rankscope import evaluate, parse

WITHOUT_CUTOFF = [
    "map",
    "ndcg",
    "recip_rank",
    "Rprec",
    "bpref",
    "num_ret",
    "num_rel",
    "num_rel_ret",
    "set_P",
    "set_recall",
    "set_F",
]
CUTOFFS = (1, 2, 5, 7, 30, 1000)
WITH_CUTOFF = ("map_cut", "ndcg_cut", "P", "recall", "success")
NAMES = [*WITHOUT_CUTOFF, *(f"{name}_{k}" for name in WITH_CUTOFF for k in CUTOFFS)]
ASKED = {*WITHOUT_CUTOFF, *(f"{name}.{','.join(map(str, CUTOFFS))}" for name in WITH_CUTOFF)}
# What trec_eval counts for a query without a ranking when it is told (-c) to count those too.
OF_THE_JUDGMENTS = {"num_rel"}


def theirs(judgments: Grades, run: Scores, measures: Iterable[str] = ASKED, **options: object) -> Values:
    found = pytrec_eval.RelevanceEvaluator(judgments, set(measures), **options).evaluate(run)
    return {(query, name): value for query, row in found.items() for name, value in row.items()}


def spelled(level: int) -> dict[str, str]:
    """Our spelling of trec_eval's names at a relevance level."""
    found = {name: parse(name) for name in NAMES}
    return {n: str(m(rel=level) if "rel" in m.parameters else m) for n, m in found.items()}


CASES = [
    pytest.param({"scores": "untied"}, id="untied"),
    pytest.param({"scores": "tied"}, id="many ties"),
    pytest.param({"scores": "nearly tied"}, id="neighbours in single precision"),
    pytest.param({"scores": "tied", "lowest": -2}, id="grades from -2 to 2"),
    pytest.param({"scores": "tied", "grades": (0.97, 0.02, 0.01)}, id="often nothing relevant"),
    pytest.param({"scores": "untied", "grades": (0.0, 0.6, 0.4)}, id="often nothing judged non-relevant"),
    pytest.param({"queries": 2500, "longest": 9, "scores": "tied"}, id="many short rankings"),
    pytest.param({"queries": 12, "longest": 1500, "scores": "tied"}, id="a few long rankings"),
]


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("options", CASES)
def test_every_query_of_a_mapping(options: dict[str, object], level: int) -> None:
    case = random_case(level, **options)  # type: ignore[arg-type]
    found = ours(case.judgments, case.run, spelled(level), missing="skip")
    assert_same(found, theirs(case.judgments, case.run, relevance_level=level))


@pytest.mark.parametrize("options", CASES[:4])
def test_every_query_of_a_file(options: dict[str, object], tmp_path: Path) -> None:
    case = random_case(3, **options)  # type: ignore[arg-type]
    found = ours(*case.paths(tmp_path), spelled(1), missing="skip")
    assert_same(found, theirs(case.judgments, case.run))


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("lowest", [0, -2])
@pytest.mark.parametrize("scores", ["untied", "tied"])
def test_condensed_lists(scores: str, lowest: int, level: int) -> None:
    """trec_eval -J is our unjudged=drop."""
    case = random_case(4, scores=scores, lowest=lowest)
    found = ours(case.judgments, case.run, spelled(level), missing="skip", unjudged="drop")
    options = {"relevance_level": level, "judged_docs_only_flag": True}
    assert_same(found, theirs(case.judgments, case.run, **options))
    # Some rankings are empty then.
    assert any(not case.run[query].keys() & case.judgments[query].keys() for query in case.shared)


def in_order(run: Scores, order: Callable[[tuple[str, float]], Any], depth: int | None = None) -> Scores:
    """The items of each ranking in an order, as scores that leave no doubt about it."""
    ranked = {query: sorted(items.items(), key=order)[:depth] for query, items in run.items()}
    return {q: {item: -float(rank) for rank, (item, _) in enumerate(rows)} for q, rows in ranked.items()}


def by_descending_id(row: tuple[str, float]) -> tuple[float, list[int]]:
    """Bytes that come first in reverse order; the end of an id counts as less than any byte."""
    return -row[1], [255 - byte for byte in row[0].encode()] + [256]


@pytest.mark.parametrize("depth", [1, 10, 50])
def test_depth_cuts_the_ranking(depth: int) -> None:
    """trec_eval -M: only the first so many items of each ranking count, whatever the measure."""
    case = random_case(8, scores="tied")
    cut = in_order(case.run, by_descending_id, depth)
    found = ours(case.judgments, case.run, NAMES, missing="skip", depth=depth)
    assert_same(found, theirs(case.judgments, cut))


def test_the_other_orders_of_ties() -> None:
    """Rankings put in order beforehand have the values that the policy gives the tied ones."""
    case = random_case(9, scores="tied")
    ascending = in_order(case.run, lambda row: (-row[1], row[0].encode()))
    found = ours(case.judgments, case.run, NAMES, missing="skip", ties="docid-asc")
    assert_same(found, theirs(case.judgments, ascending))
    as_listed = in_order(case.run, lambda row: -row[1])
    found = ours(case.judgments, case.run, NAMES, missing="skip", ties="given")
    assert_same(found, theirs(case.judgments, as_listed))


def test_distances_are_scores_with_the_sign_turned() -> None:
    case = random_case(10, scores="tied")
    distances = {query: {i: -s for i, s in items.items()} for query, items in case.run.items()}
    found = ours(case.judgments, distances, NAMES, missing="skip", lower_is_better=True)
    assert_same(found, theirs(case.judgments, case.run))


def test_our_default_counts_missing_queries_as_trec_eval_c_does() -> None:
    """-c averages over all judged queries; a query that the run lacks has 0 everywhere but in num_rel."""
    case = random_case(5, scores="tied")
    lacking = [query for query in case.judgments if query not in case.run]
    expected = theirs(case.judgments, case.run)
    for query in lacking:
        relevant = sum(grade >= 1 for grade in case.judgments[query].values())
        expected |= {(query, n): float(relevant) if n in OF_THE_JUDGMENTS else 0.0 for n in NAMES}
    result = evaluate(case.judgments, case.run, NAMES)
    assert len(lacking) > 10
    assert_same(ours(case.judgments, case.run, NAMES), expected)
    for name in NAMES:
        values = [value for (_, n), value in expected.items() if n == name]
        mean = pytrec_eval.compute_aggregated_measure(name, values)
        assert result[name] == pytest.approx(mean, rel=1e-12, abs=1e-12), name


def test_trec_eval_leaves_missing_queries_out_unless_told() -> None:
    """The run lacks one of two queries: trec_eval's mean is 1 without -c, ours 0.5 unless missing=skip."""
    judgments, run = {"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": {"a": 1.0}}
    values = theirs(judgments, run, ["recip_rank"])
    assert np.mean(list(values.values())) == 1.0
    assert evaluate(judgments, run, "RR")["RR"] == 0.5
    assert evaluate(judgments, run, "RR", missing="skip")["RR"] == 1.0


def test_trec_eval_ignores_queries_without_judgments_as_we_do() -> None:
    judgments, run = {"q1": {"a": 1}}, {"q1": {"a": 1.0}, "q9": {"a": 1.0}}
    assert theirs(judgments, run, ["recip_rank"]) == {("q1", "recip_rank"): 1.0}
    result = evaluate(judgments, run, "RR")
    assert dict(result.queries) == {"q1": {"RR": 1.0}}
    assert any("1 unjudged query ('q9')" in note for note in result.notes)


def test_float32_scores_of_trec_eval_9_make_ties() -> None:
    """1e8 + 1 has no neighbour of its own in single precision: the tie falls to the higher id, the wrong one.

    trec_eval 10 and we keep double precision, and the item with the higher score is first.
    """
    judgments, run = {"q": {"a": 1}}, {"q": {"a": 1e8 + 1, "b": 1e8}}
    assert np.float32(1e8 + 1) == np.float32(1e8)
    assert theirs(judgments, run, ["recip_rank"])["q", "recip_rank"] == 0.5
    assert evaluate(judgments, run, "RR")["RR"] == 1.0


def test_trec_eval_9_set_F_beta_is_beta_squared() -> None:
    """set_F.x is (x + 1) P R / (x P + R): to weigh recall twice as much it wants x = 4, we want beta = 2."""
    judgments, run = {"q": {"a": 1, "b": 1, "c": 1}}, {"q": {"a": 3.0, "x": 2.0}}
    precision, recall = 1 / 2, 1 / 3

    def f(beta: float) -> float:
        return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)

    assert theirs(judgments, run, ["set_F.2.0"])["q", "set_F"] == pytest.approx(f(math.sqrt(2)), rel=1e-12)
    assert theirs(judgments, run, ["set_F.4.0"])["q", "set_F"] == pytest.approx(f(2), rel=1e-12)
    assert evaluate(judgments, run, "F(beta=2)")["F(beta=2)"] == pytest.approx(f(2), rel=1e-12)
    assert f(2) == pytest.approx(0.35714285714285715, rel=1e-12)
    assert f(math.sqrt(2)) == pytest.approx(0.375, rel=1e-12)


@pytest.mark.parametrize("beta", [0.5, 1.5, 3.0])
def test_f_with_beta_is_set_F_with_its_square(beta: float) -> None:
    case = random_case(6)
    found = ours(case.judgments, case.run, {"set_F": f"F(beta={beta})"}, missing="skip")
    assert_same(found, theirs(case.judgments, case.run, [f"set_F.{beta**2}"]))


def test_trec_eval_relevance_level_leaves_ndcg_alone() -> None:
    """-l 2 makes grade 1 non-relevant for P and its like; nDCG keeps its gain, in trec_eval and here."""
    judgments, run = {"q": {"a": 1, "b": 2}}, {"q": {"a": 2.0, "b": 1.0}}
    expected = theirs(judgments, run, ["P.1", "ndcg"], relevance_level=2)
    found = evaluate(judgments, run, "P@1, nDCG", rel=2)
    assert (expected["q", "P_1"], found["P(rel=2)@1"]) == (0.0, 0.0)
    assert found["nDCG"] == pytest.approx(expected["q", "ndcg"], rel=1e-12)
    assert evaluate(judgments, run, "nDCG")["nDCG"] == found["nDCG"] < 1


def test_condensed_lists_are_without_negative_grades() -> None:
    """-J leaves only items with a grade from 0 up, and so does unjudged=drop."""
    judgments, run = {"q": {"a": 1, "bad": -1}}, {"q": {"bad": 2.0, "x": 1.5, "a": 1.0}}
    expected = theirs(judgments, run, ["recip_rank"], judged_docs_only_flag=True)
    assert expected["q", "recip_rank"] == 1.0
    assert evaluate(judgments, run, "RR", unjudged="drop")["RR"] == 1.0


def test_negative_grades_are_neither_relevant_nor_judged_nonrelevant() -> None:
    """bpref passes over a grade of -1, in trec_eval and here: 1 where grade 0 gives 0.5."""
    run = {"q": {"x": 3.0, "a": 2.0, "b": 1.0, "y": 0.5}}
    for grade, bpref in ((-1, 1.0), (0, 0.5)):
        judgments = {"q": {"x": grade, "a": 1, "b": 1, "y": 0}}
        assert theirs(judgments, run, ["bpref"])["q", "bpref"] == bpref
        assert evaluate(judgments, run, "bpref")["bpref"] == bpref


def test_ideal_of_ndcg_is_over_all_judged_items_and_cut_only_by_the_cutoff() -> None:
    """ndcg_cut.1 of a run of one item is 1, ndcg is not: the missing items count in its ideal."""
    judgments, run = {"q": {"a": 1, "b": 1, "c": 1}}, {"q": {"a": 1.0}}
    expected = theirs(judgments, run, ["ndcg", "ndcg_cut.1"])
    found = evaluate(judgments, run, "nDCG, nDCG@1")
    assert found["nDCG@1"] == expected["q", "ndcg_cut_1"] == 1.0
    assert found["nDCG"] == pytest.approx(expected["q", "ndcg"], rel=1e-12)
    # 1 / (1 / log2(2) + 1 / log2(3) + 1 / log2(4))
    assert found["nDCG"] == pytest.approx(1 / (1 + 1 / math.log2(3) + 0.5), rel=1e-12)


def test_scores_below_zero_are_only_an_order() -> None:
    """Some libraries take a score of 0 or less for "not retrieved"; trec_eval and we do not."""
    case = random_case(7, one_sided=False)
    sunk = Case(case.judgments, {q: {i: s - 1e4 for i, s in row.items()} for q, row in case.run.items()})
    found = ours(sunk.judgments, sunk.run, NAMES)
    assert found == ours(case.judgments, case.run, NAMES)
    assert_same(found, theirs(sunk.judgments, sunk.run))


def test_the_rank_column_is_ignored(tmp_path: Path) -> None:
    """The score decides, in trec_eval and here, whatever the file says of the rank."""
    lines = ["q Q0 a 1 0.1 t", "q Q0 b 2 0.9 t"]
    (tmp_path / "system.run").write_text("\n".join(lines))
    judgments = {"q": {"b": 1}}
    expected = theirs(judgments, pytrec_eval.parse_run(lines), ["recip_rank"])
    assert evaluate(judgments, tmp_path / "system.run", "RR")["RR"] == expected["q", "recip_rank"] == 1.0
