"""Rank correlations of two columns of scores, exact with ties: Kendall, gamma, Somers, Spearman, footrule."""

from __future__ import annotations

import math
from typing import Any, Literal, Self

import numpy as np

from rankscope.align.pairs import Pairs
from rankscope.align.pairs import count_pairs as count_all_pairs
from rankscope.errors import PolicyError, nearest, package
from rankscope.measures.paired import Concordance, distinct, midranks, tau
from rankscope.measures.segments import FloatArray, IntArray
from rankscope.orders.inputs import paired_numbers

__all__ = ["Correlation", "count_pairs", "footrule", "gamma", "kendall", "somers", "spearman"]


class Correlation(float):
    """A coefficient, which is a number, and its p-value if that was asked for."""

    pvalue: float | None

    def __new__(cls, value: float, pvalue: float | None = None) -> Self:
        made = super().__new__(cls, value)
        made.pvalue = pvalue
        return made

    def __reduce__(self) -> tuple[object, ...]:
        return (Correlation, (float(self), self.pvalue))


def count_pairs(x: Any, y: Any) -> dict[str, int]:
    """The pairs of items that two columns of scores order alike, in opposite ways, or tie.

    >>> count_pairs([1, 2, 2, 3], [1, 3, 2, 2])
    {'concordant': 3, 'discordant': 1, 'tied_x': 1, 'tied_y': 1, 'tied_both': 0}
    """
    pairs = _pairs(*paired_numbers(x, y))
    return {name: int(column[0]) for name, column in vars(pairs).items()}


def kendall(x: Any, y: Any, *, variant: Literal["a", "b", "c"] = "b", pvalue: bool = False) -> Correlation:
    """Kendall's tau: concordant less discordant pairs, as a share.

    `variant`: "a" of all pairs; "b" allows for ties in both; "c" for the number of different values.
    `pvalue`: test whether there is any association, by scipy.

    >>> kendall([1, 2, 3, 4], [1, 3, 2, 4])
    0.6666666666666666
    """
    _check(variant, ("a", "b", "c"), "variant")
    true, run = paired_numbers(x, y)
    pairs = Concordance.of(_pairs(true, run))
    fewest = None
    if variant == "c":
        fewest = np.minimum(distinct(true, _bounds(true)), distinct(run, _bounds(run)))
    value = tau(pairs, variant, np.array([len(true)]), fewest)
    return _correlation(value, true, run, pvalue)


def gamma(x: Any, y: Any, *, pvalue: bool = False) -> Correlation:
    """Goodman and Kruskal's gamma: concordant less discordant pairs, of those that are tied in neither.

    >>> gamma([1, 1, 2, 3], [1, 2, 2, 3])
    1.0
    """
    true, run = paired_numbers(x, y)
    pairs = Concordance.of(_pairs(true, run))
    return _correlation(_share(pairs.balance, pairs.differ), true, run, pvalue)


def somers(x: Any, y: Any, *, direction: Literal["y", "x"] = "y", pvalue: bool = False) -> Correlation:
    """Somers' d: concordant less discordant pairs, of those that the independent side does not tie.

    `direction` is the dependent side: with "y", pairs that are tied in x are left out.

    >>> round(somers([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.9]), 4)
    0.75
    """
    _check(direction, ("y", "x"), "direction")
    true, run = paired_numbers(x, y)
    pairs = Concordance.of(_pairs(true, run))
    return _correlation(
        _share(pairs.balance, pairs.differ_x if direction == "y" else pairs.differ_y), true, run, pvalue
    )


def spearman(x: Any, y: Any, *, pvalue: bool = False) -> Correlation:
    """Spearman's rho: the correlation of the ranks, where tied items share the mean of theirs.

    >>> spearman([1, 2, 3, 4], [1, 3, 2, 4])
    0.8
    """
    true, run = paired_numbers(x, y)
    middle = (len(true) + 1) / 2
    a, b = midranks(true, _bounds(true)) - middle, midranks(run, _bounds(run)) - middle
    whole = math.sqrt(float(np.sum(a * a)) * float(np.sum(b * b)))
    value = float(np.sum(a * b)) / whole if whole else math.nan
    found = max(-1.0, min(1.0, value)) if whole else math.nan
    if not pvalue or math.isnan(found):
        return Correlation(found, math.nan if pvalue else None)
    return Correlation(found, float(package("scipy.stats").spearmanr(true, run).pvalue))


def footrule(x: Any, y: Any, *, normalised: bool = False) -> float:
    """Spearman's footrule: the distances between the ranks in x and in y, summed; 0 for equal orders.

    Tied items share the mean of their ranks. `normalised`: as a share of the largest sum for so many items.

    >>> footrule([1, 2, 3, 4], [1, 3, 2, 4]), footrule([1, 2, 3, 4], [4, 3, 2, 1], normalised=True)
    (2.0, 1.0)
    """
    true, run = paired_numbers(x, y)
    n = len(true)
    if n < (2 if normalised else 1):
        return math.nan
    total = float(np.sum(np.abs(midranks(true, _bounds(true)) - midranks(run, _bounds(run)))))
    return total / (n * n // 2) if normalised else total


def _bounds(column: FloatArray) -> IntArray:
    return np.array([0, len(column)])


def _pairs(true: FloatArray, run: FloatArray) -> Pairs:
    return count_all_pairs(true, run, _bounds(true))


def _share(part: FloatArray, whole: FloatArray) -> FloatArray:
    return part / whole if whole[0] > 0 else np.array([math.nan])


def _correlation(value: FloatArray, true: FloatArray, run: FloatArray, pvalue: bool) -> Correlation:
    """The coefficient, with the p-value of concordant less discordant pairs, whatever they are divided by."""
    if not pvalue or math.isnan(value[0]):
        return Correlation(float(value[0]), math.nan if pvalue else None)
    return Correlation(float(value[0]), float(package("scipy.stats").kendalltau(true, run).pvalue))


def _check(given: str, choices: tuple[str, ...], name: str) -> None:
    if given not in choices:
        close = nearest(str(given), choices)
        raise PolicyError(
            f"{name}={given} is not a choice",
            code="unknown-policy-value",
            expected=f"{name}= one of {', '.join(choices)}",
            hint=f"did you mean {' or '.join(close)}?" if close else "",
        )
