"""What rankscope classi measures: rankings of labels from files, from runs, or from the example."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from rankscope.classes.coefficient import ClassRanking, checked_k, classi
from rankscope.classes.distances import ClassDistance
from rankscope.classes.files import TextTable, labels_of_file, numbers_of_file
from rankscope.classes.labels import Label, class_of
from rankscope.classes.taxonomy import Taxonomy
from rankscope.errors import input_error
from rankscope.measures.segments import IntArray
from rankscope.notes import notes_on, on_classed, on_short
from rankscope.policy import Policy

if TYPE_CHECKING:
    from rankscope.align.tables import Ranked
    from rankscope.measures.classed import Classed

__all__ = ["ClassInputs", "LabelledRanking", "named"]


@dataclass(frozen=True)
class LabelledRanking:
    """A ranking before distances are known."""

    query_class: Label
    classes: Sequence[Label]
    codes: IntArray
    counts: IntArray

    def measured(self, distance: ClassDistance, *, unit: bool) -> ClassRanking:
        row = distance.row(self.query_class, self.classes)
        return ClassRanking(lambda: [*self.classes], self.codes, row, self.counts, unit).checked()


@dataclass
class ClassInputs:
    """The files that the command line names, read once."""

    rankings: Sequence[str]
    distance: ClassDistance | None
    query_class: str | None = None
    counts: str | None = None
    k: int | None = None
    unit: bool = False
    notes: list[str] = field(default_factory=list)
    _found: dict[str, LabelledRanking] = field(default_factory=dict)

    @staticmethod
    def distance_of(
        distance: str | None, order: Sequence[Sequence[str]] | None, taxonomy: str | None, steps: Any
    ) -> ClassDistance | None:
        """The distance of the classes, from whichever of the three is given."""
        if order is not None:
            return ClassDistance.of_order(order)
        if taxonomy is not None:
            return ClassDistance.of(Taxonomy(taxonomy, steps=steps))
        return None if distance is None else ClassDistance.of(distance)

    def measured(self, distance: ClassDistance | None = None) -> dict[str, ClassRanking]:
        """Every ranking by its name, under the distance that was given or another one."""
        table = distance or self.distance
        if table is None:
            return {name: self._of_numbers(path) for name, path in named(self.rankings)}
        if not self._found:
            self._found = {name: self._described(labels_of_file(p)) for name, p in named(self.rankings)}
        return {name: ranking.measured(table, unit=self.unit) for name, ranking in self._found.items()}

    def take_example(self, rankings: Mapping[str, Sequence[str]]) -> None:
        """Measure these rankings of labels in place of files."""
        self._found = {name: self._described(labels) for name, labels in rankings.items()}

    def take_runs(self, labels: str, query_classes: str, policy: Policy, *, ascending: bool) -> None:
        """Measure the rankings of runs: the retrieved items of each query, by their labels."""
        from rankscope.align import align
        from rankscope.data import runs_of
        from rankscope.data.classes import Classes
        from rankscope.measures.classed import Classed

        # The distance is of no concern yet, but its labels are: a class without one is told later.
        truth = Classes(labels, query_classes, self.distance or {})
        runs = runs_of(list(self.rankings))
        for run in runs:
            ranked = align(truth, run, dense=True, ascending=ascending, **policy.alignment)
            view = Classed.of(ranked, truth, ties=policy.ties)
            prefix = f"{run.name}: " if len(runs) > 1 else ""
            self.notes += [f"{prefix}{note}" for note in self._notes_on(ranked, view, policy)]
            for query, ranking in self._of_run(view):
                self._found[f"{run.name} {query}" if len(runs) > 1 else query] = ranking

    @property
    def found(self) -> Mapping[str, LabelledRanking]:
        return self._found

    def _notes_on(self, ranked: Ranked, view: Classed, policy: Policy) -> Iterator[str]:
        """The notes that the measure ClasSi of the same runs has."""
        truth, everything = view.classes, np.ones(len(view), np.bool_)
        yield from notes_on(truth, everything, ranked, policy, [], {}, None)
        if self.k is not None:
            yield from on_short("ClasSi", self.k, truth, view.retrieved)
        yield from on_classed(everything, view, policy)

    def _of_run(self, view: Classed) -> Iterator[tuple[str, LabelledRanking]]:
        truth, offsets = view.classes, view.listed.offsets
        for number, query in enumerate(truth.queries):
            codes = view.label[offsets[number] : offsets[number + 1]]
            codes = codes if self.k is None else codes[: self.k]
            query_class = truth.query_classes[int(truth.query_class[number])]
            yield query, LabelledRanking(query_class, truth.classes, codes, truth.counts)

    def _of_numbers(self, path: str) -> ClassRanking:
        distances = numbers_of_file(path, "distance", problem="label-not-distance")
        counts = None if self.counts is None else {float(c): n for c, n in self._counts().items()}
        return classi(distances, counts=counts, k=self.k, cost="unit" if self.unit else "difference")

    def _described(self, labels: Sequence[str]) -> LabelledRanking:
        """The labels with how many items of each class there are in all."""
        counts = None if self.counts is None else self._counts()
        # Any distance will do to count; which one is in use is told later.
        counted = classi(labels, distance=lambda *_: 0.0, counts=counts)
        codes = counted.codes if self.k is None else counted.codes[: checked_k(self.k, len(counted))]
        return LabelledRanking(_named_class(self.query_class), counted.classes, codes, counted.counts)

    def _counts(self) -> dict[str, int]:
        table = TextTable.read(self.counts or "")
        found: dict[str, int] = {}
        for line in table.lines:
            label, number = table.field(line, 0), table.number(line, 1)
            if not number.is_integer() or math.copysign(1, number) < 0:
                raise table.error("class-count", line.number, label=label, text=table.field(line, 1))
            if label in found:
                raise table.error("class-twice", line.number, label=label)
            found[label] = int(number)
        return found


def named(paths: Sequence[str]) -> list[tuple[str, str]]:
    """The files with their stems, or with their paths where two stems are alike."""
    stems = Counter(_stem(path) for path in paths)
    found = {(_stem(path) if stems[_stem(path)] == 1 else path): path for path in paths}
    if len(found) < len(paths):
        twice, count = Counter(paths).most_common(1)[0]
        raise input_error("same-name", name=twice, count=count)
    return list(found.items())


def _stem(path: str) -> str:
    return PurePath(path).stem if path != "-" else "stdin"


def _named_class(query_class: str | None) -> Label:
    return None if query_class is None else class_of(query_class)
