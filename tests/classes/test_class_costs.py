"""The costs of positions: the native core and its plain twin, against each other and against all pairs."""

from __future__ import annotations

from itertools import pairwise
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankscope.align import engine, plain_classes
from rankscope.align.costs import level_costs, worst_costs

needs_native = pytest.mark.skipif(
    engine.engine_name() == "plain", reason="compares the cores; runs where the native one is in use"
)


def by_pairs(distance: np.ndarray, offsets: np.ndarray, unit: bool) -> list[float]:
    costs = []
    for start, stop in pairwise(offsets.tolist()):
        rows = distance[start:stop]
        behind = np.triu(np.maximum(rows[:, None] - rows, 0.0), 1)
        costs += (np.sign(behind) if unit else behind).sum(axis=1).tolist()
    return costs


@settings(deadline=None, max_examples=60)
@given(st.lists(st.lists(st.integers(0, 9), max_size=20), max_size=6), st.booleans())
def test_the_plain_twin_against_all_pairs(queries: list[list[int]], unit: bool) -> None:
    level = np.array([n for query in queries for n in query], np.int32)
    offsets = np.concatenate([[0], np.cumsum([len(query) for query in queries])]).astype(np.int64)
    distance = level * 2.0
    found = plain_classes.later_costs(level, distance, offsets, unit=unit)
    assert found.tolist() == by_pairs(distance, offsets, unit)


@needs_native
@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(0, 70), max_size=6), st.integers(1, 300), st.integers(0, 2**32 - 1))
def test_twins(sizes: list[int], levels: int, seed: int) -> None:
    from rankscope import _core

    rng = np.random.default_rng(seed)
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    far = np.sort(rng.random(levels))
    level = rng.integers(0, levels, offsets[-1]).astype(np.int32)
    for unit in (False, True):
        ours, theirs = (
            core.later_costs(level, far[level], offsets, unit=unit) for core in (_core, plain_classes)
        )
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)
    values = np.where(level % 3 == 0, -0.0, far[level])
    for ours, theirs in zip(_core.levels_of(values), plain_classes.levels_of(values), strict=True):
        assert ours.tolist() == theirs.tolist()
        assert ours.dtype == theirs.dtype
    cost, worst = rng.random(len(level)), rng.random(len(level)) + 0.1
    assert _core.prefix_curve(cost, worst).tobytes() == plain_classes.prefix_curve(cost, worst).tobytes()


def test_many_distinct_values(core: ModuleType) -> None:
    """Beyond 2^14 values the native core sorts instead of hashing."""
    values = np.random.default_rng(2).permutation(40_000) / 7
    distinct, level = core.levels_of(values)
    assert (distinct == np.sort(values)).all()
    assert (distinct[level] == values).all()


def test_a_query_does_not_depend_on_its_neighbours(core: ModuleType) -> None:
    rng = np.random.default_rng(7)
    level = rng.integers(0, 12, 90).astype(np.int32)
    distance = np.sort(rng.random(12))[level]
    together = core.later_costs(level, distance, np.array([0, 30, 30, 90]), unit=False)
    alone = core.later_costs(level[30:], distance[30:], np.array([0, 60]), unit=False)
    assert together[30:].tobytes() == alone.tobytes()


@needs_native
@pytest.mark.parametrize("offsets", [[0, 5], [1, 3], [0, 2, 1, 3], [0]])
def test_the_native_core_checks_what_it_is_given(offsets: list[int]) -> None:
    from rankscope import _core

    level, distance = np.array([0, 1, 2], np.int32), np.array([0.0, 1.0, 2.0])
    with pytest.raises(IndexError, match="offsets"):
        _core.later_costs(level, distance, np.array(offsets, np.int64), unit=False)
    with pytest.raises(IndexError, match="below 0"):
        _core.later_costs(-level, distance, np.array([0, 3]), unit=False)
    with pytest.raises(ValueError, match="length"):
        _core.later_costs(level, distance[:2], np.array([0, 3]), unit=False)


def test_closed_forms_of_the_worst_ranking() -> None:
    """Two at 0, one at 1, two at 4: from the far end 4+4+3, twice, then 1+1."""
    cost = level_costs(np.array([0.0, 1.0, 4.0]), np.array([2, 1, 2]), unit=False)
    assert cost.tolist() == [0, 2, 11]
    assert worst_costs(cost, np.array([2, 1, 2]), 4).tolist() == [11, 11, 2, 0]
    assert level_costs(np.array([0.0, 1.0, 4.0]), np.array([2, 1, 2]), unit=True).tolist() == [0, 2, 3]
    assert level_costs(np.zeros(0), np.zeros(0, np.int64), unit=False).tolist() == []
