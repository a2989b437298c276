"""Cardinal and nominal similarity against plain set arithmetic, and where sets are empty."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from answer_support import Groups, flat, groupings
from hypothesis import given, settings

from rankscope import InputError, MeasureError, answers

PLAIN: dict[str, Callable[[set[str], set[str]], float]] = {
    "jaccard": lambda a, b: len(a & b) / len(a | b),
    "dice": lambda a, b: 2 * len(a & b) / (len(a) + len(b)),
    "cosine": lambda a, b: len(a & b) / math.sqrt(len(a) * len(b)),
    "overlap": lambda a, b: len(a & b) / min(len(a), len(b)),
    "recall": lambda a, b: len(a & b) / len(b),
    "precision": lambda a, b: len(a & b) / len(a),
}
SYMMETRIC = ("jaccard", "dice", "cosine", "overlap")


def value(name: str, a: Any, b: Any) -> float:
    found: float = getattr(answers, name)(a, b)
    return found


@pytest.mark.parametrize("name", PLAIN)
@settings(deadline=None, max_examples=50)
@given(one=groupings(), other=groupings())
def test_nominal_measures_are_their_formulas(name: str, one: Groups, other: Groups) -> None:
    found = value(name, one, other)
    assert found == pytest.approx(PLAIN[name](set(flat(one)), set(flat(other))), rel=1e-14, abs=0)
    assert 0 <= found <= 1
    if name in SYMMETRIC:
        assert found == value(name, other, one)


@settings(deadline=None, max_examples=50)
@given(one=groupings(), other=groupings())
def test_when_they_are_one(one: Groups, other: Groups) -> None:
    a, b = set(flat(one)), set(flat(other))
    for name in ("jaccard", "dice", "cosine"):
        assert (value(name, one, other) == 1) == (a == b)
    assert (answers.overlap(one, other) == 1) == (a <= b or b <= a)


@settings(deadline=None, max_examples=50)
@given(one=groupings(), other=groupings())
def test_jaccard_is_at_most_dice_and_dice_at_most_the_cosine(one: Groups, other: Groups) -> None:
    assert answers.jaccard(one, other) <= answers.dice(one, other) <= answers.cosine(one, other) + 1e-15


@pytest.mark.parametrize("name", PLAIN)
def test_empty_sets(name: str) -> None:
    assert math.isnan(value(name, [], set()))
    assert value(name, ["a"], []) == 0
    assert value(name, [], ["a"]) == 0


def test_an_item_given_twice_counts_once() -> None:
    assert answers.jaccard(["a", "a", "b"], ["b", "a", "b"]) == 1
    assert answers.cardinal_ratio(["a", "a"], ["b"]) == 1


def test_cardinal_measures() -> None:
    assert answers.cardinal_ratio({"a", "b", "c"}, ["x", "y"]) == 1.5
    assert answers.cardinal_share({"a", "b", "c"}, ["x"]) == 0.75
    assert answers.cardinal_share({"a", "b", "c"}, ["x"], of="answer") == 0.25
    assert answers.cardinal_ratio(3, 4) == answers.cardinal_ratio(["a", "b", "c"], 4) == 0.75
    assert answers.cardinal_ratio([], ["a"]) == answers.cardinal_share([], ["a"]) == 0
    assert math.isnan(answers.cardinal_ratio(["a"], []))
    assert math.isnan(answers.cardinal_share([], []))


def test_what_cardinal_measures_refuse() -> None:
    with pytest.raises(InputError, match="-1 items"):
        answers.cardinal_ratio(-1, 3)
    with pytest.raises(InputError, match="type bool"):
        answers.cardinal_ratio(True, 3)
    with pytest.raises(MeasureError, match="of=theirs"):
        answers.cardinal_share(1, 3, of="theirs")
