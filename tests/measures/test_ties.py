"""Ties: expected, best and worst values against the enumeration of all orders."""

from __future__ import annotations

import math
import random

import pytest
from measure_support import BY_DEFINITION, by_enumeration

import rankscope

MEASURES = [
    *("P", "P@3", "P(rel=2)@4", "R", "R@2", "Success@1", "Success@3", "Success(rel=2)@4", "Success"),
    *("F", "F@3", "F(beta=2)@2", "F(beta=0.5, rel=2)", "Rprec", "Rprec(rel=2)", "AP", "AP@3", "AP(rel=2)@4"),
    *("RR", "RR@2", "RR(rel=2)@3", "DCG", "DCG@3", "DCG(gain=exp, base=3)", "nDCG", "nDCG@3"),
    *("nDCG(gain=exp)@2", "RBP", "RBP(p=0.5)@3", "RBP(rel=2)", "bpref", "bpref(rel=2)", "bpref(rel=0)"),
    *("Judged", "Judged@3", "NumRet", "NumRet@2", "NumRel", "NumRelRet", "NumRelRet(rel=2)@3", "P(rel=0)@2"),
]


def test_every_definition_is_used() -> None:
    assert {rankscope.parse(m).name for m in MEASURES} == set(BY_DEFINITION)


def random_query(rng: random.Random) -> tuple[list[list[float | None]], list[float]]:
    """Tie groups of grades, at most 7 items in all, and the grades of all judged items."""
    grades = [None, None, -1.0, 0.0, 0.0, 1.0, 1.0, 2.0, 3.0]
    sizes = rng.choice([[1, 3, 2], [4, 2], [5], [2, 2, 2], [1, 1, 4, 1], [5, 2], [1], [3], [1, 1, 1]])
    groups = [[rng.choice(grades) for _ in range(size)] for size in sizes]
    unretrieved = [rng.choice([-1.0, 0.0, 1.0, 2.0]) for _ in range(rng.randrange(3))]
    judged = [g for group in groups for g in group if g is not None] + unretrieved
    return groups, judged or [1.0]


def as_input(groups: list[list[float | None]], judged: list[float], rng: random.Random):
    """The judgments and the ranking of one query, under shuffled ids."""
    names = [f"d{n:02}" for n in range(40)]
    rng.shuffle(names)
    judgments: dict[str, float] = {}
    ranking: dict[str, float] = {}
    for place, group in enumerate(groups):
        for grade in group:
            name = names.pop()
            ranking[name] = -float(place)
            if grade is not None:
                judgments[name] = grade
    rest = list(judged)
    for grade in judgments.values():
        rest.remove(grade)
    judgments |= {names.pop(): grade for grade in rest}
    return judgments, ranking


@pytest.mark.parametrize("ties", ["expected", "best", "worst"])
@pytest.mark.parametrize("depth", [None, 1, 3, 5])
@pytest.mark.parametrize("unjudged", ["irrelevant", "drop"])
def test_value_over_all_orders(ties: str, depth: int | None, unjudged: str) -> None:
    rng = random.Random(f"{ties} {depth} {unjudged}")
    queries = [random_query(rng) for _ in range(24)]
    inputs = [as_input(*query, rng) for query in queries]
    result = rankscope.evaluate(
        {str(n): judgments for n, (judgments, _) in enumerate(inputs)},
        {str(n): ranking for n, (_, ranking) in enumerate(inputs)},
        MEASURES,
        depth=depth,
        ties=ties,
        unjudged=unjudged,
        undefined="nan",
    )
    for number, (groups, judged) in enumerate(queries):
        for measure in result.measures:
            wanted = by_enumeration(measure, groups, judged, ties=ties, depth=depth, drop=unjudged == "drop")
            found = result.queries[str(number)][str(measure)]
            assert found == pytest.approx(wanted, abs=1e-12, nan_ok=True), (measure, groups, judged)


def test_large_tie_groups_stay_exact() -> None:
    """Of n tied items with one relevant, its rank is uniform: E[1/rank] = H_n / n."""
    n = 3000
    ranking = {f"d{i}": 1.0 for i in range(n)}
    result = rankscope.evaluate(
        {"q": {"d7": 1}}, {"q": ranking}, "RR AP Success@30 P@30 nDCG", ties="expected"
    )
    harmonic = math.fsum(1 / i for i in range(1, n + 1)) / n
    assert result["RR"] == pytest.approx(harmonic, rel=1e-12)
    assert result["AP"] == pytest.approx(harmonic, rel=1e-12)
    assert result["Success@30"] == pytest.approx(0.01, rel=1e-12)
    assert result["P@30"] == pytest.approx(1 / n, rel=1e-12)
    assert result["nDCG"] == pytest.approx(math.fsum(1 / math.log2(i + 1) for i in range(1, n + 1)) / n)


def test_a_constant_scorer_gains_nothing_by_its_ids() -> None:
    """Every order of the ids gives the same expected value, where an order by id would favour some."""
    values = {
        rankscope.evaluate({"q": {name: 1}}, {"q": dict.fromkeys("abcdef", 0.5)}, "RR", ties="expected")["RR"]
        for name in "abcdef"
    }
    assert len(values) == 1
