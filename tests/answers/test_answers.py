"""Ranking: what counts as an answer, and what does not."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from rankscope import InputError
from rankscope.answers import Ranking
from rankscope.answers.ranking import item_set


@pytest.mark.parametrize(
    ("given", "groups", "ordered"),
    [
        (["a", "b"], (("a",), ("b",)), True),
        ([["a", "b"], "c"], (("a", "b"), ("c",)), True),
        ([("a", "b"), {"c"}], (("a", "b"), ("c",)), True),
        ({"a"}, (("a",),), False),
        (frozenset(), (), False),
        ([], (), True),
        ({"a": 1, "b": 2.5, "c": 1}, (("b",), ("a", "c")), True),
        ([3, "a", b"x", np.int64(7)], (("3",), ("a",), ("x",), ("7",)), True),
        (np.array(["b", "a"]), (("b",), ("a",)), True),
        ([np.array([1, 2]), 3], (("1", "2"), ("3",)), True),
        (iter("ab"), (("a",), ("b",)), True),
        (np.arange(2), (("0",), ("1",)), True),
        ({"a": np.float32(0.5), "b": Fraction(1, 2), "c": -1}, (("a", "b"), ("c",)), True),
        ({}, (), True),
    ],
)
def test_what_is_an_answer(given: Any, groups: tuple[tuple[str, ...], ...], ordered: bool) -> None:
    ranking = Ranking.of(given)
    assert ranking.groups == groups == tuple(ranking)
    assert ranking.ordered is ordered
    assert len(ranking) == sum(map(len, groups))
    assert Ranking.of(ranking) is ranking


@pytest.mark.parametrize(
    ("given", "code", "message"),
    [
        ("abc", "answer-type", "type str"),
        (7, "answer-type", "type int"),
        (None, "answer-type", "type NoneType"),
        (pd.DataFrame({"item": ["a"], "score": [1]}), "answer-type", "type DataFrame"),
        (pl.DataFrame({"item": ["a"], "score": [1]}), "answer-type", "type DataFrame"),
        ([["a"], []], "empty-group", "group 2 is empty"),
        ([set(), ["a"]], "empty-group", "group 1 is empty"),
        (["a", "b", "a"], "duplicate-item", "'a' stands twice, in groups 1 and 3"),
        ([["a", "a"]], "duplicate-item", "'a' stands twice, in group 1"),
        ([["a", "b"], ["c", "b"]], "duplicate-item", "'b' stands twice, in groups 1 and 2"),
        ([1, "1"], "duplicate-item", "'1' stands twice"),
        ([1.5], "id-type", "1.5 is float"),
        ([None], "id-type", "None is NoneType"),
        ([True], "id-type", "True is bool"),
        ({"a": float("nan")}, "not-finite", "'a' is not a finite number"),
        ({"a": float("inf")}, "not-finite", "inf"),
        ({"a": "high"}, "not-finite", "'high'"),
        ({"a": None}, "not-finite", "None"),
        ({"a": 10**400}, "not-finite", "is not a finite number"),
        (["a\x1b[31m", "a\x1b[31m"], "duplicate-item", r"a\\x1b\[31m"),
    ],
)
def test_what_is_none(given: Any, code: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        Ranking.of(given)
    assert caught.value.code == code
    assert caught.value.expected


def test_a_set_of_items_forgets_order_groups_and_repeats() -> None:
    wanted = {"a", "b", "1"}
    for given in (
        ["a", "b", 1, "a"],
        [["a", "b"], [1]],
        {"a", "b", "1"},
        {"a": 3, "b": 2, 1: 0.5},
        Ranking.of(["a", "b", "1"]),
    ):
        assert item_set(given) == wanted
    with pytest.raises(InputError, match="type str"):
        item_set("ab")
