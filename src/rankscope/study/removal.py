"""Would fewer judgments put the systems in the same order?

Judgments are taken away at random, the same ones for all measures, and the order of the systems is compared
with that by all judgments (Buckley and Voorhees, SIGIR 2004).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from rankscope.data import Judgments, runs_of
from rankscope.evaluate import DEFAULT_MEASURES, evaluate
from rankscope.measures.segments import compressed
from rankscope.study.curve import Curve
from rankscope.study.requests import listed, refused, share, whole_number
from rankscope.study.systems import Panel, defined_mean, panel_of
from rankscope.study.taus import tau_b
from rankscope.study.work import Progress, generator, in_order

__all__ = ["stability"]

FloatArray = npt.NDArray[np.float64]

SHARES = tuple(tenths / 10 for tenths in range(1, 10))


def stability(
    judgments: Any,
    runs: Any,
    measures: Any = DEFAULT_MEASURES,
    *,
    shares: Sequence[float] = SHARES,
    trials: int = 10,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Curve:
    """Kendall's tau-b of the order of the systems by some of the judgments with that by all of them.

    Each of `trials` puts the judgments of every query in a random order and keeps the first of them: the
    share asked for, and at least one. `options` are those of `rankscope.evaluate`, the policies included.

    >>> truth = {"q1": {"a": 1, "b": 1, "x": 0}, "q2": {"c": 1, "d": 1, "y": 0}}
    >>> runs = {"good": {"q1": ["a", "b"], "q2": ["c", "d"]}, "bad": {"q1": ["x"], "q2": ["y"]}}
    >>> stability(truth, runs, "RR", shares=[0.9]).values.tolist()
    [[1.0]]
    """
    whole_number("trials", trials, least=1, most=100_000)
    whole_number("seed", seed, least=0)
    kept = _shares(shares)
    truth, systems = Judgments.of(judgments), runs_of(runs)
    whole = panel_of(evaluate(truth, systems, measures, **options))

    def correlated(piece: tuple[int, float]) -> FloatArray:
        trial, part = piece
        fewer = _part(truth, part, generator(seed, trial))
        result = evaluate(fewer, systems, whole.measures, threads=1, **options)
        means = panel_of(result).means
        return np.array([tau_b(full, found) for full, found in zip(whole.means, means, strict=True)])

    pieces = [(trial, part) for trial in range(trials) for part in kept]
    found = in_order(correlated, pieces, total=len(pieces), threads=threads, progress=progress)
    return _curve(whole, kept, np.array(list(found)).reshape(trials, len(kept), -1), seed)


def _curve(whole: Panel, kept: Sequence[float], taus: FloatArray, seed: int) -> Curve:
    """What the trials come to, from trial x share x measure."""
    mean = defined_mean(taus)
    return Curve(
        measures=whole.measures,
        steps=tuple(kept),
        values=mean.T,
        deviations=np.sqrt(defined_mean((taus - mean) ** 2).T),
        trials=len(taus),
        seed=seed,
        analysis="stability",
        title="tau-b with the order of systems by all judgments, against the share of judgments",
        step="share of judgments",
        value="tau-b",
        notes=whole.notes,
    )


def _shares(given: Sequence[float]) -> list[float]:
    kept = sorted({share("share", part) for part in listed("shares", given)})
    if not kept:
        raise refused("no shares", "at least one share of the judgments, such as 0.5")
    return kept


def _part(judgments: Judgments, part: float, rng: np.random.Generator) -> Judgments:
    """A share of the judgments of each query, rounded up; smaller shares are parts of bigger ones."""
    counts = np.diff(judgments.offsets)
    owner = np.repeat(np.arange(len(judgments)), counts)
    order = np.lexsort((rng.random(len(owner)), owner))
    place = np.empty(len(owner), np.int64)
    place[order] = np.arange(len(owner)) - judgments.offsets[owner]
    # Half of 10 is 5, although 0.1 * 3 * 10 and the like are a little more than they should be.
    kept = place < np.ceil(np.round(part * counts, 9))[owner]
    rows = np.flatnonzero(kept)
    return replace(
        judgments,
        offsets=compressed(judgments.offsets, kept),
        items=judgments.items.take(rows),
        grades=judgments.grades[rows],
    )
