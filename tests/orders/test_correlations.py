"""Rank correlations with ties: against scipy, scikit-learn and all pairs one by one."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from order_support import BY_DEFINITION
from scipy import stats
from sklearn.metrics import roc_auc_score

from rankscope import orders
from rankscope.errors import PolicyError

SIDES = st.lists(st.tuples(st.integers(-2, 3), st.integers(0, 5)), min_size=1, max_size=15)
FUNCTIONS = {
    "Kendall(variant=a)": lambda x, y: orders.kendall(x, y, variant="a"),
    "Kendall": orders.kendall,
    "Kendall(variant=c)": lambda x, y: orders.kendall(x, y, variant="c"),
    "Gamma": orders.gamma,
    "Somers": orders.somers,
    "Somers(direction=truth)": lambda x, y: orders.somers(x, y, direction="x"),
    "Spearman": orders.spearman,
    "Footrule": lambda x, y: orders.footrule(x, y, normalised=True),
}


@settings(deadline=None, max_examples=200)
@given(sides=SIDES)
def test_all_pairs_one_by_one(sides: list[tuple[int, int]]) -> None:
    x, y = zip(*sides, strict=True)
    for name, function in FUNCTIONS.items():
        wanted = BY_DEFINITION[name](x, y)
        found = function(x, y)
        if wanted is None:
            assert math.isnan(found), name
        else:
            assert found == pytest.approx(float(wanted), rel=1e-12, abs=1e-12), name


def columns(seed: int, size: int, levels: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=size) if levels == 0 else rng.integers(0, levels, size).astype(float)
    y = x + rng.normal(size=size)
    return x, y if levels == 0 else np.round(y)


@pytest.mark.parametrize("levels", [0, 2, 7, 50])
@pytest.mark.parametrize("size", [6, 30, 501, 4000])
def test_scipy(core: Any, size: int, levels: int) -> None:
    x, y = columns(size, size, levels)
    for variant in ("b", "c"):
        wanted = stats.kendalltau(x, y, variant=variant)
        found = orders.kendall(x, y, variant=variant, pvalue=True)  # type: ignore[arg-type]
        assert found == pytest.approx(wanted.statistic, rel=1e-12, abs=1e-12)
        assert found.pvalue == pytest.approx(wanted.pvalue, rel=1e-9, abs=1e-300)
    rho = orders.spearman(x, y, pvalue=True)
    with np.errstate(all="ignore"):
        wanted_rho = stats.spearmanr(x, y)
    assert rho == pytest.approx(wanted_rho.statistic, rel=1e-10, abs=1e-10)
    assert rho.pvalue == pytest.approx(wanted_rho.pvalue, nan_ok=True)
    if levels and size < 1000:
        assert orders.somers(x, y) == pytest.approx(stats.somersd(x, y).statistic, rel=1e-12, abs=1e-12)
        assert orders.somers(x, y, direction="x") == pytest.approx(stats.somersd(y, x).statistic, abs=1e-12)


@pytest.mark.parametrize("levels", [0, 2, 9])
@pytest.mark.parametrize("size", [5, 31, 3001])
def test_scikit_learn(core: Any, size: int, levels: int) -> None:
    rng = np.random.default_rng([size, levels])
    scores = rng.normal(size=size) if levels == 0 else rng.integers(0, levels, size)
    labels = np.arange(size) % 3 == 0
    assert orders.roc_auc(labels, scores) == pytest.approx(roc_auc_score(labels, scores), rel=1e-12)
    # Somers' d with two values of x, and gamma without ties of y, are 2 AUC - 1.
    assert orders.somers(labels, scores) == pytest.approx(2 * roc_auc_score(labels, scores) - 1, abs=1e-12)


@settings(deadline=None)
@given(sides=SIDES)
def test_symmetries(sides: list[tuple[int, int]]) -> None:
    x, y = (np.array(side) for side in zip(*sides, strict=True))
    for name in ("Kendall", "Kendall(variant=a)", "Kendall(variant=c)", "Gamma", "Spearman"):
        value, swapped, turned = (FUNCTIONS[name](*pair) for pair in ((x, y), (y, x), (x, -y)))
        assert value == pytest.approx(swapped, nan_ok=True)
        assert value == pytest.approx(-turned, nan_ok=True, abs=1e-12)
        assert math.isnan(value) or -1 <= value <= 1
    counted = orders.count_pairs(x, y)
    assert sum(counted.values()) == len(x) * (len(x) - 1) // 2


def test_without_ties_all_of_pairs_agree() -> None:
    x, y = columns(1, 200, 0)
    tau = orders.kendall(x, y)
    for name in ("Kendall(variant=a)", "Kendall(variant=c)", "Gamma", "Somers", "Somers(direction=truth)"):
        assert FUNCTIONS[name](x, y) == pytest.approx(tau, rel=1e-12)


def test_what_has_no_order_has_no_value() -> None:
    for x, y in (([], []), ([1], [2]), ([1, 1, 1], [1, 2, 3]), ([1, 2], [3, 3])):
        assert math.isnan(orders.kendall(x, y))
        assert math.isnan(orders.spearman(x, y, pvalue=True).pvalue or 0)
    assert math.isnan(orders.footrule([], []))
    assert math.isnan(orders.roc_auc([1, 1], [0.1, 0.2]))


def test_a_correlation_is_a_number_with_a_pvalue() -> None:
    found = orders.kendall([1, 2, 3, 4], [1, 2, 4, 3], pvalue=True)
    assert isinstance(found, float)
    assert pickle.loads(pickle.dumps(found)).pvalue == found.pvalue
    assert orders.kendall([1, 2], [1, 2]).pvalue is None


def test_unknown_options() -> None:
    with pytest.raises(PolicyError, match="variant=d"):
        orders.kendall([1, 2], [1, 2], variant="d")  # type: ignore[arg-type]
    with pytest.raises(PolicyError, match="direction=z"):
        orders.somers([1, 2], [1, 2], direction="z")  # type: ignore[arg-type]
