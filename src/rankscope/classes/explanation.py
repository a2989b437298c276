"""Where the cost of a ranking of classes arises: the pairs of classes that stand the wrong way round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np

from rankscope.classes.labels import Label
from rankscope.errors import input_error
from rankscope.measures.segments import FloatArray, IntArray

if TYPE_CHECKING:
    from rankscope.classes.coefficient import ClassRanking

__all__ = ["ClassPair", "costliest_pairs"]

MOST_CLASSES = 4096
"""Beyond that many classes a table of all their pairs is larger than anybody reads."""


@dataclass(frozen=True)
class ClassPair:
    """Two classes of which the farther one stands ahead of the nearer one."""

    ahead: Label
    """The farther class, which stands too early."""
    behind: Label
    count: int
    """How many pairs of their items stand so, the first of each within the known positions."""
    cost: float
    """What each of them costs."""

    @property
    def total(self) -> float:
        return self.count * self.cost


def costliest_pairs(ranking: ClassRanking, top: int | None) -> list[ClassPair]:
    """The pairs of classes whose wrong order costs most; those of equal cost in the order of the classes."""
    if len(ranking.distances) > MOST_CLASSES:
        raise input_error("too-many-classes", count=len(ranking.distances), most=MOST_CLASSES)
    if top is not None and (isinstance(top, bool) or not isinstance(top, SupportsIndex) or top < 0):
        raise input_error("whole-number", option="top", given=top, least=0)
    counts, distances = _pair_counts(ranking.codes, ranking.counts), ranking.distances
    behind, ahead = np.nonzero((distances > distances[:, np.newaxis]) & (counts > 0))
    count = counts[behind, ahead]
    each = np.ones(len(count)) if ranking.unit else distances[ahead] - distances[behind]
    costliest = np.argsort(-count * each, kind="stable")[:top]
    columns = (column[costliest].tolist() for column in (ahead, behind, count, each))
    names = ranking.classes
    return [ClassPair(names[a], names[b], int(n), cost) for a, b, n, cost in zip(*columns, strict=True)]


def _pair_counts(codes: IntArray, counts: IntArray) -> FloatArray:
    """By class, and by class again: how many items of the first stand behind items of the second.

    One pass over the positions for each class: O(m n) for m known positions and n classes.
    """
    pairs = np.zeros((len(counts), len(counts)))
    for behind in np.flatnonzero(counts).tolist():
        left = counts[behind] - np.cumsum(codes == behind)
        pairs[behind] = np.bincount(codes, weights=left, minlength=len(counts))
    return pairs
