"""Truths other than judgments whose items have a number each: a true order, and another answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any, ClassVar, Self

import numpy as np

from rankscope.data.formats import Names
from rankscope.data.frames import ColumnSource
from rankscope.data.judgments import Judgments
from rankscope.data.rows import Rows
from rankscope.data.run import Run
from rankscope.data.sources import source_of
from rankscope.errors import InputError, input_error, printable

__all__ = ["Answer", "Order"]


class _Ranking(Judgments):
    """A truth that is itself a ranking: `grades` are its scores, and equal ones are tied."""

    @classmethod
    def of(
        cls,
        given: Any,
        name: str | None = None,
        *,
        format: str | None = None,
        columns: Names | None = None,
    ) -> Self:
        """From a run, a path, a data frame, or a mapping of query to ranking.

        A ranking is a mapping of item to score, a list of items or of groups of tied items, best first, or a
        set, whose items are all tied. Judgments are taken by their grades.
        """
        if isinstance(given, cls):
            return given
        label = name or getattr(given, "name", None) or cls.kind
        if isinstance(given, Judgments):
            return cls(
                given.queries,
                given.offsets,
                given.items,
                given.grades,
                label,
                given.notes,
                given.integer_queries,
                given.integer_items,
            )
        if isinstance(given, Mapping):
            scored = {query: _scored(query, ranking) for query, ranking in given.items()}
            return cls._of_columns(source_of(scored, "judgments").judge(label), label)
        run = given if isinstance(given, Run) else Run.of(given, name, format=format, columns=columns)
        return cls._of_rows(run.rows(), run.name)

    @classmethod
    def _of_rows(cls, rows: Rows, name: str) -> Self:
        source = ColumnSource(list(rows.query), list(rows.item), np.array(rows.value))
        return cls._of_columns(source.judge(name), name)


class Order(_Ranking):
    """The true order of each query's items: their true scores, where bigger is better.

    >>> order = Order.of({"q": ["b", "a", "c"]})
    >>> dict(zip(order.items, order.grades.tolist()))
    {'b': 3.0, 'a': 2.0, 'c': 1.0}
    """

    kind: ClassVar[str] = "order"


class Answer(_Ranking):
    """Another ranking of each query, to compare with; equal scores make it a partial order.

    >>> Answer.of({"q": [["a", "b"], "c"]}).grades.tolist()
    [2.0, 2.0, 1.0]
    """

    kind: ClassVar[str] = "answer"


def _scored(query: Any, ranking: Any) -> Mapping[Any, float]:
    """The score of each item, from whatever stands for a ranking."""
    if isinstance(ranking, Mapping):
        return ranking
    if isinstance(ranking, Set):
        return dict.fromkeys(ranking, 0.0)
    if isinstance(ranking, str | bytes) or not isinstance(ranking, Iterable):
        raise input_error("ranking-type", query=query, found=type(ranking).__name__)
    groups = [_members(entry) for entry in ranking]
    scores: dict[Any, float] = {}
    for rank, group in enumerate(groups):
        for item in group:
            if item in scores:
                raise InputError(
                    f"query '{printable(str(query))}' ranks item '{printable(str(item))}' twice",
                    code="duplicate-item",
                    expected="each item once in a ranking",
                )
            scores[item] = float(len(groups) - rank)
    return scores


def _members(entry: Any) -> list[Any]:
    """The items of one group; what is not a list or a set is a group of its own."""
    return list(entry) if isinstance(entry, list | tuple | Set) else [entry]
