"""AP of what was found, LAG, AUC and the measures of sets on runs: by definition, over all orders of ties."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import rankscope
from rankscope import InputError, evaluate, parse
from rankscope.align import align
from rankscope.data import Judgments, Run
from rankscope.links import Confusion, rank_lists, roc
from rankscope.measures import Graded
from rankscope.measures.found import Cases

Query = tuple[list[list[Any]], list[float]]
"""Tie groups of grades (None: not judged), and the grades of judged items that were not retrieved."""


def relevant(grade: float | None) -> bool:
    return grade is not None and grade >= 1


def found_lags(order: list[Any]) -> list[int]:
    lags, others = [], 0
    for grade in order:
        if relevant(grade):
            lags.append(others)
        others += not relevant(grade)
    return lags


def ap_found(order: list[Any], judged: list[float], k: int | None) -> Fraction | None:
    """Over the relevant items in the ranking, at whatever rank; 0 without one."""
    if not any(map(relevant, judged)):
        return None
    ranks = [rank for rank, grade in enumerate(order, 1) if relevant(grade)]
    precisions = [Fraction(n, rank) for n, rank in enumerate(ranks, 1) if k is None or rank <= k]
    return sum(precisions, Fraction(0)) / len(ranks) if ranks else Fraction(0)


def lag(order: list[Any], _: list[float], __: int | None) -> Fraction | None:
    lags = found_lags(order)
    return Fraction(sum(lags), len(lags)) if lags else None


def auc(order: list[Any], _: list[float], __: int | None) -> Fraction | None:
    lags = found_lags(order)
    others = len(order) - len(lags)
    return 1 - Fraction(sum(lags), len(lags) * others) if lags and others else None


def auc_gold(order: list[Any], judged: list[float], _: int | None) -> Fraction | None:
    lags, wanted = found_lags(order), sum(map(relevant, judged))
    others = len(order) - len(lags)
    return Fraction(len(lags) * others - sum(lags), wanted * others) if wanted and others else None


BY_DEFINITION = {
    "AP(denominator=retrieved)": (ap_found, None),
    "AP(denominator=retrieved)@2": (ap_found, 2),
    "LAG": (lag, None),
    "LAG(average=macro)": (lag, None),
    "AUC": (auc, None),
    "AUC(denominator=gold)": (auc_gold, None),
}


def mean_over_orders(name: str, query: Query, depth: int | None) -> float:
    """The mean over all orders of the ties in which the value is defined."""
    groups, rest = query
    define, k = BY_DEFINITION[name]
    judged = [g for group in groups for g in group if g is not None] + rest
    orders = itertools.product(*(itertools.permutations(group) for group in groups))
    values = [define([g for part in order for g in part][:depth], judged, k) for order in orders]
    defined = [value for value in values if value is not None]
    return float(sum(defined) / len(defined)) if defined else math.nan


def random_query(rng: random.Random) -> Query:
    grades = [None, None, 0.0, 0.0, 1.0, 1.0, 2.0]
    sizes = rng.choice([[1, 3, 2], [4, 2], [5], [2, 2, 2], [1, 1, 4], [6], [1], [3], [1, 1, 1]])
    groups = [[rng.choice(grades) for _ in range(size)] for size in sizes]
    return groups, [rng.choice([0.0, 1.0]) for _ in range(rng.randrange(3))] or [0.0]


def as_input(query: Query) -> tuple[dict[str, float], dict[str, float]]:
    judgments: dict[str, float] = {}
    ranking: dict[str, float] = {}
    for place, group in enumerate(query[0]):
        for grade in group:
            name = f"d{len(ranking)}"
            ranking[name] = -float(place)
            if grade is not None:
                judgments[name] = grade
    return judgments | {f"u{n}": grade for n, grade in enumerate(query[1])}, ranking


@pytest.mark.parametrize("depth", [None, 1, 2, 3, 4, 5])
def test_the_mean_over_all_orders_of_ties(depth: int | None) -> None:
    """Exact also where the depth divides a group: how many relevant items are found is left to chance."""
    rng = random.Random(f"links {depth}")
    queries = [random_query(rng) for _ in range(40)]
    inputs = [as_input(query) for query in queries]
    result = evaluate(
        {str(n): judgments for n, (judgments, _) in enumerate(inputs)},
        {str(n): ranking for n, (_, ranking) in enumerate(inputs)},
        list(BY_DEFINITION),
        depth=depth,
        ties="expected",
        undefined="nan",
    )
    for number, query in enumerate(queries):
        for name in BY_DEFINITION:
            wanted = mean_over_orders(name, query, depth)
            assert result.queries[str(number)][name] == pytest.approx(wanted, abs=1e-12, nan_ok=True), (
                name,
                query,
            )


def test_a_divided_group_has_the_cases_of_the_hypergeometric_distribution() -> None:
    """Of 4 tied items 2 are relevant and 2 inside: 0, 1 or 2 found with the chances 1/6, 4/6 and 1/6."""
    judgments, run = Judgments.of({"q": {"a": 1, "b": 1}}), Run.of({"q": dict.fromkeys("abcd", 1.0)})
    graded = Graded.of(align(judgments, run, dense=False, depth=2), judgments, ties="expected")
    cases = Cases.of(graded, graded.groups(1))
    assert cases.of_divided.tolist() == [0, 1, 2]
    assert cases.chance == pytest.approx([1 / 6, 4 / 6, 1 / 6], rel=1e-12)


def test_large_tie_groups_stay_exact() -> None:
    """Of 4000 tied items half are relevant, 1000 inside: half of the others stand before a relevant one."""
    n, depth = 4000, 1000
    run = {"q": {f"d{i}": 1.0 for i in range(n)}}
    judgments = {"q": {f"d{i}": 1 for i in range(n // 2)}}
    result = evaluate(judgments, run, "AUC, LAG", ties="expected", depth=depth)
    assert result["AUC"] == pytest.approx(0.5, rel=1e-12)
    assert result["LAG"] == pytest.approx(depth / 4, rel=1e-12)  # half of the 500 others on the average


def test_micro_weighs_by_what_was_found() -> None:
    """Lags 0, 1 (q1) and 3 (q2): 4/3 over items, (1/2 + 3)/2 over queries; q3 has none."""
    judgments = {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}, "q3": {"d": 1}}
    run = {"q1": ["a", "x", "b"], "q2": ["x", "y", "z", "c"], "q3": ["x"]}
    result = evaluate(judgments, run, "LAG, LAG(average=macro)")
    assert result["LAG"] == pytest.approx(4 / 3, rel=1e-12)
    assert result["LAG(average=macro)"] == pytest.approx(7 / 4, rel=1e-12)
    assert any("not defined for 1 query" in note for note in result.notes)


@pytest.mark.parametrize("lower_is_better", [False, True])
def test_auc_is_that_of_scikit_learn(lower_is_better: bool) -> None:
    rng = np.random.default_rng(2)
    judgments, run, wanted = {}, {}, []
    pooled: tuple[list[bool], list[float]] = ([], [])
    for q in range(30):
        size = int(rng.integers(3, 40))
        flags, scores = rng.random(size) < 0.4, rng.integers(0, 8, size).astype(float)
        flags[:2] = True, False
        judgments[f"q{q}"] = {f"d{i}": int(f) for i, f in enumerate(flags) if f or i % 2}
        run[f"q{q}"] = {f"d{i}": s for i, s in enumerate(scores.tolist())}
        wanted.append(roc_auc_score(flags, -scores if lower_is_better else scores))
        pooled[0].extend(flags.tolist())
        pooled[1].extend(scores.tolist())
    result = evaluate(judgments, run, "AUC, PooledAUC", ties="expected", lower_is_better=lower_is_better)
    assert result.run.values["AUC"] == pytest.approx(wanted, rel=1e-12)
    sign = -1 if lower_is_better else 1
    assert result["PooledAUC"] == pytest.approx(
        roc_auc_score(pooled[0], sign * np.array(pooled[1])), rel=1e-12
    )


def test_pooled_auc_by_order_is_that_of_the_lists() -> None:
    lists, scores = {"q1": ["a", "x"], "q2": ["y", "b"]}, {"q1": [2.0, 1.0], "q2": [2.0, 1.0]}
    run = {q: dict(zip(items, scores[q], strict=True)) for q, items in lists.items()}
    judgments = {"q1": {"a": 1}, "q2": {"b": 1}}
    result = evaluate(judgments, run, "PooledAUC(ties=order), PooledAUC", ties="given")
    own = rank_lists(lists, ["a", "b"], scores, ties="order")
    assert result["PooledAUC(ties=order)"] == own.auc == 0.5
    assert result["PooledAUC"] == roc([1, 0, 0, 1], [2, 1, 2, 1]).auc == 0.5


def test_pooled_auc_is_not_defined_where_the_order_tells_nothing() -> None:
    result = evaluate({"q1": {"a": 1}, "q2": {"b": 0}}, {"q1": {"a": 1.0}, "q2": {"b": 0.5}}, "PooledAUC")
    assert math.isnan(result["PooledAUC"])


def test_sets_are_those_of_the_counts() -> None:
    """Over judged or retrieved items, and over a total."""
    rng = random.Random(3)
    judgments = {f"q{q}": {f"d{i}": rng.randrange(2) for i in range(12)} for q in range(40)}
    run = {q: {f"d{i}": 1.0 for i in rng.sample(range(20), rng.randrange(8))} for q in judgments}
    names = {
        "SetP": "precision",
        "SetR": "recall",
        "SetF": "f1",
        "SetAccuracy": "accuracy",
        "Specificity": "specificity",
        "Phi": "phi",
        "PhiMax": "phi_max",
        "PhiOverMax": "phi_over_phi_max",
    }
    result = evaluate(judgments, run, [*names, "Phi(total=50)", "Phi(total=9)", "SetF(beta=2)"])
    for query, grades in judgments.items():
        wanted = {item for item, grade in grades.items() if grade}
        chosen = set(run[query])
        tp, fp, fn = len(chosen & wanted), len(chosen - wanted), len(wanted - chosen)
        counts = Confusion(tp, fp, fn, len(chosen | set(grades)) - tp - fp - fn)
        found = result.queries[query]
        for name, attribute in names.items():
            assert found[name] == pytest.approx(getattr(counts, attribute), rel=1e-12, abs=1e-12), name
        assert found["SetF(beta=2)"] == pytest.approx(counts.f(2), rel=1e-12)
        assert found["Phi(total=50)"] == pytest.approx(
            Confusion.of_sum(tp, fp, fn, 50).phi, rel=1e-12, abs=1e-12
        )
        assert math.isnan(found["Phi(total=9)"]) == (tp + fp + fn > 9)


def test_sets_of_nothing() -> None:
    judgments = {"q1": {"a": 0}, "q2": {"a": 1}, "q3": {"a": 1}}
    result = evaluate(judgments, {"q1": [], "q2": [], "q3": ["a"]}, "SetP, SetR, SetF")
    assert result.queries["q1"] == {"SetP": 1, "SetR": 1, "SetF": 1}
    assert result.queries["q2"] == {"SetP": 1, "SetR": 0, "SetF": 0}


def test_ap_by_default_is_as_it_was() -> None:
    assert str(parse("AP")) == str(parse("AP(denominator=gold)")) == "AP"
    assert str(rankscope.AP(denominator="retrieved", rel=2) @ 5) == "AP(rel=2, denominator=retrieved)@5"


def test_compat_gives_the_numbers_of_the_program() -> None:
    """Three lists of three items, the last one without a relevant item: not in MAP, not in LAG."""
    lists = {"q1": ["x", "y", "a"], "q2": ["b", "x", "c"], "q3": ["x", "y", "z"]}
    scores = {"q1": [0.9, 0.9, 0.9], "q2": [0.5, 0.5, 0.5], "q3": [0.3, 0.2, 0.1]}
    run = {q: dict(zip(items, scores[q], strict=True)) for q, items in lists.items()}
    judgments = {"q1": {"a": 1}, "q2": {"b": 1, "c": 1, "zz": 1}, "q3": {"w": 1}}
    own = rank_lists(lists, ["a", "b", "c", "zz"], scores, compat="ardoco")
    result = evaluate(judgments, run, "AP, LAG, AUC", compat="ardoco")
    assert result["AP"] == pytest.approx(own.map, rel=1e-12)
    assert result["LAG"] == pytest.approx(own.lag, rel=1e-12)
    assert result["AUC"] == pytest.approx(own.auc, rel=1e-12)
    assert list(result.aggregate) == ["AP(denominator=retrieved)", "LAG", "PooledAUC(ties=order)"]
    assert "compat=ardoco: AUC is PooledAUC(ties=order)" in result.notes
    assert not any("cannot be had" in note for note in result.notes)


def test_compat_refuses_rankings_of_unequal_length() -> None:
    judgments, run = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 1}}, {"q1": ["a", "b"], "q2": ["a"]}
    with pytest.raises(InputError, match="query 'q1' has 2 items, query 'q2' has 1") as caught:
        evaluate(judgments, run, "AP", compat="ardoco")
    assert caught.value.code == "unequal-lengths"
    assert evaluate(judgments, run, "AP", compat="ardoco", depth=1)["AP"] == 1
    assert evaluate(judgments, run, "AP", compat="ardoco", queries=["q1"])["AP"] == 1
    assert evaluate(judgments, run, "SetP", compat="ardoco").queries["q2"] == {"SetP": 1}  # of sets


def test_compat_ir_measures_keeps_its_sets() -> None:
    judgments, run = {"q1": {"a": 1}, "q2": {"b": 0}}, {"q1": [], "q2": ["x"]}
    result = evaluate(judgments, run, "SetP, SetR, SetF(beta=2)", compat="ir_measures")
    assert result.queries["q1"] == {"P": 0, "R": 0, f"F(beta={math.sqrt(2)!r})": 0}
    assert result.queries["q2"]["R"] == 0
