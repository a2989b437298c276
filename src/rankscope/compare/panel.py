"""Values of several runs on the queries they share, and the pairs of runs to be compared there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = [
    "SLACK",
    "Pairing",
    "Panel",
    "exponent_of",
    "joint_panel",
    "panels_of",
    "settled_difference",
    "stacked",
]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

SLACK = 1e-12
"""Numbers that differ by no more than this, relative to their size, are taken for equal: sums of the same
values in another order would be, too."""

Pairing = tuple[int, int]
"""The rows of a baseline and of the run that is compared with it."""


@dataclass(frozen=True, eq=False)
class Panel:
    """Runs and queries without a gap: every run has a value for every query.

    >>> panel = Panel(np.array([[0.1, 0.2], [0.4, 0.2]]), np.arange(2), [(0, 1)], [0])
    >>> panel.differences((0, 1)).tolist()
    [0.30000000000000004, 0.0]
    """

    values: FloatArray
    """Runs x queries."""
    queries: IntArray
    """The number of each column's query."""
    pairs: Sequence[Pairing]
    places: Sequence[int]
    """Where each of `pairs` stands among all pairs of the comparison."""

    @property
    def size(self) -> int:
        """How many queries there are."""
        return len(self.queries)

    def differences(self, pair: Pairing) -> FloatArray:
        """Run less baseline, for each query; what differs by rounding alone is 0."""
        baseline, run = pair
        return settled_difference(self.values[baseline], self.values[run])


def settled_difference(baseline: FloatArray, run: FloatArray) -> FloatArray:
    """Run less baseline, where a difference that rounding explains is 0.

    >>> settled_difference(np.array([0.3]), np.array([0.1 + 0.2])).tolist()
    [0.0]
    """
    found = run - baseline
    found[np.abs(found) <= SLACK * np.maximum(np.abs(baseline), np.abs(run))] = 0.0
    return found


def panels_of(values: FloatArray, pairs: Sequence[Pairing]) -> Iterator[Panel]:
    """A panel for each set of queries that some pairs have in common; mostly there is one.

    Queries without a value for both runs of a pair are left out for that pair only.
    """
    defined = np.isfinite(values)
    alike: dict[bytes, list[int]] = {}
    for place, (baseline, run) in enumerate(pairs):
        alike.setdefault((defined[baseline] & defined[run]).tobytes(), []).append(place)
    for mask, places in alike.items():
        queries = np.flatnonzero(np.frombuffer(mask, np.bool_))
        rows = sorted({row for place in places for row in pairs[place]})
        row_of = {row: n for n, row in enumerate(rows)}
        own = [(row_of[pairs[place][0]], row_of[pairs[place][1]]) for place in places]
        yield Panel(np.ascontiguousarray(values[rows][:, queries]), queries, own, places)


def joint_panel(values: FloatArray, pairs: Sequence[Pairing]) -> Panel:
    """All runs on the queries for which every one of them has a value."""
    queries = np.flatnonzero(np.isfinite(values).all(axis=0))
    return Panel(np.ascontiguousarray(values[:, queries]), queries, pairs, range(len(pairs)))


def stacked(panels: Sequence[Panel]) -> tuple[Panel, IntArray]:
    """Panels over equally many queries as one, so that they share what is drawn for them.

    The values of each panel are divided by a power of two, so that all panels are equally large: no value is
    rounded, and each panel fares as it would alone. Beside it, the exponent of that power for each pair.
    """
    tables, pairs, exponents, rows = [], [], [], 0
    for panel in panels:
        exponent = exponent_of(panel.values)
        tables.append(np.ldexp(panel.values, -exponent))
        pairs += [(rows + baseline, rows + run) for baseline, run in panel.pairs]
        exponents += [exponent] * len(panel.pairs)
        rows += len(panel.values)
    whole = Panel(np.concatenate(tables), panels[0].queries, pairs, range(len(pairs)))
    return whole, np.array(exponents)


def exponent_of(values: FloatArray) -> int:
    """The least power of two that no sum of as many values as there are queries reaches; 0 if all are 0.

    >>> exponent_of(np.array([[0.5, 0.75], [0.25, 1.0]]))
    2
    """
    # One factor after the other: their product may be too large for a float.
    fraction, largest = np.frexp(np.max(np.abs(values), initial=0.0))
    _, size = np.frexp(fraction * values.shape[1])
    return int(largest + size)
