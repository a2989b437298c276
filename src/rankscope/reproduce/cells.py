"""What a reproduction is made of: figures as printed, the same computed, and how the two stand to each other.

A `Cell` is one figure, a `Row` the figures that belong to one label, an `Experiment` a table of the source,
a `Reproduction` all of one source. What is printed is kept as text, for its digits say how it was rounded.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, get_args

from rankscope.measures.bibliography import BIBLIOGRAPHY

if TYPE_CHECKING:
    from rankscope.plots import Chart

__all__ = [
    "VERDICTS",
    "Cell",
    "Charts",
    "Experiment",
    "Reproduction",
    "Row",
    "Settings",
    "agrees",
    "claim",
    "figure",
    "rows_of",
    "uncomputed",
]

Verdict = Literal["equal", "different", "not recoverable", "not printed", "not computed"]
Charts = Mapping[str, Callable[[], "Chart"]]

VERDICTS: dict[Verdict, str] = {
    "equal": "ours is the printed figure to its rounding",
    "different": "ours is another, for a reason that is known",
    "not recoverable": "the figure is lost, or nothing that the source says leads to it",
    "not printed": "the source has no such figure",
    "not computed": "a package that the figure needs is not installed",
}

SLACK = 1e-9
"""Of half a unit of the last printed digit: a figure just between two numbers rounds to either."""


@dataclass(frozen=True)
class Settings:
    """What can be chosen of a reproduction."""

    seed: int = 0
    repetitions: int = 50
    """How many rankings are drawn where a figure is a mean over random ones."""
    table4: bool = True
    """Whether learners are trained for Table 4 of Huang and Ling."""


@dataclass(frozen=True)
class Cell:
    """One figure: what the source prints, what we compute, and what that says.

    >>> figure(20 / 21, "0.95")
    Cell(value=0.9523809523809523, printed='0.95', verdict='equal', reason='', said='')
    """

    value: float | None
    """Ours; None where it is a statement, or not computed."""
    printed: str = ""
    """As the source prints it."""
    verdict: Verdict = "not printed"
    reason: str = ""
    """Why the two differ, or why the figure cannot be recovered."""
    said: str = ""
    """Ours in words, where it is no number."""


def agrees(value: float, printed: str) -> bool:
    """Whether a number is the printed one to its rounding; a fraction or a whole number is exact.

    >>> agrees(0.8844, "0.88"), agrees(0.886, "0.88"), agrees(31 / 52, "31/52"), agrees(0.9, "1")
    (True, False, True, False)
    """
    if "/" not in printed:
        exponent = Decimal(printed).as_tuple().exponent
        if isinstance(exponent, int) and exponent < 0:
            return abs(value - float(printed)) <= 0.5 * 10.0**exponent * (1 + SLACK)
    return math.isclose(value, Fraction(printed), rel_tol=1e-12, abs_tol=1e-12)


def figure(value: float, printed: str = "", *, otherwise: str = "", lost: str = "") -> Cell:
    """A computed number beside a printed one.

    If they do not agree, `otherwise` is the known reason, or `lost` says why the printed one cannot be
    recovered; `lost` alone is of a figure that was printed and is no longer known.

    >>> figure(2.13093, "2.125", otherwise="1.6 for log2 3").verdict, figure(0.5, lost="unreadable").verdict
    ('different', 'not recoverable')
    """
    if printed and agrees(value, printed):
        return Cell(value, printed, "equal")
    if lost:
        return Cell(value, printed, "not recoverable", lost)
    return Cell(value, printed, "different", otherwise) if printed else Cell(value)


def claim(holds: bool, printed: str, said: str, *, otherwise: str = "") -> Cell:
    """A statement of the source, and what we find in its place.

    >>> claim(True, "falls", "0.84 > 0.75").verdict
    'equal'
    """
    if holds:
        return Cell(None, printed, "equal", said=said)
    return Cell(None, printed, "different", otherwise, said)


def uncomputed(printed: str, reason: str) -> Cell:
    """A figure for which something is missing here."""
    return Cell(None, printed, "not computed", reason)


@dataclass(frozen=True)
class Row:
    """Figures under one label, in one or several words."""

    labels: tuple[str, ...]
    cells: tuple[Cell, ...]

    @property
    def printed(self) -> str:
        """What the source prints here; the cells of a row are different ways to compute the same figure."""
        return next((cell.printed for cell in self.cells if cell.printed), "")


def rows_of(cells: Mapping[str, Cell | Sequence[Cell]]) -> tuple[Row, ...]:
    """Rows with a label of one word."""
    return tuple(
        Row((label,), (found,) if isinstance(found, Cell) else tuple(found)) for label, found in cells.items()
    )


@dataclass(frozen=True)
class Experiment:
    """A table, figure or example of the source."""

    name: str
    """Its key: "table-2", "figure-1a"."""
    title: str
    labels: tuple[str, ...]
    """What the labels of the rows are."""
    columns: tuple[str, ...]
    """What the cells of a row are."""
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    charts: Charts = field(default_factory=dict)
    """Pictures of it by the name of their file, drawn when they are asked for."""

    def cells(self) -> Iterator[Cell]:
        for row in self.rows:
            yield from row.cells

    def to_dict(self) -> dict[str, Any]:
        """Plain lists, dicts and numbers; what is not defined is None."""
        return {
            "name": self.name,
            "title": self.title,
            "rows": [
                {
                    **dict(zip(self.labels, row.labels, strict=True)),
                    "cells": [_cell_dict(*pair) for pair in zip(self.columns, row.cells, strict=True)],
                }
                for row in self.rows
            ],
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class Reproduction:
    """All experiments of one source."""

    name: str
    source: str
    """Where the printed figures are from."""
    work: str
    """The key of the paper in the bibliography, or what the source is called if it is no paper."""
    experiments: tuple[Experiment, ...]

    @property
    def citation(self) -> str:
        return BIBLIOGRAPHY.get(self.work, self.work)

    @property
    def counts(self) -> dict[Verdict, int]:
        """How many cells have each verdict."""
        found = Counter(cell.verdict for experiment in self.experiments for cell in experiment.cells())
        return {verdict: found[verdict] for verdict in get_args(Verdict)}

    def __getitem__(self, name: str) -> Experiment:
        return next(experiment for experiment in self.experiments if experiment.name == name)

    def charts(self) -> Charts:
        """The pictures of all experiments."""
        return {
            f"{self.name}-{name}": draw
            for experiment in self.experiments
            for name, draw in experiment.charts.items()
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain lists, dicts and numbers; what is not defined is None."""
        return {
            "name": self.name,
            "source": self.source,
            "work": self.citation,
            "verdicts": dict(self.counts),
            "experiments": [experiment.to_dict() for experiment in self.experiments],
        }


def _cell_dict(column: str, cell: Cell) -> dict[str, Any]:
    is_number = cell.value is not None and math.isfinite(cell.value)
    return {
        "column": column,
        "printed": cell.printed or None,
        "computed": cell.value if is_number else cell.said or None,
        "verdict": cell.verdict,
        "reason": cell.reason or None,
    }
