"""Where the cost of a ranking of classes arises: the pairs of classes that stand the wrong way round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rankscope.classes.labels import Label
from rankscope.errors import input_error

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
    """The pairs of classes whose wrong order costs most; those of equal cost in the order of the classes.

    One pass over the positions for each class that any is farther than: O(m n) for n classes.
    """
    if len(ranking.distances) > MOST_CLASSES:
        raise input_error("too-many-classes", count=len(ranking.distances), most=MOST_CLASSES)
    found: list[ClassPair] = []
    for behind, nearer in enumerate(ranking.distances.tolist()):
        cost = ranking.distances - nearer
        if ranking.counts[behind] and (cost > 0).any():
            here = ranking.codes == behind
            left = ranking.counts[behind] - np.cumsum(here)
            count = np.bincount(ranking.codes, weights=left, minlength=len(cost))
            for ahead in np.flatnonzero((cost > 0) & (count > 0)).tolist():
                each = 1.0 if ranking.unit else float(cost[ahead])
                pair = (ranking.classes[ahead], ranking.classes[behind])
                found.append(ClassPair(*pair, int(count[ahead]), each))
    found.sort(key=lambda pair: -pair.total)
    return found if top is None else found[:top]
