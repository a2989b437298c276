"""Randomisation and bootstrap: exact where all is enumerated, and the same for a seed everywhere."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from compare_support import flip_p, panel_of
from hypothesis import given, settings
from hypothesis import strategies as st

from rankscope.compare import resample
from rankscope.compare.resample import (
    Crew,
    Extremes,
    bootstrap_extremes,
    bootstrap_sums,
    flip_extremes,
    shuffle_extremes,
)

# Steps of a tenth: sums of such differences tie on paper, and not in floating point.
TENTHS = st.integers(0, 10).map(lambda n: n / 10)


def tables(runs: int, most: int) -> st.SearchStrategy[list[list[float]]]:
    return st.integers(1, most).flatmap(
        lambda size: st.lists(st.lists(TENTHS, min_size=size, max_size=size), min_size=runs, max_size=runs)
    )


@given(tables(runs=3, most=7))
def test_few_queries_are_enumerated(values: list[list[float]]) -> None:
    panel = panel_of(values)
    found = flip_extremes(panel, draws=1, seed=0, crew=Crew())
    assert found.exact
    expected = [flip_p(np.array(values[run]) - values[base]) for base, run in panel.pairs]
    assert found.p.tolist() == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("size", [1, 2, 12])
def test_exact_p_is_a_whole_number_of_assignments(size: int) -> None:
    """All differences of one sign: only they and their mirror image are as extreme."""
    found = flip_extremes(panel_of([np.zeros(size), np.arange(1, size + 1)]), 1, 0, Crew())
    assert found.p.tolist() == [min(1.0, 2 / 2**size)]


def test_enumeration_ends_at_twenty_queries() -> None:
    values = np.random.default_rng(1).random((2, 21))
    assert flip_extremes(panel_of(values[:, :20]), 9, 0, Crew()).exact
    sampled = flip_extremes(panel_of(values), 9, 0, Crew())
    assert (sampled.exact, sampled.draws) == (False, 9)


def test_twenty_queries_against_scipy() -> None:
    from scipy.stats import permutation_test

    first, second = np.random.default_rng(2).random((2, 14))
    exact = permutation_test(
        (first, second),
        lambda a, b, axis: np.mean(a - b, axis=axis),
        permutation_type="samples",
        n_resamples=2**14,
    )
    found = flip_extremes(panel_of([first, second]), 1, 0, Crew())
    assert found.p[0] == pytest.approx(exact.pvalue, rel=1e-12)


def test_random_flips_come_near_the_exact_p() -> None:
    """Within five standard errors of the p of all 2^12 assignments, from 200,000 random ones."""
    values = np.random.default_rng(3).random((3, 12)).round(1)
    padded = np.hstack([values, np.zeros((3, 10))])  # zeros change no sum, but make it too many to enumerate
    exact = flip_extremes(panel_of(values), 1, 0, Crew()).p
    draws = 200_000
    found = flip_extremes(panel_of(padded), draws, 0, Crew())
    assert not found.exact
    assert np.abs(found.p - exact).max() < 5 * np.sqrt(0.25 / draws)


def test_p_of_random_draws_counts_what_was_seen() -> None:
    assert Extremes(np.array([0, 9]), 9).p.tolist() == [0.1, 1.0]
    assert Extremes(np.array([2, 8]), 8, exact=True).p.tolist() == [0.25, 1.0]


@pytest.mark.parametrize("test", [flip_extremes, bootstrap_extremes, shuffle_extremes])
@pytest.mark.parametrize("size", [25, 63, 64, 65, 700])
def test_threads_change_nothing_and_seeds_do(test, size: int) -> None:  # type: ignore[no-untyped-def]
    panel = panel_of(np.random.default_rng(size).random((4, size)))
    one, other, again = (test(panel, 3000, seed, Crew(threads=n)) for seed, n in ((5, 1), (5, 3), (6, 1)))
    assert one.counts.tolist() == other.counts.tolist()
    assert one.counts.tolist() != again.counts.tolist()


def test_more_draws_begin_with_the_same_ones() -> None:
    """A draw depends on its number, not on how many there are."""
    panel = panel_of(np.random.default_rng(8).random((3, 40)))
    few, _, _ = bootstrap_sums(panel, 100, 0, Crew())
    many, _, _ = bootstrap_sums(panel, 5000, 0, Crew())
    assert np.array_equal(few, many[:, :100])


def test_the_draws_of_a_seed_stay_what_they_are() -> None:
    """Kept from the first release that had them: published p-values must be reproducible."""
    panel = panel_of([[n * 5 % step for n in range(30)] for step in (7, 8, 9)])
    counts = {
        test.__name__: test(panel, 2000, 42, Crew()).counts.tolist()
        for test in (flip_extremes, bootstrap_extremes, shuffle_extremes)
    }
    assert counts == KEPT


KEPT = {
    "flip_extremes": [861, 473, 1216],
    "bootstrap_extremes": [806, 445, 1219],
    "shuffle_extremes": [1521, 784, 1691],
}


@given(tables(runs=2, most=6), st.floats(1e-300, 1e300))
@settings(max_examples=50)
def test_the_unit_of_the_values_is_of_no_account(values: list[list[float]], unit: float) -> None:
    plain, scaled = (flip_extremes(panel_of(np.array(values) * u), 1, 0, Crew()) for u in (1.0, unit))
    assert plain.counts.tolist() == scaled.counts.tolist()


@given(tables(runs=3, most=30), st.randoms(use_true_random=False))
@settings(max_examples=30)
def test_the_order_of_queries_is_of_no_account_to_the_exact_test(values: list[list[float]], random) -> None:  # type: ignore[no-untyped-def]
    table = np.array(values)[:, :8]
    order = list(range(table.shape[1]))
    random.shuffle(order)
    plain, other = (flip_extremes(panel_of(t), 1, 0, Crew()) for t in (table, table[:, order]))
    assert plain.counts.tolist() == other.counts.tolist()


def test_bootstrap_against_all_resamples() -> None:
    """Four queries have 4^4 resamples: 200,000 random ones are within five standard errors of all."""
    differences = np.array([0.3, -0.1, 0.2, 0.4])
    centred = differences - differences.mean()
    means = [np.mean([centred[q] for q in drawn]) for drawn in product(range(4), repeat=4)]
    exact = np.mean(np.abs(means) >= abs(differences.mean()) - 1e-12)
    draws = 200_000
    found = bootstrap_extremes(panel_of([np.zeros(4), differences]), draws, 0, Crew())
    assert abs(found.p[0] - exact) < 5 * np.sqrt(0.25 / draws)


def test_bootstrap_draws_every_query_equally_often() -> None:
    """The sum over draws of a run that has a value for one query only: binomial, five standard errors."""
    draws, size = 20_000, 7
    sums, totals, unit = bootstrap_sums(panel_of(np.eye(size), [(0, 1)]), draws, 0, Crew())
    assert (totals * unit).tolist() == [1.0] * size
    often = sums.sum(axis=1) * unit
    assert np.abs(often - draws).max() < 5 * np.sqrt(draws)
    assert ((sums * unit).sum(axis=0) == size).all()


def test_tukey_against_all_deals() -> None:
    """Three runs and three queries: 6^3 ways to deal the values; five standard errors."""
    values = np.array([[0.9, 0.5, 0.7], [0.1, 0.4, 0.2], [0.3, 0.2, 0.4]])
    deals = product(*(permutations(values[:, query]) for query in range(3)))
    spans = np.array([np.ptp(np.sum(deal, axis=0)) for deal in deals])
    panel = panel_of(values)
    totals = values.sum(axis=1)
    exact = [np.mean(spans >= abs(totals[b] - totals[a]) - 1e-12) for a, b in panel.pairs]
    draws = 100_000
    found = shuffle_extremes(panel, draws, 0, Crew())
    assert np.abs(found.p - exact).max() < 5 * np.sqrt(0.25 / draws)


def test_tukey_of_two_runs_is_fishers_test() -> None:
    values = np.random.default_rng(4).random((2, 9)).round(1)
    exact = flip_extremes(panel_of(values), 1, 0, Crew()).p[0]
    draws = 100_000
    assert abs(shuffle_extremes(panel_of(values), draws, 0, Crew()).p[0] - exact) < 5 * np.sqrt(0.25 / draws)


def test_every_order_of_runs_is_dealt_equally_often() -> None:
    """5 runs with values 1, 10, ... for one query: 120 orders; chi-squared below its 0.9999 quantile."""
    dealt = np.array([[10.0**n for n in range(5)]])
    plan = resample._Blocks(60_000, dealt.size)
    drawn = np.concatenate([resample._shuffled_sums(dealt, plan, block, 0) for block in range(plan.number)])
    _, counts = np.unique(drawn, axis=0, return_counts=True)
    assert len(counts) == 120
    assert np.sum((counts - 500) ** 2 / 500) < 183


@pytest.mark.parametrize("test", [flip_extremes, bootstrap_extremes, shuffle_extremes])
@pytest.mark.parametrize("size", [2, 30])
def test_identical_runs(test, size: int) -> None:  # type: ignore[no-untyped-def]
    values = np.random.default_rng(0).random(size)
    assert test(panel_of([values, values]), 500, 0, Crew()).p.tolist() == [1.0]
    assert test(panel_of(np.zeros((2, size))), 500, 0, Crew()).p.tolist() == [1.0]


def test_memory_is_bounded() -> None:
    """A block holds two million numbers at most, however many queries there are."""
    assert resample._Blocks(1000, 10**6).size == 2
    assert resample._Blocks(1000, 10**9).size == 1
    assert resample._Blocks(10**9, 50).size == resample.BLOCK
    plan = resample._Blocks(2500, 50)
    assert [len(plan.rows(block)) for block in range(plan.number)] == [1024, 1024, 452]


def test_progress_reaches_its_end() -> None:
    told: list[tuple[int, int]] = []
    crew = Crew(threads=2, progress=lambda done, total: told.append((done, total)), stages=2)
    for _ in range(2):
        flip_extremes(panel_of(np.random.default_rng(0).random((2, 30))), 5000, 0, crew)
    assert told == sorted(told)
    assert told[-1] == (2000, 2000)


def test_an_interrupted_crew_stops() -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        flip_extremes(
            panel_of(np.random.default_rng(0).random((2, 30))), 10**6, 0, Crew(threads=2, progress=stop)
        )
