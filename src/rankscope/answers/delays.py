"""How much the order of two answers differs: Eq 5 to 15, 17, 18 and 26 to 30.

A rank i in the one answer and a rank j in the other make two numbers: how far apart the ranks are (alpha, the
relative difference in order) and how far down (mu, the top-ranking). The lengths m and m' are those of the
answers in items; where groups are ranked by their number (Eq 26) they are in groups.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rankscope.answers.matched import Matched, Side
from rankscope.measures.segments import FloatArray, IntArray, ratio

__all__ = ["ALPHAS", "MUS", "delays", "group_ranks", "mean_delay", "self_delays"]

Numbers = npt.NDArray[Any]


@dataclass(frozen=True)
class Delay:
    """1 - term / scale, or the reciprocal scale / term."""

    scale: Callable[[Numbers, Numbers], Numbers]
    """Of the lengths m and m'."""
    reciprocal: bool = False
    of_groups: bool = False
    """Whether the lengths are numbers of groups whatever the ranks are."""

    def __call__(self, term: Numbers, m: Numbers, n: Numbers) -> FloatArray:
        scale = self.scale(m, n)
        return np.asarray(scale / term if self.reciprocal else 1 - term / scale)


def _square_of_longer(m: Numbers, n: Numbers) -> Numbers:
    return np.maximum(m, n) ** 2


def _one(m: Numbers, n: Numbers) -> Numbers:
    return np.ones(np.broadcast(m, n).shape)


ALPHAS = {
    "eq6": Delay(np.maximum),
    "eq7": Delay(np.multiply),
    "eq8": Delay(np.add),
    # Printed as 1 / |i - j|, which equal ranks make a division by 0; Eq 32 has the form with + 1.
    "eq9": Delay(_one, reciprocal=True),
    "eq27": Delay(np.maximum, of_groups=True),
}
"""Of |i - j|, or |i - j| + 1 in Eq 9."""

MUS = {
    "eq10": Delay(_square_of_longer),
    "eq11": Delay(_square_of_longer, reciprocal=True),
    "eq12": Delay(np.multiply),
    "eq13": Delay(np.multiply, reciprocal=True),
    "eq14": Delay(np.add),
    "eq15": Delay(np.add, reciprocal=True),
}
"""Of i j."""


def group_ranks(side: Side, convention: str) -> FloatArray:
    """The rank that the items of each group share."""
    if convention == "class":
        return side.number.astype(np.float64)  # Eq 26
    within: dict[str, npt.ArrayLike] = {
        "first": 1,  # Eq 28
        "last": side.size,  # Eq 29
        "mean": (side.size + 1) / 2,
        "eq30": side.size / 2,
    }
    return np.add(side.before, within[convention], dtype=np.float64)


def lengths(matched: Matched, convention: str) -> tuple[IntArray, IntArray]:
    """m and m' of each query, in what the ranks count."""
    if convention == "class":
        return matched.left.groups, matched.right.groups
    return matched.left.items, matched.right.items


def delays(matched: Matched, alpha: str | None, mu: str | None, ranks: str) -> FloatArray:
    """alpha, mu or their product for each common item."""
    i, j = group_ranks(matched.left, ranks)[matched.i], group_ranks(matched.right, ranks)[matched.j]
    values = np.ones(len(i))
    if alpha is not None:
        delay = ALPHAS[alpha]
        of_gap = lengths(matched, "class" if delay.of_groups else ranks)
        values = delay(np.abs(i - j) + delay.reciprocal, *map(matched.spread, of_gap))
    if mu is not None:
        values = values * MUS[mu](i * j, *map(matched.spread, lengths(matched, ranks)))
    return values


def self_delays(side: Side, mu: str | None, ranks: str) -> FloatArray:
    """What alpha mu is for the items of each group when an answer is compared with itself: alpha is 1."""
    if mu is None:
        return np.ones(len(side.size))
    length = np.repeat(side.groups if ranks == "class" else side.items, side.groups)
    return MUS[mu](group_ranks(side, ranks) ** 2, length, length)


def mean_delay(matched: Matched, alpha: str | None, mu: str | None, over: str, ranks: str) -> FloatArray:
    """The mean of alpha, mu or alpha mu over the common items, or over all pairs of items (Eq 17, 18)."""
    if over == "common":
        return ratio(matched.sum(delays(matched, alpha, mu, ranks)), matched.common.astype(np.float64))
    queries = range(len(matched.common))
    return np.fromiter(
        (_mean_of_all(matched, alpha, mu, ranks, q) for q in queries), np.float64, len(queries)
    )


def _mean_of_all(matched: Matched, alpha: str | None, mu: str | None, ranks: str, query: int) -> float:
    left, right = (_ranked_sizes(side, ranks, query) for side in (matched.left, matched.right))
    if not (len(left[0]) and len(right[0])):
        return np.nan
    counted, grouped = lengths(matched, ranks), lengths(matched, "class")
    of_gap = grouped if alpha is not None and ALPHAS[alpha].of_groups else counted
    total = 0.0
    for gap, gap_factor in _gap_terms(alpha, *(length[query] for length in of_gap)):
        for power, factor in _product_terms(mu, *(length[query] for length in counted)):
            (x, u), (y, v) = ((rank, size * rank**power) for rank, size in (left, right))
            total += gap_factor * factor * _DOUBLE_SUMS[gap](x, u, y, v)
    return total / float(left[1].sum() * right[1].sum())


def _ranked_sizes(side: Side, ranks: str, query: int) -> tuple[FloatArray, FloatArray]:
    groups = slice(int(side.offsets[query]), int(side.offsets[query + 1]))
    part = Side(np.array([0, groups.stop - groups.start]), side.size[groups])
    return group_ranks(part, ranks), part.size.astype(np.float64)


def _gap_terms(alpha: str | None, m: np.int64, n: np.int64) -> Iterator[tuple[str, float]]:
    """alpha as a sum: what of |i - j|, and its factor."""
    if alpha is not None and ALPHAS[alpha].reciprocal:
        yield "near", 1.0
        return
    yield "one", 1.0
    if alpha is not None:
        yield "gap", -1 / float(ALPHAS[alpha].scale(np.asarray(m), np.asarray(n)))


def _product_terms(mu: str | None, m: np.int64, n: np.int64) -> Iterator[tuple[int, float]]:
    """mu as a sum: which power of i j, and its factor."""
    if mu is None:
        yield 0, 1.0
        return
    scale = float(MUS[mu].scale(np.asarray(m), np.asarray(n)))
    if MUS[mu].reciprocal:
        yield -1, scale
    else:
        yield from ((0, 1.0), (1, -1 / scale))


def _sum_of_ones(x: FloatArray, u: FloatArray, y: FloatArray, v: FloatArray) -> float:
    return float(u.sum() * v.sum())


def _sum_of_gaps(x: FloatArray, u: FloatArray, y: FloatArray, v: FloatArray) -> float:
    """The sum of u_i v_j |x_i - y_j| over all pairs, where x and y ascend."""
    below = np.searchsorted(y, x)
    weight, moment = (np.concatenate([[0.0], np.cumsum(part)]) for part in (v, v * y))
    return float(np.sum(u * (x * (2 * weight[below] - weight[-1]) - (2 * moment[below] - moment[-1]))))


def _sum_of_nearness(x: FloatArray, u: FloatArray, y: FloatArray, v: FloatArray) -> float:
    """The sum of u_i v_j / (|x_i - y_j| + 1) over all pairs.

    Ranks are multiples of 1/2, so a convolution tells how much weight each difference has.
    """
    steps = 1 + int(2 * max(x[-1], y[-1]))
    width = 1 << (2 * steps - 1).bit_length()
    spectra = [
        np.fft.rfft(np.bincount((2 * r).astype(np.int64), w, steps), width) for r, w in ((x, u), (y, v))
    ]
    by_gap = np.fft.irfft(spectra[0] * np.conj(spectra[1]), width)
    gap = np.minimum(np.arange(width), width - np.arange(width)) / 2
    return float(np.sum(by_gap / (gap + 1)))


_DOUBLE_SUMS = {"one": _sum_of_ones, "gap": _sum_of_gaps, "near": _sum_of_nearness}
