"""Labels and scores as arrays, with and without groups."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from rankscope.align import align
from rankscope.data import from_arrays
from rankscope.errors import InputError


def test_one_query(core: ModuleType) -> None:
    judgments, run = from_arrays([1, 0, 2], np.float32([0.1, 0.3, 0.2]))
    assert (list(judgments.queries), list(judgments.items)) == (["0"], ["0", "1", "2"])
    assert judgments.grades.tolist() == [1, 0, 2]
    aligned = align(judgments, run)
    assert aligned.item.tolist() == [1, 2, 0]


@pytest.mark.parametrize(
    "groups", [["b", "a", "b"], [7, 3, 7], np.array([7, 3, 7], np.uint8), np.array(["b", "a", "b"])]
)
def test_groups_are_queries(core: ModuleType, groups: Any) -> None:
    judgments, run = from_arrays([True, False, True], [1, 2, 3], groups)
    assert list(judgments.queries) == [str(groups[0]), str(groups[1])]
    assert list(judgments.items) == ["0", "2", "1"]
    assert align(judgments, run).item.tolist() == [1, 0, 0]


def test_rows_of_two_dimensions_are_queries(core: ModuleType) -> None:
    judgments, run = from_arrays([[1, 0], [0, 1], [0, 0]], np.array([[1, 2], [1, 2], [2, 1]]))
    assert (list(judgments.queries), list(judgments.items)) == (["0", "1", "2"], ["0", "1"] * 3)
    assert align(judgments, run).item.tolist() == [1, 0, 1, 0, 0, 1]


@pytest.mark.parametrize(
    ("arrays", "code"),
    [
        (([1, 0], [1.0]), "array-shape"),
        (([1, 0], [[1.0, 0.0]]), "array-shape"),
        ((1, 1), "array-shape"),
        ((np.zeros((1, 1, 1)), np.zeros((1, 1, 1))), "array-shape"),
        (([1, 0], [1, 0], ["q"]), "array-shape"),
        (([[1, 0]], [[1, 0]], ["q"]), "array-shape"),
        (([1, None], [1, 0]), "array-values"),
        (([1, 0], ["1", "0"]), "array-values"),
        (([[1], [1, 0]], [1, 0]), "array-values"),
        (([1, 0], [1j, 0]), "array-values"),
        (([1, 0], [1, 0], [0.5, 1.0]), "id-type"),
        (([], []), "no-rows-in-memory"),
        (([1, np.nan], [1, 0]), "not-finite"),
    ],
)
def test_what_the_arrays_may_not_be(core: ModuleType, arrays: Any, code: str) -> None:
    with pytest.raises(InputError) as caught:
        from_arrays(*arrays)
    assert caught.value.code == code


def test_a_score_that_is_not_finite_is_named_by_its_row(core: ModuleType) -> None:
    judgments, run = from_arrays([1, 0], [1, np.inf])
    with pytest.raises(InputError, match="y_score, row 2: score 'inf' is not finite"):
        align(judgments, run)
