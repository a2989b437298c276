"""What tests of answers share: all weak orders of a few items, random ones, and brute force."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, permutations, product

from hypothesis import strategies as st

Groups = list[list[str]]


def weak_orders(items: Sequence[str]) -> list[Groups]:
    """Every way to put the items into ordered groups: 1, 3, 13, 75, ... of them."""
    found = []
    for levels in product(range(len(items)), repeat=len(items)):
        used = sorted(set(levels))
        if used == list(range(len(used))):
            found.append([[i for i, level in zip(items, levels, strict=True) if level == n] for n in used])
    return found


def all_orders(groups: Groups) -> Iterator[list[str]]:
    """Every order of the items that breaks the ties of the groups."""
    yield from (list(chain(*orders)) for orders in product(*map(permutations, groups)))


def flat(groups: Groups) -> list[str]:
    return list(chain(*groups))


def mean(values: Iterable[Fraction | float]) -> Fraction | float:
    found = list(values)
    return sum(found) / len(found)


@st.composite
def groupings(draw: st.DrawFn, pool: str = "abcdefgh", least: int = 1) -> Groups:
    """Some of the items in groups."""
    items = draw(st.lists(st.sampled_from(pool), unique=True, min_size=least, max_size=len(pool)))
    cuts = draw(st.lists(st.booleans(), min_size=len(items), max_size=len(items)))
    groups: Groups = []
    for item, opens in zip(items, cuts, strict=True):
        if opens or not groups:
            groups.append([item])
        else:
            groups[-1].append(item)
    return groups


def lists(pool: str = "abcdefgh", least: int = 1) -> st.SearchStrategy[list[str]]:
    """Some of the items in an order."""
    return st.lists(st.sampled_from(pool), unique=True, min_size=least, max_size=len(pool))
