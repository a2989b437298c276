"""Where the lists of a study come from: all there are, some with weights, or as many as are drawn.

A list is the ranking of one imaginary system: the labels of its items, the item ranked first to the left. The
label is the truth, and a bigger one is better, so that the perfect ranking of 4 items is 4 3 2 1.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from rankscope.errors import InputError
from rankscope.study.arrangements import (
    Labels,
    arrangements,
    fixed_points,
    inversions,
    multinomial,
    swap_chances,
)
from rankscope.study.requests import refused, whole_number

__all__ = ["Block", "ClassSizes", "Mallows", "Permutations", "Population", "Rankings", "Sampler", "Swaps"]

Weights = npt.NDArray[Any]
Draw = Callable[[np.random.Generator, int], npt.ArrayLike]

MOST_ITEMS = 2**15 - 1
"""Labels are kept as 16-bit numbers."""


@dataclass(frozen=True, eq=False)
class Block:
    """Some lists, and how much each of them counts; without weights, all alike."""

    labels: Labels
    weights: Weights | None = None

    def __len__(self) -> int:
        return len(self.labels)

    def part(self, chosen: slice | npt.NDArray[np.bool_]) -> Block:
        """Some of the lists."""
        return Block(self.labels[chosen], None if self.weights is None else self.weights[chosen])


class Population(ABC):
    """A distribution of lists over the same items."""

    stands_for: ClassVar[tuple[str, ...]] = ("order", "classes")
    """The kinds of truth that its labels can be."""

    @property
    @abstractmethod
    def items(self) -> int:
        """How many items a list has."""

    @property
    @abstractmethod
    def size(self) -> int | None:
        """How many different lists there are; None if that is not known."""

    @abstractmethod
    def blocks(self) -> Iterator[Block]:
        """Every list, with its weight."""

    @abstractmethod
    def draw(self, rng: np.random.Generator, count: int) -> Labels:
        """So many lists at random."""

    @abstractmethod
    def __str__(self) -> str: ...

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self}>"


@dataclass(frozen=True)
class Permutations(Population):
    """All orders of n items, each as likely as any other.

    >>> Permutations(8).size
    40320
    >>> [block.labels.tolist() for block in Permutations(2).blocks()]
    [[[1, 2], [2, 1]]]
    """

    n: int

    def __post_init__(self) -> None:
        whole_number("n", self.n, least=2, most=MOST_ITEMS)

    @property
    def items(self) -> int:
        return self.n

    @property
    def size(self) -> int:
        return math.factorial(self.n)

    def blocks(self) -> Iterator[Block]:
        for block in arrangements([1] * self.n):
            yield Block(block + 1, self._weights(block))

    def _weights(self, block: Labels) -> Weights | None:
        """How likely each of some permutations of 0 .. n-1 is; None: all alike."""
        return None

    def draw(self, rng: np.random.Generator, count: int) -> Labels:
        true_order = np.arange(self.n, 0, -1, dtype=np.int16)
        return rng.permuted(np.tile(true_order, (count, 1)), axis=1)

    def __str__(self) -> str:
        return f"permutations of {self.n}"


@dataclass(frozen=True)
class Swaps(Permutations):
    """The true order after some random swaps, each of two different items, every pair as likely.

    >>> len({tuple(ranking) for ranking in Swaps(5, 1).draw(np.random.default_rng(0), 1000).tolist()})
    10
    """

    swaps: int

    def __post_init__(self) -> None:
        super().__post_init__()
        whole_number("swaps", self.swaps, least=1, most=1000)

    def _weights(self, block: Labels) -> Weights:
        # Best first, the true order is n-1 .. 0: turned round, it is the permutation that moves nothing.
        found = fixed_points(block[:, ::-1])
        chances = swap_chances(self.n, self.swaps)
        kinds, kind = np.unique(found, axis=0, return_inverse=True)
        chance = [float(chances.get(tuple(row), 0)) for row in kinds.tolist()]
        return np.array(chance)[kind.reshape(-1)]

    def draw(self, rng: np.random.Generator, count: int) -> Labels:
        lists = np.tile(np.arange(self.n, 0, -1, dtype=np.int16), (count, 1))
        row = np.arange(count)
        for _ in range(self.swaps):
            one = rng.integers(self.n, size=count)
            other = (one + rng.integers(1, self.n, size=count)) % self.n
            lists[row, one], lists[row, other] = lists[row, other], lists[row, one]
        return lists

    def __str__(self) -> str:
        return f"permutations of {self.n} after {self.swaps} random {'swap' if self.swaps == 1 else 'swaps'}"


@dataclass(frozen=True)
class Mallows(Permutations):
    """Permutations whose chance falls with their distance from the true order, as exp(-theta d).

    The distance d is the number of pairs in the wrong order; theta = 0 makes all lists alike.

    >>> next(Mallows(2, math.log(3)).blocks()).weights.round(12).tolist()
    [0.25, 0.75]
    """

    theta: float

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.theta, bool) or not isinstance(self.theta, int | float | np.floating):
            raise refused(f"theta={self.theta!r}", "a number, such as 0.5")
        if not math.isfinite(self.theta):
            raise refused(f"theta={self.theta}", "a finite number, such as 0.5")

    def _weights(self, block: Labels) -> Weights:
        # The farthest list is the reference if that is the likeliest one, so that no weight overflows.
        farthest = self.n * (self.n - 1) // 2 if self.theta < 0 else 0
        weights: Weights = np.exp(-self.theta * (inversions(block) - farthest))
        terms = (np.exp(-abs(self.theta) * np.arange(items)).sum() for items in range(1, self.n + 1))
        return weights / float(math.prod(terms))

    def draw(self, rng: np.random.Generator, count: int) -> Labels:
        """By insertion: each item in turn jumps over some of those before it, which are all better."""
        lists = np.empty((count, self.n), np.int16)
        row = np.arange(count)
        for placed in range(self.n):
            jumps = np.arange(placed + 1)
            chance = np.exp(-self.theta * (jumps if self.theta >= 0 else jumps - placed))
            jumped = rng.choice(placed + 1, size=count, p=chance / chance.sum())
            target = placed - jumped
            moved = jumps[1:] - 1 >= target[:, None]
            lists[:, 1 : placed + 1] = np.where(moved, lists[:, :placed], lists[:, 1 : placed + 1])
            lists[row, target] = self.n - placed
        return lists

    def __str__(self) -> str:
        return f"permutations of {self.n}, Mallows with theta = {self.theta:g}"


class ClassSizes(Population):
    """All lists with so many items of each grade, each as likely as any other.

    The sizes are those of the classes from the best to the worst: ClassSizes(3, 5) has 3 relevant items and 5
    others, ClassSizes(1, 2, 4) grades 2, 1 and 0. Other grades are given as a mapping of grade to size.

    >>> ClassSizes(3, 5).size, ClassSizes({3: 1, 1: 2, 0: 4}).size
    (56, 105)
    """

    stands_for = ("judgments", "order", "classes")

    def __init__(self, *sizes: int | Mapping[int, int]) -> None:
        self.sizes = _sizes(sizes)
        """Grade -> how many items have it, the best grade first."""

    @property
    def items(self) -> int:
        return sum(self.sizes.values())

    @property
    def size(self) -> int:
        return multinomial([*self.sizes.values()])

    def blocks(self) -> Iterator[Block]:
        grades = np.array([*self.sizes], np.int16)
        for block in arrangements([*self.sizes.values()]):
            yield Block(grades[block])

    def draw(self, rng: np.random.Generator, count: int) -> Labels:
        best = np.repeat(np.array([*self.sizes], np.int16), [*self.sizes.values()])
        return rng.permuted(np.tile(best, (count, 1)), axis=1)

    def __str__(self) -> str:
        return "lists of " + ", ".join(f"{size} of grade {grade}" for grade, size in self.sizes.items())


def _sizes(given: Sequence[int | Mapping[int, int]]) -> dict[int, int]:
    expected = "sizes of at least two classes, the best first, or a mapping of grade to size"
    if len(given) == 1 and isinstance(given[0], Mapping):
        pairs = sorted(given[0].items(), reverse=True)
    else:
        pairs = [(len(given) - 1 - number, size) for number, size in enumerate(given)]  # type: ignore[misc]
    for grade, size in pairs:
        whole_number("grade", grade, least=0, most=1000)
        whole_number("size of a class", size, least=1, most=MOST_ITEMS)
    if len(pairs) < 2:
        raise refused("one class alone: all lists are alike", expected)
    if sum(size for _, size in pairs) > MOST_ITEMS:
        raise refused("lists that are too long", f"at most {MOST_ITEMS} items")
    return dict(pairs)


class Rankings(Population):
    """Given lists, with weights if they are not all alike; the labels of the same items in each.

    Whole weights are exact, as if a list stood there so many times.

    >>> Rankings([[3, 2, 1], [2, 3, 1]], weights=[3, 1]).size
    2
    """

    def __init__(self, rankings: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> None:
        self.labels = checked_lists(rankings, "rankings")
        if len(self.labels) < 2:
            raise refused("one ranking alone", "at least two rankings, for pairs are compared")
        self.weights = None if weights is None else _checked_weights(weights, len(self.labels))
        if len(np.unique(self.labels[0])) < self.labels.shape[1]:
            self.stands_for = ClassSizes.stands_for  # type: ignore[misc]

    @property
    def items(self) -> int:
        return int(self.labels.shape[1])

    @property
    def size(self) -> int:
        return len(self.labels)

    def blocks(self) -> Iterator[Block]:
        yield Block(self.labels, self.weights)

    def draw(self, rng: np.random.Generator, count: int) -> Labels:
        chance = None
        if self.weights is not None:
            scaled = self.weights / self.weights.max()  # so that no sum overflows
            chance = scaled / scaled.sum()
        return self.labels[rng.choice(len(self.labels), size=count, p=chance)]

    def __str__(self) -> str:
        weighted = "" if self.weights is None else ", weighted"
        return f"{len(self.labels)} rankings of {self.items}{weighted}"


@dataclass(frozen=True)
class Sampler(Population):
    """Orders that a function draws: ``function(rng, count)`` gives so many rows with the labels 1 .. n.

    >>> shuffled = Sampler(3, lambda rng, count: rng.permuted([[3, 2, 1]] * count, axis=1))
    >>> shuffled.draw(np.random.default_rng(1), 1).shape
    (1, 3)
    """

    n: int
    function: Draw

    def __post_init__(self) -> None:
        whole_number("n", self.n, least=2, most=MOST_ITEMS)
        if not callable(self.function):
            raise refused("a sampler that cannot be called", "a function of a random generator and a number")

    @property
    def items(self) -> int:
        return self.n

    @property
    def size(self) -> None:
        return None

    def blocks(self) -> Iterator[Block]:
        raise refused("a sampler cannot list all that it may draw", "sample= a number of lists")

    def draw(self, rng: np.random.Generator, count: int) -> Labels:
        drawn = checked_lists(self.function(rng, count), "what the sampler drew")
        if drawn.shape != (count, self.n) or not np.array_equal(np.sort(drawn[0]), np.arange(1, self.n + 1)):
            raise refused(
                f"the sampler drew an array of the shape {drawn.shape}, its first row {drawn[0].tolist()}",
                f"an array of the shape {(count, self.n)}, each row an order of 1 .. {self.n}",
            )
        return drawn

    def __str__(self) -> str:
        return f"lists of {self.n} drawn by {getattr(self.function, '__name__', 'a function')}"


def checked_lists(given: npt.ArrayLike, what: str) -> Labels:
    """Rows of whole labels; each row has the same ones, in its own order."""
    expected = "rows of equal length, each with the labels 1 .. n (or grades) of the same items, best first"
    try:
        found = np.asarray(given)
    except ValueError as error:
        raise refused(f"{what}: the rows differ in length", expected) from error
    if found.ndim != 2 or found.shape[1] < 2 or not len(found):
        raise refused(f"{what} of the shape {found.shape}", expected)
    if found.dtype.kind not in "iuf" or not np.array_equal(found, np.trunc(found)):
        raise refused(f"{what}: a label that is not a whole number", expected)
    if found.min() < 0 or found.max() > MOST_ITEMS:
        raise refused(f"{what}: a label that is negative or above {MOST_ITEMS}", expected)
    labels: Labels = found.astype(np.int16)
    ordered = np.sort(labels, axis=1)
    odd = np.flatnonzero((ordered != ordered[0]).any(axis=1))
    if len(odd):
        raise refused(f"{what}: number {odd[0] + 1} has other labels than the first", expected, "list-labels")
    return labels


def _checked_weights(given: npt.ArrayLike, count: int) -> Weights:
    expected = f"{count} weights, one for each ranking: finite numbers from 0 up, not all 0"
    try:
        weights = np.asarray(given)
        usable = weights.dtype.kind in "iuf" and weights.shape == (count,)
    except ValueError:
        usable = False
    if not usable:
        raise refused("weights that do not fit the rankings", expected)
    if not np.isfinite(weights).all() or weights.min() < 0 or not weights.any():
        raise refused("weights that are negative, not finite, or all 0", expected)
    return weights


def no_such_population(given: object) -> InputError:
    return refused(
        f"lists cannot come from something of type {type(given).__name__}",
        "a number of items (all permutations), a population such as Permutations(8) or ClassSizes(3, 5), or "
        "the result of rankscope.evaluate",
    )
