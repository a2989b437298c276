"""evaluate: how good are these rankings?"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from rankscope.aggregate import Summary, statistics_of
from rankscope.attributes import groups_of, weights_of
from rankscope.data import Answer, Judgments, from_arrays, runs_of
from rankscope.errors import MeasureError, input_error
from rankscope.measures import Measure, parse, parse_many
from rankscope.measures.paired import distinct
from rankscope.measuring import Task
from rankscope.policy import Policy
from rankscope.result import Result

__all__ = ["DEFAULT_MEASURES", "evaluate", "evaluate_scores", "with_rel"]

DEFAULT_MEASURES = ("nDCG@10", "AP", "RR", "P@10", "R@100")

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
    task = Task(
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
    _check_detail(truth, measures)
    return truth


def _check_detail(truth: Judgments, measures: Sequence[Measure]) -> None:
    """Refuse a true order that says only good or bad, in every query, where a measure needs to know more."""
    refused = next((m for m in measures if m.detail == "full"), None)
    if refused is None or truth.kind != "order":
        return
    values = distinct(truth.grades, truth.offsets)
    if np.any(values > 2) or not np.any((values == 2) & (np.diff(truth.offsets) > 2)):
        return
    raise input_error("rough-truth", source=truth.name, measure=refused)


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
