"""What a report says, gathered before anything is laid out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rankscope.compare import compare
from rankscope.compare.comparison import Comparison, Pair
from rankscope.compare.settings import check_equal_queries
from rankscope.data import Judgments, Run, runs_of
from rankscope.errors import InputError, printable
from rankscope.evaluate import evaluate, with_rel
from rankscope.measures import CUTOFF, Measure, parse
from rankscope.plots.of_runs import CUTOFFS
from rankscope.report.detail import Detail, details
from rankscope.result import Result

if TYPE_CHECKING:
    from rankscope.plots import Series

__all__ = ["Care", "Content", "Curve", "gather"]

CURVES = 3
USUAL_CURVES = ("nDCG", "P", "R")
RESAMPLES = 10_000
"""A page is for looking at: fewer draws than `compare` makes, so that 10 runs take seconds."""
SHARES = ("Judged@10", "Judged@100")
TIES = ("best", "expected", "worst")

Measures = str | Measure | Iterable[str | Measure]
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Curve:
    """A measure at every cutoff, for each run."""

    measure: Measure
    cutoffs: tuple[int, ...]
    values: dict[str, list[float]]
    """Run -> its value at each cutoff."""

    def series(self) -> list[Series]:
        from rankscope.plots import Series

        return [Series(printable(run), self.cutoffs, values) for run, values in self.values.items()]


@dataclass(frozen=True)
class Care:
    """What to be careful about with one run."""

    run: str
    notes: tuple[str, ...]
    ties: dict[str, float]
    """What the leading measure would be if ties fell for the best, on the average, and for the worst."""
    judged: dict[str, float]
    """The share of the first items that have a judgment."""


@dataclass(frozen=True)
class Content:
    """All that the page shows."""

    title: str
    comparison: Comparison | None
    """None where there is one run only."""
    result: Result
    curves: tuple[Curve, ...]
    detail: Detail
    care: tuple[Care, ...]

    @property
    def leading(self) -> Measure:
        """The measure that the report leads with."""
        return self.result.measures[0]

    @property
    def runs(self) -> tuple[str, ...]:
        return tuple(self.result.runs)

    @property
    def best(self) -> str:
        """The run with the best leading value; the first of several."""
        sign = 1 if self.leading.better == "higher" else -1
        found = {name: sign * run[self.leading] for name, run in self.result.runs.items()}
        defined = {name: value for name, value in found.items() if not math.isnan(value)}
        return max(defined, key=defined.__getitem__) if defined else self.runs[0]

    @property
    def rival(self) -> Pair | None:
        """The best run beside the next best, or beside the baseline."""
        if self.comparison is None:
            return None
        sign = 1 if self.leading.better == "higher" else -1
        pairs = [p for p in self.comparison.by(self.leading) if self.best in (p.run, p.baseline)]
        if not pairs:
            pairs = list(self.comparison.by(self.leading))

        def others_value(pair: Pair) -> float:
            value = pair.baseline_mean if pair.run == self.best else pair.mean
            return -math.inf if math.isnan(value) else sign * value

        return max(pairs, key=others_value)


def gather(
    judgments: Any,
    runs: Any,
    measures: Measures,
    *,
    title: str = "",
    baseline: str | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Content:
    """Measure, compare, and look into queries."""
    check_equal_queries(options)
    truth, systems = Judgments.of(judgments), runs_of(runs)
    tests = {"resamples": RESAMPLES} | {n: options.pop(n) for n in _OF_COMPARE if n in options}
    policies = {name: value for name, value in options.items() if value is not None}
    shown = {"progress": progress, **policies}
    result = evaluate(truth, systems, measures, **shown)
    comparison = None
    if len(systems) > 1:
        comparison = compare(result, baseline=baseline, **tests)
    elif baseline is not None:
        raise InputError(
            "a baseline, and one run only", code="no-baseline", expected="at least two runs to compare"
        )
    return Content(
        title=title or ", ".join(printable(run.name) for run in systems[:4]) + (", ..." * (len(systems) > 4)),
        comparison=comparison,
        result=result,
        curves=_curves(truth, systems, result, shown),
        detail=details(truth, systems, result, result.measures[0], policies),
        care=_care(truth, systems, result, shown),
    )


_OF_COMPARE = ("test", "correction", "alpha", "seed", "resamples", "interval", "risk", "power")


def _curves(
    truth: Judgments, runs: Sequence[Run], result: Result, options: dict[str, Any]
) -> tuple[Curve, ...]:
    """The measures at every cutoff: those that were asked for with one, then the usual."""
    asked = [m(k=None) for m in result.asked if m.parameters.get(CUTOFF.name) is not None]
    usual = USUAL_CURVES if truth.kind == "judgments" else ()
    bases = list(dict.fromkeys([*asked, *(with_rel(parse(name), options.get("rel")) for name in usual)]))
    wanted = {base: [base @ k for k in CUTOFFS] for base in bases[:CURVES]}
    if not wanted:
        return ()
    found = evaluate(truth, runs, [m for measures in wanted.values() for m in measures], **options)
    return tuple(
        Curve(base, CUTOFFS, {name: [run[m] for m in measures] for name, run in found.runs.items()})
        for base, measures in wanted.items()
    )


def _care(truth: Judgments, runs: Sequence[Run], result: Result, options: dict[str, Any]) -> tuple[Care, ...]:
    # As it was asked for: what another system's measure is called here would be translated once more.
    leading = next(iter(result.asked))
    by_ties = {ties: evaluate(truth, runs, [leading], **{**options, "ties": ties}) for ties in TIES}
    shares = evaluate(truth, runs, SHARES, **options) if truth.kind == "judgments" else None
    return tuple(
        Care(
            run=name,
            notes=found.notes,
            ties={ties: by_ties[ties].runs[name][leading] for ties in TIES},
            judged={share: shares.runs[name][share] for share in SHARES} if shares else {},
        )
        for name, found in result.runs.items()
    )
