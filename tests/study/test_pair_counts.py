"""Pairs counted from joint histograms, against all pairs one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from study_support import KINDS, brute_force

from rankscope.study import counts as counting
from rankscope.study.counts import PairCounts, joint
from rankscope.study.levels import Coder, levels_of
from rankscope.study.preference import preference
from rankscope.study.systems import signs

few_values = st.lists(
    st.tuples(st.integers(0, 5), st.integers(-3, 3), st.integers(0, 4)), min_size=2, max_size=40
)


# The fixture is the same for every example, so it need not be made anew.
SETTINGS = settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(params=["table", "cells"])
def histogram(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The two ways to hold a joint histogram."""
    monkeypatch.setattr(counting, "DENSE_CELLS", 2**21 if request.param == "table" else 0)


@pytest.mark.usefixtures("histogram")
class TestHistogram:
    @given(rows=few_values)
    @SETTINGS
    def test_counts_are_those_of_all_pairs(self, rows: list[tuple[int, int, int]]) -> None:
        f, g, _ = (np.array(column, np.float64) for column in zip(*rows, strict=True))
        found = joint(levels_of(f), levels_of(g)).counts
        assert {kind: getattr(found, kind) for kind in KINDS} == brute_force(f, g)

    @given(rows=few_values)
    @SETTINGS
    def test_whole_weights_are_copies(self, rows: list[tuple[int, int, int]]) -> None:
        f, g, w = (np.array(column) for column in zip(*rows, strict=True))
        if w.sum() < 2:
            return
        weighted = joint(levels_of(f.astype(float)), levels_of(g.astype(float)), w).counts
        copies = brute_force(np.repeat(f, w).astype(float), np.repeat(g, w).astype(float))
        assert {kind: getattr(weighted, kind) for kind in KINDS} == copies

    def test_weights_give_the_shares_of_pairs_of_draws(self) -> None:
        rng = np.random.default_rng(5)
        f, g, w = rng.integers(0, 4, 30), rng.integers(0, 4, 30), rng.random(30)
        found = joint(levels_of(f.astype(float)), levels_of(g.astype(float)), w).counts
        expected = brute_force(f.astype(float), g.astype(float), w)
        total = w.sum() ** 2
        for kind in KINDS[:4]:
            assert getattr(found, kind) == pytest.approx(2 * expected[kind] / total, rel=1e-12)
        assert sum(getattr(found, kind) for kind in KINDS) == pytest.approx(1, rel=1e-12)

    def test_undefined_values_are_in_no_pair(self) -> None:
        f = np.array([1, 2, np.nan, 4, 5])
        g = np.array([1, np.nan, 3, 2, 9])
        found = joint(levels_of(f), levels_of(g)).counts
        assert found == PairCounts(agree=3, disagree=0, only_f=0, only_g=0, both_tie=0)


# ---- levels


def test_values_that_agree_to_twelve_digits_are_one() -> None:
    sums = np.array([0.1 + 0.2, 0.3, 0.3 * (1 + 1e-13), 0.3 * (1 + 3e-12), -1e-17, 0.0, 1e-5])
    found = levels_of(sums)
    assert found.level.tolist() == [2, 2, 2, 3, 0, 0, 1]
    assert found.count == 4
    assert found.gap == pytest.approx(3e-12, rel=0.1)


def test_levels_do_not_depend_on_the_blocks() -> None:
    values = np.random.default_rng(1).integers(0, 50, 1000) / 7
    values[::100] = np.nan
    whole = levels_of(values)
    coder = Coder()
    for start in range(0, 1000, 37):
        coder.add(values[start : start + 37])
    parts = coder.settled()
    assert parts.level.tolist() == whole.level.tolist()
    assert (parts.count, parts.gap) == (whole.count, whole.gap)
    expected = np.unique(values[~np.isnan(values)], return_inverse=True)[1]
    assert whole.level[whole.defined].tolist() == expected.tolist()


def test_infinite_values_are_levels_too() -> None:
    assert levels_of(np.array([np.inf, 1.0, -np.inf, 0.0, np.inf])).level.tolist() == [3, 2, 0, 1, 3]
    assert levels_of(np.array([np.nan, np.nan])).count == 0


def test_signs() -> None:
    one = np.array([1.0, 0.1 + 0.2, np.nan, np.inf, np.inf, 0.0, -np.inf])
    other = np.array([2.0, 0.3, 1.0, np.inf, 1.0, 0.0, 3.0])
    assert signs(one, other).tolist() == [-1, 0, 0, 0, 1, 0, -1]


# ---- what follows from the counts


def test_degrees_where_nothing_is_told_apart() -> None:
    nothing = PairCounts(0, 0, 0, 0, 10)
    assert np.isnan(nothing.consistency)
    assert np.isnan(nothing.tau_b)
    assert nothing.discriminancy == 1
    assert PairCounts(1, 0, 0, 3, 0).discriminancy == 0


@given(few_values)
@settings(deadline=None, max_examples=60)
def test_tau_b_is_that_of_scipy(rows: list[tuple[int, int, int]]) -> None:
    from scipy.stats import kendalltau

    f, g, _ = (np.array(column, np.float64) for column in zip(*rows, strict=True))
    if len(np.unique(f)) > 1 and len(np.unique(g)) > 1:
        assert joint(levels_of(f), levels_of(g)).counts.tau_b == pytest.approx(
            kendalltau(f, g).statistic, abs=1e-12
        )


def test_preference_with_a_circle_and_with_equals() -> None:
    circle = preference({"A": ["B", "D"], "B": ["C"], "C": ["A"], "D": [], "E": ["A"]})
    assert circle.steps == (("E",), ("A", "B", "C"), ("D",))
    assert circle.cycles == (("A", "B", "C"),)
    assert not circle.is_order
    assert str(circle) == "E > {A, B, C} > D"
    equals = preference({"A": [], "B": [], "C": ["A"]})
    assert equals.steps == (("B", "C"), ("A",))
    assert not equals.cycles
