"""Do measures put systems in the same order? Kendall's tau-b, and tau-AP, which counts the top for more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rankscope.align.pairs import smaller_after
from rankscope.measures import Measure
from rankscope.measures.segments import IntArray
from rankscope.result import Result
from rankscope.study.counts import joint
from rankscope.study.levels import levels_of
from rankscope.study.requests import refused
from rankscope.study.sheets import Finding, Record, Sheet, matrix_sheet, plain
from rankscope.study.systems import panel_of, signs
from rankscope.tables import Table

if TYPE_CHECKING:
    from rankscope.plots import Chart

__all__ = ["Agreement", "agreement", "tau_ap", "tau_b"]

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Agreement(Finding):
    """How alike the orders of the systems are that measures give."""

    measures: tuple[Measure, ...]
    systems: tuple[str, ...]
    tau_b: FloatArray
    tau_ap: FloatArray
    """The order of the column's measure, seen from that of the row's."""
    ranks: FloatArray
    """Measure x system; 1 is the best, ties share the mean of their ranks."""
    notes: tuple[str, ...] = ()
    analysis: str = "agreement"

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(str(measure) for measure in self.measures)

    def sheets(self, digits: int = 4) -> list[Sheet]:
        ranks = [
            [name, *(f"{rank:g}" for rank in row)]
            for name, row in zip(self.systems, self.ranks.T.tolist(), strict=True)
        ]
        return [
            matrix_sheet("Kendall's tau-b of the orders of systems", "tau-b", self.names, self.tau_b, digits),
            matrix_sheet("tau-AP, the row is the reference", "tau-AP", self.names, self.tau_ap, digits),
            Sheet("ranks of the systems", Table(("system", *self.names), ranks)),
        ]

    def records(self) -> Iterator[Record]:
        for row, f in enumerate(self.names):
            for column, g in enumerate(self.names):
                if row != column:
                    values = {"tau_b": self.tau_b[row, column], "tau_ap": self.tau_ap[row, column]}
                    yield {"f": f, "g": g, **{name: float(value) for name, value in values.items()}}

    def to_dict(self) -> dict[str, Any]:
        ranks = {
            name: dict(zip(self.systems, row, strict=True))
            for name, row in zip(self.names, self.ranks.tolist(), strict=True)
        }
        return {
            "analysis": self.analysis,
            "measures": list(self.names),
            "systems": list(self.systems),
            "tau_b": plain(self.tau_b),
            "tau_ap": plain(self.tau_ap),
            "ranks": plain(ranks),
            "notes": list(self.notes),
        }

    def charts(self) -> dict[str, Chart]:
        from rankscope.plots import heatmap

        return {
            "agreement-tau-b": heatmap(
                self.tau_b, self.names, title="Kendall's tau-b of the orders of systems"
            ),
            "agreement-tau-ap": heatmap(self.tau_ap, self.names, title="tau-AP, the row is the reference"),
        }


def agreement(result: Result) -> Agreement:
    """How alike the orders are that the measures of a result put its systems in.

    >>> import rankscope
    >>> runs = {"one": {"q": ["a", "b"]}, "two": {"q": ["x", "a"]}, "three": {"q": ["x", "y"]}}
    >>> agreement(rankscope.evaluate({"q": ["a", "b"]}, runs, "P@1, RR")).tau_b.round(3).tolist()
    [[1.0, 0.816], [0.816, 1.0]]
    """
    panel = panel_of(result)
    b, ap = (
        np.array([[tau(reference, other) for other in panel.means] for reference in panel.means])
        for tau in (tau_b, tau_ap)
    )
    ranks = np.array([[_rank(one, row) for one in row] for row in panel.means])
    return Agreement(panel.measures, panel.systems, b, ap, ranks, panel.notes)


def tau_b(reference: npt.ArrayLike, scores: npt.ArrayLike) -> float:
    """Kendall's tau-b of two lists of scores; scores that agree to 12 digits are tied.

    >>> tau_b([4, 3, 2, 1], [4, 2, 3, 1])
    0.6666666666666666
    """
    truth, found = _scores(reference, scores)
    return joint(levels_of(truth), levels_of(found)).counts.tau_b


def tau_ap(reference: npt.ArrayLike, scores: npt.ArrayLike) -> float:
    """The rank correlation of Yilmaz, Aslam and Robertson (SIGIR 2008): exchanges at the top cost more.

    It walks down the order of `scores`: at each item below the first, what share of those above it has the
    `reference` above it, too? Twice the mean of these shares, less 1. It is not symmetric. Of tied scores it
    is the mean over all their orders; two items that the reference ties count one half.

    >>> tau_ap([4, 3, 2, 1], [4, 3, 1, 2]), round(tau_ap([4, 3, 2, 1], [3, 4, 2, 1]), 4)
    (0.7777777777777777, 0.3333)
    """
    truth, found = _scores(reference, scores)
    if len(found) < 2 or not np.isfinite(found + truth).all():
        return np.nan
    t, f = (levels_of(values).level.astype(np.int64) for values in (truth, found))
    best_first = np.lexsort((-t, f))[::-1]
    t, f = t[best_first], f[best_first]
    place, above = np.arange(len(f)), np.searchsorted(-f, -f)
    group = np.cumsum(place == above) - 1
    size = np.bincount(group)[group]
    right, right_mates = _rightly_above(t, f)
    # An item is as likely on each place of its group, with so many of its mates above it as places are; on
    # the first place of all there is nothing above it.
    below = np.maximum(place, 1)
    certain = np.bincount(group, (place > 0) / below)[group]
    possible = np.bincount(group, (place - above) / below)[group]
    shares = (right * certain + right_mates / np.maximum(1, size - 1) * possible) / size
    return float(2 * shares.sum() / (len(f) - 1) - 1)


def _rightly_above(t: IntArray, f: IntArray) -> tuple[FloatArray, FloatArray]:
    """How many items with a higher score the truth has above each one, and how many with the same score.

    The items go from the highest score f to the lowest, tied ones from the lowest t to the highest; one that
    is equal in truth counts one half.
    """
    n = len(f)
    better_above = smaller_after(-t[::-1].astype(np.float64), np.array([0, n]))[::-1]
    by_truth, by_score = np.sort(t * n + f), np.sort(f * n + t)
    equal_above = _between(by_truth, t * n + f, t * n + n - 1)
    better_mates = _between(by_score, f * n + t, f * n + n - 1)
    equal_mates = _between(by_score, f * n + t - 1, f * n + t) - 1
    return better_above + equal_above / 2, better_mates + equal_mates / 2


def _between(ascending: IntArray, above: IntArray, up_to: IntArray) -> IntArray:
    """How many values lie above the one bound and not above the other."""
    counts: IntArray = np.searchsorted(ascending, up_to, "right") - np.searchsorted(ascending, above, "right")
    return counts


def _scores(reference: npt.ArrayLike, scores: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    try:
        both = np.asarray(reference, np.float64), np.asarray(scores, np.float64)
    except (TypeError, ValueError) as error:
        raise refused("scores that are not numbers", "two lists of numbers") from error
    if both[0].ndim != 1 or both[0].shape != both[1].shape:
        raise refused(
            f"scores of the shapes {both[0].shape} and {both[1].shape}", "two lists of the same length"
        )
    return both


def _rank(one: float, row: FloatArray) -> float:
    """The rank of a value among all; ties share the mean of theirs."""
    if np.isnan(one):
        return np.nan
    seen = signs(row, np.full(len(row), one))
    known = ~np.isnan(row)
    return 1 + float(np.count_nonzero(seen > 0)) + (np.count_nonzero((seen == 0) & known) - 1) / 2
