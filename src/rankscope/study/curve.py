"""What a measure comes to as something grows: a value of each measure at each step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rankscope.measures import Measure
from rankscope.study.sheets import Finding, Record, Sheet, matrix_sheet, plain

if TYPE_CHECKING:
    from rankscope.plots import Chart

__all__ = ["Curve"]

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Curve(Finding):
    """A value of each measure for each step, the mean of many trials, and how much the trials differ."""

    measures: tuple[Measure, ...]
    steps: tuple[float, ...]
    values: FloatArray
    """Measure x step."""
    deviations: FloatArray
    """The standard deviation of the trials."""
    trials: int
    seed: int
    analysis: str
    title: str
    step: str
    """What a step is."""
    value: str
    """What a value is."""
    notes: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(str(measure) for measure in self.measures)

    def sheets(self, digits: int = 4) -> list[Sheet]:
        steps = [f"{step:g}" for step in self.steps]
        return [matrix_sheet(self.title, self.step, steps, self.values.T, digits, self.names)]

    def records(self) -> Iterator[Record]:
        for name, row, spread in zip(self.names, self.values.tolist(), self.deviations.tolist(), strict=True):
            for step, value, deviation in zip(self.steps, row, spread, strict=True):
                yield {"measure": name, self.step: step, self.value: value, "deviation": deviation}

    def to_dict(self) -> dict[str, Any]:
        return {
            "analysis": self.analysis,
            "trials": self.trials,
            "seed": self.seed,
            self.step: list(self.steps),
            self.value: dict(zip(self.names, plain(self.values), strict=True)),
            "deviation": dict(zip(self.names, plain(self.deviations), strict=True)),
            "notes": list(self.notes),
        }

    def charts(self) -> dict[str, Chart]:
        from rankscope.plots import Series, curves

        series = [Series(name, self.steps, row) for name, row in zip(self.names, self.values, strict=True)]
        return {self.analysis: curves(series, title=self.title, x=self.step, y=self.value)}
