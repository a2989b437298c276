"""What is shown of measured rankings of classes: tables, plain data and curves."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rankscope.classes.coefficient import ClassRanking
from rankscope.classes.labels import shown
from rankscope.classes.significance import PValue

if TYPE_CHECKING:
    from rankscope.plots import Series

__all__ = ["Report", "Varied"]

Rows = list[Sequence[object]]
TOP = 10
SOME_K = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 30, 50, 100, 200, 500, 1000, 10_000, 100_000)
"""Where the curves are listed unless all of them are asked for."""
MOST_CURVES = 8
"""How many pairs and positions an explanation has."""


@dataclass(frozen=True)
class Report:
    """Measured rankings by name, and how their p-values are found (None: not at all)."""

    rankings: Mapping[str, ClassRanking]
    p_value: Callable[[ClassRanking], PValue] | None
    completes: bool = False
    """Whether what is not known counts, in any order: as a measure of runs."""

    def value_of(self, ranking: ClassRanking) -> float:
        return ranking.completed if self.completes else ranking.value

    def rows(self) -> Rows:
        """A line for each ranking."""
        significant = [] if self.p_value is None else ["p"]
        known = ["ClasSi@n"] if self.completes else []
        rows: Rows = [("ranking", "ClasSi", *known, *significant, "cost", "worst cost", "n", "items")]
        for name, ranking in self.rankings.items():
            values = [self.value_of(ranking), *([ranking.value] if self.completes else [])]
            p = [] if self.p_value is None else [self.p_value(ranking).value]
            rows.append((shown(name), *values, *p, *_amounts(ranking), len(ranking), ranking.size))
        if len(self.rankings) > 1 and self.p_value is None:
            rows.append(("mean", self.mean, *[None] * (len(rows[0]) - 2)))
        return rows

    @property
    def mean(self) -> float:
        """The mean of the values that are defined."""
        values = [v for v in map(self.value_of, self.rankings.values()) if not math.isnan(v)]
        return math.fsum(values) / len(values) if values else math.nan

    def curve_rows(self) -> Rows:
        """A line for each position of each ranking."""
        rows: Rows = [("ranking", "k", "ClasSi", "expected", "cost", "worst cost")]
        for name, ranking in self.rankings.items():
            columns = (ranking.curve, ranking.expected, ranking.cost, ranking.worst_cost)
            lines = zip(*(column.tolist() for column in columns), strict=True)
            rows += [(shown(name), k, *line) for k, line in enumerate(lines, 1)]
        return rows

    def side_by_side(self) -> Rows | None:
        """ClasSi at some k of each ranking; None for runs, and for more rankings than fit side by side."""
        if self.completes or not 0 < len(self.rankings) <= MOST_CURVES:
            return None
        longest = max(len(ranking) for ranking in self.rankings.values())
        if not longest:
            return None
        rows: Rows = [("k", *map(shown, self.rankings))]
        for k in [*(k for k in SOME_K if k < longest), longest]:
            values = [float(r.curve[k - 1]) if k <= len(r) else None for r in self.rankings.values()]
            rows.append((str(k), *values))
        return rows

    def pair_rows(self) -> Rows:
        """The pairs of classes that cost each ranking most."""
        rows: Rows = [("ranking", "ahead", "behind", "pairs", "each", "cost", "share")]
        for name, ranking in self.rankings.items():
            for pair in ranking.pairs(TOP):
                words = (shown(name), shown(pair.ahead), shown(pair.behind))
                rows.append((*words, pair.count, pair.cost, pair.total, _share(pair.total, ranking)))
        return rows

    def position_rows(self) -> Rows:
        """The positions that cost each ranking most."""
        rows: Rows = [("ranking", "label", "position", "cost", "share")]
        for name, ranking in self.rankings.items():
            costs = ranking.position_costs
            for place in np.argsort(-costs, kind="stable")[:TOP].tolist():
                if costs[place] > 0:
                    cost, label = float(costs[place]), ranking.classes[int(ranking.codes[place])]
                    rows.append((shown(name), shown(label), place + 1, cost, _share(cost, ranking)))
        return rows

    def content(self, *, curve: bool, explain: bool) -> dict[str, Any]:
        """The same as plain data; None stands for what is not defined."""
        return {
            "rankings": [
                {
                    "name": name,
                    "classi": _defined(self.value_of(ranking)),
                    **({"classi_of_measured": _defined(ranking.value)} if self.completes else {}),
                    **self._significance(ranking),
                    **dict(zip(("cost", "worst_cost"), _amounts(ranking), strict=True)),
                    "measured": len(ranking),
                    "items": ranking.size,
                    **(_curves(ranking) if curve else {}),
                    **(_explanation(ranking) if explain else {}),
                }
                for name, ranking in self.rankings.items()
            ],
            "mean": _defined(self.mean),
        }

    def _significance(self, ranking: ClassRanking) -> dict[str, Any]:
        if self.p_value is None:
            return {}
        found = self.p_value(ranking)
        return {
            "p_value": _defined(found.value),
            "p_method": found.method,
            "p_alternative": found.alternative,
        }

    def series(self) -> Iterator[Series]:
        """The curves of all rankings, between the best and the worst case, and what luck would give."""
        from rankscope.plots import Series

        longest = max(len(ranking) for ranking in self.rankings.values())
        ends = [1, max(longest, 1)]
        yield Series("best case", ends, [1, 1], reference="best")
        yield Series("worst case", ends, [-1, -1], reference="worst")
        baselines: dict[bytes, str] = {}
        for name, ranking in self.rankings.items():
            if len(ranking):
                baselines.setdefault(ranking.expected.tobytes(), name)
        for name, ranking in self.rankings.items():
            if name in baselines.values():
                luck = "expected" if len(baselines) == 1 else f"expected, {name}"
                yield Series(luck, _positions(ranking), ranking.expected, reference="expected")
        for name, ranking in self.rankings.items():
            if len(ranking):
                yield Series(name, _positions(ranking), ranking.curve)


@dataclass(frozen=True)
class Varied:
    """The values of rankings while one distance takes others."""

    start: str
    end: str
    distances: Sequence[float]
    values: Mapping[str, Sequence[float]]

    def rows(self) -> Rows:
        header = (f"d({shown(self.start)}, {shown(self.end)})", *map(shown, self.values))
        return [header, *zip(self.distances, *self.values.values(), strict=True)]

    def content(self) -> dict[str, Any]:
        values = {name: [_defined(v) for v in column] for name, column in self.values.items()}
        return {"from": self.start, "to": self.end, "distances": list(self.distances), "classi": values}

    def series(self) -> Iterator[Series]:
        from rankscope.plots import Series

        for name, column in self.values.items():
            yield Series(name, self.distances, column)


def _positions(ranking: ClassRanking) -> list[int]:
    return list(range(1, len(ranking) + 1))


def _amounts(ranking: ClassRanking) -> tuple[float, float]:
    """What the ranking costs, and what the worst one does."""
    if not len(ranking):
        return 0.0, 0.0
    return float(ranking.cost[-1]), float(ranking.worst_cost[-1])


def _share(cost: float, ranking: ClassRanking) -> float:
    return cost / float(ranking.cost[-1])


def _defined(value: float) -> float | None:
    return None if math.isnan(value) else value


def _curves(ranking: ClassRanking) -> dict[str, Any]:
    return {
        "curve": [_defined(v) for v in ranking.curve.tolist()],
        "expected": [_defined(v) for v in ranking.expected.tolist()],
        "costs": ranking.cost.tolist(),
        "worst_costs": ranking.worst_cost.tolist(),
    }


def _explanation(ranking: ClassRanking) -> dict[str, Any]:
    return {
        "pairs": [
            {"ahead": p.ahead, "behind": p.behind, "count": p.count, "each": p.cost, "cost": p.total}
            for p in ranking.pairs(TOP)
        ],
        "position_costs": ranking.position_costs.tolist(),
    }
