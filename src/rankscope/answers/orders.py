"""The similarity of two ordered answers, each a list of items or of groups of tied items, best first."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from rankscope.answers import choices
from rankscope.answers.delays import group_ranks, mean_delay
from rankscope.answers.matched import Matched, Side
from rankscope.answers.nominal import Nominal, as_number, group_similarity
from rankscope.answers.ordered import D0S, correlation, type1, type2
from rankscope.answers.ranking import Ranking
from rankscope.answers.rbo import overlap as rank_biased_overlap
from rankscope.answers.sets import UNORDERED
from rankscope.answers.type3 import Phi
from rankscope.answers.type3 import type3 as summed_over_groups
from rankscope.errors import InputError, printable
from rankscope.measures.params import Param
from rankscope.measures.segments import FloatArray

__all__ = [
    "class_ranks",
    "mean_alpha",
    "mean_mu",
    "pdelta",
    "rbo",
    "s1o",
    "s2o",
    "s3o",
    "s4o",
    "s5o",
    "s6o",
    "s7o",
    "sum_over_groups",
    "tague_r",
    "type3",
]

# ---- delays


def class_ranks(sizes: Iterable[int], convention: str = "mean") -> list[float]:
    """The rank that the items of each group share, for groups of these sizes.

    "class" is Eq 26, "first" Eq 28, "last" Eq 29. "mean" is the middle of the ranks of a group, which Eq 30
    means; as printed ("eq30") it gives half a rank less, and to single items i - 1/2.

    >>> class_ranks([2, 1, 3]), class_ranks([2, 1, 3], "eq30")
    ([1.5, 3.0, 5.0], [1.0, 2.5, 4.5])
    """
    counts = list(sizes) if isinstance(sizes, Iterable) else [sizes]
    for size in counts:
        if isinstance(size, bool) or not isinstance(size, int | np.integer) or size < 1:
            raise InputError(
                f"a group of {printable(repr(size))} items",
                code="group-size",
                expected="a list of whole numbers from 1 up, one for each group",
            )
    side = Side(np.array([0, len(counts)]), np.array(counts, np.int64))
    ranks: list[float] = group_ranks(side, _chosen(choices.RANKS, convention)).tolist()
    return ranks


def tague_r(a: Any, b: Any, *, absent: str = "common") -> float:
    """R, Eq 5, Tague's rank correlation: Spearman's rho of the common items, ranked anew on both sides.

    Undefined with less than two common items. ``absent="literal"`` is the equation as printed, with the ranks
    in the whole answers: with items that only one has it is no correlation, and may be beyond 1 or undefined.

    >>> tague_r(["a", "b", "c"], ["c", "x", "a", "y", "b", "z"])
    -0.5
    """
    return _one(correlation(_pair(a, b, "tague_r"), _chosen(choices.ABSENT, absent)))


def mean_alpha(a: Any, b: Any, *, alpha: str = "eq6", over: str = "common", ranks: str = "mean") -> float:
    """The mean of alpha, Eq 6 to 9, over the common items; with ``over="all"`` over all pairs, Eq 17.

    >>> mean_alpha(["a", "b", "c", "d"], ["b", "a", "c", "d"])
    0.875
    """
    return _mean("mean_alpha", a, b, alpha, None, over, ranks)


def mean_mu(a: Any, b: Any, *, mu: str = "eq10", over: str = "common", ranks: str = "mean") -> float:
    """The mean of mu, Eq 10 to 15, over the common items; with ``over="all"`` over all pairs, Eq 18.

    >>> mean_mu(["a", "b", "c", "d"], ["d", "c", "b", "a"])
    0.6875
    """
    return _mean("mean_mu", a, b, None, mu, over, ranks)


# ---- type 1: one weight for all


def s1o(
    a: Any,
    b: Any,
    *,
    nominal: Nominal = "jaccard",
    d0: str | Callable[[float], float] = "shifted",
    absent: str = "common",
    sets: str = "flat",
) -> float:
    """Eq 16: S times a weight made of Tague's R.

    `d0` is "shifted" for (1 + R) / 2, "positive" for max(0, R), or a function of R.

    >>> s1o(["a", "b", "c", "d"], ["b", "a", "c", "d"])
    0.9
    """
    matched = _pair(a, b, "s1o")
    r = correlation(matched, _chosen(choices.ABSENT, absent))
    if callable(d0):
        # Of an R that is not defined the function need not make anything.
        weight = r if np.isnan(r[0]) else np.array([as_number(d0(float(r[0])), "d0", (float(r[0]),))])
    else:
        weight = D0S[_chosen(choices.D0, d0)](r)
    return _one(type1(matched, weight, _s(nominal), _chosen(choices.SETS, sets)))


def s2o(
    a: Any,
    b: Any,
    *,
    nominal: Nominal = "jaccard",
    alpha: str = "eq6",
    over: str = "common",
    ranks: str = "mean",
    sets: str = "flat",
) -> float:
    """Eq 19: S times the mean of alpha; with ``over="all"``, as printed, blind to the order.

    >>> s2o(["a", "b", "c", "d"], ["d", "c", "b", "a"])
    0.5
    """
    return _type1("s2o", a, b, nominal, alpha, None, over, ranks, sets)


def s3o(
    a: Any,
    b: Any,
    *,
    nominal: Nominal = "jaccard",
    mu: str = "eq10",
    over: str = "common",
    ranks: str = "mean",
    sets: str = "flat",
) -> float:
    """Eq 20: S times the mean of mu; with ``over="all"``, as printed, blind to the order.

    >>> s3o(["a", "b", "c", "d"], ["d", "c", "b", "a"])
    0.6875
    """
    return _type1("s3o", a, b, nominal, None, mu, over, ranks, sets)


def s4o(
    a: Any,
    b: Any,
    *,
    nominal: Nominal = "jaccard",
    alpha: str = "eq6",
    mu: str = "eq10",
    over: str = "common",
    ranks: str = "mean",
    sets: str = "flat",
) -> float:
    """Eq 21: S times the mean of the product of alpha and mu.

    >>> s4o(["a", "b", "c", "d"], ["d", "c", "b", "a"])
    0.328125
    """
    return _type1("s4o", a, b, nominal, alpha, mu, over, ranks, sets)


# ---- type 2: a weight for each common item


def s5o(a: Any, b: Any, *, alpha: str = "eq6", ranks: str = "mean", norm: str = "none") -> float:
    """Eq 22: the sum of alpha over the common items; an answer has its number of items with itself.

    ``norm="self"`` divides by the geometric mean of what each answer has with itself.

    >>> s5o(["a", "b", "c", "d", "e"], ["x", "b", "a", "y", "c"])
    2.2
    """
    return _type2("s5o", a, b, alpha, None, ranks, norm)


def s6o(a: Any, b: Any, *, mu: str = "eq10", ranks: str = "mean", norm: str = "none") -> float:
    """Eq 23: the sum of mu over the common items.

    >>> s6o(["a", "b", "c", "d"], ["b", "a", "c", "d"])
    2.1875
    """
    return _type2("s6o", a, b, None, mu, ranks, norm)


def s7o(
    a: Any, b: Any, *, alpha: str = "eq6", mu: str = "eq10", ranks: str = "mean", norm: str = "none"
) -> float:
    """Eq 24: the sum of the product of alpha and mu over the common items.

    >>> s7o(["a", "b", "c", "d"], ["a", "b", "c", "d"])
    2.125
    """
    return _type2("s7o", a, b, alpha, mu, ranks, norm)


# ---- type 3, and what goes before it: group by group


def sum_over_groups(a: Any, b: Any, *, nominal: Nominal = "jaccard") -> float:
    """Eq 25: S of each group of the one answer with each of the other, summed up; blind to their order.

    >>> sum_over_groups([["a", "b", "c"]], ["a", "b", "c"])
    1.0
    """
    matched = _pair(a, b, "sum_over_groups")
    return _one(group_similarity(matched, _s(nominal)))


def type3(a: Any, b: Any, *, nominal: Nominal = "jaccard", phi: Phi | None = None) -> float:
    """Q, Eq 31: S of each pair of groups, weighed by phi(i, j, m0); Eq 32 unless another phi is given.

    `nominal` may be a function, here as everywhere: of the numbers of common items and of the items of each.
    `check_phi` tells whether a phi keeps the conditions that make Q a similarity.

    >>> type3([["a", "b"], ["c"]], [["a", "b", "c"]], phi=lambda i, j, m0: 1 / (i + j))
    0.4444444444444444
    """
    return _one(summed_over_groups(_pair(a, b, "type3"), _s(nominal), phi))


def pdelta(a: Any, b: Any, *, nominal: Nominal = "jaccard") -> float:
    """P_delta, Eq 33: from 0 for answers without a common item to 1 for the same groups in the same order.

    So it is with Jaccard, Dice and the cosine; with the overlap coefficient it may be above 1. An exchange at
    the bottom costs more than one at the top, where a match is worth more.

    >>> pdelta([["a", "b"], ["c"]], [["a", "b", "c"]])
    0.4666666666666666
    """
    return _one(summed_over_groups(_pair(a, b, "pdelta"), _s(nominal)))


def rbo(a: Any, b: Any, *, p: float = 0.9, variant: str = "a") -> float:
    """Rank-biased overlap, extrapolated; `p` is the chance of looking one rank further down.

    `variant` says what a tie is: "a", an order that is not known, so that of equally long rankings the value
    is the mean over all orders of the tied items; "b", the same, corrected so that a ranking agrees with
    itself; "w", items that stand on the same rank.

    >>> round(rbo(["a", "b", "c"], [["a", "c"], "b", "d"], p=0.8), 6)
    0.82
    """
    matched = _pair(a, b, "rbo")
    return _one(
        rank_biased_overlap(matched, float(_checked(choices.P, p)), _chosen(choices.VARIANT, variant))
    )


# ---- how they are all made


def _pair(a: Any, b: Any, measure: str) -> Matched:
    rankings = Ranking.of(a), Ranking.of(b)
    for ranking, which in zip(rankings, ("first", "second"), strict=True):
        if not ranking.ordered:
            raise InputError(
                f"{measure} compares the order of answers, and the {which} answer is a set",
                code="unordered",
                expected="a list of items or of groups, best first",
                hint=f"for sets: {', '.join(UNORDERED)}",
            )
    return Matched.of(*rankings)


def _mean(name: str, a: Any, b: Any, alpha: str | None, mu: str | None, over: str, ranks: str) -> float:
    return _one(_means(_pair(a, b, name), alpha, mu, over, ranks))


def _means(matched: Matched, alpha: str | None, mu: str | None, over: str, ranks: str) -> FloatArray:
    alpha = None if alpha is None else _chosen(choices.ALPHA, alpha)
    mu = None if mu is None else _chosen(choices.MU, mu)
    return mean_delay(matched, alpha, mu, _chosen(choices.OVER, over), _chosen(choices.RANKS, ranks))


def _type1(
    name: str,
    a: Any,
    b: Any,
    nominal: Nominal,
    alpha: str | None,
    mu: str | None,
    over: str,
    ranks: str,
    sets: str,
) -> float:
    matched = _pair(a, b, name)
    weight = _means(matched, alpha, mu, over, ranks)
    return _one(type1(matched, weight, _s(nominal), _chosen(choices.SETS, sets)))


def _type2(name: str, a: Any, b: Any, alpha: str | None, mu: str | None, ranks: str, norm: str) -> float:
    matched = _pair(a, b, name)
    alpha = None if alpha is None else _chosen(choices.ALPHA, alpha)
    mu = None if mu is None else _chosen(choices.MU, mu)
    return _one(type2(matched, alpha, mu, _chosen(choices.RANKS, ranks), _chosen(choices.NORM, norm)))


def _s(nominal: Nominal) -> Nominal:
    """S: one of the names, or a function as it is."""
    return nominal if callable(nominal) else _chosen(choices.NOMINAL, nominal)


def _chosen(param: Param, value: object) -> str:
    return str(_checked(param, value))


def _checked(param: Param, value: object) -> Any:
    if value is None:  # a parameter takes it as "left out"; here there is a default for that
        value = "None"
    return param.check(value, "similarity")


def _one(values: FloatArray) -> float:
    return float(values[0])
