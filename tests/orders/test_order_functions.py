"""ED, MD, SRN, OrderAUC, OrderAccuracy and OAUC of one ranking: identities, limits and bad input."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from order_support import BY_DEFINITION

from rankscope import orders, parse
from rankscope.errors import InputError, PolicyError

TABLE_1 = [3, 6, 8, 1, 4, 2, 5, 7]
"""Huang and Ling 2005, Table 1."""
FUNCTIONS = {
    "ED": orders.ed,
    "MD": orders.md,
    "SRN": orders.srn,
    "OrderAUC": orders.order_auc,
    "OrderAccuracy": orders.order_accuracy,
    "OAUC": orders.oauc,
}
PERMUTATIONS = st.integers(1, 40).flatmap(lambda n: st.permutations(range(1, n + 1)))


def exact(value: float, wanted: Fraction | float | None) -> bool:
    return math.isnan(value) if wanted is None else value == pytest.approx(float(wanted), rel=1e-12)


# ---- which way round


def test_the_list_of_the_paper_given_best_first_is_converted() -> None:
    best_first = [2, 4, 7, 5, 8, 1, 3, 6]
    assert orders.from_best_first(best_first).tolist() == TABLE_1
    assert orders.oauc(orders.from_best_first(best_first)) == pytest.approx(31 / 52, rel=1e-12)
    assert orders.oauc(best_first) == pytest.approx(8 / 13, rel=1e-12)


@settings(deadline=None)
@given(ranking=PERMUTATIONS)
def test_a_permutation_is_its_labels_against_its_places(ranking: list[int]) -> None:
    places = list(range(1, len(ranking) + 1))
    shuffled = np.random.default_rng(0).permutation(len(ranking))
    for name, function in FUNCTIONS.items():
        wanted = BY_DEFINITION[name](ranking, places)
        assert exact(function(ranking), wanted), name
        assert exact(function(np.array(ranking)[shuffled], np.array(places)[shuffled]), wanted), name


@pytest.mark.parametrize("n", range(1, 7))
def test_every_permutation_by_the_formulas_of_the_paper(n: int) -> None:
    for a in permutations(range(1, n + 1)):
        place = [i for i in range(1, n + 1) if a[i - 1] > n / 2]
        n0, n1 = math.ceil(n / 2), n // 2
        if n1:
            area = Fraction(sum(r - i for i, r in enumerate(place, 1)), n0 * n1)
            weighed = sum(a[r - 1] * (r - i) for i, r in enumerate(place, 1))
            assert exact(orders.order_auc(a), area)
            assert exact(orders.oauc(a), Fraction(weighed, n1 * sum(n1 + i for i in range(1, n0 + 1))))
        right = sum((label > n / 2) == (i > n / 2) for i, label in enumerate(a, 1))
        assert exact(orders.order_accuracy(a), Fraction(right, n))


# ---- identities


@settings(deadline=None)
@given(ranking=PERMUTATIONS.filter(lambda a: len(a) > 1))
def test_identities(ranking: list[int]) -> None:
    n, places = len(ranking), range(len(ranking))
    ed, md, srn = (function(ranking) for function in (orders.ed, orders.md, orders.srn))
    rho, tau = orders.spearman(ranking, places), orders.kendall(ranking, places)
    assert rho == pytest.approx(1 - 6 * ed / (n**3 - n), abs=1e-12)
    assert tau == pytest.approx(1 - 4 * srn / (n * (n - 1)), abs=1e-12)
    assert orders.ed(ranking, form="correlation") == pytest.approx(rho, abs=1e-12)
    assert orders.srn(ranking, form="correlation") == pytest.approx(tau, abs=1e-12)
    assert srn <= md <= 2 * srn  # Diaconis and Graham 1977
    assert md == orders.footrule(ranking, places)
    assert ed % 2 == md % 2 == 0
    assert orders.srn_terms(ranking).sum() == srn
    labels = [a > n / 2 for a in ranking]
    assert orders.order_auc(ranking) == pytest.approx(orders.roc_auc(labels, places), abs=1e-12)


@settings(deadline=None)
@given(ranking=PERMUTATIONS.filter(lambda a: len(a) > 1))
def test_ranges_and_when_they_are_reached(ranking: list[int]) -> None:
    n = len(ranking)
    assert orders.ed(ranking) <= (n**3 - n) / 3
    assert orders.md(ranking) <= n * n // 2
    assert orders.srn(ranking) <= n * (n - 1) // 2
    separated = all(a <= n / 2 for a in ranking[: n // 2])
    assert (orders.oauc(ranking) == 1) == (orders.order_auc(ranking) == 1) == separated
    positives_first = all(a > n / 2 for a in ranking[: n - n // 2])
    assert (orders.oauc(ranking) == 0) == (orders.order_auc(ranking) == 0) == positives_first


@pytest.mark.parametrize("n", [2, 3, 7, 8, 1001])
def test_the_true_order_and_its_reverse(n: int) -> None:
    forwards = list(range(1, n + 1))
    backwards = forwards[::-1]
    assert [f(forwards) for f in FUNCTIONS.values()] == [0, 0, 0, 1, 1, 1]
    worst = [(n**3 - n) / 3, n * n // 2, n * (n - 1) // 2, 0, 0 if n % 2 == 0 else 1 / n, 0]
    assert [f(backwards) for f in FUNCTIONS.values()] == pytest.approx(worst, rel=1e-12)
    for function in (orders.ed, orders.md, orders.srn):
        assert function(backwards, form="share") == 1
        assert function(backwards, form="correlation") == -1
    assert orders.ed(backwards, root=True) == pytest.approx(math.sqrt(worst[0]), rel=1e-12)


# ---- ties and a rough truth


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=12))
def test_ties_that_stay_ties(sides: list[tuple[int, int]]) -> None:
    true, run = zip(*sides, strict=True)
    for name in ("ED", "MD", "SRN", "OAUC"):
        assert exact(FUNCTIONS[name](true, run, ties="kept"), BY_DEFINITION[name](true, run)), name
    assert orders.ed(true, run, ties="midranks") == orders.ed(true, run, ties="kept")  # type: ignore[arg-type]
    assert orders.srn_terms(true, run, ties="kept").sum() == orders.srn(true, run, ties="kept")


def test_ties_that_are_broken() -> None:
    """The item given first is the better one, on both sides."""
    assert orders.srn([1, 1, 1], [2, 2, 2], ties="stable") == 0
    assert orders.srn([1, 1, 2], [5, 4, 4], ties="stable") == 2
    drawn = [orders.ed(range(9), [0] * 9, ties="random", seed=seed) for seed in range(30)]
    assert len({*drawn}) > 5
    assert drawn == [orders.ed(range(9), [0] * 9, ties="random", seed=seed) for seed in range(30)]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_tied_predictions_are_an_error(name: str) -> None:
    with pytest.raises(InputError, match="2 predicted scores are equal: 4") as caught:
        FUNCTIONS[name]([1, 2, 3], [4, 4, 5])
    assert "ties='kept'" in caught.value.hint


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_rough_truth_is_for_some_only(name: str) -> None:
    """Positives at 0.9, 0.4 and negatives at 0.6, 0.1: 3 of 4 pairs and 2 of 4 items are right."""
    rough, run = [1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1]
    if parse(name).detail == "full":
        with pytest.raises(InputError, match="say only which items are positive") as caught:
            FUNCTIONS[name](rough, run)
        assert "order_auc or order_accuracy" in caught.value.hint
    else:
        assert FUNCTIONS[name](rough, run) == {"OrderAUC": 0.75, "OrderAccuracy": 0.5}[name]


def test_true_scores_with_some_ties_are_no_rough_truth() -> None:
    with pytest.raises(InputError, match="2 true scores are equal: 1"):
        orders.order_auc([1, 1, 2, 3], [1, 2, 3, 4])


# ---- positives


@pytest.mark.parametrize(
    "given", [2, 0.25, ">=7", [a >= 7 for a in TABLE_1], np.array([0, 0, 1, 0, 0, 0, 0, 1])]
)
def test_positives(given: Any) -> None:
    """8 is on place 3 with 2 negatives below it, 7 on place 8 with 6; 5 and 7 are called positive."""
    assert orders.order_auc(TABLE_1, positives=given) == pytest.approx(8 / 12, rel=1e-12)
    assert orders.oauc(TABLE_1, positives=given) == pytest.approx((8 * 2 + 7 * 6) / (6 * 15), rel=1e-12)
    assert orders.order_accuracy(TABLE_1, positives=given) == 6 / 8


@pytest.mark.parametrize(
    "given", [9, -1, 1.0, 0.0, 1.5, math.nan, "7", ">=", ">=x", ">=nan", [1, 0], [2] * 8, True]
)
def test_positives_that_say_nothing(given: Any) -> None:
    with pytest.raises(InputError) as caught:
        orders.order_auc(TABLE_1, positives=given)
    assert caught.value.code in ("bad-positives", "array-shape")


@pytest.mark.parametrize("given", [0, 8, ">=100", [True] * 8])
def test_positives_of_one_kind_leave_no_area(given: Any) -> None:
    assert math.isnan(orders.order_auc(TABLE_1, positives=given))
    assert math.isnan(orders.oauc(TABLE_1, positives=given))


# ---- degenerate and bad input


def test_no_item_and_one() -> None:
    assert all(math.isnan(function([])) for function in FUNCTIONS.values())
    assert orders.srn_terms([]).tolist() == []
    values = {name: function([1]) for name, function in FUNCTIONS.items()}
    assert [values.pop(name) for name in ("ED", "MD", "SRN", "OrderAccuracy")] == [0, 0, 0, 1]
    assert all(math.isnan(value) for value in values.values())
    assert math.isnan(orders.ed([1], form="share"))


@pytest.mark.parametrize(
    "given", [[0, 1], [1, 1], [1, 3], [1.5, 2], [2, 3, 4], [-1, 1], [1, 2, 2], [1e300, 1], [True, True]]
)
def test_what_is_no_permutation(given: Any) -> None:
    for function in (*FUNCTIONS.values(), orders.from_best_first, orders.srn_terms):
        with pytest.raises(InputError, match=f"not a permutation of 1 to {len(given)}"):
            function(given)


@pytest.mark.parametrize(
    ("true", "run", "says"),
    [
        ([1, 2], [1, 2, 3], "2 true scores and 3 predicted ones"),
        ([1, math.nan], [1, 2], "score 'nan' is not finite"),
        ([1, 2], [math.inf, 2], "score 'inf' is not finite"),
        (["a", "b"], [1, 2], "not an array of numbers"),
        ([[1, 2]], [[1, 2]], "2 dimensions"),
        ([1, [2]], [1, 2], "not an array of numbers"),
        (3, [1], "0 dimensions"),
        ([None, 1], [1, 2], "not an array of numbers"),
    ],
)
def test_scores_that_cannot_be_used(true: Any, run: Any, says: str) -> None:
    for function in (*FUNCTIONS.values(), orders.kendall, orders.spearman, orders.footrule, orders.roc_auc):
        with pytest.raises(InputError, match=says):
            function(true, run)


def test_options_that_do_not_exist() -> None:
    with pytest.raises(PolicyError, match="ties=stabel is not a choice") as caught:
        orders.ed([1, 2], [1, 2], ties="stabel")  # type: ignore[arg-type]
    assert "stable" in caught.value.hint
    with pytest.raises(PolicyError, match="form=tau"):
        orders.srn([1, 2], form="tau")  # type: ignore[arg-type]
    with pytest.raises(PolicyError, match="root"):
        orders.ed([1, 2], root=True, form="share")


def test_a_million_items() -> None:
    n = 1_000_000
    backwards = np.arange(n, 0, -1)
    assert orders.srn(backwards) == n * (n - 1) // 2
    assert orders.ed(backwards) == pytest.approx((n**3 - n) / 3, rel=1e-12)


def test_whole_numbers_that_floats_cannot_tell_apart_are_refused() -> None:
    with pytest.raises(InputError, match="beyond 2\\^53"):
        orders.kendall([2**53, 2**53 + 1], [1, 2])
    assert orders.kendall([2**53 - 1, 2**53], [1, 2]) == 1
