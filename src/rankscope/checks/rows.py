"""The rows of one input as columns of codes, and what was wrong with the rows that are not among them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np
import numpy.typing as npt

from rankscope.align.plain_rows import Kind
from rankscope.checks.catalogue import finding
from rankscope.checks.report import EXAMPLES, Example, Finding
from rankscope.errors import printable

__all__ = ["Codes", "Faults", "Input", "Rows", "Vocabulary", "among", "distinct", "quoted"]

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

QUOTE_LIMIT = 80


class Codes(defaultdict[bytes, int]):
    """A number for each id, given when it is first asked for: 0, 1, 2, ..."""

    def __init__(self) -> None:
        super().__init__(count().__next__)

    def of(self, ids: Iterable[bytes], size: int) -> IntArray:
        """The codes of some ids."""
        return np.fromiter(map(self.__getitem__, ids), np.int64, size)


@dataclass(frozen=True)
class Vocabulary:
    """The ids of all inputs of a check, so that equal codes are equal ids everywhere."""

    queries: Codes = field(default_factory=Codes)
    items: Codes = field(default_factory=Codes)


@dataclass(frozen=True)
class Rows:
    """Usable rows in the order of the input."""

    query: IntArray
    item: IntArray
    value: FloatArray
    place: IntArray
    """The line or row of each; 0 where the input does not tell."""
    rank: FloatArray | None = None
    """The rank column, if there is one; NaN where it is not a number."""

    def __len__(self) -> int:
        return len(self.query)

    def take(self, chosen: BoolArray | IntArray) -> Rows:
        """Some of the rows."""
        rank = None if self.rank is None else self.rank[chosen]
        return Rows(self.query[chosen], self.item[chosen], self.value[chosen], self.place[chosen], rank)

    @classmethod
    def joined(cls, parts: list[Rows]) -> Rows:
        """The rows of several parts, one after the other."""
        if not parts:
            none = np.empty(0, np.int64)
            return cls(none, none, np.empty(0), none)
        ranks = [part.rank for part in parts if part.rank is not None]
        query, item, place = (
            np.concatenate([getattr(p, c) for p in parts]) for c in ("query", "item", "place")
        )
        value = np.concatenate([part.value for part in parts])
        return cls(query, item, value, place, np.concatenate(ranks) if ranks else None)


class Faults:
    """Counts the rows that cannot be used, by kind, and keeps the first of each as examples."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._examples: dict[str, list[Example]] = {}

    def add(self, code: str, text: str, place: int = 0) -> None:
        self._counts[code] += 1
        kept = self._examples.setdefault(code, [])
        if len(kept) < EXAMPLES:
            kept.append(Example(text, place))

    def findings(self, source: str, unit: str, **facts: Any) -> Iterator[Finding]:
        for code, number in self._counts.items():
            yield finding(code, source, number, self._examples[code], unit=unit, **facts)


@dataclass(frozen=True)
class Input:
    """One input as it was read."""

    source: str
    """How it is called in the report."""
    kind: Kind
    rows: Rows
    findings: tuple[Finding, ...] = ()
    unit: str = "line"

    @property
    def queries(self) -> IntArray:
        """The codes of its queries."""
        return distinct(self.rows.query)


def distinct(codes: IntArray) -> IntArray:
    """The codes that occur, in order; they are dense, so counting is quicker than sorting."""
    return np.flatnonzero(np.bincount(codes))


def among(codes: IntArray, some: IntArray) -> BoolArray:
    """Which of the codes are among some."""
    known = np.zeros(max(codes.max(initial=0), some.max(initial=0)) + 1, np.bool_)
    known[some] = True
    return known[codes]


def quoted(raw: bytes | str) -> str:
    """An id or a line as an example shows it."""
    text = raw[: 4 * QUOTE_LIMIT].decode("utf-8", "surrogateescape") if isinstance(raw, bytes) else raw
    shown = printable(text)
    return f"'{shown}'" if len(shown) <= QUOTE_LIMIT else f"'{shown[: QUOTE_LIMIT - 1]}…'"
