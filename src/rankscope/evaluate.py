"""evaluate: how good are these rankings?"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from rankscope.align import Judged, Ranked, align, no_common_query
from rankscope.data import Judgments, Run, from_arrays, runs_of
from rankscope.errors import InputError, MeasureError, input_error, printable
from rankscope.measures import Graded, Measure, parse, parse_many
from rankscope.notes import listed, notes_on
from rankscope.policy import Policy
from rankscope.result import Result, RunResult

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
    - `threads`: how many may read a run; all there are if not given.
    - `progress(done, total)` is called now and then while a run is read.

    The other keywords are policies, as in `Policy`: ties, missing, extra, undefined, duplicates, unjudged.

    >>> judgments = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}}
    >>> evaluate(judgments, {"q1": ["b", "a"], "q2": ["c"]}, "RR")["RR"]
    0.75
    """
    policy = Policy.of(policies)
    wanted = _wanted(measures, rel)
    truth = Judgments.of(judgments)
    chosen = np.ones(len(truth), np.bool_)
    if queries is not None:
        chosen = truth.among([queries] if isinstance(queries, str) else queries)
    task = _Task(truth, chosen, wanted, policy, _checked(depth), lower_is_better, threads, progress)
    return Result(
        runs={run.name: task.measure(run) for run in runs_of(runs)},
        measures=wanted,
        policy=policy,
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
    measures: tuple[Measure, ...]
    policy: Policy
    depth: int | None
    lower_is_better: bool
    threads: int | None
    progress: Progress | None

    def measure(self, run: Run) -> RunResult:
        tables = _Tables(self, run)
        in_run, tally = tables.any.in_run, tables.any.tally
        self._check_queries(run, in_run, tally.extra_queries, tally.extra_examples)
        counted = self.chosen & (in_run | (self.policy.missing != "skip"))
        values: dict[str, FloatArray] = {}
        aggregate: dict[str, float] = {}
        undefined: dict[str, int] = {}
        for measure in self.measures:
            found, weights = tables.compute(measure)
            missing = np.isnan(found) & counted
            undefined[str(measure)] = int(np.count_nonzero(missing))
            found = self._settled(measure, run, found, in_run, missing)
            values[str(measure)] = found
            aggregate[str(measure)] = _aggregate(measure, found, weights, counted)
        return RunResult(
            name=run.name,
            aggregate=aggregate,
            values=values,
            query_ids=self.judgments.queries,
            counted=counted,
            skips_undefined=self.policy.undefined == "skip",
            notes=notes_on(
                self.judgments, self.chosen, tables.any, self.policy, self.measures, undefined, self.depth
            ),
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
        self._ranked: Ranked | None = None
        self._judged: Judged | None = None
        self._views: dict[str, list[Graded]] = {}
        self.any: Judged | Ranked
        if any(m.product == "judged" for m in task.measures):
            self.any = self._judged = self._align_judged()
        else:
            self.any = self._ranked = self._align_ranked()

    def compute(self, measure: Measure) -> tuple[FloatArray, FloatArray | None]:
        """The measure's value of each query, and its weight if the measure has one."""
        if measure.product == "ranked":
            self._ranked = self._ranked or self._align_ranked()
            parts = [_compute(measure, len(self._task.judgments), self._ranked, self._task.judgments)]
        else:
            views = self._views_for(_oriented(self._task.policy.ties, measure))
            parts = [_compute(measure, len(view), view) for view in views]
        values, weights = zip(*parts, strict=True)
        given = [w for w in weights if w is not None]
        return np.concatenate(values), np.concatenate(given) if given else None

    def _views_for(self, ties: str) -> list[Graded]:
        if ties not in self._views:
            judged = self._judged = self._judged or self._align_judged()
            policy, depth = self._task.policy, self._task.depth
            self._views[ties] = [
                Graded.of(judged.part(place), block, ties=ties, unjudged=policy.unjudged, depth=depth)
                for place, block in self._task.judgments.blocks
            ]
        return self._views[ties]

    def _align_judged(self) -> Judged:
        # Unjudged items leave before the ranking is cut, so the cut is left to the view.
        drops = self._task.policy.unjudged == "drop"
        depth = None if drops else self._task.depth
        return align(self._task.judgments, self._run, dense=False, **self._options(depth))

    def _align_ranked(self) -> Ranked:
        return align(self._task.judgments, self._run, dense=True, **self._options(self._task.depth))

    def _options(self, depth: int | None) -> dict[str, Any]:
        task = self._task
        return {
            "tie_order": task.policy.tie_order,
            "duplicates": task.policy.duplicates,
            "depth": depth,
            "ascending": task.lower_is_better,
            "threads": task.threads,
            "progress": task.progress,
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


def _oriented(ties: str, measure: Measure) -> str:
    """The tie order to look at: where lower is better, the best value is that of the worst order."""
    opposite = {"best": "worst", "worst": "best"}
    return opposite.get(ties, ties) if measure.better == "lower" else ties


# The geometric mean of anything with a zero is zero; trec_eval floors its values at this one.
GMEAN_FLOOR = 1e-5


def _aggregate(measure: Measure, values: FloatArray, weights: FloatArray | None, counted: BoolArray) -> float:
    """One value for the run, over the queries that count and are defined."""
    kept = counted & ~np.isnan(values)
    chosen = values if kept.all() else values[kept]
    if measure.aggregate == "sum":
        return float(np.sum(chosen))
    if not len(chosen):
        return float("nan")
    if measure.aggregate == "gmean":
        return float(np.exp(np.mean(np.log(np.maximum(chosen, GMEAN_FLOOR)))))
    if measure.aggregate == "ratio" and weights is not None:
        whole = float(np.sum(weights[kept]))
        return float(np.sum(chosen * weights[kept])) / whole if whole > 0 else float("nan")
    return float(np.mean(chosen))
