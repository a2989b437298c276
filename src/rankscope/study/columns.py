"""Lists as kernels read them: each list is a query, and every measure of the registry can be taken of all."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from rankscope.data import Judgments
from rankscope.data.ids import Ids
from rankscope.errors import MeasureError
from rankscope.measures import Graded, Measure, Ordered
from rankscope.measures.segments import ones
from rankscope.study.arrangements import Labels
from rankscope.study.populations import Population

__all__ = ["check_measures", "oriented", "values_of"]

FloatArray = npt.NDArray[np.float64]

_TRUTHS = {
    "judgments": "judgments",
    "order": "a true order",
    "classes": "classes of items",
    "answer": "another answer",
}


def check_measures(measures: Sequence[Measure], population: Population) -> None:
    """Refuse measures that cannot be taken of such lists, and say over what they can."""
    for measure in measures:
        if measure.truth not in population.stands_for:
            runs = "study it over runs: over=rankscope.evaluate(...)"
            lists = "lists of grades: over=ClassSizes(3, 5) (--labels 3,5 on the command line)"
            raise MeasureError(
                f"{measure} is measured against {_TRUTHS[measure.truth]}, which {population} are not",
                code="other-truth",
                expected="measures of " + " or ".join(_TRUTHS[kind] for kind in population.stands_for),
                hint=lists if measure.truth == "judgments" and measure.product != "ranked" else runs,
            )
        if measure.product == "ranked":
            raise MeasureError(
                f"{measure} needs the items of a run, and {population} have none",
                code="other-product",
                expected="a measure of an order or of grades",
                hint="study it over runs: over=rankscope.evaluate(...)",
            )


def oriented(measure: Measure, values: FloatArray) -> FloatArray:
    """The values turned so that bigger is better."""
    return values if measure.better == "higher" else -values


def values_of(measures: Sequence[Measure], labels: Labels) -> FloatArray:
    """A row for each measure and a column for each list; bigger is better, NaN where it is not defined."""
    lists = _Lists(labels)
    found = np.empty((len(measures), len(labels)))
    for number, measure in enumerate(measures):
        values, _ = measure.compute(lists.ordered if measure.product == "ordered" else lists.graded)
        if len(values) != len(labels):
            raise MeasureError(
                f"the kernel of {measure} returned {len(values)} values for {len(labels)} lists",
                code="bad-kernel",
                expected="one value per list",
            )
        found[number] = oriented(measure, values)
    return found


class _Lists:
    """The columns of some lists, each made when the first measure asks for it."""

    def __init__(self, labels: Labels) -> None:
        self._lists, self._items = labels.shape
        self._value = labels.reshape(-1).astype(np.float64)
        self._offsets = np.arange(0, labels.size + 1, self._items)
        self._rank = np.tile(np.arange(1, self._items + 1), self._lists)
        self._retrieved = np.full(self._lists, self._items)

    @cached_property
    def ordered(self) -> Ordered:
        return Ordered(self._offsets, self._value, self._rank, ones(len(self._value)), self._retrieved)

    @cached_property
    def graded(self) -> Graded:
        unnamed = np.zeros(0, np.uint8)
        judgments = Judgments(
            queries=Ids(unnamed, np.zeros(self._lists + 1, np.int64)),
            offsets=self._offsets,
            items=Ids(unnamed, np.zeros(len(self._value) + 1, np.int64)),
            grades=self._value,
        )
        return Graded(
            judgments,
            offsets=self._offsets,
            grade=self._value,
            first=self._rank,
            size=ones(len(self._value)),
            retrieved=self._retrieved,
        )
