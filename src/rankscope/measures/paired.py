"""Truth and run side by side: as ranks, as pairs, and as positives and negatives.

Ranks rise with quality here, so that rank n is the best of n, as in the papers on ordering.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rankscope.align.pairs import Pairs, count_pairs
from rankscope.measures.ordered import Ordered
from rankscope.measures.params import Param
from rankscope.measures.segments import BoolArray, FloatArray, IntArray, compressed, ratio, segment_counts

__all__ = [
    "NORMALISED",
    "POSITIVES",
    "THRESHOLD",
    "Concordance",
    "accuracy_of",
    "concordance",
    "distance_range",
    "distances",
    "distinct",
    "midranks",
    "negatives_below",
    "positives",
    "run_ranks",
    "tau",
    "true_ranks",
    "weighted_area",
]

NORMALISED = Param(
    "normalised",
    str,
    default="no",
    choices=("no", "yes"),
    help="yes: as a share of the largest value that orders of so many items can have",
)
POSITIVES = Param(
    "positives",
    float,
    default=0.5,
    bounds="(0, inf)",
    help="how much of the true order is positive, from its top: a share below 1, or a number of items",
)
THRESHOLD = Param(
    "threshold", float, default=None, help="the lowest true score that is positive, in place of a share"
)

# A share of n items may come out a little below the whole number that it is on paper.
ROUNDING = 1e-9


def distance_range(*, scale: str, normalised: str, **_: object) -> tuple[float, float]:
    """The range of a distance that takes `NORMALISED` and `SCALE`."""
    return (0.0, 1.0) if scale == "minmax" or normalised == "yes" else (0.0, math.inf)


def midranks(values: FloatArray, offsets: IntArray) -> FloatArray:
    """The rank of each value in its segment, from 1 for the lowest; equal values share the mean of theirs."""
    segment = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    order = np.argsort(values, kind="stable") if len(offsets) == 2 else np.lexsort((values, segment))
    bounds = _bounds(values[order], segment)
    middle = (bounds[:-1] + bounds[1:] + 1) / 2
    ranks = np.empty(len(values))
    ranks[order] = np.repeat(middle, np.diff(bounds)) - offsets[segment]
    return ranks


def distinct(values: FloatArray, offsets: IntArray) -> FloatArray:
    """How many different values each segment has."""
    segment = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    bounds = _bounds(values[np.lexsort((values, segment))], segment)
    opens = np.zeros(len(values), np.bool_)
    opens[bounds[:-1]] = True
    return segment_counts(opens, offsets)


def _bounds(ascending: FloatArray, segment: IntArray) -> IntArray:
    """Where stretches of equal values of one segment begin, and where the last one ends."""
    opens = np.ones(len(ascending) + 1, np.bool_)
    opens[1:-1] = (ascending[1:] != ascending[:-1]) | (segment[1:] != segment[:-1])
    return np.flatnonzero(opens)


def true_ranks(ordered: Ordered) -> FloatArray:
    """The rank of each row in the true order; tied ones share the mean of theirs."""
    return midranks(ordered.value, ordered.offsets)


def run_ranks(ordered: Ordered) -> FloatArray:
    """The rank of each row in the run, tied ones sharing the mean of theirs."""
    ranks: FloatArray = ordered.spread(ordered.counts) + 1 - (ordered.first + (ordered.size - 1) / 2)
    return ranks


def distances(ordered: Ordered) -> FloatArray:
    """For each row, how far its rank in the run is from its true rank.

    On the average over all orders of tied items, each rank k of a group from a to b is as likely as any
    other. Of these, p are at or below the true rank t and q above, and the mean of |t - k| is the sum of two
    sums of whole steps over their number.
    """
    true = true_ranks(ordered)
    if not (ordered.averaged and ordered.tied):
        return np.abs(true - run_ranks(ordered))
    b = ordered.spread(ordered.counts) + 1 - ordered.first
    a = b - ordered.size + 1
    last_below = np.clip(np.floor(true), a - 1, b)
    p, q = last_below - a + 1, b - last_below
    steps: FloatArray = p * (true - (a + last_below) / 2) + q * ((last_below + 1 + b) / 2 - true)
    return steps / ordered.size


@dataclass(frozen=True)
class Concordance:
    """Per query, what the pairs of items say: x is the truth, y the run."""

    all: FloatArray
    balance: FloatArray
    """Concordant less discordant pairs."""
    discordant: FloatArray
    differ_x: FloatArray
    """Pairs not tied in x."""
    differ_y: FloatArray
    """Pairs not tied in y."""
    differ: FloatArray
    """Pairs tied in neither."""

    @classmethod
    def of(cls, pairs: Pairs, *, averaged: bool = False) -> Concordance:
        """With `averaged`, of all strict orders of what is tied in y: half of them put a pair right."""
        wholes = (pairs.concordant, pairs.discordant, pairs.tied_x, pairs.tied_y, pairs.all)
        concordant, discordant, tied_x, tied_y, every = (whole.astype(np.float64) for whole in wholes)
        untied = concordant + discordant
        return cls(
            all=every,
            balance=concordant - discordant,
            discordant=discordant + tied_y / 2 if averaged else discordant,
            differ_x=untied + tied_y,
            differ_y=every if averaged else untied + tied_x,
            differ=untied + tied_y if averaged else untied,
        )


def concordance(ordered: Ordered) -> Concordance:
    """The pairs of every query."""
    pairs = count_pairs(ordered.value, -ordered.first.astype(np.float64), ordered.offsets)
    return Concordance.of(pairs, averaged=ordered.averaged)


def positives(ordered: Ordered, top: float, threshold: float | None) -> BoolArray:
    """Which rows are positive: the top of the true order, or true scores from a threshold up.

    `top` is a share if it is below 1, else a number of items; a part of an item counts as a whole one.

    Tied items share a rank, so they are all positive or all negative.
    """
    if threshold is not None:
        chosen: BoolArray = ordered.value >= threshold
        return chosen
    n = ordered.spread(ordered.counts)
    above: BoolArray = true_ranks(ordered) > n - (n * top if top < 1 else top) + ROUNDING
    return above


def negatives_below(ordered: Ordered, positive: BoolArray) -> FloatArray:
    """For each row, how many negative rows of its query the run has below it; a tied one counts half."""
    before = np.concatenate([[0], np.cumsum(~positive)])
    start = ordered.spread(ordered.offsets[:-1]) + ordered.first - 1
    below = before[ordered.spread(ordered.offsets[1:])] - before[start + ordered.size]
    counts: FloatArray = below + (before[start + ordered.size] - before[start]) / 2
    return counts


def weighted_area(ordered: Ordered, positive: BoolArray) -> FloatArray:
    """Per query, how often a positive row is above a negative one, weighed by the true rank of the former."""
    weight = np.where(positive, true_ranks(ordered), 0.0)
    negatives = segment_counts(~positive, ordered.offsets)
    return ratio(ordered.sum(weight * negatives_below(ordered, positive)), negatives * ordered.sum(weight))


def accuracy_of(ordered: Ordered, positive: BoolArray) -> FloatArray:
    """Per query, the share of rows on the right side, where the run calls as many positive as there are."""
    n = ordered.counts.astype(np.float64)
    wanted = np.diff(compressed(ordered.offsets, positive))
    inside = np.clip(ordered.spread(wanted) - ordered.first + 1, 0, ordered.size)
    true_positives = ordered.sum(np.where(positive, inside / ordered.size, 0.0))
    return ratio(n - 2 * wanted + 2 * true_positives, n)


def tau(
    pairs: Concordance, variant: str, n: IntArray | None = None, fewest: FloatArray | None = None
) -> FloatArray:
    """Kendall's coefficient per query; c needs the items and the different values of the coarser column."""
    if variant == "a":
        return ratio(pairs.balance, pairs.all)
    if variant == "b" or n is None or fewest is None:
        return ratio(pairs.balance, np.sqrt(pairs.differ_x * pairs.differ_y))
    most = n.astype(np.float64) ** 2 * (fewest - 1) / np.maximum(fewest, 1)
    return ratio(2 * pairs.balance, most)
