"""evaluate: how good are these rankings?"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, SupportsIndex, cast

import numpy as np
import numpy.typing as npt

from rankscope.aggregate import Measured, Summary, statistics_of
from rankscope.align import Judged, Ranked, align, no_common_query
from rankscope.attributes import groups_of, weights_of
from rankscope.data import Answer, Judgments, Run, from_arrays, runs_of
from rankscope.errors import InputError, MeasureError, input_error, printable
from rankscope.measures import Graded, Measure, Ordered, parse, parse_many
from rankscope.measures.classed import Classed
from rankscope.notes import listed, notes_on, on_short, on_unlabelled
from rankscope.policy import Policy
from rankscope.result import Result, RunResult

if TYPE_CHECKING:
    from rankscope.data.classes import Classes

__all__ = ["DEFAULT_MEASURES", "evaluate", "evaluate_scores", "with_rel"]

DEFAULT_MEASURES = ("nDCG@10", "AP", "RR", "P@10", "R@100")

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
Measures = str | Measure | Iterable[str | Measure]
Progress = Callable[[int, int], None]


def evaluate(
    judgments: Any,
    runs: Any,
    measures: Measures = DEFAULT_MEASURES,
    *,
    depth: int | None = None,
    queries: Iterable[str | int] | None = None,
    lower_is_better: bool = False,
    rel: float | None = None,
    aggregate: str | Iterable[str] | None = None,
    weights: Any = None,
    groups: Any = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **policies: str,
) -> Result:
    """Measure one run, or several, against judgments.

    `judgments` and each run: a path, a mapping, a data frame, or `Judgments` and `Run`. Several runs are a
    list, or a mapping of name to run. `measures` is one text ("nDCG@10, AP"), a measure, or a list of those.

    - `depth`: only that many items of each ranking count (with unjudged="drop": of its judged items).
    - `queries`: only these are measured.
    - `lower_is_better`: the scores are distances.
    - `rel`: the lowest relevant grade, for every measure that leaves it at its default.
    - `aggregate`: what stands for all queries, in place of what each measure declares (the mean for most, the
      sum for counts): mean, median, gmean, min, max, std, ci, or several of these. The first is what
      ``result["AP"]`` gives; `Result.run.aggregates` has all.
    - `weights`: how much each query counts in the aggregate.
    - `groups`: the name of the group that each query is in; `Result.groups` has a result for each.
      Both are a mapping, a data frame with columns for both, or a file with a query and its value on a line.
    - `threads`: how many may read a run; all there are if not given.
    - `progress(done, total)` is called now and then while a run is read.

    `judgments` may also be another truth: an `Order`, an `Answer`. Each measure says what it needs; judgments
    stand in for an order and for classes.

    The other keywords are policies, as in `Policy`: ties, missing, extra, undefined, duplicates, unjudged,
    unretrieved, scores. `compat` names a system whose numbers are wanted: it sets all policies that are not
    given, and translates the measures that this system computes in its own way.

    >>> judgments = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}}
    >>> evaluate(judgments, {"q1": ["b", "a"], "q2": ["c"]}, "RR")["RR"]
    0.75
    """
    policy = Policy.of(policies)
    asked = {m: policy.bundle.translate(m, rel) for m in _wanted(measures, rel)}
    wanted = tuple(dict.fromkeys(asked.values()))
    own = {m: _not_in(policies, policy.bundle.overrides(m)) for m in wanted}
    truth = _truth(judgments, wanted)
    chosen = np.ones(len(truth), np.bool_)
    if queries is not None:
        chosen = truth.among([queries] if isinstance(queries, str) else queries)
    summary = _summary(truth, chosen, aggregate, weights, groups)
    task = _Task(
        truth, chosen, asked, own, policy, summary, _checked(depth), lower_is_better, threads, progress
    )
    return Result(
        runs={run.name: task.measure(run) for run in runs_of(runs)},
        measures=wanted,
        policy=policy,
        asked=asked,
        statistics=summary.statistics,
        members=summary.groups,
    )


def evaluate_scores(
    y_true: Any, y_score: Any, measures: Measures = DEFAULT_MEASURES, groups: Any = None, **options: Any
) -> Result:
    """Measure scores given as arrays, the way scikit-learn takes them; options as for `evaluate`.

    Two dimensions: each row is a query. One dimension: `groups` has the query of each item; without it, all
    are of one query.

    >>> evaluate_scores([[0, 1, 1]], [[0.2, 0.9, 0.1]], "P@2")["P@2"]
    0.5
    """
    judgments, run = from_arrays(y_true, y_score, groups)
    return evaluate(judgments, run, measures, **options)


def _wanted(measures: Measures, rel: float | None) -> tuple[Measure, ...]:
    """The measures asked for, each once, in the order given."""
    if isinstance(measures, str):
        found: Sequence[Measure] = parse_many(measures)
    elif isinstance(measures, Measure):
        found = [measures]
    else:
        found = [parse(m) for m in measures]
    if not found:
        raise MeasureError("no measure is asked for", code="no-measure", expected="at least one")
    return tuple(dict.fromkeys(with_rel(m, rel) for m in found))


# What each kind of truth can stand for.
_STANDS_FOR = {
    "judgments": ("judgments", "order", "classes"),
    "order": ("order", "classes"),
    "classes": ("classes",),
    "answer": ("answer",),
}


def _truth(given: Any, measures: Sequence[Measure]) -> Judgments:
    """The truth that was given, if all measures can be taken against it.

    What is not yet a truth is another answer if all measures compare answers, and judgments otherwise.
    """
    needed = {m.truth for m in measures}
    truth = Answer.of(given) if needed == {"answer"} else Judgments.of(given)
    for measure in measures:
        if measure.truth not in _STANDS_FOR[truth.kind]:
            raise MeasureError(
                f"{measure} is measured against {_TRUTHS[measure.truth]}, not {_TRUTHS[truth.kind]}",
                code="other-truth",
                expected=_TRUTHS[measure.truth],
                hint="rankscope measures: each says what it is measured against",
            )
    return truth


_TRUTHS = {
    "judgments": "judgments",
    "order": "a true order",
    "classes": "classes of items",
    "answer": "another answer",
}


def _not_in(given: Mapping[str, str], overrides: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in overrides.items() if name not in given}


def _summary(
    truth: Judgments, chosen: BoolArray, aggregate: str | Iterable[str] | None, weights: Any, groups: Any
) -> Summary:
    statistics = statistics_of(aggregate)
    weighted = (None, ()) if weights is None else weights_of(weights, truth, chosen)
    grouped = ({}, ()) if groups is None else groups_of(groups, truth, chosen)
    return Summary(statistics, weighted[0], grouped[0], notes=(*weighted[1], *grouped[1]))


def _checked(depth: int | None) -> int | None:
    if depth is None:
        return None
    if isinstance(depth, bool) or not isinstance(depth, SupportsIndex) or operator.index(depth) < 1:
        raise input_error("count", option="depth", given=depth)
    return operator.index(depth)


def with_rel(measure: Measure, rel: float | None) -> Measure:
    """The measure with another lowest relevant grade, if it has one and leaves it at its default."""
    default = next((p.default for p in measure.params if p.name == "rel"), None)
    if rel is None or default is None or measure.parameters["rel"] != default:
        return measure
    return measure(rel=rel)


@dataclass(frozen=True)
class _Task:
    """All that is the same for every run of a call."""

    judgments: Judgments
    chosen: BoolArray
    """The queries to be measured."""
    asked: Mapping[Measure, Measure]
    """What was asked for, and the measure that computes it."""
    overrides: Mapping[Measure, Mapping[str, str]]
    """The policies that hold for one measure only."""
    policy: Policy
    summary: Summary
    depth: int | None
    lower_is_better: bool
    threads: int | None
    progress: Progress | None

    @property
    def measures(self) -> tuple[Measure, ...]:
        return tuple(self.overrides)

    def policy_for(self, measure: Measure) -> Policy:
        own = self.overrides[measure]
        return replace(self.policy, **own) if own else self.policy

    def measure(self, run: Run) -> RunResult:
        tables = _Tables(self, run)
        in_run, tally = tables.any.in_run, tables.any.tally
        self._check_queries(run, in_run, tally.extra_queries, tally.extra_examples)
        counted = self.chosen & (in_run | (self.policy.missing != "skip"))
        measured = Measured(self.judgments.queries, counted, values={}, kernel_weights={})
        undefined: dict[str, int] = {}
        for measure in self.measures:
            found, weights = tables.compute(measure)
            missing = np.isnan(found) & counted
            undefined[str(measure)] = int(np.count_nonzero(missing))
            found = self._settled(measure, run, found, in_run, missing)
            measured.values[str(measure)] = found
            measured.kernel_weights[str(measure)] = weights
        notes = (
            *notes_on(
                self.judgments, self.chosen, tables.any, self.policy, self.measures, undefined, self.depth
            ),
            *tables.notes(),
            *self.policy.bundle.notes(
                self.asked, self.overrides, tied=bool(tables.any.tied_rows[self.chosen].any())
            ),
            *self.summary.notes,
        )
        return self._result(run, measured, self.summary, notes)

    def _result(self, run: Run, measured: Measured, summary: Summary, notes: tuple[str, ...]) -> RunResult:
        """The values of a run with their aggregates, and in it the same for each group."""
        aggregate, aggregates = summary.aggregates(self.measures, measured)
        groups = {}
        for group, queries in summary.groups.items():
            size = f"group '{printable(group)}': {len(queries)} of {np.count_nonzero(self.chosen)} queries"
            groups[group] = self._result(run, measured.part(queries), summary.part(queries), (size,))
        return RunResult(
            name=run.name,
            aggregate=aggregate,
            aggregates=aggregates,
            values=measured.values,
            query_ids=measured.query_ids,
            counted=measured.counted,
            skips_undefined=self.policy.undefined == "skip",
            notes=notes,
            asked=self.asked,
            groups=groups,
        )

    def _settled(
        self, measure: Measure, run: Run, values: FloatArray, in_run: BoolArray, undefined: BoolArray
    ) -> FloatArray:
        """The values with the policies on missing queries and undefined values applied.

        What the judgments leave undefined stays so whether or not the run has the query.
        """
        if self.policy.missing == "zero":
            values = np.where(in_run | np.isnan(values), values, 0.0)
        if not undefined.any():
            return values
        if self.policy.undefined == "error":
            raise InputError(
                f"{measure} is not defined for {listed('', self.judgments.queries, undefined)}",
                code="undefined",
                where=printable(run.name),
                expected="a value for every query",
                hint="undefined=nan or undefined=zero",
            )
        choices = {"measure": measure.undefined, "zero": 0.0}
        stand_in = choices.get(self.policy.undefined)
        return values if stand_in is None else np.where(np.isnan(values), stand_in, values)

    def _check_queries(
        self, run: Run, in_run: BoolArray, extra: int, extra_examples: tuple[str, ...]
    ) -> None:
        queries = self.judgments.queries
        if not np.any(in_run & self.chosen):
            judged, retrieved = (
                [queries[i] for i in np.flatnonzero(some)[:3].tolist()] for some in (self.chosen, in_run)
            )
            raise no_common_query(self.judgments, run, judged, retrieved)
        missing = self.chosen & ~in_run
        if self.policy.missing == "error" and missing.any():
            raise InputError(
                f"the run lacks {listed('judged', queries, missing)}",
                code="missing-queries",
                where=printable(run.name),
                expected="every judged query in the run",
                hint="missing=empty, missing=zero or missing=skip",
            )
        if self.policy.extra == "error" and extra:
            raise InputError(
                f"the run has {listed('unjudged', extra_examples, count=extra)}",
                code="extra-queries",
                where=printable(run.name),
                expected="judgments for every query of the run",
                hint="extra=ignore",
            )


class _Tables:
    """What the kernels read of one run, each table made when the first measure asks for it."""

    def __init__(self, task: _Task, run: Run) -> None:
        self._task = task
        self._run = run
        self._aligned: dict[Hashable, Judged | Ranked] = {}
        self._views: dict[Hashable, list[Graded] | list[Ordered]] = {}
        self._classes: dict[Hashable, Classed] = {}
        first = next((m for m in task.measures if m.product != "ranked"), task.measures[0])
        self.any: Judged | Ranked = (
            self._ranked(task.policy_for(first))
            if first.product == "ranked" or task.judgments.kind == "classes"
            else self._judged(task.policy_for(first))
        )

    def compute(self, measure: Measure) -> tuple[FloatArray, FloatArray | None]:
        """The measure's value of each query, and its weight if the measure has one."""
        policy, judgments = self._task.policy_for(measure), self._task.judgments
        if measure.product == "ranked":
            parts = [_compute(measure, len(judgments), self._ranked(policy), judgments)]
        else:
            parts = [_compute(measure, len(view), view) for view in self._read_by(measure, policy)]
        values, weights = zip(*parts, strict=True)
        given = [w for w in weights if w is not None]
        return np.concatenate(values), np.concatenate(given) if given else None

    def notes(self) -> Iterator[str]:
        """What only the views know: cutoffs beyond what was retrieved, and items without a label."""
        for measure in self._task.measures:
            k = measure.parameters.get("k")
            if measure.truth == "classes" and isinstance(k, int):
                views = self._read_by(measure, self._task.policy_for(measure))
                retrieved = np.concatenate([view.retrieved for view in views])
                short = self._task.chosen & (retrieved < k)
                yield from on_short(str(measure), k, self._task.judgments.queries, short)
        for classed in dict.fromkeys(self._classes.values()):
            yield from on_unlabelled(self._task.chosen, classed.retrieved, classed.unlabelled)

    def _read_by(
        self, measure: Measure, policy: Policy
    ) -> Sequence[Graded] | Sequence[Ordered] | Sequence[Classed]:
        if self._task.judgments.kind == "classes":
            classed = self._classed(policy)
            return [classed.listed] if policy.unretrieved == "drop" else [classed]
        return self._ordered(policy) if measure.product == "ordered" else self._graded(policy)

    def _classed(self, policy: Policy) -> Classed:
        key = (policy.ties, policy.scores)
        if key not in self._classes:
            truth = cast("Classes", self._task.judgments)
            self._classes[key] = Classed.of(self._ranked(policy), truth, ties=policy.ties)
        return self._classes[key]

    def _graded(self, policy: Policy) -> list[Graded]:
        key = ("graded", policy.ties, policy.scores)
        if key not in self._views:
            judged, depth = self._judged(policy), self._task.depth
            self._views[key] = [
                Graded.of(judged.part(place), block, ties=policy.ties, unjudged=policy.unjudged, depth=depth)
                for place, block in self._task.judgments.blocks
            ]
        return cast("list[Graded]", self._views[key])

    def _ordered(self, policy: Policy) -> list[Ordered]:
        key = ("ordered", policy.ties, policy.scores)
        if key not in self._views:
            judged = self._judged(policy)
            depth = self._task.depth if policy.unjudged == "drop" else None
            choices = {"ties": policy.ties, "unretrieved": policy.unretrieved}
            self._views[key] = [
                Ordered.of(judged.part(place), block, depth=depth, **choices)
                for place, block in self._task.judgments.blocks
            ]
        return cast("list[Ordered]", self._views[key])

    def _judged(self, policy: Policy) -> Judged:
        # Unjudged items leave before the ranking is cut, so the cut is left to the view.
        depth = None if policy.unjudged == "drop" else self._task.depth
        key = ("judged", policy.tie_order, policy.scores)
        if key not in self._aligned:
            options = self._options(policy, depth)
            self._aligned[key] = align(self._task.judgments, self._run, dense=False, **options)
        return cast(Judged, self._aligned[key])

    def _ranked(self, policy: Policy) -> Ranked:
        key = ("ranked", policy.tie_order, policy.scores)
        if key not in self._aligned:
            options = self._options(policy, self._task.depth)
            self._aligned[key] = align(self._task.judgments, self._run, dense=True, **options)
        return cast(Ranked, self._aligned[key])

    def _options(self, policy: Policy, depth: int | None) -> dict[str, Any]:
        return {
            "tie_order": policy.tie_order,
            "float32": policy.scores == "float32",
            "duplicates": policy.duplicates,
            "depth": depth,
            "ascending": self._task.lower_is_better,
            "threads": self._task.threads,
            "progress": self._task.progress,
        }


def _compute(measure: Measure, queries: int, *columns: object) -> tuple[FloatArray, FloatArray | None]:
    values, weights = measure.compute(*columns)
    if len(values) != queries:
        raise MeasureError(
            f"the kernel of {measure} returned {len(values)} values for {queries} queries",
            code="bad-kernel",
            expected="one value per query",
        )
    return values, weights
