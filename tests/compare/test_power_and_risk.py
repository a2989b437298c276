"""How many queries it takes, beside statsmodels; and risk, by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from statsmodels.stats.power import TTestPower

from rankscope.compare.power import power_of_t, queries_needed
from rankscope.compare.risk import risk_of
from rankscope.errors import InputError


@pytest.mark.parametrize("effect", [0.05, 0.2, 0.5, -0.8, 1.5])
@pytest.mark.parametrize(("alpha", "power"), [(0.05, 0.8), (0.01, 0.9), (0.1, 0.5)])
def test_statsmodels(effect: float, alpha: float, power: float) -> None:
    found = queries_needed(effect, alpha=alpha, power=power)
    assert found is not None
    theirs = TTestPower()
    assert power_of_t(effect, found, alpha) == pytest.approx(
        theirs.power(abs(effect), found, alpha), rel=1e-6
    )
    assert theirs.power(abs(effect), found, alpha) >= power - 1e-9
    assert found == 2 or theirs.power(abs(effect), found - 1, alpha) < power


def test_a_tiny_effect_is_answered_at_once() -> None:
    """By the normal distribution: ((1.9599640 + 0.8416212) / 0.0001)^2 queries, rounded up."""
    assert queries_needed(1e-4) == 784_887_974


def test_no_effect_can_never_be_seen() -> None:
    assert queries_needed(0.0) is None
    assert queries_needed(math.nan) is None


@pytest.mark.parametrize("bad", [{"alpha": 0}, {"power": 1}, {"power": math.nan}])
def test_chances_are_chances(bad: dict[str, float]) -> None:
    with pytest.raises(InputError, match="between 0 and 1"):
        queries_needed(0.5, **bad)


def test_risk_by_hand() -> None:
    """Gains 0.5 0.25 -0.25 0 with losses doubled: mean 0.25 / 4, and the t statistic of 0.5 0.25 -0.5 0."""
    risk = risk_of(np.array([0.5, 0.25, -0.25, 0.0]), alpha=1)
    assert (risk.robustness, risk.urisk) == (0.25, 0.0625)
    from scipy.stats import ttest_1samp

    assert risk.trisk == pytest.approx(ttest_1samp([0.5, 0.25, -0.5, 0.0], 0).statistic, rel=1e-12)


@given(arrays(np.float64, st.integers(2, 20), elements=st.floats(-1, 1)), st.floats(0, 10))
def test_a_loss_never_counts_less(gains: np.ndarray, alpha: float) -> None:
    plain, averse = risk_of(gains, 0), risk_of(gains, alpha)
    assert plain.urisk == pytest.approx(np.mean(gains), abs=1e-12)
    assert averse.urisk <= plain.urisk + 1e-12
    assert averse.robustness == plain.robustness


def test_risk_of_little() -> None:
    assert math.isnan(risk_of(np.array([]), 1).urisk)
    assert math.isnan(risk_of(np.array([0.2]), 1).trisk)
    assert math.isnan(risk_of(np.zeros(3), 1).trisk)
