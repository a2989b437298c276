"""Which measure tells two systems apart most surely?

The measures in order of the p-value of the paired t-test of the two systems, beside their order of preference
(Huang and Ling 2005, Table 4).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rankscope.compare.paired import t_p
from rankscope.compare.panel import settled_difference
from rankscope.errors import printable
from rankscope.measures import Measure, parse
from rankscope.result import Result
from rankscope.study.degrees import Degrees
from rankscope.study.requests import listed, refused
from rankscope.study.sheets import Finding, Record, Sheet, plain, shown
from rankscope.study.systems import Panel, degrees_of_systems, panel_of
from rankscope.study.taus import tau_b
from rankscope.tables import Table

__all__ = ["Sensitivity", "sensitivity"]

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Sensitivity(Finding):
    """The measures by how surely they tell two systems apart, the surest first."""

    measures: tuple[Measure, ...]
    systems: tuple[str, str]
    p_values: FloatArray
    """Two-sided, of the paired t-test; NaN for fewer than two queries."""
    queries: tuple[int, ...]
    """On how many queries both systems have a value."""
    order: tuple[tuple[str, ...], ...]
    """The order of preference that it is held against."""
    tau_b: float
    """Its rank correlation with the order of preference; NaN if there is none to speak of."""
    notes: tuple[str, ...] = ()
    analysis: str = "sensitivity"

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(str(measure) for measure in self.measures)

    def lines(self) -> list[str]:
        order = " > ".join(step[0] if len(step) == 1 else f"{{{', '.join(step)}}}" for step in self.order)
        return [f"preference: {order}", f"Kendall's tau-b of the two orders: {shown(self.tau_b, 4)}"]

    def sheets(self, digits: int = 4) -> list[Sheet]:
        steps = _steps(self.order)
        rows = [
            [name, shown(float(p), digits), str(count), str(steps[name] + 1)]
            for name, p, count in zip(self.names, self.p_values, self.queries, strict=True)
        ]
        title = f"paired t-test of {self.systems[0]} and {self.systems[1]}, the most sensitive measure first"
        return [Sheet(title, Table(("measure", "p", "queries", "place in preference"), rows))]

    def records(self) -> Iterator[Record]:
        steps = _steps(self.order)
        for name, p, count in zip(self.names, self.p_values.tolist(), self.queries, strict=True):
            yield {"measure": name, "p": p, "queries": count, "preference": steps[name] + 1}

    def to_dict(self) -> dict[str, Any]:
        return {
            "analysis": self.analysis,
            "systems": list(self.systems),
            "p_values": dict(zip(self.names, plain(self.p_values), strict=True)),
            "queries": dict(zip(self.names, self.queries, strict=True)),
            "preference": [list(step) for step in self.order],
            "tau_b": plain(self.tau_b),
            "notes": list(self.notes),
        }


def sensitivity(
    result: Result,
    systems: tuple[str, str] | None = None,
    *,
    order: Degrees | Sequence[str] | None = None,
) -> Sensitivity:
    """The measures of a result in order of the p-value of the paired t-test of two of its systems.

    `systems` are the names of two runs; they need not be named if there are no others. `order` is the order
    of preference to hold it against: what `study` found, or a list of measures, the best first. Without it,
    it is that over the systems of the result themselves.

    >>> import rankscope
    >>> truth = {f"q{n}": ["a", "b"] for n in range(6)}
    >>> good = {q: ["a", "b"] for q in truth}
    >>> bad = {q: ["x", "a", "y", "b"][n % 2 :] for n, q in enumerate(truth)}
    >>> result = rankscope.evaluate(truth, {"good": good, "bad": bad}, "AP, RR")
    >>> found = sensitivity(result, order=["AP", "RR"])
    >>> found.names, found.tau_b
    (('AP', 'RR'), 1.0)
    """
    panel = panel_of(result, queries=2)
    a, b = _two(panel, systems)
    found = [_tested(table[a], table[b]) for table in panel.values]
    steps = _order(result, panel, order)
    place = _steps(steps)
    p_values = np.array([p for p, _ in found])
    by_p = np.argsort(p_values, kind="stable")
    known = ~np.isnan(p_values)
    positions = np.array([place[name] for name in panel.names], np.float64)
    return Sensitivity(
        measures=tuple(panel.measures[n] for n in by_p),
        systems=(panel.systems[a], panel.systems[b]),
        p_values=p_values[by_p],
        queries=tuple(found[n][1] for n in by_p),
        order=steps,
        tau_b=tau_b(p_values[known], positions[known]),
        notes=panel.notes,
    )


def _two(panel: Panel, systems: tuple[str, str] | None) -> tuple[int, int]:
    if systems is None:
        if len(panel.systems) == 2:
            return 0, 1
        raise refused(
            f"{len(panel.systems)} systems, and two are compared",
            f"systems= the names of two of {', '.join(panel.systems)}",
            hint=f"--pair {panel.systems[0]},{panel.systems[1]} on the command line",
        )
    chosen = [printable(str(name)) for name in listed("systems", systems)]
    unknown = [name for name in chosen if name not in panel.systems]
    if unknown or len(chosen) != 2 or chosen[0] == chosen[1]:
        raise refused(
            f"no system {', '.join(unknown)}" if unknown else f"{', '.join(chosen)}: not two systems",
            f"the names of two of {', '.join(panel.systems)}",
        )
    return panel.systems.index(chosen[0]), panel.systems.index(chosen[1])


def _tested(one: FloatArray, other: FloatArray) -> tuple[float, int]:
    both = ~(np.isnan(one) | np.isnan(other))
    return t_p(settled_difference(one[both], other[both])), int(np.count_nonzero(both))


def _order(
    result: Result, panel: Panel, order: Degrees | Sequence[str] | None
) -> tuple[tuple[str, ...], ...]:
    """The order of preference of the panel's own measures."""
    if order is None and len(panel.measures) > 1:
        order = degrees_of_systems(result, None, by="query")
    if isinstance(order, Degrees):
        steps = order.preference.steps
    else:
        steps = tuple((str(parse(name)),) for name in order or panel.names)
    own = tuple(tuple(name for name in step if name in panel.names) for step in steps)
    lacking = set(panel.names).difference(*own)
    if lacking:
        raise refused(
            f"the order of preference lacks {', '.join(sorted(lacking))}", "every measure of the result in it"
        )
    return tuple(step for step in own if step)


def _steps(order: Sequence[Sequence[str]]) -> dict[str, int]:
    return {name: number for number, step in enumerate(order) for name in step}
