"""ClasSi: the example of bonobos, chimpanzees and tigers, its theorems, and Figure 1."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from rankscope.classes.coefficient import ClassRanking, classi
from rankscope.classes.example import DISTANCE, QUERY_CLASS, RANKINGS, example
from rankscope.reproduce.cells import Cell, Experiment, Reproduction, Settings, claim, figure, rows_of
from rankscope.reproduce.classi_swaps import figure_2, figure_3, with_distances

if TYPE_CHECKING:
    from rankscope.plots import Chart

__all__ = ["reproduction"]

FloatArray = npt.NDArray[np.float64]

TIGER_DISTANCES = (1, 2, 3, 4, 6, 10, 20, 50)
PREFIX = 3
"""The beginning of the example for which luck alone gives most."""
NUMBERED = "class (1 bonobo, 2 chimpanzee, 3 tiger)"


def reproduction(settings: Settings) -> Reproduction:
    """What the paper on ClasSi prints, computed."""
    figure_1b, nearer = _figure_1b()
    (second, fewer), (third, alike) = figure_2(settings), figure_3(settings)
    statements = _statements({**nearer, **fewer, **alike})
    return Reproduction(
        "classi",
        "the text of the paper, Sections 2 and 3; its figures are lost in the copy at hand",
        "ivanescu2011classi",
        (_example(), statements, _figure_1a(), figure_1b, second, third),
    )


def _example() -> Experiment:
    found = example()
    r1, r2 = found["r1"], found["r2"]
    cells = {
        "DisCost of r1": figure(float(r1.cost[-1]), "3"),
        "DisCost of r2": figure(float(r2.cost[-1]), "15"),
        "DisCost of the worst ranking": figure(float(found["worst"].cost[-1]), "126"),
        "ClasSi of r1": figure(r1.value, "0.95"),
        "ClasSi of r2": figure(r2.value, "0.76"),
        "r1: the curve starts at": figure(r1.at(1), "0.84"),
        "r1: the curve increases up to": figure(r1.at(len(r1)), "0.95"),
        "r2: the curve starts at": figure(r2.at(1), "1"),
        "r2: on the fifth position": figure(r2.at(5), "0.75"),
        "best ranking: lowest of the curve": figure(float(np.min(found["best"].curve)), "1.0"),
        "worst ranking: highest of the curve": figure(float(np.max(found["worst"].curve)), "-1.0"),
    }
    rankings = ", ".join(
        f"{name} = {''.join(label[0] for label in labels)}" for name, labels in RANKINGS.items()
    )
    distances = ", ".join(f"d(b, {label[0]}) = {far}" for label, far in DISTANCE.items())
    note = (
        "The rankings are lost in the copy at hand. What the text says of them leaves one choice: "
        f"{rankings}; with {distances}."
    )
    return Experiment("example", "The worked example", ("figure",), ("ours",), rows_of(cells), (note,))


def _statements(of_figures: Mapping[str, Cell]) -> Experiment:
    r1 = example()["r1"]
    doubled, turned = (_of_r1({name: factor * d for name, d in DISTANCE.items()}) for factor in (2, -1))
    cells = {
        "Theorem 1: the best ranking": figure(example()["best"].value, "1"),
        "Theorem 2: the worst ranking": figure(example()["worst"].value, "-1"),
        "Theorem 3: mean over all rankings": figure(float(r1.expected[-1]), "0"),
        f"mean of the first {PREFIX} positions": figure(float(r1.expected[PREFIX - 1])),
        "Theorem 4: distances times 2": claim(doubled == r1.value, "unchanged", f"{doubled:.4f}"),
        "Theorem 4: distances times -1": claim(
            turned == r1.value,
            "unchanged",
            f"{turned:.4f}",
            otherwise="the theorem needs a positive factor: a negative one turns the sign of ClasSi",
        ),
        **of_figures,
    }
    note = "Theorem 3 is of whole rankings: of the beginning of one, luck alone does not give 0."
    title = "Theorems, on the ranking r1, and what is said of the figures"
    return Experiment("statements", title, ("statement",), ("ours",), rows_of(cells), (note,))


def _of_r1(distance: Mapping[str, float]) -> float:
    return classi(RANKINGS["r1"], QUERY_CLASS, distance).value


def _figure_1a() -> Experiment:
    found = example()
    places = range(1, len(found["r1"]) + 1)
    return Experiment(
        "figure-1a",
        "Figure 1a: ClasSi_k of the example",
        ("k",),
        tuple(found),
        rows_of({str(k): [figure(ranking.at(k)) for ranking in found.values()] for k in places}),
        charts={"figure-1a": _draw_figure_1a},
    )


def _figure_1b() -> tuple[Experiment, dict[str, Cell]]:
    found = {far: _r2_with(far) for far in TIGER_DISTANCES}
    rows = {
        str(far): [figure(ranking.at(5)), figure(ranking.value), figure(1 - 2 / 7 * (1 - 1 / far))]
        for far, ranking in found.items()
    }
    falls = all(near.value > far.value for near, far in pairwise(found.values()))
    smaller = claim(falls, "the smaller ClasSi gets", "it does" if falls else "it does not")
    note = (
        "The distances in the figure are not stated. ClasSi of r2 is 1 - 2/7 (1 - 1/d(b, t)), which falls "
        "to 5/7 for tigers that are infinitely far."
    )
    experiment = Experiment(
        "figure-1b",
        "Figure 1b: ClasSi of r2 as the tigers move away",
        ("d(b, t)",),
        ("ClasSi_5", "ClasSi", "closed form"),
        rows_of(rows),
        (note,),
        {"figure-1b": _draw_figure_1b},
    )
    return experiment, {"Figure 1b: the higher d(b, t)": smaller}


def _r2_with(far: float) -> ClassRanking:
    return classi(RANKINGS["r2"], QUERY_CLASS, {**DISTANCE, "tiger": far})


def _draw_figure_1a() -> Chart:
    curves = {name: ranking.curve for name, ranking in example().items()}
    return with_distances("Figure 1a: ClasSi of the example", curves, {"d(b, .)": _panel(6)}, NUMBERED)


def _draw_figure_1b() -> Chart:
    names = {far: f"d(b, t) = {far}" for far in TIGER_DISTANCES}
    curves = {name: _r2_with(far).curve for far, name in names.items()}
    distances = {name: _panel(far) for far, name in names.items()}
    return with_distances("Figure 1b: ClasSi of r2", curves, distances, NUMBERED)


def _panel(far: float) -> FloatArray:
    return np.array([DISTANCE["bonobo"], DISTANCE["chimpanzee"], far], np.float64)
