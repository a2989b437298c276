"""Every exact value for orders and correlations in golden.json, to 1e-12; a case without a handler fails."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from rankscope import orders

GOLDEN = Path(__file__).parents[1] / "golden" / "golden.json"
PREFIXES = ("huangling.", "kendall_tau", "kendall.one_swap", "spearman_rho")
# Of all lists of n items, rather than of one.
STUDY = re.compile(r"huangling\.(n\d+|distinct_values)\b")
CASES = {
    name: case
    for name, case in json.loads(GOLDEN.read_text()).items()
    if name.startswith(PREFIXES) and not STUDY.match(name)
}


def of_list(function: Callable[[Any], Any]) -> Callable[[dict[str, Any]], Any]:
    def value(inputs: dict[str, Any]) -> Any:
        (ranking,) = inputs.values()
        return function(ranking)

    return value


def mean_tau_after_one_swap(inputs: dict[str, Any]) -> float:
    """Over all pairs of places of a list in the true order; swaps of the same distance have the same tau."""
    m = inputs["m"]
    total = 0.0
    for distance in range(1, m):
        swapped = list(range(1, m + 1))
        swapped[0], swapped[distance] = swapped[distance], swapped[0]
        total += (m - distance) * orders.kendall(range(m), swapped)
    return total / len(list(combinations(range(m), 2)))


HANDLERS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "auc": of_list(orders.order_auc),
    "srn": of_list(orders.srn),
    "srn_terms": of_list(orders.srn_terms),
    "md": of_list(orders.md),
    "ed": of_list(orders.ed),
    "oauc": of_list(orders.oauc),
    "acc": of_list(orders.order_accuracy),
    "kendall_tau": of_list(lambda ranking: orders.kendall(range(len(ranking)), ranking)),
    "spearman_rho": of_list(lambda ranking: orders.spearman(range(len(ranking)), ranking)),
    "kendall_tau_b": lambda inputs: orders.kendall(inputs["x"], inputs["y"]),
    "kendall_expected_after_1_swap": mean_tau_after_one_swap,
}


def exact(text: str) -> float:
    """A fraction, or one of whole numbers over a root."""
    over_root = re.fullmatch(r"(-?\d+)/sqrt\((\d+)\)", text)
    return int(over_root[1]) / int(over_root[2]) ** 0.5 if over_root else float(Fraction(text))


@pytest.mark.parametrize("name", CASES)
def test_golden(name: str) -> None:
    case = CASES[name]
    found = HANDLERS[case["measure"]](case["inputs"])
    if isinstance(case["exact"], list):
        assert found.tolist() == [int(text) for text in case["exact"]]
    else:
        assert found == pytest.approx(exact(case["exact"]), rel=1e-12, abs=0)


def test_there_are_as_many_cases_as_the_file_has() -> None:
    assert len(CASES) == 51
    assert {case["measure"] for case in CASES.values()} == set(HANDLERS)
