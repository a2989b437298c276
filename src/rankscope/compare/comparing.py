"""From values per query to a comparison."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
import numpy.typing as npt

from rankscope.compare.anova import Anova, hsd_p
from rankscope.compare.comparison import Comparison, Pair, Verdict
from rankscope.compare.corrections import corrected
from rankscope.compare.intervals import Interval, bca_intervals, t_interval
from rankscope.compare.paired import sign_p, t_p, wilcoxon_p
from rankscope.compare.panel import SLACK, Pairing, Panel, joint_panel, panels_of
from rankscope.compare.power import queries_needed
from rankscope.compare.resample import Crew, Extremes, bootstrap_extremes, flip_extremes, shuffle_extremes
from rankscope.compare.risk import risk_of
from rankscope.compare.settings import Settings
from rankscope.errors import InputError, nearest, printable
from rankscope.measures.base import Measure
from rankscope.result import Result

__all__ = ["compare_result"]

FloatArray = npt.NDArray[np.float64]

_BY_PAIR = {"t": t_p, "wilcoxon": wilcoxon_p, "sign": sign_p}
_BY_DRAWS = {"fisher": flip_extremes, "bootstrap": bootstrap_extremes, "tukey": shuffle_extremes}

# Draws from one query are all alike.
_LEAST = {"fisher": 1, "sign": 1, "wilcoxon": 1}


def compare_result(result: Result, settings: Settings, baseline: str | None, crew: Crew) -> Comparison:
    """The comparison of the runs of a result, and of each of its groups of queries."""
    names = list(result.runs)
    if len(names) < 2:
        raise InputError(
            f"one run, '{printable(names[0])}', cannot be compared",
            code="one-run",
            expected="at least two runs",
            hint="evaluate, to measure one run",
        )
    pairs = _pairs(names, baseline)
    crew.stages = (1 + len(result.groups)) * len(result.measures) * (2 if settings.interval == "bca" else 1)
    groups = {
        name: _compared(group, settings, baseline, pairs, crew) for name, group in result.groups.items()
    }
    whole = _compared(result, settings, baseline, pairs, crew)
    return Comparison(
        result=result,
        baseline=baseline,
        pairs=whole.pairs,
        settings=settings,
        own_notes=whole.own_notes,
        anova=whole.anova,
        groups=groups,
    )


def _pairs(names: Sequence[str], baseline: str | None) -> list[Pairing]:
    if baseline is None:
        return list(combinations(range(len(names)), 2))
    if baseline not in names:
        close = nearest(baseline, names, count=1)
        raise InputError(
            f"the baseline '{printable(baseline)}' is none of the runs",
            code="no-baseline",
            expected=f"one of {', '.join(map(printable, names))}",
            hint=f"did you mean {printable(close[0])}?" if close else "",
        )
    first = names.index(baseline)
    return [(first, other) for other in range(len(names)) if other != first]


def _compared(
    result: Result, settings: Settings, baseline: str | None, pairs: Sequence[Pairing], crew: Crew
) -> Comparison:
    frame = Comparison(result=result, baseline=baseline, pairs=(), settings=settings)
    columns = [_Column.of(frame, measure, pairs, crew) for measure in result.measures]
    return Comparison(
        result=result,
        baseline=baseline,
        pairs=tuple(pair for column in columns for pair in column.found()),
        settings=settings,
        own_notes=tuple(_notes(columns, settings)),
        anova={str(column.measure): column.anova for column in columns if column.anova is not None},
    )


@dataclass
class _Column:
    """The comparisons by one measure."""

    measure: Measure
    runs: Sequence[str]
    pairs: Sequence[Pairing]
    settings: Settings
    panels: Sequence[Panel]
    queries: int
    """Those for which any run has a value."""
    p: FloatArray
    draws: npt.NDArray[np.int64]
    ends: list[Interval]
    anova: Anova | None = field(default=None)

    @classmethod
    def of(cls, frame: Comparison, measure: Measure, pairs: Sequence[Pairing], crew: Crew) -> _Column:
        values, settings = frame.values(measure), frame.settings
        panels = [joint_panel(values, pairs)] if settings.is_joint else list(panels_of(values, pairs))
        column = cls(
            measure,
            frame.runs,
            pairs,
            settings,
            panels,
            int(np.count_nonzero(np.isfinite(values).any(axis=0))),
            np.full(len(pairs), math.nan),
            np.zeros(len(pairs), np.int64),
            [(math.nan, math.nan)] * len(pairs),
        )
        for panel in panels:
            column._test(panel, crew)
            column._enclose(panel, crew)
        return column

    def _test(self, panel: Panel, crew: Crew) -> None:
        test, places = self.settings.test, list(panel.places)
        if panel.size < _LEAST.get(test, 2):
            return
        if test in _BY_PAIR:
            self.p[places] = [_BY_PAIR[test](panel.differences(pair)) for pair in panel.pairs]
        elif test == "anova":
            self.p[places], self.anova = hsd_p(panel)
        else:
            extremes: Extremes = _BY_DRAWS[test](panel, self.settings.resamples, self.settings.seed, crew)
            self.p[places], self.draws[places] = extremes.p, extremes.draws

    def _enclose(self, panel: Panel, crew: Crew) -> None:
        level, kind = self.settings.level, self.settings.interval
        if kind == "none":
            return
        if kind == "t":
            found = [t_interval(panel.differences(pair), level) for pair in panel.pairs]
        else:
            draws, seed = self.settings.interval_resamples, self.settings.seed
            found = bca_intervals(panel, level, draws, seed, crew)
        for place, ends in zip(panel.places, found, strict=True):
            self.ends[place] = ends

    def found(self) -> list[Pair]:
        """The pairs, in the order of the comparison."""
        adjusted = corrected(self.p, self.settings.correction)
        found: dict[int, Pair] = {}
        for panel in self.panels:
            means = [_mean(row) for row in panel.values]
            for place, rows in zip(panel.places, panel.pairs, strict=True):
                there, here = (means[row] for row in rows)
                found[place] = self._pair(place, panel.differences(rows), there, here, float(adjusted[place]))
        return [found[place] for place in range(len(self.pairs))]

    def _pair(self, place: int, differences: FloatArray, there: float, here: float, adjusted: float) -> Pair:
        difference, sign = _mean(differences), 1 if self.measure.better == "higher" else -1
        gains = sign * differences
        risk = risk_of(gains, self.settings.risk)
        baseline, run = self.pairs[place]
        effect, power = _effect(differences, difference), self.settings.power
        return Pair(
            measure=str(self.measure),
            run=self.runs[run],
            baseline=self.runs[baseline],
            queries=len(differences),
            mean=here,
            baseline_mean=there,
            difference=difference,
            relative=difference / abs(there) if there else math.nan,
            low=self.ends[place][0],
            high=self.ends[place][1],
            effect=effect,
            won=int(np.count_nonzero(gains > 0)),
            tied=int(np.count_nonzero(gains == 0)),
            lost=int(np.count_nonzero(gains < 0)),
            robustness=risk.robustness,
            urisk=risk.urisk,
            trisk=risk.trisk,
            p=float(self.p[place]),
            corrected=adjusted,
            verdict=self._verdict(adjusted, sign * difference, risk.robustness),
            draws=int(self.draws[place]),
            needed=None if power is None else queries_needed(effect, alpha=self.settings.alpha, power=power),
        )

    def _verdict(self, adjusted: float, gain: float, robustness: float) -> Verdict:
        # These two tests are not about the mean, which may point the other way.
        contradicts = self.settings.test in ("sign", "wilcoxon") and gain * robustness <= 0
        if not adjusted <= self.settings.alpha or gain == 0 or contradicts:
            return "undecided"
        return "better" if gain > 0 else "worse"


def _mean(values: FloatArray) -> float:
    return float(np.mean(values)) if len(values) else math.nan


def _effect(differences: FloatArray, mean: float) -> float:
    if len(differences) < 2:
        return math.nan
    deviation = float(np.std(differences, ddof=1))
    return mean / deviation if deviation > SLACK * abs(mean) else math.nan


def _notes(columns: Sequence[_Column], settings: Settings) -> Iterator[str]:
    yield from _on_gaps(columns, settings)
    few = [str(c.measure) for c in columns if np.isnan(c.p).any()]
    if few:
        least = _LEAST.get(settings.test, 2)
        yield f"{', '.join(few)}: no p-value where fewer than {least} queries can be compared"
    for column in columns:
        if column.measure.aggregate != "mean":
            own = {"sum": "sum", "gmean": "geometric mean", "ratio": "ratio"}[column.measure.aggregate]
            yield f"{column.measure}: means of the queries' values are compared, not its {own}"
    yield from _on_draws(columns, settings)


def _on_gaps(columns: Sequence[_Column], settings: Settings) -> Iterator[str]:
    """Queries left out because a run has no value there, told once for the measures that are alike."""
    alike: dict[tuple[int, int], list[str]] = {}
    for column in columns:
        kept = min(panel.size for panel in column.panels)
        if kept < column.queries:
            alike.setdefault((column.queries - kept, column.queries), []).append(str(column.measure))
    whom = "one of the runs" if settings.is_joint else "one of two runs"
    for (lost, of), names in alike.items():
        most = "" if settings.is_joint else "up to "
        yield f"{', '.join(names)}: {most}{lost} of {of} queries are left out because {whom} has no value"


def _on_draws(columns: Sequence[_Column], settings: Settings) -> Iterator[str]:
    """Whether the smallest p-value that so many draws can give may be significant at all."""
    is_drawn = any((column.draws == settings.resamples).any() for column in columns)
    family = len(columns[0].pairs)
    if not settings.resamples or not is_drawn or settings.correction not in ("holm", "bonferroni"):
        return
    if family / (settings.resamples + 1) > settings.alpha:
        yield (
            f"{settings.resamples} draws cannot show a significant difference among {family} comparisons: "
            f"resamples={math.ceil(family / settings.alpha)} or more could"
        )
