"""Ranked lists and their truth, read and checked: which items of each list are relevant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rankscope.errors import InputError, printable
from rankscope.links.curve import scores_of
from rankscope.links.items import Key, distinct, named
from rankscope.notes import listed

__all__ = ["RankedList", "lists_of"]

BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RankedList:
    """What one query got, best first."""

    query: str
    items: Sequence[str]
    relevant: BoolArray
    """Whether each item is relevant."""
    wanted: int | None
    """How many items are relevant, ranked or not; None if the truth does not tell queries apart."""
    relevances: FloatArray | None = None
    """The score of each item."""

    @property
    def found(self) -> int:
        """How many of the items are relevant."""
        return int(np.count_nonzero(self.relevant))

    def precisions(self) -> FloatArray:
        """The precision at the rank of each relevant item."""
        ranks = np.flatnonzero(self.relevant) + 1
        return np.arange(1, len(ranks) + 1) / ranks

    def lags(self) -> npt.NDArray[np.int64]:
        """How many items that are not relevant stand before each relevant one."""
        before = np.flatnonzero(self.relevant)
        return before - np.arange(len(before))


def lists_of(
    ranked: Any, truth: Any, relevances: Any, key: Key | None, *, duplicates: str
) -> tuple[list[RankedList], int, tuple[str, ...]]:
    """The lists in the order given, the size of the truth, and notes."""
    rankings = _by_query(ranked, "ranked results", "lists of items, best first")
    per_query = _truths(truth, rankings, key)
    scores = None if relevances is None else _scores(relevances, rankings)
    lists = []
    for query, given in rankings.items():
        where = f"query '{printable(query)}'"
        items = named(given, key, where)
        if duplicates == "error":
            _check_once(items, where)
        wanted = per_query.sets[query] if per_query.sets else per_query.shared
        flags = np.fromiter((item in wanted for item in items), np.bool_, len(items))
        found = None if scores is None else scores_of(scores[query], where)
        if found is not None and len(found) != len(items):
            raise _unequal(where, f"{len(items)} items and {len(found)} relevances")
        lists.append(RankedList(query, items, flags, len(wanted) if per_query.sets else None, found))
    return lists, per_query.size, per_query.notes


@dataclass(frozen=True)
class _Truth:
    """The relevant items of each query, or of all of them together."""

    sets: dict[str, set[str]]
    shared: set[str]
    again: int

    @property
    def size(self) -> int:
        return sum(map(len, self.sets.values())) if self.sets else len(self.shared)

    @property
    def notes(self) -> tuple[str, ...]:
        items = "1 item is" if self.again == 1 else f"{self.again} items are"
        return (f"{items} in the ground truth already: counted once",) if self.again else ()


def _truths(truth: Any, rankings: Mapping[str, Any], key: Key | None) -> _Truth:
    if not isinstance(truth, Mapping):
        return _Truth({}, *distinct(truth, key, "ground truth"))
    given = _by_query(truth, "ground truth", "relevant items for each query")
    _check_paired(rankings, given, "ground truth")
    found = {
        query: distinct(items, key, f"ground truth of query '{printable(query)}'")
        for query, items in given.items()
    }
    return _Truth({q: items for q, (items, _) in found.items()}, set(), sum(n for _, n in found.values()))


def _scores(relevances: Any, rankings: Mapping[str, Any]) -> dict[str, Any]:
    found = _by_query(relevances, "relevances", "lists of numbers, as the items are listed")
    _check_paired(rankings, found, "relevances")
    return found


def _by_query(given: Any, where: str, expected: str) -> dict[str, Any]:
    """A mapping of query to items as it is; lists are of queries 1, 2, and so on."""
    if isinstance(given, Mapping):
        queries = named(list(given), None, where)
        found = dict(zip(queries, given.values(), strict=True))
    elif isinstance(given, Iterable) and not isinstance(given, str | bytes):
        found = {str(number): items for number, items in enumerate(given, 1)}
    else:
        raise _unequal(
            where, f"something of type {type(given).__name__}", f"{expected}, or a mapping to them"
        )
    if not found:
        raise _unequal(where, "no list", f"at least one: {expected}")
    return found


def _check_paired(rankings: Mapping[str, Any], others: Mapping[str, Any], what: str) -> None:
    lacking = [query for query in rankings if query not in others]
    unknown = [query for query in others if query not in rankings]
    if lacking:
        raise _unequal(what, f"none for {listed('ranked', lacking)}", "one for each query")
    if unknown:
        raise _unequal(what, f"some for {listed('', unknown)} without a list", "one for each query")


def _check_once(items: Sequence[str], where: str) -> None:
    if len(set(items)) == len(items):
        return
    first: dict[str, int] = {}
    for rank, item in enumerate(items, 1):
        if item in first:
            raise InputError(
                f"item '{printable(item)}' is ranked twice (ranks {first[item]} and {rank})",
                code="duplicate-item",
                where=where,
                expected="each item once in a list",
                hint="remove one, or choose duplicates=allow (--duplicates allow on the command line)",
            )
        first[item] = rank


def _unequal(where: str, what: str, expected: str = "as many relevances as items") -> InputError:
    return InputError(what, code="lists", where=where, expected=expected)
