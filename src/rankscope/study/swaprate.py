"""How often do two sets of queries of the same size put two systems in opposite orders?

The rate falls with the size; a measure whose rate is lower needs fewer queries (Voorhees and Buckley, SIGIR
2002).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from rankscope.result import Result
from rankscope.study.curve import Curve
from rankscope.study.requests import listed, refused, whole_number
from rankscope.study.systems import Panel, panel_of, quotient, signs
from rankscope.study.work import Progress, generator, in_order

__all__ = ["swap_rate"]

FloatArray = npt.NDArray[np.float64]

STEPS = 10
PORTION = 100
"""Trials of one piece of work."""


def swap_rate(
    result: Result,
    *,
    sizes: Sequence[int] | None = None,
    trials: int = 1000,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Curve:
    """The swap rate of each measure of a result, against the number of queries.

    For each of `sizes` (ten steps up to half of the queries, unless given) and so many `trials`, two sets of
    queries without a common one are drawn. The rate is the share of pairs of systems whose means on the two
    are in opposite orders.

    >>> import rankscope
    >>> truth = {f"q{n}": ["a"] for n in range(8)}
    >>> runs = {"good": {q: ["a"] for q in truth}, "bad": {q: ["x", "a"] for q in truth}}
    >>> swap_rate(rankscope.evaluate(truth, runs, "RR"), sizes=[1, 4], trials=10).values.tolist()
    [[0.0, 0.0]]
    """
    panel = panel_of(result, queries=2)
    chosen = _sizes(sizes, panel.queries // 2)
    whole_number("trials", trials, least=1, most=1_000_000)
    whole_number("seed", seed, least=0)
    starts = range(0, trials, PORTION)
    pieces = [(size, start, min(PORTION, trials - start)) for size in chosen for start in starts]
    work = partial(_rates, panel, seed)
    found = list(in_order(work, pieces, total=len(pieces), threads=threads, progress=progress))
    return _curve(panel, chosen, np.concatenate(found, axis=1).reshape(-1, len(chosen), trials), seed)


def _curve(panel: Panel, sizes: Sequence[int], rates: FloatArray, seed: int) -> Curve:
    """What the trials come to, from measure x size x trial."""
    return Curve(
        measures=panel.measures,
        steps=tuple(sizes),
        values=rates.mean(axis=2),
        deviations=rates.std(axis=2),
        trials=rates.shape[2],
        seed=seed,
        analysis="swaps",
        title="swap rate against the number of queries",
        step="queries",
        value="swap rate",
        notes=panel.notes,
    )


def _sizes(given: Sequence[int] | None, most: int) -> list[int]:
    if given is None:
        return sorted({max(1, round(most * step / STEPS)) for step in range(1, STEPS + 1)})
    chosen = sorted({whole_number("size", size, least=1) for size in listed("sizes", given)})
    if not chosen or chosen[-1] > most:
        raise refused(
            f"sizes up to {chosen[-1]}" if chosen else "no sizes",
            f"at least one size, and none above {most}: two sets without a common query need twice as many",
        )
    return chosen


def _rates(panel: Panel, seed: int, piece: tuple[int, int, int]) -> FloatArray:
    """Measure x trial: the share of pairs of systems that change places."""
    size, start, trials = piece
    rng = generator(seed, size, start)
    drawn = rng.permuted(np.tile(np.arange(panel.queries), (trials, 1)), axis=1)[:, : 2 * size]
    one, other = (_means(panel.values, drawn[:, part]) for part in (slice(size), slice(size, None)))
    first, second = np.triu_indices(len(panel.systems), 1)
    swapped = [
        signs(a[first], a[second]) * signs(b[first], b[second]) < 0 for a, b in zip(one, other, strict=True)
    ]
    rates: FloatArray = np.mean(swapped, axis=1)
    return rates


def _means(values: FloatArray, drawn: npt.NDArray[np.int64]) -> FloatArray:
    """Measure x system x trial: means over the drawn queries, of the values that are defined."""
    chosen = np.zeros((values.shape[2], len(drawn)))
    np.put_along_axis(chosen, drawn.T, 1.0, axis=0)
    known = ~np.isnan(values)
    return quotient(np.where(known, values, 0.0) @ chosen, known @ chosen)
