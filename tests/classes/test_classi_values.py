"""ClasSi over one ranking: its definition, its theorems, its degenerate cases and bad input."""

from __future__ import annotations

import math
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from class_support import COSTS, EXAMPLE, arrangements, cumulative_cost, curve
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import roc_auc_score

from rankscope import InputError, PolicyError, RankscopeError, classi

whole = st.integers(-5, 5)
rankings = st.lists(whole, min_size=2, max_size=12).filter(lambda d: len(set(d)) > 1)
costs = st.sampled_from(sorted(COSTS))
quick = settings(deadline=None, max_examples=60)


# ---- the definition


@quick
@given(rankings, costs)
def test_curve_and_costs_are_those_of_the_algorithms(distances: list[int], cost: Any) -> None:
    ranking = classi(distances, cost=cost)
    assert ranking.curve.tolist() == pytest.approx(
        [float(x) for x in curve(distances, cost)], rel=1e-12, abs=1e-15
    )
    assert ranking.cost.tolist() == [float(x) for x in cumulative_cost(distances, cost)]
    worst = cumulative_cost(sorted(distances, reverse=True), cost)
    assert ranking.worst_cost.tolist() == [float(x) for x in worst]
    assert np.cumsum(ranking.position_costs).tolist() == ranking.cost.tolist()


@quick
@given(st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=15), costs)
def test_real_distances(distances: list[float], cost: Any) -> None:
    expected = [float(x) for x in curve(distances, cost)]
    found = classi(distances, cost=cost).curve
    if expected:
        assert found.tolist() == pytest.approx(expected, rel=1e-9, abs=1e-9)
    else:
        assert np.isnan(found).all()


def test_both_cores_on_rankings_of_many_sizes(core: ModuleType) -> None:
    """Against all pairs at once; whole distances are exact."""
    rng = np.random.default_rng(1)
    for size in (2, 3, 17, 64, 65, 200, 1001):
        distances = rng.integers(0, 7, size).astype(float)
        pairs = np.triu(np.maximum(distances[:, None] - distances, 0.0)).sum(axis=1)
        ranking = classi(distances)
        assert ranking.position_costs.tolist() == pairs.tolist()
        assert ranking.worst_cost[-1] == np.abs(distances[:, None] - distances).sum() / 2


@quick
@given(rankings, st.integers(1, 12), costs)
def test_the_first_labels_and_counts_are_enough(distances: list[int], k: int, cost: Any) -> None:
    k = min(k, len(distances))
    ranking = classi(distances, cost=cost)
    prefix = classi(distances[:k], cost=cost, counts=Counter(distances))
    assert prefix.curve.tolist() == pytest.approx(ranking.curve[:k].tolist(), rel=1e-12, abs=1e-14)
    assert prefix.expected.tolist() == pytest.approx(ranking.expected[:k].tolist(), rel=1e-12, abs=1e-14)
    assert prefix.position_costs.tolist() == ranking.position_costs[:k].tolist()
    assert prefix.value == pytest.approx(classi(distances, cost=cost, k=k).value, rel=1e-12, abs=1e-14)
    assert sorted(prefix.best) == sorted(map(float, distances))


@quick
@given(st.lists(st.sampled_from("bct"), min_size=1, max_size=12))
def test_labels_and_their_distances_are_the_same_ranking(labels: list[str]) -> None:
    by_label, by_distance = classi(labels, "b", EXAMPLE), classi([EXAMPLE[label] for label in labels])
    assert by_label.curve.tobytes() == by_distance.curve.tobytes()


# ---- theorems


@quick
@given(rankings, costs)
def test_theorems_1_and_2_best_and_worst(distances: list[int], cost: Any) -> None:
    ranking = classi(distances, cost=cost)
    assert classi(sorted(distances), cost=cost).value == 1
    assert classi(sorted(distances, reverse=True), cost=cost).value == -1
    assert classi(ranking.best, cost=cost).curve.tolist() == [1] * len(distances)
    assert classi(ranking.worst, cost=cost).curve.tolist() == [-1] * len(distances)
    assert (ranking.value == 1) == (distances == sorted(distances))
    assert (ranking.value == -1) == (distances == sorted(distances, reverse=True))


@quick
@given(rankings, costs)
def test_no_prefix_costs_more_than_the_worst(distances: list[int], cost: Any) -> None:
    ranking = classi(distances, cost=cost)
    assert (ranking.cost <= ranking.worst_cost).all()
    assert (ranking.worst_cost > 0).all()


@quick
@given(st.lists(whole, min_size=2, max_size=5).filter(lambda d: len(set(d)) > 1), costs)
def test_theorem_3_and_the_expected_curve(distances: list[int], cost: Any) -> None:
    """The mean over all arrangements; 0 for the last two prefixes."""
    every = [curve(order, cost) for order in arrangements(distances)]
    means = [float(sum(column) / len(every)) for column in zip(*every, strict=True)]
    expected = classi(distances, cost=cost).expected
    assert expected.tolist() == pytest.approx(means, rel=1e-12, abs=1e-14)
    assert expected[-2:].tolist() == pytest.approx([0, 0], abs=1e-14)


def test_the_expected_curve_may_be_negative() -> None:
    """d = 0, 1, 1, 1, 1: -3/5, -2/5, -1/5, 0, 0, by summing over the five arrangements."""
    assert classi([0, 1, 1, 1, 1]).expected.tolist() == pytest.approx([-0.6, -0.4, -0.2, 0, 0], abs=1e-15)


@quick
@given(rankings, st.integers(1, 50), whole)
def test_theorem_4_scale_and_shift(distances: list[int], scale: int, shift: int) -> None:
    values = classi(distances).curve
    moved = classi([scale * d + shift for d in distances]).curve
    assert moved.tolist() == pytest.approx(values.tolist(), rel=1e-12, abs=1e-14)


@quick
@given(rankings, costs)
def test_distances_turned_round_turn_the_value_round(distances: list[int], cost: Any) -> None:
    turned = classi([-d for d in distances], cost=cost).value
    assert turned == pytest.approx(-classi(distances, cost=cost).value, rel=1e-12, abs=1e-14)


@quick
@given(rankings)
def test_the_whole_is_linear_in_the_positions(distances: list[int]) -> None:
    """Gini's correlation: sum (2a - m - 1) d_a over the same of the sorted distances."""
    weights = range(1 - len(distances), len(distances), 2)
    linear = Fraction(
        sum(w * d for w, d in zip(weights, distances, strict=True)),
        sum(w * d for w, d in zip(weights, sorted(distances), strict=True)),
    )
    assert classi(distances).value == pytest.approx(float(linear), rel=1e-12, abs=1e-14)


@quick
@given(st.permutations(range(9)))
def test_unit_steps_are_spearman_and_unit_costs_kendall(order: list[int]) -> None:
    rho, tau = stats.spearmanr(range(9), order).statistic, stats.kendalltau(range(9), order).statistic
    assert classi(order).value == pytest.approx(rho, rel=1e-12, abs=1e-13)
    assert classi(order, cost="unit").value == pytest.approx(tau, rel=1e-12, abs=1e-13)


@quick
@given(rankings)
def test_unit_costs_are_gamma(distances: list[int]) -> None:
    """(Con - Dis) / (Con + Dis) over pairs of different distances."""
    pairs = [(a, b) for i, a in enumerate(distances) for b in distances[i + 1 :]]
    concordant, discordant = sum(a < b for a, b in pairs), sum(a > b for a, b in pairs)
    gamma = (concordant - discordant) / (concordant + discordant)
    assert classi(distances, cost="unit").value == pytest.approx(gamma, rel=1e-12, abs=1e-14)


@quick
@given(st.lists(st.booleans(), min_size=2, max_size=30).filter(lambda near: len(set(near)) == 2), costs)
def test_two_classes_are_twice_auc_less_one(near: list[bool], cost: Any) -> None:
    auc = roc_auc_score(near, range(len(near), 0, -1))
    ranking = classi(near, order=[True, False], cost=cost)
    assert ranking.value == pytest.approx(2 * auc - 1, rel=1e-12, abs=1e-13)


# ---- explanations


@quick
@given(rankings, costs)
def test_pairs_add_up_to_the_cost(distances: list[int], cost: Any) -> None:
    ranking = classi(distances, cost=cost)
    pairs = ranking.pairs(top=None)
    assert sum(pair.total for pair in pairs) == ranking.cost[-1]
    assert [pair.total for pair in pairs] == sorted((pair.total for pair in pairs), reverse=True)


@quick
@given(rankings, st.integers(1, 12))
def test_pairs_of_a_prefix(distances: list[int], k: int) -> None:
    prefix = classi(distances[:k], counts=Counter(distances))
    assert sum(pair.total for pair in prefix.pairs(top=None)) == prefix.cost[-1]


def test_the_costliest_pair_of_the_example() -> None:
    """Three chimpanzees behind a tiger, 5 each."""
    (pair,) = classi(list("bbbctccctt"), "b", EXAMPLE).pairs()
    assert (pair.ahead, pair.behind, pair.count, pair.cost, pair.total) == ("t", "c", 3, 5, 15)


# ---- degenerate cases


@pytest.mark.parametrize("labels", [[], [5], [2, 2, 2]])
def test_where_every_ranking_is_best_and_worst(labels: list[int]) -> None:
    ranking, replaced = classi(labels), classi(labels, undefined=1.0)
    assert math.isnan(ranking.value)
    assert (replaced.value, replaced.curve.tolist()) == (1.0, [1.0] * len(labels))
    assert math.isnan(ranking.pvalue().value)


def test_classes_at_equal_distance_are_one() -> None:
    distance = {"b": 0, "c": 1, "g": 1}
    assert (
        classi(["c", "g", "b"], distance=distance).value
        == classi(["g", "c", "b"], distance=distance).value
        == -1
    )
    assert math.isnan(classi(["c", "g"], distance=distance).value)


def test_a_class_that_the_ranking_lacks_changes_nothing() -> None:
    assert classi(["t", "c", "t"], "b", EXAMPLE).value == 0


def test_labels_and_distances_of_any_library() -> None:
    for labels in (pd.Series(list("tcb")), pl.Series(list("tcb")), pa.array(list("tcb"))):
        assert classi(labels, "b", EXAMPLE).value == -1
    for distances in (pa.array([3, 1, 2]), pl.Series([3, 1, 2]), np.array([3, 1, 2], object)):
        assert classi(distances).value == -0.5
    assert classi([Fraction(1, 3), 0, Decimal("0.5")]).value == classi([2, 0, 3]).value
    counts = pd.Series(["b", "c", "c", "t"]).value_counts()
    assert classi(["b"], "b", EXAMPLE, counts=counts).size == 4


def test_labels_of_any_kind() -> None:
    assert classi(np.array(["c", "b"]), order=["b", "c"]).value == -1
    assert (
        classi(np.array([3, 1, 2]), order=[1, 2, 3]).value == classi(["3", "1", "2"], order=[1, 2, 3]).value
    )
    assert classi(iter([("x", 1), ("y", 2)]), distance=lambda _, label: label[1]).value == 1
    assert classi(np.array([10**12, 5]), order=[5, 10**12]).value == -1


def test_a_million_items_of_one_class_in_the_database() -> None:
    """The first label is far and all 10^12 others are near: nothing is expanded."""
    ranking = classi(["far"], order=["near", "far"], counts={"far": 1, "near": 10**12})
    assert (ranking.size, ranking.value, ranking.position_costs.tolist()) == (10**12 + 1, -1, [1e12])


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (["bct"], {"order": "bct"}, "type str is no ranking"),
        ([{"b": 1}], {}, "type dict is no ranking"),
        ([3], {}, "type int is no ranking"),
        ([["b", "c"]], {}, "labels are not numbers"),
        ([[[1, 2], [3, 4]]], {}, "labels are not numbers"),
        ([[[1], [2, 3]]], {}, "labels are not numbers"),
        ([np.zeros((2, 2))], {"order": [0]}, "ndarray in 2 dimensions"),
        ([np.array(1)], {"order": [1]}, "ndarray in 0 dimensions"),
        ([[Fraction(1), "b"]], {}, "labels are not numbers"),
        ([[1.0, math.nan]], {}, "row 2: distance 'nan' is not finite"),
        ([[1.0, math.inf]], {}, "is not finite"),
        ([[-1e308, 1e308]], {}, "too far apart"),
        ([["b", None], "b"], {"distance": {"b": 0}}, "the label None"),
        ([["b", ["c"]], "b"], {"distance": {"b": 0}}, r"the label \['c'\]"),
        ([["b", math.nan], "b"], {"distance": {"b": 0}}, "the label nan"),
        ([["b"], "b", {"b": 0}], {"order": ["b"]}, "both a distance and an order"),
        ([[2, 1]], {"k": 0}, "cutoff 0"),
        ([[2, 1]], {"k": 3}, "whole number from 1 to 2"),
        ([[2, 1]], {"k": True}, "cutoff True"),
        ([["b"]], {"order": ["b", "c"], "counts": {"c": 1}}, "stands 1 times in the ranking, but has only 0"),
        ([["b"]], {"order": ["b", "c"], "counts": {"b": -1}}, "count of class 'b' is -1"),
        ([["b"]], {"order": ["b", "c"], "counts": {"b": 1.5}}, "count of class 'b' is 1.5"),
        ([["b"]], {"order": ["b", "c"], "counts": [1]}, "counts of type list"),
        ([["b"]], {"order": ["b", "c"], "counts": {"b": 1, "x": 2}}, "no distance to class 'x'"),
        ([[1.0]], {"counts": {"near": 2}}, "distance of class 'near'"),
    ],
)
def test_bad_input(arguments: list[Any], options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        classi(*arguments, **options)


def test_an_unknown_cost() -> None:
    with pytest.raises(PolicyError, match="cost=square") as caught:
        classi([1, 2], cost="square")  # type: ignore[arg-type]
    assert "difference, unit" in str(caught.value)


@pytest.mark.parametrize("k", [0, 3, -1, 1.0])
def test_a_cutoff_beyond_the_ranking(k: Any) -> None:
    with pytest.raises(InputError, match="cutoff"):
        classi([2, 1]).at(k)


def test_options_that_are_none() -> None:
    ranking = classi([2, 1])
    for option, call in {
        "top=-1": lambda: ranking.pairs(-1),
        "samples=0": lambda: ranking.pvalue(samples=0),
        "seed=-1": lambda: ranking.pvalue("permutation", seed=-1),
        "undefined='x'": lambda: classi([1], undefined="x"),  # type: ignore[arg-type]
    }.items():
        with pytest.raises(RankscopeError, match=option):
            call()


def test_too_many_classes_to_list_their_pairs() -> None:
    with pytest.raises(InputError, match="5000 classes are too many"):
        classi(np.arange(5000)).pairs()
