"""Lists of labels: all arrangements of given labels, and what the chance of one may depend on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb, factorial, prod
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = [
    "BLOCK",
    "Labels",
    "arrangements",
    "fixed_points",
    "inversions",
    "lists_of",
    "multinomial",
    "swap_chances",
]

Labels = npt.NDArray[np.signedinteger[Any]]
"""Lists, one in each row: the labels of the items, the item that is ranked first to the left."""

Counts = tuple[int, ...]
Cycles = tuple[int, ...]

BLOCK = 40320
"""Lists of a block: all permutations of 8."""
SHORT = 64
"""Items of lists that are made by putting an item before shorter lists, which is ten times as fast."""
CELLS = 2**22
"""Labels of a block, whose lists are fewer if they are long."""


def multinomial(counts: Sequence[int]) -> int:
    """How many lists have so many items of each class."""
    return factorial(sum(counts)) // prod(factorial(count) for count in counts)


def arrangements(counts: Sequence[int], most: int = BLOCK) -> Iterator[Labels]:
    """Every list with ``counts[c]`` items of class c, each once, in lexicographic order, in blocks.

    >>> [block.tolist() for block in arrangements([2, 1])]
    [[[0, 0, 1], [0, 1, 0], [1, 0, 0]]]
    """
    if sum(counts) <= SHORT:
        yield from _blocks(tuple(counts), most, {})
        return
    portion = min(most, lists_of(sum(counts)))
    total = multinomial(counts)
    for start in range(0, total, portion):
        yield _numbered(np.arange(start, min(start + portion, total)), counts)


def lists_of(items: int) -> int:
    """How many lists of so many items a block has at the most."""
    return max(1, min(BLOCK, CELLS // max(1, items)))


def _blocks(counts: Counts, most: int, known: dict[Counts, Labels]) -> Iterator[Labels]:
    if multinomial(counts) <= most:
        yield _whole(counts, known)
        return
    for first, rest in _leading(counts):
        for block in _blocks(rest, most, known):
            yield _led_by(first, block)


def _whole(counts: Counts, known: dict[Counts, Labels]) -> Labels:
    """All arrangements at once; what follows a first item is shared by all lists that go on alike."""
    if counts not in known:
        parts = [_led_by(first, _whole(rest, known)) for first, rest in _leading(counts)]
        known[counts] = np.concatenate(parts) if parts else np.zeros((1, 0), np.int16)
    return known[counts]


def _leading(counts: Counts) -> Iterator[tuple[int, Counts]]:
    """Each class that may come first, and what is left of the counts after it."""
    for first, count in enumerate(counts):
        if count:
            yield first, (*counts[:first], count - 1, *counts[first + 1 :])


def _led_by(first: int, block: Labels) -> Labels:
    led = np.empty((len(block), block.shape[1] + 1), np.int16)
    led[:, 0] = first
    led[:, 1:] = block
    return led


def _numbered(number: npt.NDArray[np.int64], counts: Sequence[int]) -> Labels:
    """The lists with these numbers in lexicographic order, from 0.

    A class starts as large a share of all arrangements as it has of the items. So the number of a list tells
    the class of its first item, and what remains of the number tells the rest.
    """
    row, items = np.arange(len(number)), sum(counts)
    # Whole numbers below 2^53 as floats, for a division of those takes a fraction of the time.
    rest, ways = number.astype(np.float64), np.float64(multinomial(counts))
    left = np.repeat(np.asarray(counts, np.float64)[:, None], len(number), axis=1)
    lists = np.empty((len(number), items), np.int16)
    for place in range(items):
        starting = left * ways / (items - place)
        end = np.cumsum(starting, axis=0)
        first = np.count_nonzero(end <= rest, axis=0)
        lists[:, place] = first
        ways = starting[first, row]
        rest -= end[first, row] - ways
        left[first, row] -= 1
    return lists


def inversions(labels: Labels) -> npt.NDArray[np.int64]:
    """Of each list: how many pairs stand in the wrong order, the worse item first."""
    found = np.zeros(len(labels), np.int64)
    for place in range(labels.shape[1] - 1):
        found += np.count_nonzero(labels[:, place, None] < labels[:, place + 1 :], axis=1)
    return found


def fixed_points(labels: Labels) -> npt.NDArray[np.int64]:
    """Of each permutation of 0 .. n-1: how many items its powers 1 .. n leave in place.

    Two permutations have cycles of the same lengths if and only if these numbers are the same.
    """
    n = labels.shape[1]
    found = np.empty((len(labels), n), np.int64)
    place = np.arange(n)
    power = np.broadcast_to(place, labels.shape)
    for exponent in range(n):
        power = np.take_along_axis(labels, power, axis=1)
        found[:, exponent] = np.count_nonzero(power == place, axis=1)
    return found


@lru_cache(maxsize=16)
def swap_chances(n: int, swaps: int) -> dict[tuple[int, ...], Fraction]:
    """The chance of a permutation after some random swaps of the true order, by its `fixed_points`.

    A swap exchanges two different items, each pair with the same chance. The chance of a permutation depends
    only on the lengths of its cycles, and a swap joins two cycles or splits one: so the exact chances need no
    more than a walk over the partitions of n.
    """
    ways: dict[Cycles, int] = {(1,) * n: 1}
    for _ in range(swaps):
        after: dict[Cycles, int] = {}
        for cycles, count in ways.items():
            for other, swapped in _swapped(cycles):
                after[other] = after.get(other, 0) + count * swapped
        ways = after
    total = comb(n, 2) ** swaps
    return {_powers(cycles): Fraction(count, total * _class_size(cycles)) for cycles, count in ways.items()}


def _swapped(cycles: Cycles) -> Iterator[tuple[Cycles, int]]:
    """Cycles after a swap of two items, and how many swaps lead there."""
    for number, length in enumerate(cycles):
        others = cycles[:number] + cycles[number + 1 :]
        for part in range(1, length // 2 + 1):
            ways = length // 2 if 2 * part == length else length
            yield tuple(sorted((*others, part, length - part))), ways
        for second in range(number + 1, len(cycles)):
            rest = cycles[:number] + cycles[number + 1 : second] + cycles[second + 1 :]
            yield tuple(sorted((*rest, length + cycles[second]))), length * cycles[second]


def _powers(cycles: Cycles) -> tuple[int, ...]:
    return tuple(
        sum(length for length in cycles if exponent % length == 0) for exponent in range(1, sum(cycles) + 1)
    )


def _class_size(cycles: Cycles) -> int:
    """How many permutations have cycles of these lengths."""
    repeats = prod(factorial(cycles.count(length)) for length in set(cycles))
    return factorial(sum(cycles)) // (prod(cycles) * repeats)
