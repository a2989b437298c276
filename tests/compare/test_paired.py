"""t, Wilcoxon and sign tests beside scipy's, and where these give no answer."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from rankscope.compare.paired import sign_p, t_p, wilcoxon_p

SAMPLES = [np.random.default_rng(size).normal(0.1, 1, size) for size in (2, 3, 7, 20, 51, 400)]


@pytest.mark.parametrize("differences", SAMPLES, ids=len)
def test_t_is_scipys(differences: np.ndarray) -> None:
    expected = stats.ttest_1samp(differences, 0).pvalue
    assert t_p(differences) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("differences", SAMPLES, ids=len)
def test_wilcoxon_is_scipys(differences: np.ndarray) -> None:
    assert wilcoxon_p(differences) == pytest.approx(stats.wilcoxon(differences).pvalue, rel=1e-9)


@pytest.mark.parametrize("size", [8, 12, 40])
def test_wilcoxon_with_ties_and_zeros_is_scipys(size: int) -> None:
    whole = np.random.default_rng(size).integers(-4, 6, size)
    assert wilcoxon_p(whole / 10) == pytest.approx(stats.wilcoxon(whole[whole != 0]).pvalue, rel=1e-12)


def test_wilcoxon_ranks_by_size_not_by_rounding() -> None:
    """0.1 three times, of which one was got as 0.3 - 0.2: as with three equal ones."""
    rounded = np.array([0.1, 0.3 - 0.2, -0.1, 0.5, 0.7, 0.6])
    assert rounded[0] != rounded[1]
    assert wilcoxon_p(rounded) == wilcoxon_p(np.array([1.0, 1.0, -1.0, 5.0, 7.0, 6.0]))


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 3))
def test_sign_is_the_binomial_test(won: int, lost: int, tied: int) -> None:
    differences = np.array([0.5] * won + [-0.5] * lost + [0.0] * tied)
    if not len(differences):
        assert math.isnan(sign_p(differences))
    elif won + lost:
        assert sign_p(differences) == pytest.approx(stats.binomtest(won, won + lost).pvalue, rel=1e-12)
    else:
        assert sign_p(differences) == 1.0


@pytest.mark.parametrize(
    ("won", "lost"), [(520, 481), (600, 401), (5100, 4900), (900, 200), (51_000, 49_900)]
)
def test_many_signs(won: int, lost: int) -> None:
    differences = np.repeat([1.0, -1.0], [won, lost])
    assert sign_p(differences) == pytest.approx(stats.binomtest(won, won + lost).pvalue, rel=1e-8)


@pytest.mark.parametrize("test", [t_p, wilcoxon_p, sign_p])
def test_no_difference_at_all(test) -> None:  # type: ignore[no-untyped-def]
    assert test(np.zeros(5)) == 1.0
    assert math.isnan(test(np.zeros(0)))


def test_one_query_and_constant_differences() -> None:
    assert math.isnan(t_p(np.array([0.5])))
    assert wilcoxon_p(np.array([0.5])) == sign_p(np.array([0.5])) == 1.0
    assert t_p(np.full(6, 0.1)) == 0.0
