"""Confidence intervals beside scipy's."""

from __future__ import annotations

import math

import numpy as np
import pytest
from compare_support import panel_of
from scipy import stats

from rankscope.compare.intervals import bca_interval, bca_intervals, t_interval
from rankscope.compare.resample import Crew, bootstrap_sums

SAMPLES = {
    "symmetric": np.random.default_rng(1).normal(0.1, 1, 40),
    "skewed": np.random.default_rng(2).exponential(1.0, 30) - 0.8,
    # Eighths of 32 queries: their means are exact, so that scipy sees which draws tie with what was seen.
    "tied": np.random.default_rng(3).integers(-2, 4, 32) / 8,
}


@pytest.mark.parametrize("kind", SAMPLES)
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_t_is_scipys(kind: str, level: float) -> None:
    differences = SAMPLES[kind]
    expected = stats.ttest_1samp(differences, 0).confidence_interval(level)
    assert t_interval(differences, level) == pytest.approx(tuple(expected), rel=1e-12)


@pytest.mark.parametrize("kind", SAMPLES)
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_bca_is_scipys_on_the_same_draws(kind: str, level: float) -> None:
    """scipy takes the distribution of an earlier result, so that only the method is compared."""
    differences = SAMPLES[kind]
    panel = panel_of([np.zeros(len(differences)), differences])
    sums, totals, unit = bootstrap_sums(panel, 4000, 0, Crew())
    drawn = (sums[1] - sums[0]) * unit / len(differences)
    rng = np.random.default_rng(0)
    before = stats.bootstrap((differences,), np.mean, n_resamples=2, method="percentile", rng=rng)
    before.bootstrap_distribution = drawn
    expected = stats.bootstrap(
        (differences,),
        np.mean,
        n_resamples=0,
        bootstrap_result=before,
        confidence_level=level,
        method="BCa",
        vectorized=True,
    ).confidence_interval
    seen = float(totals[1] - totals[0]) * unit / len(differences)
    assert bca_interval(drawn, seen, differences, level) == pytest.approx(tuple(expected), rel=1e-9)
    assert bca_intervals(panel, level, 4000, 0, Crew())[0] == pytest.approx(tuple(expected), rel=1e-9)


def test_bca_of_draws_of_its_own_is_near_scipys() -> None:
    differences = SAMPLES["skewed"]
    (found,) = bca_intervals(panel_of([np.zeros(30), differences]), 0.95, 20_000, 0, Crew())
    rng = np.random.default_rng(0)
    expected = stats.bootstrap((differences,), np.mean, n_resamples=20_000, method="BCa", rng=rng)
    assert found == pytest.approx(tuple(expected.confidence_interval), abs=0.03)


def test_where_there_is_nothing_to_enclose() -> None:
    one = panel_of([[0.1], [0.5]])
    assert all(map(math.isnan, bca_intervals(one, 0.95, 100, 0, Crew())[0]))
    assert all(map(math.isnan, t_interval(np.array([0.4]), 0.95)))
    alike = panel_of([[0.1, 0.2, 0.7], [0.1, 0.2, 0.7]])
    assert bca_intervals(alike, 0.95, 100, 0, Crew()) == [(0.0, 0.0)]
    assert t_interval(np.zeros(3), 0.95) == (0.0, 0.0)
