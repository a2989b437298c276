"""Answers compared with each other: each with one reference, or all with all."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rankscope.answers.ranking import Ranking
from rankscope.errors import InputError, printable
from rankscope.measures.segments import FloatArray
from rankscope.tables import Table, number

if TYPE_CHECKING:
    from rankscope.data import Run
    from rankscope.data.judgments import Judgments
    from rankscope.measures import Measure
    from rankscope.result import Result

__all__ = [
    "DEFAULT_MEASURES",
    "QUERY",
    "Matrix",
    "all_with_all",
    "ranking_of",
    "refuse_sets",
    "run_of",
    "with_reference",
]

DEFAULT_MEASURES = ("SizeRatio", "Jaccard", "Pdelta")
"""A cardinal, a nominal and an ordered one, so that the effect of order shows at once."""

QUERY = "answer"
"""Stands for the query of answers that were given without one."""


@dataclass(frozen=True, eq=False)
class Matrix:
    """The similarity of each answer (a row) with each as reference (a column), a matrix for each measure."""

    names: tuple[str, ...]
    measures: tuple[Measure, ...]
    values: dict[str, FloatArray]
    """Of each measure, by its name; NaN where it is not defined."""
    notes: tuple[str, ...]

    def rows(self) -> Iterator[tuple[str, str, str, float]]:
        """Measure, answer, reference and value of each cell."""
        for measure, values in self.values.items():
            for name, line in zip(self.names, values.tolist(), strict=True):
                for other, value in zip(self.names, line, strict=True):
                    yield measure, name, other, value

    def table(self, measure: str, digits: int) -> Table:
        """The matrix of one measure."""
        names = [printable(name) for name in self.names]
        lines = [
            [name, *(number(value, digits) for value in line)]
            for name, line in zip(names, self.values[measure].tolist(), strict=True)
        ]
        return Table((measure, *names), lines)

    def to_dict(self) -> dict[str, Any]:
        """Plain lists, dicts and numbers; what is not defined is None."""
        cells = {
            measure: [[None if math.isnan(value) else value for value in line] for line in values.tolist()]
            for measure, values in self.values.items()
        }
        names = [printable(name) for name in self.names]
        return {"answers": names, "measures": cells, "notes": list(self.notes)}


def run_of(ranking: Ranking, name: str) -> Run:
    """A run of one query that has this answer."""
    from rankscope.data import Run

    # The items of a set are not tied: they have no order at all, and any will do.
    groups = ranking.groups if ranking.ordered else [(item,) for item in sorted(ranking.items)]
    scores = {item: -float(number) for number, group in enumerate(groups) for item in group}
    return Run.of({QUERY: scores}, name)


def refuse_sets(measures: Sequence[Measure]) -> None:
    """An error if one of the measures compares the order of answers."""
    from rankscope.measures.similarity import UNORDERED

    ordered = [str(measure) for measure in measures if measure.name not in UNORDERED]
    if ordered:
        verb = "compares" if len(ordered) == 1 else "compare"
        raise InputError(
            f"{', '.join(ordered)} {verb} the order of answers, and these are sets",
            code="unordered",
            expected=f"cardinal or nominal measures: {', '.join(UNORDERED)}",
        )


def with_reference(
    reference: Run, runs: Sequence[Run], measures: Sequence[Measure], **options: Any
) -> Result:
    """Each run compared with one reference, query by query; ties are groups."""
    from rankscope.data import Answer
    from rankscope.evaluate import evaluate

    return evaluate(Answer.of(reference), list(runs), measures, ties="kept", **options)


def all_with_all(runs: Sequence[Run], measures: Sequence[Measure], **options: Any) -> Matrix:
    """Every run compared with every one as reference: the means over the queries of the reference."""
    values = {str(measure): np.full((len(runs), len(runs)), np.nan) for measure in measures}
    notes: dict[str, None] = {}
    for column, reference in enumerate(runs):
        result = with_reference(reference, runs, measures, **options)
        notes |= dict.fromkeys(result.notes)
        for row, run in enumerate(result.runs.values()):
            for name, value in run.aggregate.items():
                values[name][row, column] = value
    names = tuple(run.name for run in runs)
    return Matrix(names, tuple(measures), values, tuple(notes))


def ranking_of(answer: Judgments, query: str) -> Ranking:
    """The answer to one query, as groups of items; empty if it has no such query."""
    number = next((n for n, known in enumerate(answer.queries) if known == query), None)
    if number is None:
        return Ranking((), ())
    rows = slice(int(answer.offsets[number]), int(answer.offsets[number + 1]))
    return Ranking.of(dict(zip(answer.items[rows], answer.grades[rows].tolist(), strict=True)))
