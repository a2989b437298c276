"""Consistency and discriminancy of the six measures of Huang and Ling, as exact fractions, n = 4 .. 8."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from study_support import KINDS, PAPER, golden

import rankscope
from rankscope.study import Degrees, PairCounts

CASES = golden("huangling.n", "huangling.distinct_values.")
SIZES = range(4, 9)


@cache
def degrees(n: int) -> Degrees:
    return rankscope.study([*PAPER.values()], over=n)


def counts(inputs: dict[str, Any]) -> PairCounts:
    return degrees(inputs["n"]).counts[PAPER[inputs["f"]], PAPER[inputs["g"]]]


def consistency(inputs: dict[str, Any], exact: str) -> None:
    found = counts(inputs)
    assert Fraction(found.agree, found.agree + found.disagree) == Fraction(exact)
    assert found.consistency == pytest.approx(float(Fraction(exact)), rel=1e-12)


def discriminancy(inputs: dict[str, Any], exact: str) -> None:
    found = counts(inputs)
    assert Fraction(found.only_f, found.only_g) == Fraction(exact)
    assert found.discriminancy == pytest.approx(float(Fraction(exact)), rel=1e-12)


def comparison(inputs: dict[str, Any], exact: dict[str, str]) -> None:
    found = counts(inputs)
    assert {kind: getattr(found, kind) for kind in KINDS} == {kind: int(exact[kind]) for kind in KINDS}
    assert all(type(getattr(found, kind)) is int for kind in KINDS)


def distinct_values(inputs: dict[str, Any], exact: dict[str, str]) -> None:
    expected = {PAPER[name]: int(count) for name, count in exact.items()}
    assert degrees(inputs["n"]).distinct == expected


HANDLERS: dict[str, Callable[[dict[str, Any], Any], None]] = {
    "consistency": consistency,
    "discriminancy": discriminancy,
    "measure_comparison": comparison,
    "distinct_values": distinct_values,
}


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    case = CASES[name]
    HANDLERS[case["measure"]](case["inputs"], case["exact"])


def test_every_size_and_kind_has_cases() -> None:
    assert {(c["inputs"]["n"], c["measure"]) for c in CASES.values()} == {
        *((n, kind) for n in SIZES for kind in ("consistency", "discriminancy", "measure_comparison")),
        (4, "distinct_values"),
    }


def test_the_number_of_distinct_values_for_8() -> None:
    """Counted by listing all values of exact fractions."""
    assert degrees(8).distinct == {
        "OrderAUC": 17,
        "SRN": 29,
        "MD": 17,
        "ED": 85,
        "OAUC": 95,
        "OrderAccuracy": 5,
    }


@pytest.mark.parametrize("n", SIZES)
def test_the_order_of_preference(n: int) -> None:
    """Section 3.1 of the paper has the order of n = 8; with fewer than 6 items ED is the best."""
    best = ["ED", "OAUC"] if n < 6 else ["OAUC", "ED"]
    expected = [*best, "SRN", "OrderAUC", "MD", "OrderAccuracy"]
    found = degrees(n).preference
    assert [*found.steps] == [(name,) for name in expected]
    assert found.is_order
    assert not found.cycles
    assert (degrees(n).consistency > 0.5).all()


def test_only_finer_measures_give_an_infinite_degree() -> None:
    """For n = 4 OrderAUC tells apart whatever OrderAccuracy does, and more."""
    found = degrees(4).counts["OrderAUC", "OrderAccuracy"]
    assert found.only_g == 0 < found.only_f
    assert found.discriminancy == float("inf")
    assert found.turned().discriminancy == 0
