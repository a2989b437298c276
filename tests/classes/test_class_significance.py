"""p-values of ClasSi: all arrangements, the exact variance, and seeded permutations."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from class_support import COSTS, arrangements, curve
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from rankscope import InputError, PolicyError, classi
from rankscope.classes.significance import variance

rankings = st.lists(st.integers(-4, 4), min_size=2, max_size=6).filter(lambda d: len(set(d)) > 1)
costs = st.sampled_from(sorted(COSTS))
quick = settings(deadline=None, max_examples=40)


@quick
@given(rankings, costs, st.integers(1, 6))
def test_exact_is_the_share_of_arrangements(distances: list[int], cost: Any, k: int) -> None:
    k = min(k, len(distances))
    every = [curve(order, cost)[k - 1] for order in arrangements(distances)]
    own, mean = curve(distances, cost)[k - 1], sum(every) / len(every)
    expected = {
        "greater": sum(v >= own for v in every),
        "less": sum(v <= own for v in every),
        "two-sided": sum(abs(v - mean) >= abs(own - mean) for v in every),
    }
    ranking = classi(distances, cost=cost, k=k)
    for alternative, hits in expected.items():
        found = ranking.pvalue("exact", alternative=alternative)  # type: ignore[arg-type]
        assert found.value == pytest.approx(hits / len(every), rel=1e-12)
        assert found.rankings == len(every)


@quick
@given(rankings, costs)
def test_the_variance_is_exact(distances: list[int], cost: Any) -> None:
    """Over all arrangements, whose mean is 0."""
    every = [curve(order, cost)[-1] for order in arrangements(distances)]
    exact = sum((v * v for v in every), Fraction(0)) / len(every)
    ranking = classi(distances, cost=cost)
    found = variance(
        ranking.level_distances, ranking.level_counts, ranking.total_worst_cost, unit=cost == "unit"
    )
    assert found == pytest.approx(float(exact), rel=1e-12)


def test_the_formula_of_the_variance() -> None:
    """m (m^2 - 1) / 3 * sum (d - mean d)^2 / ((m - 1) W^2), for the paper's example by hand.

    m = 10, distances 0 0 0 1 1 1 1 6 6 6 with mean 2.2 and squares 63.6 about it, W = 126.
    """
    ranking = classi(list("bbbccccttt"), "b", {"c": 1, "t": 6})
    found = variance(ranking.level_distances, ranking.level_counts, ranking.total_worst_cost, unit=False)
    assert found == pytest.approx(10 * 99 / 3 * 63.6 / (9 * 126**2), rel=1e-12)


def test_the_example_by_all_4200_arrangements() -> None:
    ranking = classi(list("bbbctccctt"), "b", {"c": 1, "t": 6})
    found = ranking.pvalue()
    assert (found.method, found.rankings) == ("exact", math.factorial(10) // (6 * 24 * 6))
    every = set(permutations([0, 0, 0, 1, 1, 1, 1, 6, 6, 6]))
    weights = np.arange(-9, 10, 2)
    linear = np.array(sorted(every)) @ weights / 126
    assert found.value == pytest.approx(float(np.mean(linear >= 16 / 21 - 1e-12)), rel=1e-12)


@pytest.mark.parametrize("cost", sorted(COSTS))
def test_normal_and_permutation_are_near_the_exact_value(cost: Any) -> None:
    ranking = classi([0, 2, 1, 3, 5, 4, 7, 6], cost=cost)
    exact, normal, drawn = (ranking.pvalue(method).value for method in ("exact", "normal", "permutation"))
    assert normal == pytest.approx(exact, abs=0.01)
    # 9999 draws: four standard errors of the share.
    assert drawn == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 9999) + 1e-4)


def test_normal_by_units_is_that_of_kendall() -> None:
    """scipy's asymptotic tau-b of a ranking against a truth with ties has the same variance."""
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 6, 40)
    found = classi(truth, cost="unit").pvalue("normal", alternative="two-sided").value
    assert found == pytest.approx(
        stats.kendalltau(truth, np.arange(40), method="asymptotic").pvalue, rel=1e-9
    )


def test_the_normal_tails_add_up() -> None:
    ranking = classi(list(range(30, 0, -1)) + list(range(31, 60)))
    greater, less, both = (
        ranking.pvalue("normal", alternative=a).value for a in ("greater", "less", "two-sided")
    )
    assert greater + less == pytest.approx(1, rel=1e-12)
    assert both == pytest.approx(2 * min(greater, less), rel=1e-12)


def test_permutations_of_a_prefix_with_counts() -> None:
    """The first two of a database, against all arrangements."""
    distances = [1, 0, 0, 2, 2, 1, 0]
    prefix = classi(distances[:2], counts=Counter(distances))
    exact = prefix.pvalue("exact").value
    drawn = prefix.pvalue("permutation", samples=20_000, seed=3)
    assert drawn.value == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 20_000) + 1e-4)
    assert prefix.pvalue("permutation", samples=20_000, seed=3) == drawn
    assert prefix.pvalue("permutation", samples=20_000, seed=4) != drawn


def test_which_method_is_chosen() -> None:
    long = classi(np.arange(40))
    assert [long.pvalue().method, classi(np.arange(40), k=5).pvalue(samples=9).method] == [
        "normal",
        "permutation",
    ]
    assert classi([1, 0, 2]).pvalue().method == "exact"
    assert classi([1, 1]).pvalue().method == "undefined"


def test_a_large_database_is_not_expanded() -> None:
    ranking = classi(["b", "c"], order=["b", "c"], counts={"b": 10**9, "c": 10**9})
    # The first is of the near class half of the time; then nothing is better than what was found.
    assert ranking.pvalue(samples=200).value == pytest.approx(0.5, abs=0.15)


def test_refusals() -> None:
    with pytest.raises(InputError, match="too many arrangements"):
        classi(np.arange(40)).pvalue("exact")
    with pytest.raises(PolicyError, match="whole rankings"):
        classi(np.arange(40), k=5).pvalue("normal")
    with pytest.raises(PolicyError, match="method=guess"):
        classi([1, 0]).pvalue("guess")  # type: ignore[arg-type]
    with pytest.raises(PolicyError, match="alternative=up"):
        classi([1, 0]).pvalue(alternative="up")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="samples=0"):
        classi([1, 0]).pvalue("permutation", samples=0)
