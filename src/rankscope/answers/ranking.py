"""One answer: a set of items, a ranking of them, or a ranking of groups of tied items."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from typing import Any, SupportsFloat

import numpy as np

from rankscope.errors import InputError, printable

__all__ = ["Ranking", "item_set"]


@dataclass(frozen=True)
class Ranking:
    """The items of one answer, best first, in groups of tied ones; a set is one group without an order.

    >>> Ranking.of([["a", "b"], "c"]).groups
    (('a', 'b'), ('c',))
    >>> Ranking.of({"a": 0.3, "b": 0.9, "c": 0.3}).groups
    (('b',), ('a', 'c'))
    """

    items: tuple[str, ...]
    sizes: tuple[int, ...]
    """How many items each group has."""
    ordered: bool = True
    """Whether the order means anything; it does not in a set."""

    @classmethod
    def of(cls, given: Any) -> Ranking:
        """From a list of items or of groups, a set of items, or a mapping of item to score.

        An item twice, an empty group and a score that is not finite are errors.
        """
        if isinstance(given, Ranking):
            return given
        if isinstance(given, Mapping):
            return cls._checked(*_by_score(given))
        if isinstance(given, Set):
            members = [_id(item) for item in given]
            return cls._checked(members, [len(members)] if members else [], ordered=False)
        entries = _entries(given)
        items = _plain_items(entries)
        if items is not None:
            return cls._checked(items, [1] * len(items))
        groups = [_group(entry, number) for number, entry in enumerate(entries, 1)]
        return cls._checked([*chain.from_iterable(groups)], [*map(len, groups)])

    @classmethod
    def _checked(cls, items: Sequence[str], sizes: Sequence[int], *, ordered: bool = True) -> Ranking:
        ranking = cls(tuple(items), tuple(sizes), ordered)
        if len(set(items)) < len(items):
            raise _repeated(ranking.groups)
        return ranking

    @cached_property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The items of each group."""
        rest = iter(self.items)
        return tuple(tuple(islice(rest, size)) for size in self.sizes)

    def __len__(self) -> int:
        """How many items there are."""
        return len(self.items)

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return iter(self.groups)


def item_set(given: Any) -> frozenset[str]:
    """The items of an answer without order and groups; one given twice counts once.

    >>> sorted(item_set([["a", "b"], "c", "a"]))
    ['a', 'b', 'c']
    """
    if isinstance(given, Ranking):
        return frozenset(given.items)
    if isinstance(given, Mapping | Set):
        return frozenset(_id(item) for item in given)
    entries = _entries(given)
    items = _plain_items(entries)
    if items is not None:
        return frozenset(items)
    return frozenset(chain.from_iterable(_group(entry, number) for number, entry in enumerate(entries, 1)))


def _entries(given: Any) -> Sequence[Any]:
    if isinstance(given, np.ndarray):
        given = given.tolist()
    # A data frame would be read as the names of its columns.
    if isinstance(given, str | bytes) or not isinstance(given, Iterable) or hasattr(given, "columns"):
        raise InputError(
            f"something of type {type(given).__name__} cannot be read as an answer",
            code="answer-type",
            expected="a list of items or of groups, best first, a set, or a mapping of item to score",
        )
    return given if isinstance(given, list | tuple) else list(given)


def _plain_items(entries: Sequence[Any]) -> Sequence[str] | None:
    """The ids if there is nothing but texts and whole numbers: a million of them are not looked at singly."""
    kinds = set(map(type, entries))
    if kinds <= {str}:
        return entries
    return [*map(str, entries)] if kinds <= {str, int} else None


def _group(entry: Any, number: int) -> list[str]:
    """The items of an entry of a list: a group, or one item that is a group by itself."""
    if isinstance(entry, str):
        return [entry]
    if isinstance(entry, np.ndarray):
        entry = entry.tolist()
    if not isinstance(entry, list | tuple | Set):
        return [_id(entry)]
    if not entry:
        raise InputError(
            f"group {number} is empty", code="empty-group", expected="at least one item in each group"
        )
    return [_id(item) for item in entry]


def _id(item: Any) -> str:
    """Ids are text, and a whole number is the text of its digits."""
    if isinstance(item, str):
        return item
    if isinstance(item, bytes):
        return item.decode("utf-8", "surrogateescape")
    if isinstance(item, int | np.integer) and not isinstance(item, bool):
        return str(operator.index(item))
    raise InputError(
        f"item {printable(repr(item))} is {type(item).__name__}, which cannot be an id",
        code="id-type",
        expected="text or a whole number",
        hint="str() of it, if that is its name",
    )


def _by_score(scores: Mapping[Any, Any]) -> tuple[list[str], list[int]]:
    """The items from the highest score to the lowest, and how many have the same one."""
    items = [_id(item) for item in scores]
    values = np.fromiter((_score(item, score) for item, score in scores.items()), np.float64, len(items))
    order = np.argsort(-values, kind="stable")
    ends = np.flatnonzero(np.diff(values[order])) + 1
    sizes = np.diff([0, *ends.tolist(), len(items)]) if items else np.zeros(0, np.int64)
    return [items[row] for row in order.tolist()], sizes.tolist()


def _score(item: Any, score: Any) -> float:
    # The classes come first: a protocol takes 20 times as long to ask for.
    usable = isinstance(score, float | int | SupportsFloat)
    try:
        number = float(score) if usable and not isinstance(score, bool | str) else math.nan
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise InputError(
            f"score {printable(repr(score))} of item '{printable(str(item))}' is not a finite number",
            code="not-finite",
            expected="a finite number for each item",
        )
    return number


def _repeated(groups: Sequence[Sequence[str]]) -> InputError:
    first: dict[str, int] = {}
    for number, group in enumerate(groups, 1):
        for item in group:
            if item in first:
                places = (
                    f"in group {number}" if first[item] == number else f"in groups {first[item]} and {number}"
                )
                return InputError(
                    f"item '{printable(item)}' stands twice, {places}",
                    code="duplicate-item",
                    expected="each item once in an answer",
                    hint="remove one, or use a cardinal or nominal measure, which takes answers as sets",
                )
            first[item] = number
    raise ValueError("no item stands twice")
