"""Rank-biased overlap: brute force over the orders of ties, its definition by depths, published values."""

from __future__ import annotations

import math

import pytest
from answer_support import Groups, all_orders, flat, groupings, lists, mean
from hypothesis import given, settings
from hypothesis import strategies as st

from rankscope import answers

VARIANTS = ("a", "b", "w")
persistences = st.sampled_from([0.01, 0.5, 0.9, 0.99])


def rbo_of_lists(one: list[str], other: list[str], p: float) -> float:
    """Equation 32 of Webber, Moffat and Zobel for rankings without ties, of whatever lengths."""
    short, long = sorted((one, other), key=len)
    s, deepest = len(short), len(long)
    x = [len(set(short[:d]) & set(long[:d])) for d in range(deepest + 1)]
    seen = sum(x[d] / d * p**d for d in range(1, deepest + 1))
    unseen = sum(x[s] * (d - s) / (s * d) * p**d for d in range(s + 1, deepest + 1))
    return (1 - p) / p * (seen + unseen) + ((x[deepest] - x[s]) / deepest + x[s] / s) * p**deepest


def contributions(groups: Groups, variant: str, deepest: int) -> dict[str, list[float]]:
    """What each item contributes at the depths 1, 2, ...: 1 once its group has begun (w), or a share."""
    found: dict[str, list[float]] = {}
    for group in groups:
        before = len(found)
        read = [min(max(depth - before, 0), len(group)) for depth in range(1, deepest + 1)]
        share = [float(r > 0) if variant == "w" else r / len(group) for r in read]
        found |= dict.fromkeys(group, share)
    return found


def rbo_by_definition(one: Groups, other: Groups, p: float, variant: str) -> float:
    """Depth by depth, with a number for every item at every depth."""
    short, long = sorted((one, other), key=lambda groups: len(flat(groups)))
    s, deepest = len(flat(short)), len(flat(long))
    c, e = (contributions(side, variant, deepest) for side in (short, long))
    total, at_s = 0.0, 0.0
    for d in range(1, deepest + 1):
        x = sum(c[item][d - 1] * e[item][d - 1] for item in c if item in e)
        here, there = ([v[d - 1] for v in side.values()] for side in (c, e))
        if d > s:
            alone = [v[d - 1] for item, v in e.items() if item not in c and v[d - 1]]
            x_ext = x + (d - s) * at_s * mean(alone)
            here = [1.0] * d
        else:
            x_ext = x
        norm = {
            "a": d,
            "b": math.sqrt(sum(v * v for v in here) * sum(v * v for v in there)),
            "w": (sum(here) + sum(there)) / 2,
        }[variant]
        at_s = x_ext / norm if d == s else at_s
        total += (1 - p) / p * x_ext / norm * p**d
    return total + (x + (deepest - s) * at_s) / deepest * p**deepest


@pytest.mark.parametrize("variant", VARIANTS)
@settings(deadline=None, max_examples=50)
@given(one=lists(), other=lists(), p=persistences)
def test_without_ties_all_variants_are_equation_32(
    one: list[str], other: list[str], p: float, variant: str
) -> None:
    found = answers.rbo(one, other, p=p, variant=variant)
    assert found == pytest.approx(rbo_of_lists(one, other, p), abs=1e-13)
    assert found == pytest.approx(answers.rbo(other, one, p=p, variant=variant), abs=1e-14)
    assert 0 <= found <= 1


@pytest.mark.parametrize("variant", VARIANTS)
@settings(deadline=None, max_examples=50)
@given(one=groupings(), other=groupings(), p=persistences)
def test_ties_by_definition(one: Groups, other: Groups, p: float, variant: str) -> None:
    found = answers.rbo(one, other, p=p, variant=variant)
    assert found == pytest.approx(rbo_by_definition(one, other, p, variant), abs=1e-13)


@given(
    one=st.permutations("abcd"),
    other=st.permutations("abxy"),
    cuts=st.lists(st.booleans(), min_size=6, max_size=6),
)
@settings(max_examples=40, deadline=None)
def test_a_is_the_mean_over_all_orders_of_equally_long_rankings(
    one: list[str], other: list[str], cuts: list[bool]
) -> None:
    left, right = cut(one, cuts[:3]), cut(other, cuts[3:])
    wanted = mean(rbo_of_lists(x, y, 0.8) for x in all_orders(left) for y in all_orders(right))
    assert answers.rbo(left, right, p=0.8) == pytest.approx(wanted, abs=1e-12)


@given(
    one=st.permutations("abcx"),
    other=st.permutations("abcdef"),
    cuts=st.lists(st.booleans(), min_size=6, max_size=6),
)
@settings(max_examples=40, deadline=None)
def test_so_it_is_of_others_if_no_tie_lies_beyond_the_shorter_one(
    one: list[str], other: list[str], cuts: list[bool]
) -> None:
    left, right = cut(one, cuts[:3]), [*cut(other[:4], cuts[3:]), [other[4]], [other[5]]]
    wanted = mean(rbo_of_lists(x, y, 0.8) for x in all_orders(left) for y in all_orders(right))
    assert answers.rbo(left, right, p=0.8) == pytest.approx(wanted, abs=1e-12)


def cut(items: list[str], ends: list[bool]) -> Groups:
    groups: Groups = [[items[0]]]
    for item, opens in zip(items[1:], ends, strict=True):
        groups.append([item]) if opens else groups[-1].append(item)
    return groups


@settings(deadline=None, max_examples=50)
@given(one=groupings(), other=groupings(), p=persistences)
def test_b_is_at_least_a(one: Groups, other: Groups, p: float) -> None:
    assert answers.rbo(one, other, p=p, variant="a") <= answers.rbo(one, other, p=p, variant="b") + 1e-12


@settings(deadline=None, max_examples=50)
@given(groups=groupings(), p=persistences)
def test_a_ranking_agrees_with_itself(groups: Groups, p: float) -> None:
    """Under b and w always, under a only without ties that could be broken in two ways."""
    assert answers.rbo(groups, groups, p=p, variant="b") == pytest.approx(1, abs=1e-12)
    assert answers.rbo(groups, groups, p=p, variant="w") == pytest.approx(1, abs=1e-12)
    if len(groups) == len(flat(groups)):
        assert answers.rbo(groups, groups, p=p) == pytest.approx(1, abs=1e-12)
    elif p > 0.1:
        assert answers.rbo(groups, groups, p=p) < 1 - 1e-9


def groups_of(text: str) -> Groups:
    """Items with spaces between them, groups in parentheses."""
    parts = text.replace("(", " ( ").replace(")", " ) ").split()
    groups: Groups = []
    inside = False
    for part in parts:
        if part in "()":
            inside = part == "("
            if inside:
                groups.append([])
        elif inside:
            groups[-1].append(part)
        else:
            groups.append([part])
    return groups


# x, y, p and the extrapolated RBO under w, a and b. The first is the example of the program that Corsi and
# Urbano published with their paper (julian-urbano/sigir2024-rbo), the others are from its test data.
PUBLISHED = [
    (
        "red (blue green) yellow pink",
        "(blue red) white (yellow black purple) green",
        0.95,
        (0.7068257, 0.6922853, 0.7207131),
    ),
    (
        "(i5 i9 i13 i15 i16 i19 i20) (i3 i8)",
        "i6 (i4 i18) i2 i7 i8 i17 i14 (i11 i12) i1",
        0.958074765324023,
        (0.0816485573277354, 0.0808189832771587, 0.0813693619867344),
    ),
    (
        "i6 i5 (i2 i4 i7)",
        "i4 i18 i2 (i1 i5 i6 i7 i9 i14 i15 i17) i13 i11",
        0.984365085297715,
        (0.734068963712944, 0.680057896807246, 0.747819806375568),
    ),
    (
        "i3 (i1 i5 i7) i9",
        "(i1 i9) i7 i3 i4",
        0.930093081332594,
        (0.697096710334179, 0.678580739450433, 0.684614956129899),
    ),
    (
        "(i1 i10 i14) (i8 i12) i2",
        "(i1 i10) (i2 i12) i14 (i8 i15) (i13 i19) (i3 i16 i18) i4 i7",
        0.954651398781568,
        (0.905498378418572, 0.875718976213755, 0.928088210146485),
    ),
    (
        "(i2 i4 i5) (i9 i11)",
        "i7 (i1 i2 i3 i4 i5)",
        0.945785260564493,
        (0.562374879224653, 0.510040933443038, 0.534789526096388),
    ),
]


@pytest.mark.parametrize(("one", "other", "p", "values"), PUBLISHED)
def test_published_values(one: str, other: str, p: float, values: tuple[float, ...]) -> None:
    found = [answers.rbo(groups_of(one), groups_of(other), p=p, variant=v) for v in "wab"]
    assert found == pytest.approx(values, abs=5e-8 if p == 0.95 else 1e-13)


def test_a_long_tail_does_not_overflow() -> None:
    one = [str(n) for n in range(20_000)]
    assert answers.rbo(one, one, p=0.9) == pytest.approx(1, abs=1e-12)
    assert answers.rbo(one, [one], p=0.9, variant="w") == pytest.approx(
        answers.rbo([one], one, p=0.9, variant="w")
    )
