"""The exact values of the worked examples of RankDCG, its page and its program."""

from __future__ import annotations

import doctest
import json
import math
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import rankscope
from rankscope.gains import (
    dcg,
    dcg_ratio,
    ndcg,
    positional_average_precision,
    positional_precision,
    rankdcg_order,
    rankdcg_scores,
    rankdcg_terms,
)

PREFIXES = ("rankdcg", "dcg", "ndcg", "precision_positional", "ap_positional")
ALL = json.loads((Path(__file__).parents[1] / "golden" / "golden.json").read_text())
CASES = {name: case for name, case in ALL.items() if name.startswith(PREFIXES)}
DISCOUNTS: dict[str, dict[str, Any]] = {
    "log2": {},
    "ln": {"base": math.e},
    "rank": {"discount": "rank"},
}


def discount(inputs: dict[str, Any]) -> dict[str, Any]:
    return DISCOUNTS[inputs.get("discount", "log2")]


def mean_over_all_orders(inputs: dict[str, Any]) -> float:
    orders = list(permutations(inputs["reference"]))
    return math.fsum(map(rankdcg_order, orders)) / len(orders)


HANDLERS: dict[str, Callable[[dict[str, Any]], float]] = {
    "dcg": lambda case: dcg(case["relevances_in_order"], **discount(case)),
    "ndcg": lambda case: ndcg(case["relevances_in_order"], **discount(case)),
    "ndcg_unmapped": lambda case: (
        dcg_ratio(case["reference"], case["hypothesis_values"], **discount(case)).value
    ),
    "rankdcg": lambda case: rankdcg_scores(
        case["reference"], case["hypothesis"], ties=case.get("ties", "pessimistic")
    ),
    "rankdcg_order": lambda case: rankdcg_order(case["relevances_in_order"]),
    "rankdcg_expected": mean_over_all_orders,
    "precision_positional": lambda case: positional_precision(case["reference"], case["hypothesis"]),
    "ap_positional": lambda case: positional_average_precision(case["reference"], case["hypothesis"]),
}


def expected(case: dict[str, Any]) -> float:
    if case.get("nan"):
        return math.nan
    try:
        return float(Fraction(case["exact"]))
    except (TypeError, ValueError):  # a logarithm
        return float(case["value"])


def test_there_are_cases_of_every_kind() -> None:
    assert {case["measure"] for case in CASES.values()} == set(HANDLERS)
    assert len(CASES) >= 80


@pytest.mark.parametrize("name", CASES)
def test_golden_value(name: str) -> None:
    case = CASES[name]
    found = HANDLERS[case["measure"]](case["inputs"])
    assert found == pytest.approx(expected(case), rel=1e-12, abs=1e-15, nan_ok=True)


MEASURES = {"dcg": rankscope.DCG, "ndcg": rankscope.nDCG, "rankdcg_order": rankscope.RankDCG}
ORDERS = {name: case for name, case in CASES.items() if case["measure"] in MEASURES}


@pytest.mark.parametrize("name", ORDERS)
def test_golden_value_of_the_measure_of_runs(name: str) -> None:
    case = ORDERS[name]
    measure = MEASURES[case["measure"]](
        **(discount(case["inputs"]) if case["measure"] != "rankdcg_order" else {})
    )
    grades = {f"item{n}": grade for n, grade in enumerate(case["inputs"]["relevances_in_order"])}
    found = rankscope.evaluate({"q": grades}, {"q": list(grades)}, measure)[measure]
    assert found == pytest.approx(expected(case), rel=1e-12)


def test_the_relative_relevances_and_discounts_that_the_page_prints() -> None:
    """[A_3, T_1, D_1] has the relevances [2, 1, 1] and the discounts [1, 2, 2]."""
    terms = rankdcg_terms([3, 1, 1])
    assert (terms.relevances, terms.discounts) == ((2, 1, 1), (1, 2, 2))
    assert (terms.total, terms.lowest, terms.highest) == (3.0, 2.5, 3.0)


def test_what_the_page_says_of_retrieving_relevant_items_alone() -> None:
    """Of [A1, B0, C0, D1, E1], to return [A, D, E] has nDCG 1 and to return [B, C] has 0."""
    judgments = {"q": {"A": 1, "B": 0, "C": 0, "D": 1, "E": 1}}
    runs = {"relevant": {"q": ["A", "D", "E"]}, "other": {"q": ["B", "C"]}}
    result = rankscope.evaluate(judgments, runs, "nDCG")
    assert [result.runs[name].aggregate["nDCG"] for name in runs] == [1.0, 0.0]


@pytest.mark.parametrize("relevances", [[3, 1, 1], [10, 5, 5]])
def test_subgroups_and_sizes_of_relevances_do_not_matter(relevances: list[float]) -> None:
    """[T, A, D] and [T, D, A] are equal, and [A_3, T_1, D_1] is as [A_10, T_5, D_5]."""
    a, t, d = relevances
    assert rankdcg_order([t, a, d]) == rankdcg_order([t, d, a]) == 0
    assert rankdcg_order([a, t, d]) == 1


def test_the_example_of_the_genres(monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(__file__).parents[2]
    monkeypatch.chdir(root)
    done = doctest.testfile(str(root / "examples" / "gains" / "README.md"), module_relative=False)
    assert (done.failed, done.attempted > 4) == (0, True)
