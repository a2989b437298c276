"""Type 3 and P_delta: the theorem on all weak orders of four items, the conditions on phi, the constant."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from answer_support import Groups, groupings, weak_orders
from hypothesis import given, settings
from hypothesis import strategies as st

import rankscope
from rankscope import MeasureError, answers
from rankscope.answers import check_phi, constant_squared, phi

WEAK_ORDERS = weak_orders("abcd")


def exact_pdelta(one: Groups, other: Groups, nominal: str) -> Fraction:
    """Eq 33 as a double sum over all groups."""
    m0 = max(len(one), len(other))
    total = Fraction(0)
    for i, x in enumerate(map(set, one), 1):
        for j, y in enumerate(map(set, other), 1):
            whole = len(x | y) if nominal == "jaccard" else Fraction(len(x) + len(y), 2)
            total += Fraction(len(x & y)) / whole * phi(i, j, m0)
    return total


def test_there_are_75_weak_orders_of_four() -> None:
    assert len(WEAK_ORDERS) == 75


def pdelta_of_all_pairs(nominal: str) -> dict[tuple[int, int], float]:
    """P_delta of each weak order with each, by their numbers: as many queries of one run."""
    numbers = [(i, j) for i in range(len(WEAK_ORDERS)) for j in range(len(WEAK_ORDERS))]
    run, answer = (
        {
            f"{pair}": {x: -n for n, group in enumerate(WEAK_ORDERS[pair[side]]) for x in group}
            for pair in numbers
        }
        for side in (0, 1)
    )
    result = rankscope.evaluate(answer, run, rankscope.Pdelta(nominal=nominal))
    return dict(zip(numbers, result.run.values[str(rankscope.Pdelta(nominal=nominal))].tolist(), strict=True))


@pytest.mark.parametrize("nominal", ["jaccard", "dice", "cosine"])
def test_theorem_on_all_weak_orders(nominal: str) -> None:
    """In (0, 1], as all have items in common; symmetric; and 1 only for the same groups in the same order."""
    found = pdelta_of_all_pairs(nominal)
    for (i, j), value in found.items():
        assert 0 < value <= 1
        assert value == pytest.approx(found[j, i], abs=1e-14)
        assert (value > 1 - 1e-9) == (i == j), (WEAK_ORDERS[i], WEAK_ORDERS[j])


@pytest.mark.parametrize("nominal", ["jaccard", "dice"])
def test_exact_values_on_weak_orders(nominal: str) -> None:
    for i, j in product(range(0, 75, 7), range(0, 75, 4)):
        wanted = exact_pdelta(WEAK_ORDERS[i], WEAK_ORDERS[j], nominal)
        assert (wanted == 1) == (i == j)
        found = answers.pdelta(WEAK_ORDERS[i], WEAK_ORDERS[j], nominal=nominal)
        assert found == pytest.approx(float(wanted), rel=1e-13)


@settings(deadline=None, max_examples=50)
@given(one=groupings(), other=groupings())
def test_theorem_where_items_differ(one: Groups, other: Groups) -> None:
    found = answers.pdelta(one, other)
    assert found == pytest.approx(float(exact_pdelta(one, other, "jaccard")), rel=1e-13, abs=0)
    assert (found == 0) == (answers.jaccard(one, other) == 0)


def test_the_overlap_coefficient_breaks_the_theorem() -> None:
    """d|bc|a against cd|b|a, summed by hand: 109/97."""
    found = answers.pdelta(["d", ["b", "c"], "a"], [["c", "d"], "b", "a"], nominal="overlap")
    assert found == pytest.approx(109 / 97, rel=1e-13)


@pytest.mark.parametrize("nominal", ["recall", "precision"])
def test_recall_and_precision_are_one_only_of_an_answer_with_itself(nominal: str) -> None:
    one, other = [["a", "b"], ["c"]], [["a"], ["b", "c"]]
    assert answers.pdelta(one, one, nominal=nominal) == pytest.approx(1)
    assert answers.pdelta(one, other, nominal=nominal) != answers.pdelta(other, one, nominal=nominal)


@pytest.mark.parametrize("n", [3, 5, 10])
def test_an_exchange_at_the_bottom_costs_more(n: int) -> None:
    order = [str(i) for i in range(n)]
    top = [order[1], order[0], *order[2:]]
    bottom = [*order[:-2], order[-1], order[-2]]
    losses = [1 - answers.pdelta(order, other) for other in (bottom, top)]
    assert losses[0] > losses[1]
    if n == 10:  # 5.5 times as much, exactly (1 - Q) of both in fractions
        exact = [1 - exact_pdelta([[x] for x in order], [[x] for x in o], "jaccard") for o in (bottom, top)]
        assert losses[0] / losses[1] == pytest.approx(float(exact[0] / exact[1]))
        assert 5.4 < losses[0] / losses[1] < 5.6


# ---- phi


@pytest.mark.parametrize("m0", range(1, 41))
def test_the_printed_constant_is_right(m0: int) -> None:
    """The sum of (1 - i / m^2)^2 for i = 0, ..., m - 1 is 1 / A^2, so that (ii) holds."""
    assert 1 / constant_squared(m0) == sum((1 - Fraction(i, m0**2)) ** 2 for i in range(m0))
    assert sum(phi(i, i, m0) for i in range(1, m0 + 1)) == 1


@pytest.mark.parametrize("m", range(1, 9))
def test_phi_keeps_its_conditions(m: int) -> None:
    for m2 in range(1, 9):
        assert check_phi(phi, m, m2) == ()


@settings(deadline=None, max_examples=50)
@given(m0=st.integers(1, 10**6), data=st.data())
def test_phi_is_symmetric_and_positive(m0: int, data: Any) -> None:
    i, j = (data.draw(st.integers(1, m0)) for _ in range(2))
    assert phi(i, j, m0) == phi(j, i, m0) > 0


@pytest.mark.parametrize(
    ("weight", "failed"),
    [
        (lambda i, j, m0: 0 * i, {"i": (1, 1), "ii": (3, 3), "iii": (1, 1), "iv": (1, 1), "v": (1, 1)}),
        (lambda i, j, m0: 2 * phi(i, j, m0), {"ii": (3, 3)}),
        (lambda i, j, m0: phi(i, i, m0) if i <= j else phi(i, j, m0), {"iii": (1, 1)}),
        (lambda i, j, m0: phi(j, j, m0) if i >= j else phi(i, j, m0), {"iv": (1, 1)}),
        (lambda i, j, m0: Fraction(1, m0) / (1 + abs(i - j)), {"v": (1, 1)}),
        (lambda i, j, m0: phi(i, j, m0) if (i, j) != (1, 3) else -1, {"i": (1, 3)}),
        (lambda i, j, m0: phi(i, j, m0) if (i, j) != (2, 3) else 1, {"iii": (2, 2)}),
    ],
)
def test_check_phi_says_which_conditions_fail_and_where(weight: Any, failed: dict[str, Any]) -> None:
    failures = check_phi(weight, 3)
    assert {f.condition: (f.i, f.j) for f in failures} == failed
    for failure in failures:
        assert answers.CONDITIONS[failure.condition] in str(failure)
        assert failure.places >= 1


def test_check_phi_counts_the_places() -> None:
    (failure,) = check_phi(lambda i, j, m0: 1 / (m0 * (1 + abs(i - j))), 5)
    assert (failure.condition, failure.places) == ("v", 4)
    assert failure.found == "phi(1, 1) = 0.2 and phi(2, 2) = 0.2"


def test_check_phi_looks_at_both_sizes() -> None:
    """Positive as far as 3 groups on one side and 5 on the other go, not beyond."""
    weight = lambda i, j, m0: phi(i, j, m0) if i <= 3 or i == j else -1  # noqa: E731
    assert check_phi(weight, 3, 5) == ()
    assert [(f.condition, f.i, f.j) for f in check_phi(weight, 5, 3)] == [("i", 4, 1), ("iv", 4, 1)]


@pytest.mark.parametrize("m", [0, -1, 1.5, True, None, "3"])
def test_check_phi_needs_a_number_of_groups(m: Any) -> None:
    with pytest.raises(MeasureError, match="m="):
        check_phi(phi, m)


# ---- any phi, any S


@settings(deadline=None, max_examples=50)
@given(one=groupings(), other=groupings())
def test_type_3_takes_functions(one: Groups, other: Groups) -> None:
    plain = answers.type3(one, other, phi=phi)
    assert plain == pytest.approx(answers.pdelta(one, other), rel=1e-12)
    flat = answers.type3(one, other, phi=lambda i, j, m0: 1)
    assert flat == pytest.approx(answers.sum_over_groups(one, other), rel=1e-12)
    counted = answers.type3(one, other, nominal=lambda c, a, b: Fraction(c, a + b - c))
    assert counted == pytest.approx(answers.pdelta(one, other), rel=1e-12)


@pytest.mark.parametrize("bad", [math.nan, math.inf, None, "big", 1j])
def test_functions_that_give_no_finite_number(bad: Any) -> None:
    with pytest.raises(MeasureError, match=r"phi\(1, 1, 1\)"):
        answers.type3(["a"], ["a"], phi=lambda i, j, m0: bad)
    with pytest.raises(MeasureError, match=r"nominal\(1, 1, 1\)"):
        answers.type3(["a"], ["a"], nominal=lambda c, a, b: bad)
    with pytest.raises(MeasureError, match=r"phi\(1, 1, 2\)"):
        check_phi(lambda i, j, m0: bad, 2)


def test_what_is_no_phi_and_no_number_of_groups() -> None:
    for asked in (lambda: answers.type3(["a"], ["a"], phi="eq32"), lambda: check_phi("eq32", 2)):  # type: ignore[arg-type]
        with pytest.raises(MeasureError, match="phi='eq32'"):
            asked()
    for wrong in (lambda: constant_squared(0), lambda: phi(0, 1, 3), lambda: phi(1, 1.5, 3)):  # type: ignore[arg-type]
        with pytest.raises(MeasureError, match="a whole number from 1 up"):
            wrong()
