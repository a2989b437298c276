"""Sums over stretches, against loops."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankscope.measures.segments import (
    batches,
    descending,
    line_sums,
    range_sums,
    segment_counts,
    segment_sums,
)

sizes = st.lists(st.integers(0, 4), max_size=12)


def offsets_of(lengths: list[int]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


@given(sizes)
def test_segment_sums(lengths: list[int]) -> None:
    offsets = offsets_of(lengths)
    values = np.arange(1.0, offsets[-1] + 1)
    wanted = [values[a:b].sum() for a, b in itertools.pairwise(offsets)]
    assert segment_sums(values, offsets).tolist() == wanted
    odd = values % 2 == 1
    assert segment_counts(odd, offsets).tolist() == [
        float(odd[a:b].sum()) for a, b in itertools.pairwise(offsets)
    ]


@given(sizes, st.sampled_from([[0.0, 1.0, 2.0], [-1.0, 0.5, 3.25], [0.0, 2.0**53, 1.0], [7.0]]), st.randoms())
def test_descending(lengths: list[int], grades: list[float], rng) -> None:  # type: ignore[no-untyped-def]
    values = np.array([rng.choice(grades) for _ in range(sum(lengths))])
    owner = np.repeat(np.arange(len(lengths)), lengths)
    wanted = [v for n in range(len(lengths)) for v in sorted(values[owner == n], reverse=True)]
    assert descending(values, owner).tolist() == wanted


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 10)), max_size=10), st.booleans())
def test_range_sums(ranges: list[tuple[int, int]], far: bool) -> None:
    shift = 200_000 if far else 0  # keys too far apart to be listed are sorted instead
    table = np.arange(1.0, shift + 42)
    start = np.array([shift + a for a, _ in ranges], np.int64)
    stop = start + np.array([n for _, n in ranges], np.int64)
    wanted = [table[a:b].sum() for a, b in zip(start, stop, strict=True)]
    assert range_sums(table, start, stop).tolist() == wanted


@given(st.lists(st.integers(0, 70), max_size=20))
def test_batches_take_every_row_once_with_room_for_its_width(widths: list[int]) -> None:
    array = np.array(widths, np.int64)
    taken = [(row, len(steps)) for rows, steps in batches(array) for row in rows.tolist()]
    assert sorted(row for row, _ in taken) == [n for n, w in enumerate(widths) if w]
    assert all(widths[row] <= room < 2 * widths[row] for row, room in taken)


def test_batches_are_of_bounded_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rankscope.measures.segments.MOST_CELLS", 16)
    assert [len(rows) * len(steps) for rows, steps in batches(np.full(9, 4))] == [16, 16, 4]


def test_line_sums() -> None:
    assert line_sums(np.arange(6.0).reshape(2, 3)).tolist() == [3, 12]
