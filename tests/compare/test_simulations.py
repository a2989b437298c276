"""How tests and intervals behave on made-up data of which the truth is known; seeds are fixed."""

from __future__ import annotations

import numpy as np
import pytest
from compare_support import panel_of, result_of

import rankscope
from rankscope.compare.intervals import bca_intervals, t_interval
from rankscope.compare.paired import sign_p, t_p, wilcoxon_p
from rankscope.compare.resample import Crew, bootstrap_extremes, flip_extremes

ROUNDS, QUERIES, ALPHA = 600, 40, 0.05
# Three standard errors of a share near alpha, over so many rounds.
SPREAD = 3 * np.sqrt(ALPHA * (1 - ALPHA) / ROUNDS)


def worlds(effect: float = 0.0) -> np.ndarray:
    """Values of two runs (rounds x 2 x queries): a common query effect, and noise of their own."""
    rng = np.random.default_rng(2026)
    queries = rng.beta(2, 2, (ROUNDS, 1, QUERIES))
    noise = rng.normal(0, 0.1, (ROUNDS, 2, QUERIES))
    return queries + noise + np.array([0.0, effect])[:, None]


P_OF = {
    "t": lambda world: t_p(world[1] - world[0]),
    "wilcoxon": lambda world: wilcoxon_p(world[1] - world[0]),
    "sign": lambda world: sign_p(world[1] - world[0]),
    "fisher": lambda world: flip_extremes(panel_of(world), 499, 0, Crew()).p[0],
    "bootstrap": lambda world: bootstrap_extremes(panel_of(world), 499, 0, Crew()).p[0],
}


@pytest.mark.parametrize("test", P_OF)
def test_false_alarms_are_as_rare_as_promised(test: str) -> None:
    """The sign test is discrete, and so rarer; the bootstrap is known to be a little too eager."""
    alarms = np.mean([P_OF[test](world) <= ALPHA for world in worlds()])
    assert alarms < ALPHA + SPREAD + (0.01 if test == "bootstrap" else 0)
    assert alarms > ALPHA - SPREAD - (0.03 if test == "sign" else 0)


@pytest.mark.parametrize("test", P_OF)
def test_real_differences_are_seen(test: str) -> None:
    """0.1, where differences have a standard deviation of 0.14: the t-test sees it with a chance of 0.99."""
    least = 0.85 if test == "sign" else 0.95
    assert np.mean([P_OF[test](world) <= ALPHA for world in worlds(0.1)]) > least


@pytest.mark.parametrize("test", ["tukey", "anova", "fisher"])
def test_one_false_alarm_among_all_pairs_is_as_rare(test: str) -> None:
    """Four runs that do not differ: any alarm among six comparisons counts, after Holm's correction."""
    rng = np.random.default_rng(7)
    rounds, alarms = 60, 0
    for _ in range(rounds):
        values = rng.random(24) + rng.normal(0, 0.1, (4, 24))
        world = result_of({name: {"AP": row} for name, row in zip("abcd", values, strict=True)})
        found = rankscope.compare(world, test=test, resamples=199, interval="none", threads=1)
        alarms += any(pair.verdict != "undecided" for pair in found.pairs)
    assert alarms / rounds < ALPHA + 3 * np.sqrt(ALPHA * (1 - ALPHA) / rounds)


@pytest.mark.parametrize("shape", ["normal", "skewed"])
def test_intervals_cover_what_they_should(shape: str) -> None:
    """95 % of the intervals, within three standard errors; those of skewed differences may miss more."""
    rng = np.random.default_rng(99)
    covered = {"bca": 0, "t": 0}
    for _ in range(ROUNDS):
        differences = rng.normal(0.05, 0.2, QUERIES) if shape == "normal" else rng.exponential(0.05, QUERIES)
        (bca,) = bca_intervals(panel_of([np.zeros(QUERIES), differences]), 0.95, 1000, 0, Crew())
        ends = {"bca": bca, "t": t_interval(differences, 0.95)}
        for name, (low, high) in ends.items():
            covered[name] += low <= 0.05 <= high
    allowed = SPREAD + (0.02 if shape == "skewed" else 0.01)
    for name, count in covered.items():
        assert abs(count / ROUNDS - 0.95) < allowed, name
