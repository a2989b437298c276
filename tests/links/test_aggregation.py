"""Averages over results: plain, weighted and pooled."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankscope import InputError
from rankscope.links import RankSummary, average_classifications, average_ranks, classify, rank_lists

SETS = st.sets(st.integers(0, 6))
RANKS = st.builds(
    RankSummary,
    map=st.floats(0, 1),
    lag=st.floats(0, 50),
    auc=st.none() | st.floats(0, 1),
    ground_truth_size=st.integers(0, 20),
)


@settings(deadline=None)
@given(st.lists(st.tuples(SETS, SETS), min_size=1, max_size=6))
def test_classifications(pairs: list[tuple[set[int], set[int]]]) -> None:
    results = [classify(chosen, wanted, total=20) for chosen, wanted in pairs]
    macro, weighted, micro = average_classifications(results)
    sizes = [len(wanted) for _, wanted in pairs]
    for metric in ("precision", "recall", "f1", "accuracy", "specificity", "phiOverPhiMax"):
        values = [result[metric] for result in results]
        assert macro[metric] == pytest.approx(np.mean(values), rel=1e-12, abs=1e-15)
        wanted = np.average(values, weights=sizes) if sum(sizes) else math.nan
        assert weighted[metric] == pytest.approx(wanted, rel=1e-12, abs=1e-15, nan_ok=True)
    # Items of different results are different ones: pooled, each is named after its result.
    chosen, truth = ([f"{n} {i}" for n, pair in enumerate(pairs) for i in pair[side]] for side in (0, 1))
    assert micro.values == classify(chosen, truth, total=20 * len(pairs)).metrics()
    assert (macro.weights, micro.weights) == ((1.0,) * len(pairs), None)


@settings(deadline=None)
@given(st.lists(RANKS, min_size=1, max_size=6))
def test_ranks(results: list[RankSummary]) -> None:
    macro, weighted = average_ranks(results)
    sizes = [one.ground_truth_size for one in results]
    assert macro["map"] == pytest.approx(np.mean([one.map for one in results]), rel=1e-12, abs=1e-300)
    lag = np.average([one.lag for one in results], weights=sizes) if sum(sizes) else math.nan
    assert weighted["lag"] == pytest.approx(lag, rel=1e-12, abs=1e-300, nan_ok=True)
    aucs = [one.auc for one in results if one.auc is not None]
    if aucs:
        assert macro["auc"] == pytest.approx(np.mean(aucs), rel=1e-12, abs=1e-300)
    else:
        assert macro["auc"] is None


@settings(deadline=None)
@given(st.lists(RANKS, min_size=1, max_size=6), st.floats(0.5, 1e6))
def test_the_unit_of_the_weights_does_not_matter(results: list[RankSummary], unit: float) -> None:
    weights = [1.0 + n for n in range(len(results))]
    one, other = (average_ranks(results, [w * u for w in weights])[1] for u in (1.0, unit))
    for metric in ("map", "lag") if one["auc"] is None else ("map", "lag", "auc"):
        assert one[metric] == pytest.approx(other[metric], rel=1e-9, abs=1e-300)


def test_three_equal_areas_have_that_mean() -> None:
    """ArDoCo prints 2.4, for it forgets to divide by the sum of the weights."""
    for average in average_ranks([RankSummary(1, 0, 0.8, 2)] * 3):
        assert average["auc"] == pytest.approx(0.8, rel=1e-12)


def test_one_undefined_member_leaves_the_mean_undefined() -> None:
    macro, weighted = average_ranks([RankSummary(math.nan, 1, None, 3), RankSummary(1, 1, 0.5, 1)])
    assert math.isnan(macro["map"] or 0)
    assert macro.to_dict()["map"] is None
    assert weighted["lag"] == 1
    assert weighted["auc"] == 0.5
    assert macro.notes == ("1 of 2 results have no AUC: left out of its mean",)


def test_weights_that_are_all_zero_leave_nothing_to_divide_by() -> None:
    _, weighted = average_ranks([RankSummary(1, 0, 1, 0)])
    assert math.isnan(weighted["map"] or 0)
    _, weighted, _ = average_classifications([classify(["a"], [])])
    assert weighted.to_dict()["precision"] is None


def test_what_ranks_of_lists_become() -> None:
    macro, _ = average_ranks([rank_lists([["a", "b"]], ["b"], [[2, 1]]), rank_lists([["b"]], ["b"])])
    assert macro.to_dict() == {
        "type": "MACRO_AVERAGE",
        "map": 0.75,
        "lag": 0.5,
        "auc": 0.0,
        "originalRankResults": [
            {"map": 0.5, "lag": 1.0, "auc": 0.0, "groundTruthSize": 1},
            {"map": 1.0, "lag": 0.0, "auc": None, "groundTruthSize": 1},
        ],
        "weights": [1, 1],
    }


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([1], "1 weights for 2 results"),
        ([1, 2, 3], "3 weights for 2 results"),
        ([1, -1], "not a weight"),
        ([1, math.nan], "not a weight"),
        ([1, math.inf], "not a weight"),
        ([1, "2"], "not a weight"),
        ([1, None], "not a weight"),
    ],
)
def test_bad_weights(weights: list[Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        average_ranks([RankSummary(1, 0)] * 2, weights)
    with pytest.raises(InputError, match=words):
        average_classifications([classify(["a"], ["a"])] * 2, weights)


def test_true_negatives_are_known_of_all_or_of_none() -> None:
    with pytest.raises(InputError, match="1 of 2 results have true negatives"):
        average_classifications([classify(["a"], ["a"]), classify(["a"], ["a"], total=3)])


@pytest.mark.parametrize("average", [average_ranks, average_classifications])
def test_nothing_to_average(average: Any) -> None:
    with pytest.raises(InputError, match="no result"):
        average([])


@pytest.mark.parametrize("average", [average_ranks, average_classifications])
def test_what_is_no_result_is_refused(average: Any) -> None:
    with pytest.raises(InputError, match="something of type int is no such result"):
        average([1])
