"""Discriminative power: how many pairs of systems can a measure tell apart for sure?

Each two systems are tested; the p-values of all pairs, sorted, are the curve of achieved significance levels
(Sakai, SIGIR 2006), and the power is the share of pairs below alpha.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rankscope.compare.panel import joint_panel, panels_of
from rankscope.compare.resample import Crew, bootstrap_extremes, shuffle_extremes
from rankscope.measures import Measure
from rankscope.result import Result
from rankscope.study.requests import refused, share, whole_number
from rankscope.study.sheets import Finding, Record, Sheet, plain, shown
from rankscope.study.systems import Panel, panel_of
from rankscope.study.work import Progress, workers_of
from rankscope.tables import Table

if TYPE_CHECKING:
    from rankscope.plots import Chart

__all__ = ["TESTS", "Power", "power"]

FloatArray = npt.NDArray[np.float64]

TESTS = {
    "tukey": "randomised Tukey HSD: p-values for all pairs of systems together",
    "bootstrap": "paired bootstrap: each pair of systems by itself",
}


@dataclass(frozen=True, eq=False, repr=False)
class Power(Finding):
    """The p-value of each pair of systems by each measure."""

    measures: tuple[Measure, ...]
    pairs: tuple[tuple[str, str], ...]
    p_values: FloatArray
    """Measure x pair; NaN where no query has a value for both systems."""
    test: str
    alpha: float
    resamples: int
    seed: int
    notes: tuple[str, ...] = ()
    analysis: str = "power"

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(str(measure) for measure in self.measures)

    @property
    def significant(self) -> npt.NDArray[np.int64]:
        """Per measure: how many pairs it tells apart."""
        told_apart: npt.NDArray[np.int64] = (self.p_values < self.alpha).sum(axis=1)
        return told_apart

    @property
    def shares(self) -> FloatArray:
        """Per measure: its discriminative power, the share of pairs that it tells apart."""
        return self.significant / len(self.pairs)

    @property
    def curves(self) -> FloatArray:
        """Per measure: the p-values of the pairs from the highest to the lowest."""
        return -np.sort(-self.p_values, axis=1)

    def sheets(self, digits: int = 4) -> list[Sheet]:
        rows = [
            [
                self.names[n],
                shown(float(self.shares[n]), digits),
                str(self.significant[n]),
                str(len(self.pairs)),
            ]
            for n in np.argsort(-self.shares, kind="stable").tolist()
        ]
        title = f"discriminative power at alpha = {self.alpha:g} ({TESTS[self.test]})"
        return [Sheet(title, Table(("measure", "power", "pairs told apart", "pairs"), rows))]

    def records(self) -> Iterator[Record]:
        for name, row in zip(self.names, self.p_values.tolist(), strict=True):
            for (a, b), p in zip(self.pairs, row, strict=True):
                yield {"measure": name, "a": a, "b": b, "p": p}

    def to_dict(self) -> dict[str, Any]:
        return {
            "analysis": self.analysis,
            "test": self.test,
            "alpha": self.alpha,
            "resamples": self.resamples,
            "seed": self.seed,
            "pairs": [list(pair) for pair in self.pairs],
            "power": dict(zip(self.names, plain(self.shares), strict=True)),
            "p_values": dict(zip(self.names, plain(self.p_values), strict=True)),
            "notes": list(self.notes),
        }

    def charts(self) -> dict[str, Chart]:
        from rankscope.plots import Series, curves

        number = np.arange(1, len(self.pairs) + 1)
        drawn = [Series(name, number, row) for name, row in zip(self.names, self.curves, strict=True)]
        line = Series(
            f"alpha = {self.alpha:g}", number, np.full(len(number), self.alpha), reference="expected"
        )
        title, across = "Achieved significance levels", "pairs of systems, sorted"
        return {"power": curves([*drawn, line], title=title, x=across, y="p")}


def power(
    result: Result,
    *,
    test: str = "tukey",
    alpha: float = 0.05,
    resamples: int = 10_000,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Power:
    """The discriminative power of the measures of a result, by randomised Tukey HSD or the paired bootstrap.

    The answer for a `seed` does not depend on the number of `threads`.

    >>> import rankscope
    >>> truth = {f"q{n}": ["a"] for n in range(12)}
    >>> runs = {"good": {q: ["a"] for q in truth}, "bad": {q: ["x", "y", "a"] for q in truth}}
    >>> power(rankscope.evaluate(truth, runs, "P@1, P@3"), resamples=500).shares.tolist()
    [1.0, 0.0]
    """
    if test not in TESTS:
        raise refused(f"test={test!r}", f"test= one of {', '.join(TESTS)}")
    level = share("alpha", alpha)
    whole_number("resamples", resamples, least=100, most=10_000_000)
    whole_number("seed", seed, least=0)
    panel = panel_of(result, queries=2)
    crew = Crew(workers_of(threads), progress, stages=len(panel.measures))
    tested = _tukey if test == "tukey" else _bootstrap
    p_values = np.array([tested(panel, values, resamples, seed, crew) for values in panel.values])
    pairs = tuple((panel.systems[a], panel.systems[b]) for a, b in panel.pairs)
    return Power(panel.measures, pairs, p_values, test, level, resamples, seed, panel.notes)


def _tukey(panel: Panel, values: FloatArray, resamples: int, seed: int, crew: Crew) -> FloatArray:
    """All systems on the queries for which each of them has a value."""
    joint = joint_panel(values, panel.pairs)
    if not joint.size:
        return np.full(len(panel.pairs), np.nan)
    return shuffle_extremes(joint, resamples, seed, crew).p


def _bootstrap(panel: Panel, values: FloatArray, resamples: int, seed: int, crew: Crew) -> FloatArray:
    found = np.full(len(panel.pairs), np.nan)
    for part in panels_of(values, panel.pairs):
        if part.size:
            found[np.array(part.places)] = bootstrap_extremes(part, resamples, seed, crew).p
    return found
