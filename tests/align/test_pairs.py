"""Pairs in the same, the opposite and no order: both cores against all pairs, one by one, and each other."""

from __future__ import annotations

import os
from itertools import combinations, pairwise
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankscope.align import engine, plain

# Equal in all but the last bits, or at both ends of what a float can be: what a radix sort may leave open.
VALUES = st.sampled_from([0.0, -0.0, 1.0, 1.0 + 2**-52, -1.0, 5e-324, -5e-324, 1e300, -1e300]) | st.integers(
    -3, 3
).map(float)
ROWS = st.lists(st.tuples(VALUES, VALUES, st.booleans()), max_size=40)
SEGMENTS = st.lists(ROWS, min_size=1, max_size=4)


def columns(segments: list[list[Any]]) -> tuple[Any, Any, Any, Any]:
    rows = [row for segment in segments for row in segment]
    x, y, labels = zip(*rows, strict=True) if rows else ((), (), ())
    offsets = np.cumsum([0, *map(len, segments)])
    return np.array(x, float), np.array(y, float), np.array(labels, bool), offsets


def order(a: float, b: float) -> int:
    """1 where a < b, -1 where a > b, 0 where they are tied."""
    return int(a < b) - int(a > b)


def pairs_one_by_one(x: Any, y: Any) -> list[int]:
    """Concordant, discordant, tied in x only, in y only, in both."""
    found = [0] * 5
    for i, j in combinations(range(len(x)), 2):
        of_x, of_y = order(x[i], x[j]), order(y[i], y[j])
        kind = (0 if of_x == of_y else 1) if of_x and of_y else 4 if not (of_x or of_y) else 3 if of_x else 2
        found[kind] += 1
    return found


def answers(core: ModuleType, x: Any, y: Any, labels: Any, offsets: Any, threads: int = 1) -> dict[str, Any]:
    found = core.count_pairs(x, y, offsets, threads=threads)
    found |= core.mann_whitney(x, labels, offsets, threads=threads)
    found["smaller_after"] = core.smaller_after(y, offsets, threads=threads)
    return {name: (str(column.dtype), column.tolist()) for name, column in found.items()}


@settings(deadline=None, max_examples=150)
@given(segments=SEGMENTS)
@pytest.mark.parametrize("engine_name", ["native", "plain"])
def test_all_pairs_one_by_one(engine_name: str, segments: list[list[Any]]) -> None:
    if engine_name == "native" and os.environ.get(engine.VARIABLE) == "plain":
        pytest.skip(f"the native core is asked for when {engine.VARIABLE} is not set")
    core = plain if engine_name == "plain" else engine._native()
    x, y, labels, offsets = columns(segments)
    found = core.count_pairs(x, y, offsets, threads=2)
    wins = core.mann_whitney(x, labels, offsets, threads=2)
    after = core.smaller_after(y, offsets, threads=2)
    names = ("concordant", "discordant", "tied_x", "tied_y", "tied_both")
    for segment, (begin, end) in enumerate(pairwise(offsets.tolist())):
        a, b, is_positive = x[begin:end], y[begin:end], labels[begin:end]
        assert [found[name][segment] for name in names] == pairs_one_by_one(a, b)
        doubled = sum(order(n, p) + 1 for p in a[is_positive] for n in a[~is_positive])
        assert wins["doubled"][segment] == doubled
        assert after[begin:end].tolist() == [sum(b[i + 1 :] < b[i]) for i in range(len(b))]


native_only = pytest.mark.skipif(
    os.environ.get(engine.VARIABLE) == "plain", reason=f"runs when {engine.VARIABLE} is not set to plain"
)


@native_only
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("draw", ["floats", "few", "sorted", "reversed", "close", "wide", "alike"])
@pytest.mark.parametrize("size", [25, 511, 512, 40_000])
def test_twins(size: int, draw: str, threads: int) -> None:
    rng = np.random.default_rng([size, threads])
    x = {
        "floats": lambda: rng.normal(size=size),
        "few": lambda: rng.integers(0, 4, size).astype(float),
        "sorted": lambda: np.sort(rng.integers(0, size, size)).astype(float),
        "reversed": lambda: -np.arange(size, dtype=float),
        "close": lambda: (
            1 + rng.integers(0, 1 << 50, size) * 2.0**-52
        ),  # differ in many bits, but not the highest
        "wide": lambda: rng.choice([1.0, -1.0], size) * 2.0 ** rng.integers(-1000, 1000, size),
        "alike": lambda: np.ones(size),
    }[draw]()
    y = np.where(rng.random(size) < 0.5, x, rng.permutation(x))
    labels = rng.random(size) < 0.3
    for offsets in (np.array([0, size]), np.array([0, 0, 7, size // 2, size // 2, size])):
        for a, b in ((x, y), (y, x)):
            native, other = (answers(c, a, b, labels, offsets, threads) for c in (engine._native(), plain))
            assert native == other


@native_only
def test_many_small_segments_on_threads() -> None:
    rng = np.random.default_rng(5)
    offsets = np.concatenate([[0], np.cumsum(rng.integers(0, 40, 5000))])
    x, y = rng.integers(0, 9, (2, offsets[-1])).astype(float)
    labels = rng.random(len(x)) < 0.5
    assert answers(engine._native(), x, y, labels, offsets, 3) == answers(plain, x, y, labels, offsets)


def test_numbers_of_pairs_beyond_32_bits(core: ModuleType) -> None:
    """n (n - 1) / 2 pairs for n = 200,000 is some 2e10: reversed, all are discordant."""
    n = 200_000
    x = np.arange(n, dtype=float)
    found = core.count_pairs(x, -x, np.array([0, n]), threads=2)
    assert found["discordant"].tolist() == [n * (n - 1) // 2]
    found = core.count_pairs(np.ones(n), np.ones(n), np.array([0, n]), threads=2)
    assert found["tied_both"].tolist() == [n * (n - 1) // 2]
    wins = core.mann_whitney(x, x >= n // 2, np.array([0, n]), threads=2)
    assert wins["doubled"].tolist() == [2 * (n // 2) ** 2]


@pytest.mark.parametrize("offsets", [[], [0], [1, 3], [0, 4], [0, 2, 1, 3], [0, -1, 3]])
def test_offsets_that_do_not_fit(core: ModuleType, offsets: list[int]) -> None:
    three = np.zeros(3)
    bounds = np.array(offsets, np.int64)
    for call in (
        lambda: core.count_pairs(three, three, bounds, threads=1),
        lambda: core.smaller_after(three, bounds, threads=1),
        lambda: core.mann_whitney(three, np.zeros(3, bool), bounds, threads=1),
    ):
        with pytest.raises(ValueError, match="offsets do not fit"):
            call()


def test_columns_of_unequal_length(core: ModuleType) -> None:
    with pytest.raises(ValueError, match="offsets do not fit"):
        core.count_pairs(np.zeros(3), np.zeros(2), np.array([0, 3]), threads=1)
