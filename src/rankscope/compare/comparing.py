"""From values per query to a comparison."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from rankscope.compare.anova import Anova, hsd_p
from rankscope.compare.comparison import Comparison, Pair, Verdict
from rankscope.compare.corrections import corrected
from rankscope.compare.intervals import Interval, bca_intervals, t_interval
from rankscope.compare.paired import sign_p, t_p, wilcoxon_p
from rankscope.compare.panel import SLACK, Pairing, Panel, joint_panel, panels_of, stacked
from rankscope.compare.power import queries_needed
from rankscope.compare.resample import Crew, bootstrap_extremes, flip_extremes, shuffle_extremes
from rankscope.compare.risk import risk_of
from rankscope.compare.settings import Settings
from rankscope.errors import InputError, nearest, printable
from rankscope.measures.base import Measure
from rankscope.result import Result

__all__ = ["compare_result"]

FloatArray = npt.NDArray[np.float64]

_BY_PAIR = {"t": t_p, "wilcoxon": wilcoxon_p, "sign": sign_p}
_BY_DRAWS = {"fisher": flip_extremes, "bootstrap": bootstrap_extremes}

# Draws from one query are all alike.
_LEAST = {"fisher": 1, "sign": 1, "wilcoxon": 1}

MOST_ROWS = 512
"""Rows of values that are resampled together."""


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
    parts = [*result.groups.values(), result]
    frames = [Comparison(result=part, baseline=baseline, pairs=(), settings=settings) for part in parts]
    columns = [[_Column.of(frame, measure, pairs) for measure in result.measures] for frame in frames]
    _examine([column for part in columns for column in part], settings, crew)
    *groups, whole = map(_concluded, frames, columns)
    return replace(whole, groups=dict(zip(result.groups, groups, strict=True)))


def _concluded(frame: Comparison, columns: Sequence[_Column]) -> Comparison:
    return replace(
        frame,
        pairs=tuple(pair for column in columns for pair in column.found()),
        own_notes=tuple(_notes(columns, frame.settings)),
        anova={str(column.measure): column.anova for column in columns if column.anova is not None},
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
    def of(cls, frame: Comparison, measure: Measure, pairs: Sequence[Pairing]) -> _Column:
        values, settings = frame.values(measure), frame.settings
        panels = [joint_panel(values, pairs)] if settings.is_joint else list(panels_of(values, pairs))
        return cls(
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

    def test(self, panel: Panel, crew: Crew) -> None:
        """The p-values of a panel by a test that shares no draws with other panels."""
        test, places = self.settings.test, list(panel.places)
        if test in _BY_PAIR:
            self.p[places] = [_BY_PAIR[test](panel.differences(pair)) for pair in panel.pairs]
        elif test == "anova":
            self.p[places], self.anova = hsd_p(panel)
        else:
            extremes = shuffle_extremes(panel, self.settings.resamples, self.settings.seed, crew)
            self.p[places], self.draws[places] = extremes.p, extremes.draws

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


Job = tuple[_Column, Panel]


def _examine(columns: Sequence[_Column], settings: Settings, crew: Crew) -> None:
    """Find p-values and intervals; panels over equally many queries share what is drawn for them."""
    jobs = [(column, panel) for column in columns for panel in column.panels]
    batches = list(_batches(jobs))
    shares_draws = settings.test in _BY_DRAWS
    testing = (len(batches) if shares_draws else len(jobs)) if settings.resamples else 0
    crew.stages = max(testing + (len(batches) if settings.interval == "bca" else 0), 1)
    for batch in batches:
        size = batch[0][1].size
        stack, exponents = stacked([panel for _, panel in batch])
        if size >= _LEAST.get(settings.test, 2):
            if shares_draws:
                _test_together(batch, stack, settings, crew)
            else:
                for column, panel in batch:
                    column.test(panel, crew)
        if settings.interval == "bca":
            ends = bca_intervals(stack, settings.level, settings.interval_resamples, settings.seed, crew)
            _enclose(batch, np.ldexp(ends, exponents[:, None]).tolist())
        elif settings.interval == "t":
            differences = (panel.differences(pair) for _, panel in batch for pair in panel.pairs)
            _enclose(batch, [t_interval(each, settings.level) for each in differences])


def _batches(jobs: Sequence[Job]) -> Iterator[list[Job]]:
    """Panels over equally many queries, so many together that their sums still fit into memory."""
    by_size: dict[int, list[Job]] = {}
    for job in jobs:
        by_size.setdefault(job[1].size, []).append(job)
    for alike in by_size.values():
        batch: list[Job] = []
        for job in alike:
            if batch and sum(len(panel.values) for _, panel in (*batch, job)) > MOST_ROWS:
                yield batch
                batch = []
            batch.append(job)
        yield batch


def _test_together(batch: Sequence[Job], stack: Panel, settings: Settings, crew: Crew) -> None:
    extremes = _BY_DRAWS[settings.test](stack, settings.resamples, settings.seed, crew)
    p, start = extremes.p, 0
    for column, panel in batch:
        places = list(panel.places)
        column.p[places], column.draws[places] = p[start : start + len(places)], extremes.draws
        start += len(places)


def _enclose(batch: Sequence[Job], ends: Iterable[Sequence[float]]) -> None:
    following = iter(ends)
    for column, panel in batch:
        for place in panel.places:
            low, high = next(following)
            column.ends[place] = (low, high)


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
        too_few = "no query" if _LEAST.get(settings.test, 2) == 1 else "fewer than 2 queries"
        yield f"{', '.join(few)}: no p-value where {too_few} can be compared"
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
