"""Randomisation and bootstrap: how often chance alone gives a difference as large as the one seen.

Three ideas keep this fast, exact and the same everywhere.

- The sum of a difference over queries is the difference of two sums, so the sums of R runs under one draw
  serve all of their R (R - 1) / 2 pairs, and the sums of a block of draws are one product of matrices.
- Values are scaled to whole numbers whose sums stay below 2^53. Then no sum is rounded, and none depends on
  its order: not on threads, nor on the library that multiplies the matrices.
- Random numbers come from a counter (Philox) keyed by the seed and set by the number of the block, so that a
  block's draws are its own, whoever works on it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from rankscope.compare.panel import SLACK, Panel, exponent_of

__all__ = [
    "EXACT_QUERIES",
    "Crew",
    "Extremes",
    "bootstrap_extremes",
    "bootstrap_sums",
    "flip_extremes",
    "shuffle_extremes",
]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
WordArray = npt.NDArray[np.uint64]
T = TypeVar("T")

EXACT_QUERIES = 20
"""Up to so many queries every assignment of signs is looked at: 2^20, half of which mirror the others."""

BLOCK = 1024
"""Draws of a block, where there is room for them."""
ROOM = 1 << 21
"""Numbers that a block may hold."""

WHOLE_BITS = 51
"""Sums of the scaled values are below two to this; differences of two of them are still whole."""

FLIPS, RESAMPLES, SHUFFLES, INTERVALS = range(1, 5)
"""What random numbers are for: each use has a stream of its own."""


@dataclass
class Crew:
    """Who works on blocks, and who is told how far they are."""

    threads: int = 1
    progress: Callable[[int, int], None] | None = None
    stages: int = 1
    """How many times blocks will be handed out."""
    stage: int = 0

    def work(self, task: Callable[[int], T], blocks: int) -> Iterator[T]:
        """The task's answer for each block, in their order."""
        if self.threads == 1 or blocks == 1:
            yield from self._told(map(task, range(blocks)), blocks)
        else:
            pool = ThreadPoolExecutor(min(self.threads, blocks))
            try:
                yield from self._told(pool.map(task, range(blocks)), blocks)
            finally:
                pool.shutdown(cancel_futures=True)
        self.stage += 1

    def _told(self, answers: Iterator[T], blocks: int) -> Iterator[T]:
        for done, answer in enumerate(answers, 1):
            if self.progress is not None:
                self.progress(self.stage * 1000 + 1000 * done // blocks, self.stages * 1000)
            yield answer


@dataclass(frozen=True)
class Extremes:
    """For each pair, how many of so many draws are at least as extreme as what was seen."""

    counts: IntArray
    draws: int
    exact: bool = False
    """All that could be drawn, once each: what was seen is among them."""

    @property
    def p(self) -> FloatArray:
        """The share of extreme draws; of random ones, what was seen counts as one more."""
        if self.exact:
            return self.counts / self.draws
        return (self.counts + 1) / (self.draws + 1)


def flip_extremes(panel: Panel, draws: int, seed: int, crew: Crew) -> Extremes:
    """Fisher's randomisation test: for each query the two runs' values change places, or not.

    Every assignment is looked at where the queries are few, else so many random ones.
    """
    size = panel.size
    if size <= EXACT_QUERIES:
        # A draw and its mirror image are equally extreme, so that one query need never change.
        draws = 1 << max(size - 1, 0)
        plan = _Blocks(draws, size)
        counts = _count(panel, plan, lambda block: _all_flips(size, plan.rows(block)), 0.5, crew)
        return Extremes(counts, draws, exact=True)
    plan = _Blocks(draws, size)
    counts = _count(panel, plan, lambda block: _random_flips(size, plan, block, seed), 0.5, crew)
    return Extremes(counts, draws)


def bootstrap_extremes(panel: Panel, draws: int, seed: int, crew: Crew) -> Extremes:
    """The paired bootstrap test: queries are drawn with replacement, and the difference is shifted to 0."""
    plan = _Blocks(draws, panel.size)
    counts = _count(
        panel, plan, lambda block: _frequencies(panel.size, plan, block, seed, RESAMPLES), 1.0, crew
    )
    return Extremes(counts, draws)


def bootstrap_sums(panel: Panel, draws: int, seed: int, crew: Crew) -> tuple[FloatArray, FloatArray, float]:
    """Of each run: its sum over queries drawn anew, for each draw, and over all queries; the unit."""
    whole, unit = _whole(panel.values)
    plan = _Blocks(draws, panel.size)
    parts = crew.work(
        lambda block: whole @ _frequencies(panel.size, plan, block, seed, INTERVALS).T, plan.number
    )
    return np.concatenate(list(parts), axis=1), whole.sum(axis=1), unit


def shuffle_extremes(panel: Panel, draws: int, seed: int, crew: Crew) -> Extremes:
    """Randomised Tukey HSD: within each query the values are dealt to the runs anew.

    What is compared is the distance of the best mean from the worst, so that the share of extreme draws is
    a p-value for all pairs together.
    """
    whole, _ = _whole(panel.values)
    dealt = np.ascontiguousarray(whole.T)
    plan = _Blocks(draws, whole.size)
    spans = crew.work(lambda block: np.ptp(_shuffled_sums(dealt, plan, block, seed), axis=1), plan.number)
    reached = np.sort(np.concatenate(list(spans)))
    totals = whole.sum(axis=1)
    seen = np.array([abs(totals[run] - totals[baseline]) for baseline, run in panel.pairs])
    counts = draws - np.searchsorted(reached, seen - _slack(), "left")
    return Extremes(counts.astype(np.int64), draws)


@dataclass(frozen=True)
class _Blocks:
    """So many draws, cut into blocks of a bounded number of values each."""

    draws: int
    width: int
    """Values of one draw."""

    @property
    def size(self) -> int:
        return max(1, min(BLOCK, ROOM // max(self.width, 1)))

    @property
    def number(self) -> int:
        return -(-self.draws // self.size)

    def rows(self, block: int) -> range:
        """The numbers of a block's draws."""
        return range(block * self.size, min((block + 1) * self.size, self.draws))


def _count(
    panel: Panel, plan: _Blocks, weights: Callable[[int], FloatArray], share: float, crew: Crew
) -> IntArray:
    """For each pair, how many draws are as far from the centre as what was seen, or further.

    A draw gives each query a weight. Flips have weight 1 where values change places, so that a difference d
    becomes d - 2 x for the weighted sum x: it is extreme where |x - d / 2| >= |d / 2|. Frequencies of queries
    give x itself, and |x - d| >= |d|. `share` is that of d.
    """
    whole, _ = _whole(panel.values)
    totals = whole.sum(axis=1)
    by_baseline = _by_baseline(panel)

    def extremes(block: int) -> IntArray:
        sums = whole @ weights(block).T
        counts = np.empty(len(panel.pairs), np.int64)
        for baseline, places, runs in by_baseline:
            centre = share * (totals[runs] - totals[baseline])
            away = sums[runs] - sums[baseline]
            away -= centre[:, None]
            np.abs(away, out=away)
            limit = np.abs(centre) - share * _slack()
            counts[places] = np.count_nonzero(away >= limit[:, None], axis=1)
        return counts

    found = np.zeros(len(panel.pairs), np.int64)
    for counts in crew.work(extremes, plan.number):
        found += counts
    return found


def _by_baseline(panel: Panel) -> list[tuple[int, IntArray, IntArray]]:
    """Each baseline, the places of its pairs, and the runs in them."""
    placed = sorted((baseline, place, run) for place, (baseline, run) in enumerate(panel.pairs))
    grouped = []
    for baseline, members in groupby(placed, key=lambda member: member[0]):
        _, places, runs = zip(*members, strict=True)
        grouped.append((baseline, np.array(places), np.array(runs)))
    return grouped


def _whole(values: FloatArray) -> tuple[FloatArray, float]:
    """The values as whole numbers of a unit, which is a power of two, and that unit.

    Any sum of as many values as there are queries, also with repetition, stays below 2^51.
    """
    exponent = exponent_of(values)
    return np.rint(np.ldexp(values, WHOLE_BITS - exponent)), math.ldexp(1.0, exponent - WHOLE_BITS)


def _slack() -> float:
    """What two sums may differ by and still count as equal, in units."""
    return SLACK * 2.0**WHOLE_BITS


def _words(number: int, seed: int, stream: int, block: int) -> WordArray:
    source = np.random.Philox(key=np.array([seed, stream], np.uint64), counter=[0, 0, 0, block])
    return np.asarray(source.random_raw(number), np.dtype("<u8"))


def _all_flips(size: int, rows: range) -> FloatArray:
    """The binary digits of the rows' numbers; the last query never changes."""
    numbers = np.arange(rows.start, rows.stop, dtype=np.int64)
    return ((numbers[:, None] >> np.arange(size)) & 1).astype(np.float64)


def _random_flips(size: int, plan: _Blocks, block: int, seed: int) -> FloatArray:
    rows = len(plan.rows(block))
    words = _words(rows * -(-size // 64), seed, FLIPS, block)
    bits = np.unpackbits(words.view(np.uint8).reshape(rows, -1), axis=1, count=size)
    return bits.astype(np.float64)


def _frequencies(size: int, plan: _Blocks, block: int, seed: int, stream: int) -> FloatArray:
    """How often each query is drawn, for each draw of a block."""
    rows = len(plan.rows(block))
    words = _words(-(-rows * size // 2), seed, stream, block).view("<u4")[: rows * size]
    # The high half of a product maps 32 random bits to 0 ... size - 1; the bias is below size / 2^32.
    drawn = (words.astype(np.uint64) * np.uint64(size)) >> np.uint64(32)
    cells = drawn.astype(np.int64).reshape(rows, size) + np.arange(rows)[:, None] * size
    return np.bincount(cells.ravel(), minlength=rows * size).reshape(rows, size).astype(np.float64)


def _shuffled_sums(dealt: FloatArray, plan: _Blocks, block: int, seed: int) -> FloatArray:
    """The sums of the runs (draws x runs) after the values of each query (a row) were dealt anew."""
    rows, (queries, runs) = len(plan.rows(block)), dealt.shape
    words = _words(rows * dealt.size, seed, SHUFFLES, block).reshape(rows, queries, runs)
    # The low bits name a run, the others are random: in their order the runs are shuffled.
    name = np.uint64((1 << max(runs - 1, 1).bit_length()) - 1)
    words = (words & ~name) | np.arange(runs, dtype=np.uint64)
    words.sort(axis=2)
    order = (words & name).astype(np.int64)
    order += np.arange(queries)[:, None] * runs
    sums: FloatArray = np.sum(dealt.ravel()[order], axis=1)
    return sums
