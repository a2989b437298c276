"""What rankscope classi measures: rankings of labels from files, from runs, or from the example."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

import numpy as np

from rankscope.classes.coefficient import ClassRanking, checked_k, classi
from rankscope.classes.distances import ClassDistance
from rankscope.classes.files import TextTable, is_number, labels_of_file
from rankscope.classes.labels import Label, class_of
from rankscope.classes.taxonomy import Taxonomy
from rankscope.errors import input_error
from rankscope.measures.segments import IntArray
from rankscope.notes import on_unlabelled

__all__ = ["ClassInputs", "LabelledRanking"]


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
            return {name: self._of_numbers(path) for name, path in self._named().items()}
        if not self._found:
            self._found = {name: self._of_labels(path) for name, path in self._named().items()}
        return {name: ranking.measured(table, unit=self.unit) for name, ranking in self._found.items()}

    def take_example(self, rankings: Mapping[str, Sequence[str]]) -> None:
        """Measure these rankings of labels in place of files."""
        self._found = {name: self._described(labels) for name, labels in rankings.items()}

    def take_runs(self, labels: str, query_classes: str) -> None:
        """Measure the rankings of runs: the retrieved items of each query, by their labels."""
        from rankscope.data import runs_of
        from rankscope.data.classes import Classes

        # The distance is of no concern yet, but its labels are: a class without one is told later.
        truth = Classes(labels, query_classes, self.distance or {})
        runs = runs_of(list(self.rankings))
        for run in runs:
            for query, ranking in self._of_run(run, truth):
                self._found[f"{run.name} {query}" if len(runs) > 1 else query] = ranking

    @property
    def found(self) -> Mapping[str, LabelledRanking]:
        return self._found

    def _of_run(self, run: Any, truth: Any) -> Iterator[tuple[str, LabelledRanking]]:
        from rankscope.align import align
        from rankscope.measures.classed import Classed

        view = Classed.of(align(truth, run, dense=True), truth, ties="docid")
        everything = np.ones(len(view), np.bool_)
        prefix = f"{run.name}: " if len(self.rankings) > 1 else ""
        self.notes += [
            f"{prefix}{note}" for note in on_unlabelled(everything, view.retrieved, view.unlabelled)
        ]
        offsets = view.listed.offsets
        for number, query in enumerate(truth.queries):
            codes = view.label[offsets[number] : offsets[number + 1]]
            codes = codes if self.k is None else codes[: self.k]
            query_class = truth.query_classes[int(truth.query_class[number])]
            yield query, LabelledRanking(query_class, truth.classes, codes, truth.counts)

    def _named(self) -> dict[str, str]:
        """The files by their stems, or by their paths where two stems are alike."""
        stems = [PurePath(path).stem if path != "-" else "stdin" for path in self.rankings]
        pairs = zip(stems, self.rankings, strict=True)
        named = {(stem if stems.count(stem) == 1 else path): path for stem, path in pairs}
        if len(named) < len(stems):
            twice = next(path for path in self.rankings if list(self.rankings).count(path) > 1)
            raise input_error("same-name", name=twice, count=list(self.rankings).count(twice))
        return named

    def _of_numbers(self, path: str) -> ClassRanking:
        table = TextTable.read(path)
        for line in table.lines:
            if not is_number(text := table.field(line, 0)):
                raise table.error("label-not-distance", line.number, text=text)
        distances = [table.number(line, 0) for line in table.lines]
        counts = None if self.counts is None else {float(c): n for c, n in self._counts().items()}
        return classi(distances, counts=counts, k=self.k, cost="unit" if self.unit else "difference")

    def _of_labels(self, path: str) -> LabelledRanking:
        return self._described(labels_of_file(path))

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


def _named_class(query_class: str | None) -> Label:
    return None if query_class is None else class_of(query_class)
