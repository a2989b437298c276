"""One run after another: what is aligned for the measures that are asked for, and what they make of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from rankscope.aggregate import Measured, Summary
from rankscope.align import Judged, Ranked, align, no_common_query
from rankscope.errors import InputError, MeasureError, printable
from rankscope.measures import Graded, Measure, Ordered
from rankscope.measures.classed import Classed
from rankscope.notes import WORDS, listed, notes_on, on_classed, on_short
from rankscope.policy import Policy
from rankscope.result import RunResult

if TYPE_CHECKING:
    from rankscope.data import Judgments, Run
    from rankscope.data.classes import Classes

__all__ = ["Task"]

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Task:
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
        tables = Tables(self, run)
        in_run, tally = tables.any.in_run, tables.any.tally
        self._check_queries(run, in_run, tally.extra_queries, tally.extra_examples)
        self._check_lengths(run, tables.any.retrieved, in_run)
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
        queries, words = self.judgments.queries, WORDS[self.judgments.kind]
        if not np.any(in_run & self.chosen):
            judged, retrieved = (
                [queries[i] for i in np.flatnonzero(some)[:3].tolist()] for some in (self.chosen, in_run)
            )
            raise no_common_query(self.judgments, run, judged, retrieved)
        missing = self.chosen & ~in_run
        if self.policy.missing == "error" and missing.any():
            raise InputError(
                f"the run lacks {listed(words.ours, queries, missing)}",
                code="missing-queries",
                where=printable(run.name),
                expected=f"every {words.ours.format('query')} in the run",
                hint="missing=empty, missing=zero or missing=skip",
            )
        if self.policy.extra == "error" and extra:
            raise InputError(
                f"the run has {listed(words.theirs, extra_examples, count=extra)}",
                code="extra-queries",
                where=printable(run.name),
                expected=f"{words.wanted} for every query of the run",
                hint="extra=ignore",
            )

    def _check_lengths(self, run: Run, retrieved: IntArray, in_run: BoolArray) -> None:
        bundle = self.policy.bundle
        if not any(measure.name in bundle.of_equal_lengths for measure in self.measures):
            return
        measured = np.flatnonzero(self.chosen & in_run)
        first, shortest = measured[0], measured[np.argmin(retrieved[measured])]
        longest = measured[np.argmax(retrieved[measured])]
        if retrieved[shortest] == retrieved[longest]:
            return
        other = longest if retrieved[first] == retrieved[shortest] else shortest
        queries = self.judgments.queries
        raise InputError(
            f"query '{printable(queries[first])}' has {retrieved[first]} items, "
            f"query '{printable(queries[other])}' has {retrieved[other]}",
            code="unequal-lengths",
            where=printable(run.name),
            expected=f"rankings of equal length, as compat={bundle.name} requires",
            hint="compat=none measures rankings of any length; depth= cuts long ones",
        )


class Tables:
    """What the kernels read of one run, each table made when the first measure asks for it."""

    def __init__(self, task: Task, run: Run) -> None:
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
        """What only the views know: cutoffs beyond what was retrieved, and which items have a label."""
        chosen, truth = self._task.chosen, self._task.judgments
        for measure in self._task.measures:
            k = measure.parameters.get("k")
            if measure.truth == "classes" and isinstance(k, int):
                views = self._read_by(measure, self._task.policy_for(measure))
                retrieved = np.concatenate([view.retrieved for view in views])
                yield from on_short(str(measure), k, truth, np.where(chosen, retrieved, 0))
        for classed in [*self._classes.values()][:1]:  # ties and precision leave the same items in all
            yield from on_classed(chosen, classed, self._task.policy)

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
            **policy.alignment,
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
