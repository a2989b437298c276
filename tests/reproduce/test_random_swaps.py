"""Random exchanges: the exact expectations against all sequences of exchanges, and against drawn rankings."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from reproduce_support import golden

from rankscope.classes import classi
from rankscope.orders import kendall
from rankscope.reproduce.swaps import expected_classi, expected_tau, swapped


def all_after(m: int, swaps: int) -> list[list[int]]:
    """The ranking after every sequence of so many exchanges."""
    found = []
    for sequence in product(combinations(range(m), 2), repeat=swaps):
        ranking = list(range(m))
        for one, other in sequence:
            ranking[one], ranking[other] = ranking[other], ranking[one]
        found.append(ranking)
    return found


def tau(ranking: list[int]) -> Fraction:
    signs = [1 if a < b else -1 for a, b in combinations(ranking, 2)]
    return Fraction(sum(signs), len(signs))


@pytest.mark.parametrize(("m", "swaps"), [(3, 1), (3, 3), (4, 2), (4, 3), (5, 1), (5, 2), (6, 2)])
def test_expectations_are_means_over_all_sequences(m: int, swaps: int) -> None:
    rankings = all_after(m, swaps)
    mean_tau = sum(map(tau, rankings), Fraction(0)) / len(rankings)
    assert expected_tau(m, swaps) == pytest.approx(float(mean_tau), rel=1e-12, abs=1e-12)
    distances = np.array([0, 1, 1, 4, 9, 9.5][:m])  # of any classes
    mean_classi = np.mean([classi(distances[ranking]).value for ranking in rankings])
    assert expected_classi(m, swaps) == pytest.approx(mean_classi, rel=1e-12, abs=1e-12)


def test_golden_expectations() -> None:
    assert expected_classi(5, 1) == golden("classi.swaps.m5.s1")
    assert expected_classi(5, 3) == golden("classi.swaps.m5.s3")
    assert expected_classi(250, 1) == pytest.approx(golden("classi.swaps.m250.s1"), rel=1e-12)
    assert expected_tau(250, 1) == pytest.approx(float(golden("kendall.one_swap.m250")), rel=1e-12)
    # (247/249)^30, in exact arithmetic
    assert expected_classi(250, 30) == pytest.approx(float(Fraction(247, 249) ** 30), rel=1e-12)


def test_drawn_rankings_have_the_expected_means() -> None:
    """Within four standard errors; the seed is fixed."""
    m, order = 12, np.arange(12)
    for swaps, rankings in swapped(m, 4, 400, seed=3):
        for values, expected in (
            ([classi(ranking).value for ranking in rankings], expected_classi(m, swaps)),
            ([kendall(order, ranking) for ranking in rankings], expected_tau(m, swaps)),
        ):
            error = np.std(values) / np.sqrt(len(values))
            assert abs(np.mean(values) - expected) <= 4 * error + 1e-12


def test_each_exchange_moves_two_items() -> None:
    before = None
    for _, rankings in swapped(9, 6, 40, seed=0):
        assert (np.sort(rankings, axis=1) == np.arange(9)).all()
        if before is not None:
            assert (np.count_nonzero(rankings != before, axis=1) == 2).all()
        before = rankings


def test_the_seed_decides() -> None:
    def last(seed: int) -> list[list[int]]:
        return list(swapped(30, 5, 3, seed))[-1][1].tolist()

    assert last(1) == last(1)
    assert last(1) != last(2)
