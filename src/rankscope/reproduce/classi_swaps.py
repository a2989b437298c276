"""Figures 2 and 3 of the paper on ClasSi: rankings after more and more random exchanges of two items.

Beside each simulated mean stands the exact expectation, which needs no simulation.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from rankscope.classes.coefficient import ClassRanking, classi
from rankscope.orders.correlations import kendall, spearman
from rankscope.reproduce.cells import Cell, Experiment, Settings, claim, figure, rows_of
from rankscope.reproduce.swaps import expected_classi, expected_tau, swapped

if TYPE_CHECKING:
    from rankscope.plots import Chart

__all__ = ["figure_2", "figure_3", "with_distances"]

FloatArray = npt.NDArray[np.float64]
Lines = Mapping[str, FloatArray]
Found = tuple[Experiment, dict[str, Cell]]
"""A figure, and what the text says of it."""

ITEMS = 250
CLASSES = 10
SWAPS = (0, 10, 50, 100, 200, 500)
MOST_SWAPS = 30
SHOWN_SWAPS = (1, 5, 10, 15, 20, 25, 30)
ROUNDING = 1e-12


@dataclass(frozen=True)
class _Mean:
    """The mean of some values, and how sure it is."""

    value: float
    error: float

    @classmethod
    def of(cls, values: Sequence[float]) -> _Mean:
        error = float(np.std(values, ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else math.nan
        return cls(float(np.mean(values)), error)

    def cells(self, expected: float) -> list[Cell]:
        return [figure(expected), figure(self.value), figure(self.error)]


def figure_2(settings: Settings) -> Found:
    """250 entries of 10 classes with random distances."""
    distances = _random_distances(settings.seed)
    drawn = _rankings_of_classes(distances, settings)
    means = {swaps: _Mean.of([ranking.value for ranking in rankings]) for swaps, rankings in drawn.items()}
    rows = {str(swaps): mean.cells(expected_classi(ITEMS, swaps)) for swaps, mean in means.items()}
    falls = all(few.value > many.value for few, many in pairwise(means.values()))
    decrease = claim(falls, "ClasSi decreases", "it does" if falls else "it does not")
    curves = {f"{swaps} swaps": rankings[0].curve for swaps, rankings in drawn.items()}
    note = (
        "Not stated in the paper, and chosen here: 25 entries in each class; distances that rise by steps "
        f"drawn between 0 and 1; {', '.join(map(str, SWAPS))} swaps; means over {settings.repetitions} "
        f"rankings, seed {settings.seed}. The exact mean is (247/249)^swaps, whatever the distances."
    )
    experiment = Experiment(
        "figure-2",
        "Figure 2: ClasSi after random exchanges, 250 entries in 10 classes",
        ("swaps",),
        ("exact mean", "simulated", "its standard error"),
        rows_of(rows),
        (note,),
        {
            "figure-2": lambda: with_distances(
                "Figure 2: ClasSi of one drawn ranking", curves, {"d": distances}
            )
        },
    )
    return experiment, {"Figure 2: the more exchanges": decrease}


def figure_3(settings: Settings) -> Found:
    """Distinct entries with distances 0, 1, 2, ...: ClasSi, Kendall's tau and Spearman's rho."""
    found = _SimpleCase.simulated(settings)
    is_rho = found.from_rho < ROUNDING
    similar = claim(
        not is_rho,
        "similar to Kendall's tau",
        "is Spearman's rho" if is_rho else "is not Spearman's rho",
        otherwise="with distances 0, 1, 2, ... ClasSi is Spearman's rho exactly, not only similar to tau",
    )
    note = (
        f"Not stated in the paper, and chosen here: 250 entries, as for Figure 2; means over "
        f"{settings.repetitions} rankings, seed {settings.seed}. Over all of them ClasSi and Spearman's rho "
        f"differ by {'rounding alone' if is_rho else f'up to {found.from_rho:.2g}'}."
    )
    experiment = Experiment(
        "figure-3",
        "Figure 3: ClasSi and Kendall's tau after 1 to 30 exchanges, every entry a class of its own",
        ("swaps",),
        ("ClasSi: exact mean", "simulated", "error", "tau: exact mean", "simulated", "error"),
        rows_of({str(swaps): found.cells(swaps) for swaps in SHOWN_SWAPS}),
        (note,),
        {"figure-3": found.draw},
    )
    return experiment, {"Figure 3: ClasSi in the simple case": similar}


@dataclass(frozen=True)
class _SimpleCase:
    """Means over drawn rankings, by the number of exchanges."""

    classi: dict[int, _Mean]
    tau: dict[int, _Mean]
    from_rho: float
    """The largest difference of ClasSi and Spearman's rho in any of the rankings."""

    @classmethod
    def simulated(cls, settings: Settings) -> _SimpleCase:
        order = np.arange(ITEMS)
        found = cls({}, {}, 0.0)
        for swaps, rankings in swapped(ITEMS, MOST_SWAPS, settings.repetitions, settings.seed):
            values = [classi(ranking).value for ranking in rankings]
            rhos = [spearman(order, ranking) for ranking in rankings]
            found.classi[swaps] = _Mean.of(values)
            found.tau[swaps] = _Mean.of([kendall(order, ranking) for ranking in rankings])
            apart = float(np.max(np.abs(np.subtract(values, rhos))))
            found = replace(found, from_rho=max(found.from_rho, apart))
        return found

    def cells(self, swaps: int) -> list[Cell]:
        of_classi = self.classi[swaps].cells(expected_classi(ITEMS, swaps))
        return [*of_classi, *self.tau[swaps].cells(expected_tau(ITEMS, swaps))]

    def draw(self) -> Chart:
        curves = {
            name: np.array([mean.value for swaps, mean in means.items() if swaps])
            for name, means in (("ClasSi", self.classi), ("Kendall's tau", self.tau))
        }
        distances = {"d": np.arange(ITEMS, dtype=np.float64)}
        return with_distances("Figure 3: ClasSi and Kendall's tau", curves, distances, x="swaps")


def _random_distances(seed: int) -> FloatArray:
    steps = np.random.default_rng(seed).random(CLASSES - 1)
    return np.concatenate([[0.0], np.cumsum(steps)])


def _rankings_of_classes(distances: FloatArray, settings: Settings) -> dict[int, list[ClassRanking]]:
    by_item = np.repeat(distances, ITEMS // CLASSES)
    drawn = swapped(ITEMS, SWAPS[-1], settings.repetitions, settings.seed)
    return {
        swaps: [classi(by_item[ranking]) for ranking in rankings]
        for swaps, rankings in drawn
        if swaps in SWAPS
    }


def with_distances(
    title: str, curves: Lines, distances: Lines, classes: str = "class", x: str = "k"
) -> Chart:
    """Curves of ClasSi, and below them the panel of the class distance function."""
    from rankscope.plots.stacked import stacked

    below = _counted("Class distance function", distances, classes, "distance")
    return stacked([_counted(title, curves, x, "ClasSi"), below])


def _counted(title: str, lines: Lines, x: str, y: str) -> Chart:
    """Curves over 1, 2, 3, ..., with no marks between these on their axis."""
    from rankscope.plots import Chart, Series, curves

    series = [Series(name, np.arange(1, len(values) + 1), values) for name, values in lines.items()]
    chart = curves(series, title=title, x=x, y=y)
    across = chart.spec["encoding"]["x"]
    marked = {**across, "axis": {**across["axis"], "tickMinStep": 1}}
    return Chart({**chart.spec, "encoding": {**chart.spec["encoding"], "x": marked}})
