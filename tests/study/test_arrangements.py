"""Lists and their chances, against itertools and against walks over all permutations."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankscope.study import ClassSizes, Mallows, Permutations, Rankings, Sampler, Swaps
from rankscope.study.arrangements import (
    _numbered,
    arrangements,
    fixed_points,
    inversions,
    multinomial,
    swap_chances,
)
from rankscope.study.populations import Population

few = st.lists(st.integers(0, 3), min_size=1, max_size=4).filter(lambda counts: sum(counts) <= 7)


@given(few, st.integers(1, 50))
@settings(deadline=None, max_examples=40)
def test_every_arrangement_once_and_in_order(counts: list[int], most: int) -> None:
    labels = [c for c, count in enumerate(counts) for _ in range(count)]
    expected = sorted(set(permutations(labels)))
    blocks = list(arrangements(counts, most))
    found = [tuple(row) for block in blocks for row in block.tolist()]
    assert found == expected
    assert len(found) == multinomial(counts)
    assert all(len(block) <= most for block in blocks)


@given(few, st.data())
@settings(deadline=None, max_examples=40)
def test_lists_by_their_number(counts: list[int], data: st.DataObject) -> None:
    """The way of long lists, held against the way of short ones."""
    everything = np.concatenate(list(arrangements(counts)))
    number = np.array(data.draw(st.lists(st.integers(0, len(everything) - 1), max_size=20)), np.int64)
    assert np.array_equal(_numbered(number, counts), everything[number])


@pytest.mark.parametrize("counts", [(1, 100), (98, 2), (1, 1, 63)])
def test_long_lists(counts: tuple[int, ...]) -> None:
    blocks = list(arrangements(counts, 1000))
    found = [tuple(row) for block in blocks for row in block.tolist()]
    assert len(found) == len(set(found)) == multinomial(counts)
    assert found == sorted(found)
    assert {tuple(np.bincount(row)) for row in found} == {counts}


def test_inversions() -> None:
    lists = np.array(list(permutations(range(1, 6))))
    expected = [sum(a < b for a, b in combinations(row, 2)) for row in lists.tolist()]
    assert inversions(lists).tolist() == expected


def walked(n: int, swaps: int) -> dict[tuple[int, ...], Fraction]:
    """The chance of each permutation after random swaps, step by step."""
    chances = {tuple(range(n)): Fraction(1)}
    pairs = list(combinations(range(n), 2))
    for _ in range(swaps):
        after: Counter[tuple[int, ...]] = Counter()
        for order, chance in chances.items():
            for a, b in pairs:
                swapped = list(order)
                swapped[a], swapped[b] = swapped[b], swapped[a]
                after[tuple(swapped)] += chance / len(pairs)  # type: ignore[assignment]
        chances = dict(after)  # type: ignore[arg-type]
    return chances


@pytest.mark.parametrize("n", [2, 3, 4, 5])
@pytest.mark.parametrize("swaps", [1, 2, 3, 4])
def test_swap_chances_are_those_of_a_walk_over_permutations(n: int, swaps: int) -> None:
    by_cycles = swap_chances(n, swaps)
    expected = walked(n, swaps)
    for order in permutations(range(n)):
        kind = tuple(fixed_points(np.array([order]))[0].tolist())
        assert by_cycles.get(kind, 0) == expected.get(order, 0)


def weights_of(population: Population) -> dict[tuple[int, ...], float]:
    return {
        tuple(row): weight
        for block in population.blocks()
        for row, weight in zip(block.labels.tolist(), np.asarray(block.weights).tolist(), strict=True)
    }


def test_weights_of_swaps_start_from_the_true_order() -> None:
    weights = weights_of(Swaps(4, 1))
    likely = {row for row, weight in weights.items() if weight}
    assert len(likely) == 6
    assert all(sum(a != b for a, b in zip(row, (4, 3, 2, 1), strict=True)) == 2 for row in likely)
    assert math.isclose(sum(weights.values()), 1)


@pytest.mark.parametrize("theta", [-1.5, -0.2, 0.0, 0.3, 2.0, 800.0])
def test_weights_of_mallows(theta: float) -> None:
    weights = weights_of(Mallows(5, theta))
    assert math.isclose(sum(weights.values()), 1)
    one, other = weights[5, 4, 3, 2, 1], weights[5, 4, 3, 1, 2]
    assert other == pytest.approx(one * math.exp(-theta), rel=1e-12, abs=1e-300)


@pytest.mark.parametrize(
    "population",
    [Permutations(4), Swaps(4, 1), Swaps(4, 3), Mallows(4, 0.7), Mallows(4, -0.7), ClassSizes(2, 1, 2)],
    ids=str,
)
def test_draws_have_the_chances_that_the_weights_say(population: Population) -> None:
    """Pearson's statistic of 20,000 draws stays below the 99.99 % point of its distribution."""
    from scipy.stats import chi2

    count = 20_000
    drawn = Counter(map(tuple, population.draw(np.random.default_rng(3), count).tolist()))
    blocks = list(population.blocks())
    lists = [tuple(row) for block in blocks for row in block.labels.tolist()]
    uniform = np.full(len(lists), 1 / len(lists))
    chance = uniform if blocks[0].weights is None else np.concatenate([b.weights for b in blocks])
    expected = {row: count * c for row, c in zip(lists, chance, strict=True) if c}
    assert drawn.keys() <= expected.keys()
    statistic = sum((drawn[row] - e) ** 2 / e for row, e in expected.items())
    assert statistic < chi2.ppf(0.9999, len(expected) - 1)


def test_rankings_are_drawn_by_weight() -> None:
    drawn = Rankings([[3, 2, 1], [1, 2, 3]], weights=[3, 1]).draw(np.random.default_rng(0), 4000)
    assert abs(np.mean(drawn[:, 0] == 3) - 0.75) < 0.03


def test_a_sampler_is_asked_for_what_is_needed() -> None:
    asked = []

    def backwards(rng: np.random.Generator, count: int) -> list[list[int]]:
        asked.append(count)
        return [[1, 2, 3]] * count

    assert Sampler(3, backwards).draw(np.random.default_rng(0), 5).tolist() == [[1, 2, 3]] * 5
    assert asked == [5]


def test_sizes_of_populations() -> None:
    assert Permutations(10).size == 3_628_800
    assert ClassSizes(3, 5).size == 56
    assert ClassSizes(3, 5).sizes == {1: 3, 0: 5}
    assert ClassSizes({0: 4, 3: 1, 1: 2}).sizes == {3: 1, 1: 2, 0: 4}
