"""ClasSi: how well a ranking of class labels agrees with the distances of the classes from the query's.

A pair of items that stand the wrong way round costs the difference of their distances; ClasSi_k is
1 - 2 DisCost_k / W_k, with the cost of the pairs that begin within the first k and that of the worst ranking.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Self, SupportsFloat, SupportsIndex, get_args

import numpy as np

from rankscope.align.costs import later_costs, level_costs, levels_of, prefix_curve, worst_costs
from rankscope.classes.distances import ClassDistance, finite
from rankscope.classes.explanation import ClassPair, costliest_pairs
from rankscope.classes.labels import Label, as_float, class_of, encoded, listed, shown
from rankscope.classes.significance import Alternative, Method, PValue, p_value
from rankscope.errors import PolicyError, input_error
from rankscope.measures.segments import FloatArray, IntArray

__all__ = ["ClassRanking", "Cost", "classi"]

Cost = Literal["difference", "unit"]
Names = Callable[[], list[Any]]

MOST_ITEMS = 2**53
"""Beyond that a 64-bit float cannot count them."""


@dataclass(frozen=True, eq=False, repr=False)
class ClassRanking:
    """A ranking of classes, measured: everything is computed when it is asked for.

    >>> ranking = classi(list("bbbctccctt"), "b", {"c": 1, "t": 6})
    >>> ranking
    <ClassRanking: 10 of 10 items, 3 classes, ClasSi 0.7619>
    >>> ranking.curve[:5]
    array([1.  , 1.  , 1.  , 1.  , 0.75])
    """

    names: Names
    codes: IntArray
    """The number of the class at each position, for as many positions as are known."""
    distances: FloatArray
    """By class: its distance from the query's."""
    counts: IntArray
    """By class: how many items the whole ranking has."""
    unit: bool = False
    undefined: float = math.nan

    @cached_property
    def classes(self) -> list[Label]:
        """The classes, in the order of `distances` and `counts`."""
        return self.names()

    @cached_property
    def size(self) -> int:
        """How many items the whole ranking has; the first `len(ranking)` of them are known."""
        return int(self.counts.sum())

    def __len__(self) -> int:
        return len(self.codes)

    def checked(self) -> Self:
        """The same, if its costs can be held: found out now, and not when a value is asked for."""
        _ = self.total_worst_cost
        return self

    # ---- values

    @property
    def value(self) -> float:
        """ClasSi of all known positions: 1 is the best order, -1 the worst."""
        return self.at(len(self)) if len(self) else self.undefined

    @property
    def completed(self) -> float:
        """ClasSi of the whole ranking where what is not known follows in any order: the mean over these.

        This is the measure ClasSi of a run. Where all positions are known, it is their value.

        >>> classi(["c", "b"], order=["b", "c"], counts={"b": 2, "c": 2}).completed
        -0.25
        """
        if self.total_worst_cost == 0:
            return self.undefined
        distance, level = self._levels
        rest = self.level_counts - np.bincount(level[self.codes], minlength=len(distance))
        # Of the pairs that are not known half stand the wrong way round.
        left = float(rest @ level_costs(distance, rest, unit=self.unit)) / 2
        spent = float(self.position_costs.sum()) + left
        return min(max(1 - 2 * (spent / self.total_worst_cost), -1.0), 1.0)

    def at(self, k: int) -> float:
        """ClasSi_k: the value of the first k positions."""
        return float(self.curve[checked_k(k, len(self)) - 1])

    @cached_property
    def curve(self) -> FloatArray:
        """ClasSi_k for k = 1, 2, ... up to the last known position."""
        return self._curve_of(self.position_costs)

    @cached_property
    def expected(self) -> FloatArray:
        """The mean of ClasSi_k over all rankings of the same items: what luck alone would give.

        It is 0 for the whole ranking, but not for shorter prefixes, where it may be of either sign.
        """
        behind = self.size - np.arange(1.0, len(self) + 1)
        pairs = self.size * max(self.size - 1, 1)
        return self._curve_of(behind * (self.total_worst_cost / pairs) if pairs else behind)

    @cached_property
    def cost(self) -> FloatArray:
        """DisCost_k for k = 1, 2, ...: what the pairs cost that begin within the first k positions."""
        return np.cumsum(self.position_costs)

    @cached_property
    def worst_cost(self) -> FloatArray:
        """W_k for k = 1, 2, ...: the same of the worst ranking, which no ranking exceeds."""
        return np.cumsum(self._worst_position_costs)

    @cached_property
    def position_costs(self) -> FloatArray:
        """What each position costs: the nearer items behind it, by how much they are nearer."""
        far, level_of_class = self._levels
        distance = far - far[:1]
        is_level = np.array_equal(level_of_class, np.arange(len(far)))  # as with distances for labels
        level = self.codes if is_level else level_of_class[self.codes]
        costs = later_costs(level, distance[level], np.array([0, len(level)]), unit=self.unit)
        if len(self) < self.size:
            unknown = self.level_counts - np.bincount(level, minlength=len(distance))
            costs += level_costs(distance, unknown, unit=self.unit)[level]
        return costs

    @cached_property
    def total_worst_cost(self) -> float:
        """W, the cost of the worst ranking: the sum over all pairs of the difference of their distances."""
        with np.errstate(over="ignore", invalid="ignore"):
            total = float(self.level_counts @ self._level_costs)
        if not math.isfinite(total):
            raise input_error("class-distances-overflow")
        return total

    # ---- rankings and explanations

    @property
    def best(self) -> list[Label]:
        """A ranking that no other excels: the classes from near to far."""
        return self._arranged(np.argsort(self.distances, kind="stable"))

    @property
    def worst(self) -> list[Label]:
        """A ranking that none falls behind: the classes from far to near."""
        return self._arranged(np.argsort(-self.distances, kind="stable"))

    def pairs(self, top: int | None = 10) -> list[ClassPair]:
        """The pairs of classes whose wrong order costs most, the costliest first."""
        return costliest_pairs(self, top)

    def pvalue(
        self,
        method: Method = "auto",
        *,
        alternative: Alternative = "greater",
        samples: int = 9999,
        seed: int = 0,
    ) -> PValue:
        """The chance that a random ranking of the same items does as well: the p-value against luck.

        "exact" looks at every arrangement, "normal" takes the normal distribution with the exact variance
        (for whole rankings), "permutation" draws `samples` rankings with a seed. "auto" is exact where there
        are few arrangements, and else normal for a whole ranking and permutation for the beginning of one.
        """
        return p_value(self, method, alternative=alternative, samples=samples, seed=seed)

    def __repr__(self) -> str:
        known, classes = f"{len(self)} of {self.size} items", f"{len(self.distances)} classes"
        return f"<ClassRanking: {known}, {classes}, ClasSi {self.value:.4f}>"

    # ---- levels: classes that are equally far are one

    @cached_property
    def _levels(self) -> tuple[FloatArray, Any]:
        return levels_of(self.distances)

    @property
    def level_distances(self) -> FloatArray:
        """The distinct distances, from near to far."""
        return self._levels[0]

    @cached_property
    def level_counts(self) -> IntArray:
        """How many items the whole ranking has at each of them."""
        distance, level = self._levels
        counts = np.zeros(len(distance), np.int64)
        np.add.at(counts, level, self.counts)
        return counts

    @cached_property
    def _level_costs(self) -> FloatArray:
        with np.errstate(over="ignore", invalid="ignore"):
            return level_costs(self._levels[0], self.level_counts, unit=self.unit)

    @property
    def _worst_position_costs(self) -> FloatArray:
        return worst_costs(self._level_costs, self.level_counts, len(self))

    def _curve_of(self, position_costs: FloatArray) -> FloatArray:
        if self.total_worst_cost == 0:
            return np.full(len(self), self.undefined)
        return prefix_curve(position_costs, self._worst_position_costs)

    def _arranged(self, order: IntArray) -> list[Label]:
        return [label for n in order.tolist() for label in [self.classes[n]] * int(self.counts[n])]


def classi(
    labels: Any,
    query_class: Any = None,
    distance: Any = None,
    *,
    order: Any = None,
    classes: Iterable[Any] | None = None,
    cost: Cost = "difference",
    counts: Mapping[Any, int] | None = None,
    k: int | None = None,
    undefined: float = math.nan,
) -> ClassRanking:
    """Measure a ranking of class labels, best first.

    - `query_class`: the class of what was searched for.
    - `distance`: how far each class is from another, as `ClassDistance.of` takes it: a mapping, a matrix
      (with the names of its `classes`), a data frame, a file, a callable or a `Taxonomy`. Only the distances
      from the query's class count, in that direction.
    - `order`: in place of it the desired order of the classes; those in a list of their own are equally far.
    - Without both, `labels` are the distances themselves.
    - `cost`: "difference", or "unit" where every pair in the wrong order costs 1.
    - `counts`: how many items of each class there are in all, where `labels` are only the first ones.
    - `k`: only the first k positions are measured.
    - `undefined`: the value where all items are equally far, and every ranking is both best and worst.

    >>> ranking = classi(["c", "b", "b", "b", "c", "c", "c", "t", "t", "t"], "b", {"c": 1, "t": 6})
    >>> round(ranking.value, 4), ranking.at(5)
    (0.9524, 0.95)
    >>> classi([2, 1, 3]).value
    0.5
    >>> classi(["c", "b"], order=["b", "c", "t"], counts={"b": 3, "c": 4, "t": 3}).value
    0.7
    """
    if cost not in get_args(Cost):
        choices = f"cost= one of {', '.join(get_args(Cost))}"
        raise PolicyError(f"cost={cost} is not a cost", code="unknown-cost", expected=choices)
    if isinstance(undefined, bool) or not isinstance(undefined, SupportsFloat):
        raise PolicyError(f"undefined={undefined!r}", code="bad-undefined", expected="a number")
    if distance is None and order is None:
        distances, codes = _as_distances(labels)
        if counts is not None:
            every, whole = _counted(distances.tolist(), codes, counts, _as_distance)
            distances = np.array(every)
        else:
            whole = np.bincount(codes, minlength=len(distances))
        names: Names = distances.tolist
    else:
        table = ClassDistance.chosen(distance, order, classes)
        found, codes = encoded(labels)
        every, whole = _counted(found, codes, counts, class_of)
        names, distances = (lambda: every), table.row(query_class, every)
    known = codes if k is None else codes[: checked_k(k, len(codes))]
    return ClassRanking(names, known, distances, whole, cost == "unit", undefined).checked()


def _as_distances(labels: Any) -> tuple[FloatArray, IntArray]:
    """The distances themselves as labels: the distinct ones, and which of them stands at each position."""
    given = labels if isinstance(labels, np.ndarray) else listed(labels)
    try:
        values = np.asarray(given)
    except ValueError as error:  # lists of different lengths
        raise input_error("labels-without-distance") from error
    if values.dtype.kind == "O" and values.ndim == 1:  # fractions, decimals, large whole numbers
        values = np.array([_as_number(value) for value in values.tolist()])
    if values.ndim != 1 or (values.dtype.kind not in "iuf" and values.size):
        raise input_error("labels-without-distance")
    values = values.astype(np.float64, copy=False)
    if not np.isfinite(values).all():
        row = int(np.flatnonzero(~np.isfinite(values))[0])
        text = float(values[row])
        raise input_error("not-finite", source="the ranking", row=row + 1, field="distance", text=text)
    return levels_of(values)


def _as_number(value: Any) -> float:
    number = as_float(value)
    if math.isnan(number) and value == value:
        raise input_error("labels-without-distance")
    return number


def _as_distance(label: Any) -> float:
    return finite(label, label, "counts")


def _counted(
    classes: list[Label], codes: IntArray, counts: Any, name: Callable[[Any], Label]
) -> tuple[list[Any], IntArray]:
    """All classes, those that were seen first, and how many items of each there are."""
    seen = np.bincount(codes, minlength=len(classes))
    if counts is None:
        return classes, seen
    if not hasattr(counts, "items"):  # a mapping, or a series with an index
        raise input_error("class-counts-type", found=type(counts).__name__)
    given: dict[Label, int] = {}
    for label, count in counts.items():
        if name(label) in given:
            raise input_error("class-twice", source="counts", label=shown(label))
        given[name(label)] = _checked_count(label, count)
    whole = {**dict.fromkeys(classes, 0), **given}
    for label, least in zip(classes, seen.tolist(), strict=True):
        if whole[label] < least:
            raise input_error("class-count-low", label=shown(label), seen=least, count=whole[label])
    return list(whole), np.array(list(whole.values()), np.int64)


def _checked_count(label: Any, count: Any) -> int:
    if isinstance(count, SupportsIndex) and not isinstance(count, bool):
        number = operator.index(count)
        if 0 <= number < MOST_ITEMS:
            return number
    raise input_error("class-count", label=shown(label), text=count)


def checked_k(k: Any, most: int) -> int:
    """A cutoff from 1 to as many positions as there are."""
    if isinstance(k, SupportsIndex) and not isinstance(k, bool):
        number = operator.index(k)
        if 1 <= number <= most:
            return number
    raise input_error("class-cutoff", text=k, most=most)
