"""ClasSi by its definition: Algorithms 1 and 2 of the paper over exact fractions, for small rankings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations

Cost = Callable[[Fraction, Fraction], Fraction]

EXAMPLE = {"b": 0, "c": 1, "t": 6}
"""The distances of the paper's example from the class of bonobos."""


def difference(a: Fraction, b: Fraction) -> Fraction:
    return max(Fraction(0), a - b)


def unit(a: Fraction, b: Fraction) -> Fraction:
    return Fraction(int(a > b))


COSTS = {"difference": difference, "unit": unit}


def cumulative_cost(distances: Sequence[object], cost: str = "difference") -> list[Fraction]:
    """Algorithm 1 for k = m."""
    d = [Fraction(x) for x in distances]  # type: ignore[arg-type]
    total, sums = Fraction(0), []
    for a, ahead in enumerate(d):
        total += sum((COSTS[cost](ahead, behind) for behind in d[a + 1 :]), Fraction(0))
        sums.append(total)
    return sums


def curve(distances: Sequence[object], cost: str = "difference") -> list[Fraction]:
    """Algorithm 2 for k = m; nothing where all items are equally far."""
    worst = cumulative_cost(sorted(distances, reverse=True), cost)  # type: ignore[type-var]
    if not worst or worst[-1] == 0:
        return []
    return [1 - 2 * c / w for c, w in zip(cumulative_cost(distances, cost), worst, strict=True)]


def arrangements(distances: Sequence[float]) -> list[tuple[float, ...]]:
    return sorted(set(permutations(distances)))
