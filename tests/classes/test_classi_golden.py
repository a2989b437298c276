"""Every exact value of ClasSi: the paper's example and figures, expectations, degenerate cases."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from class_support import arrangements

from rankscope import classi
from rankscope.classes import ClassRanking

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "golden.json").read_text())
CASES = {name: case for name, case in GOLDEN.items() if name.startswith("classi.")}


def ranked(inputs: dict[str, Any], **options: Any) -> ClassRanking:
    if "distances" in inputs:
        return classi(inputs["distances"], **options)
    return classi(inputs["ranking"], inputs["query_class"], inputs["distance"], **options)


def mean_over_arrangements(inputs: dict[str, Any]) -> float:
    values = [classi(list(order)).value for order in arrangements(inputs["distances_multiset"])]
    return math.fsum(values) / len(values)


def mean_after_swaps(inputs: dict[str, Any]) -> float:
    """Over all choices of pairs of positions; with one swap, pairs equally far apart are alike."""
    m, swaps = inputs["m"], inputs["swaps"]
    if swaps == 1:
        weighted = []
        for gap in range(1, m):
            order = np.arange(m)
            order[[0, gap]] = order[[gap, 0]]
            weighted.append((m - gap) * classi(order).value)
        return math.fsum(weighted) / math.comb(m, 2)
    values = []
    for pairs in product(list(combinations(range(m), 2)), repeat=swaps):
        order = list(range(m))
        for i, j in pairs:
            order[i], order[j] = order[j], order[i]
        values.append(classi(order).value)
    return math.fsum(values) / len(values)


HANDLERS = {
    "classi": lambda inputs: ranked(inputs).value,
    "classi_unit_cost": lambda inputs: ranked(inputs, cost="unit").value,
    "classi_discost": lambda inputs: float(ranked(inputs).cost[-1]),
    "classi_curve": lambda inputs: ranked(inputs).curve.tolist(),
    "classi_cumulative_cost": lambda inputs: ranked(inputs).cost.tolist(),
    "classi_expected": mean_over_arrangements,
    "classi_expected_curve": lambda inputs: classi(inputs["distances_multiset"]).expected.tolist(),
    "classi_expected_after_swaps": mean_after_swaps,
}


def exact(case: dict[str, Any]) -> Any:
    """What the case says: fractions where it has them, else its float."""
    if case.get("nan"):
        return math.nan
    try:
        given = case["exact"]
        return [float(Fraction(x)) for x in given] if isinstance(given, list) else float(Fraction(given))
    except ValueError:  # a power of a fraction
        return case["value"]


@pytest.mark.parametrize("name", CASES)
def test_golden(name: str) -> None:
    case = CASES[name]
    found = HANDLERS[case["measure"]](case["inputs"])
    assert found == pytest.approx(exact(case), rel=1e-12, abs=1e-15, nan_ok=True)


def test_there_are_cases_for_every_handler() -> None:
    assert {case["measure"] for case in CASES.values()} == set(HANDLERS)


@pytest.mark.parametrize("t", [1, 2, 3, 4, 6, 10, 20, 50])
def test_figure_1b_in_closed_form(t: int) -> None:
    """For r_2, ClasSi = 1 - (2/7)(1 - 1/t) with t = d(b, t): derived from the example's class sizes."""
    ranking = classi(list("bbbctccctt"), "b", {"b": 0, "c": 1, "t": t})
    assert ranking.value == pytest.approx(float(1 - Fraction(2, 7) * (1 - Fraction(1, t))), rel=1e-12)


def test_what_the_paper_prints() -> None:
    """Section 2.2 and 3: DisCost 3 and 15 of 126; 0.95, 0.76, and curves through 0.84 and 0.75."""
    first, second = (classi(list(r), "b", {"c": 1, "t": 6}) for r in ("cbbbcccttt", "bbbctccctt"))
    assert (first.cost[-1], second.cost[-1], first.worst_cost[-1]) == (3, 15, 126)
    printed = [first.value, second.value, first.at(1), second.at(5)]
    assert [round(value, 2) for value in printed] == [0.95, 0.76, 0.84, 0.75]
    assert ["".join(map(str, r)) for r in (first.best, first.worst)] == ["bbbccccttt", "tttccccbbb"]
