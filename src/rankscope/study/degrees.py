"""Degrees of consistency and discriminancy of every pair of measures, and the order of preference.

C of two measures is the share of pairs of lists on which they agree, of those that both tell apart; D of f
over g is the number of pairs that only f tells apart, for each that only g does. f is better than g if
C > 1/2 and D > 1 (Ling, Huang and Zhang, IJCAI 2003; Huang and Ling, 2005).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from rankscope.measures import Measure
from rankscope.study.counts import PairCounts
from rankscope.study.intervals import Intervals
from rankscope.study.preference import Preference, preference
from rankscope.study.sheets import Finding, Record, Sheet, matrix_sheet, plain, shown
from rankscope.tables import Table

if TYPE_CHECKING:
    from rankscope.plots import Chart

__all__ = ["Degrees"]

FloatArray = npt.NDArray[np.float64]
Pair = tuple[str, str]


@dataclass(frozen=True, eq=False, repr=False)
class Degrees(Finding):
    """What `study` found: ``degrees.counts["ED", "MD"]`` has R, S, P and Q of two measures.

    >>> from rankscope.study import ClassSizes, study
    >>> degrees = study(["AP", "RR"], over=ClassSizes(2, 2))
    >>> degrees.counts["AP", "RR"]
    PairCounts(agree=11, disagree=0, only_f=4, only_g=0, both_tie=0)
    >>> print(degrees.preference)
    AP > RR
    """

    measures: tuple[Measure, ...]
    over: str
    """Where the lists come from, in words."""
    lists: int
    """How many lists there are, or how many were drawn."""
    counts: Mapping[Pair, PairCounts]
    """For every ordered pair of different measures."""
    kind: Literal["exact", "weighted", "sample", "systems"] = "exact"
    distinct: Mapping[str, int] = field(default_factory=dict)
    """How many different values each measure has."""
    gaps: Mapping[str, float] = field(default_factory=dict)
    """The smallest distance of two values that count as different, as a share of the bigger one."""
    intervals: Mapping[Pair, Intervals] = field(default_factory=dict)
    """Of a sample only: confidence intervals of C and log D."""
    confidence: float = 0.95
    notes: tuple[str, ...] = ()
    analysis: str = "degrees"

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(str(measure) for measure in self.measures)

    @cached_property
    def consistency(self) -> FloatArray:
        """C of each measure with each other."""
        return self._matrix(lambda counts: counts.consistency)

    @cached_property
    def discriminancy(self) -> FloatArray:
        """D of the measure of the row over that of the column."""
        return self._matrix(lambda counts: counts.discriminancy)

    def _matrix(self, degree: Callable[[PairCounts], float]) -> FloatArray:
        matrix = np.ones((len(self.names), len(self.names)))
        for row, f in enumerate(self.names):
            for column, g in enumerate(self.names):
                if f != g:
                    matrix[row, column] = degree(self.counts[f, g])
        return matrix

    @cached_property
    def preference(self) -> Preference:
        """The measures from the best to the worst; circles are found and named."""
        return preference({f: [g for g in self.names if self._is_better(f, g)] for f in self.names})

    def _is_better(self, f: str, g: str) -> bool:
        if f == g:
            return False
        counts = self.counts[f, g]
        return counts.consistency > 0.5 and counts.discriminancy > 1

    def lines(self) -> list[str]:
        order = f"preference: {self.preference}"
        circles = [f"{', '.join(cycle)} are better in a circle" for cycle in self.preference.cycles]
        return [order, *circles]

    def sheets(self, digits: int = 4) -> list[Sheet]:
        found = [
            matrix_sheet(f"C, consistency ({self.over})", "C", self.names, self.consistency, digits),
            matrix_sheet("D, discriminancy of row over column", "D", self.names, self.discriminancy, digits),
        ]
        if self.intervals:
            found.append(self._interval_sheet(digits))
        if self.distinct:
            rows = [[name, str(self.distinct[name]), f"{self.gaps[name]:.2g}"] for name in self.names]
            found.append(Sheet("distinct values", Table(("measure", "values", "smallest gap"), rows)))
        return found

    def _interval_sheet(self, digits: int) -> Sheet:
        header = ("f", "g", "C", "low", "high", "log D", "low", "high")
        rows = [
            [f, g, *(shown(value, digits) for value in self._interval_row(f, g))]
            for f, g in self._each_pair()
        ]
        return Sheet(f"{self.confidence:.0%} confidence intervals", Table(header, rows, words=2))

    def _interval_row(self, f: str, g: str) -> list[float]:
        counts, found = self.counts[f, g], self.intervals[f, g]
        with np.errstate(divide="ignore"):
            log_d = float(np.log(counts.discriminancy))
        c, d = found.consistency, found.log_discriminancy
        return [counts.consistency, c.low, c.high, log_d, d.low, d.high]

    def _each_pair(self) -> Iterator[Pair]:
        """Each two measures once, in the order given."""
        for number, f in enumerate(self.names):
            for g in self.names[number + 1 :]:
                yield f, g

    def records(self) -> Iterator[Record]:
        for (f, g), counts in self.counts.items():
            row: dict[str, str | float] = {
                "f": f,
                "g": g,
                "consistency": counts.consistency,
                "discriminancy": counts.discriminancy,
                "R": counts.agree,
                "S": counts.disagree,
                "P": counts.only_f,
                "Q": counts.only_g,
                "both_tie": counts.both_tie,
            }
            if self.intervals:
                _, row["C_low"], row["C_high"], _, row["log_D_low"], row["log_D_high"] = self._interval_row(
                    f, g
                )
            yield row

    def to_dict(self) -> dict[str, Any]:
        return {
            "analysis": self.analysis,
            "over": self.over,
            "kind": self.kind,
            "lists": self.lists,
            "measures": list(self.names),
            "pairs": [plain(dict(record)) for record in self.records()],
            "preference": [list(step) for step in self.preference.steps],
            "cycles": [list(cycle) for cycle in self.preference.cycles],
            "distinct_values": dict(self.distinct),
            "smallest_gap": plain(dict(self.gaps)),
            **({"confidence": self.confidence} if self.intervals else {}),
            "notes": list(self.notes),
        }

    def charts(self) -> dict[str, Chart]:
        from rankscope.plots import heatmap

        with np.errstate(divide="ignore"):
            log_d = np.log10(self.discriminancy)
        open_cells = "" if np.isfinite(log_d).all() else " (empty: infinite)"
        return {
            f"{self.analysis}-consistency": heatmap(
                self.consistency, self.names, title=f"Consistency, {self.over}", value_range=(0, 1)
            ),
            f"{self.analysis}-discriminancy": heatmap(
                log_d, self.names, title=f"log10 of D of row over column{open_cells}, {self.over}"
            ),
        }


def both_ways(measures: Sequence[Measure], found: Mapping[Pair, PairCounts]) -> dict[Pair, PairCounts]:
    """The counts of every ordered pair, from those of each two measures once."""
    names = [str(measure) for measure in measures]
    return {
        (f, g): found[f, g] if (f, g) in found else found[g, f].turned()
        for f in names
        for g in names
        if f != g
    }
