"""The ROC curve and its area, against the definition and scikit-learn."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu
from sklearn.metrics import roc_auc_score, roc_curve

from rankscope import InputError
from rankscope.links import rank_lists, roc

ITEMS = st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), max_size=25)


def split(items: list[tuple[bool, int]]) -> tuple[list[bool], list[float]]:
    return [relevant for relevant, _ in items], [float(score) for _, score in items]


@settings(deadline=None)
@given(ITEMS, st.booleans())
def test_the_area_is_the_share_of_pairs_in_the_right_order(
    items: list[tuple[bool, int]], lower_is_better: bool
) -> None:
    flags, scores = split(items)
    sign = -1 if lower_is_better else 1
    good = [sign * s for f, s in zip(flags, scores, strict=True) if f]
    other = [sign * s for f, s in zip(flags, scores, strict=True) if not f]
    found = roc(flags, scores, lower_is_better=lower_is_better).auc
    if not good or not other:
        assert math.isnan(found)
        return
    won = sum((g > o) + (g == o) / 2 for g, o in itertools.product(good, other))
    assert found == pytest.approx(won / (len(good) * len(other)), rel=1e-12)
    assert found == pytest.approx(mannwhitneyu(good, other).statistic / (len(good) * len(other)), rel=1e-12)


@settings(deadline=None)
@given(ITEMS)
def test_ties_by_order_let_the_first_one_win(items: list[tuple[bool, int]]) -> None:
    flags, scores = split(items)
    ranked = [f for f, _ in sorted(zip(flags, scores, strict=True), key=lambda pair: -pair[1])]
    pairs = sum(ranked) * (len(ranked) - sum(ranked))
    won = sum(ranked[i] and not ranked[j] for i, j in itertools.combinations(range(len(ranked)), 2))
    found = roc(flags, scores, ties="order").auc
    assert found == pytest.approx(won / pairs if pairs else math.nan, rel=1e-12, nan_ok=True)


@settings(deadline=None)
@given(ITEMS)
def test_half_is_the_mean_of_both_orders_of_the_input(items: list[tuple[bool, int]]) -> None:
    """Of two tied items each comes first in one of the two."""
    flags, scores = split(items)
    both = [roc(f, s, ties="order").auc for f, s in ((flags, scores), (flags[::-1], scores[::-1]))]
    assert roc(flags, scores).auc == pytest.approx(sum(both) / 2, rel=1e-12, nan_ok=True)


def test_the_points_and_the_area_of_scikit_learn() -> None:
    rng = np.random.default_rng(5)
    for size, levels in ((7, 3), (101, 10), (1000, 10_000)):
        flags, scores = rng.random(size) < 0.3, rng.integers(0, levels, size).astype(float)
        flags[:2] = True, False
        curve = roc(flags, scores)
        fpr, tpr, thresholds = roc_curve(flags, scores, drop_intermediate=False)
        np.testing.assert_allclose(curve.fpr, fpr, rtol=1e-12)
        np.testing.assert_allclose(curve.tpr, tpr, rtol=1e-12)
        np.testing.assert_array_equal(curve.threshold, thresholds)
        assert curve.auc == pytest.approx(roc_auc_score(flags, scores), rel=1e-12)
        assert curve.auc == pytest.approx(np.trapezoid(curve.tpr, curve.fpr), rel=1e-12)


def test_every_point_has_all_counts() -> None:
    curve = roc([1, 0, 1, 0], [4.0, 3.0, 3.0, 1.0])
    assert curve.to_dict() == {
        "auc": 0.875,
        "ties": "half",
        "points": [
            {"threshold": None, "tp": 0, "fp": 0, "fn": 2, "tn": 2, "tpr": 0.0, "fpr": 0.0},
            {"threshold": 4.0, "tp": 1, "fp": 0, "fn": 1, "tn": 2, "tpr": 0.5, "fpr": 0.0},
            {"threshold": 3.0, "tp": 2, "fp": 1, "fn": 0, "tn": 1, "tpr": 1.0, "fpr": 0.5},
            {"threshold": 1.0, "tp": 2, "fp": 2, "fn": 0, "tn": 0, "tpr": 1.0, "fpr": 1.0},
        ],
    }
    assert curve.to_csv().splitlines()[:2] == ["threshold,tp,fp,fn,tn,tpr,fpr", "inf,0,0,2,2,0.0,0.0"]
    assert curve.to_pandas().shape == curve.to_polars().shape == (4, 7)
    assert curve.to_arrow().column_names == ["threshold", "tp", "fp", "fn", "tn", "tpr", "fpr"]


def test_the_curve_of_lists_is_that_of_all_items_together() -> None:
    found = rank_lists([["a", "x"], ["y", "b"]], ["a", "b"], [[9, 8], [2, 1]])
    assert found.roc is not None
    assert found.roc.threshold.tolist() == [math.inf, 9, 8, 2, 1]
    assert found.auc == found.roc.auc == 0.5
    assert [query.auc for query in found.queries] == [1, 0]


def test_a_chart() -> None:
    chart = roc([True, False], [2, 1]).plot()
    assert chart.spec["title"] == "ROC, AUC = 1.0000"
    with pytest.raises(InputError, match="no ROC curve"):
        roc([True], [2]).plot()


@pytest.mark.parametrize(
    ("relevant", "scores", "options", "words"),
    [
        ([True], [1, 2], {}, "1 items and 2 scores"),
        ([True, False], [1, math.nan], {}, "row 2.*not finite"),
        ([2, 0], [1, 2], {}, "true and false"),
        (["yes", "no"], [1, 2], {}, "true and false"),
        ([True], [[1]], {}, "2 dimensions"),
        ([True], ["x"], {}, "not an array of numbers"),
        ([True], [1], {"ties": "average"}, "half or order"),
    ],
)
def test_bad_input(relevant: Any, scores: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        roc(relevant, scores, **options)


def test_no_item_at_all() -> None:
    curve = roc([], [])
    assert math.isnan(curve.auc)
    assert len(curve.tpr) == 1
