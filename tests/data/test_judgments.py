"""Judgments: made of anything, immutable, pickled without their index."""

from __future__ import annotations

import dataclasses
import pickle
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from rankscope.align import align
from rankscope.data import Ids, Judgments, Run
from rankscope.errors import InputError

MAPPING: dict[Any, Any] = {"q2": {"a": 2, "b": 0}, 7: {"c": 1.5}, "none": {}}


def test_made_of_a_mapping(core: ModuleType) -> None:
    judgments = Judgments.of(MAPPING)
    assert list(judgments.queries) == ["q2", "7", "none"]
    assert list(judgments.items) == ["a", "b", "c"]
    assert judgments.offsets.tolist() == [0, 2, 3, 3]
    assert judgments.grades.tolist() == [2, 0, 1.5]
    assert (judgments.integer_queries, judgments.integer_items) == (True, False)
    assert (len(judgments), judgments.name, judgments.notes) == (3, "judgments", ())
    assert repr(judgments) == "<Judgments 'judgments': 3 queries, 3 items>"


def test_made_of_judgments_themselves(core: ModuleType) -> None:
    judgments = Judgments.of(MAPPING)
    assert Judgments.of(judgments) is judgments
    renamed = Judgments.of(judgments, name="gold")
    assert (renamed.name, renamed == judgments) == ("gold", True)


@pytest.mark.parametrize(
    ("repeats", "note"),
    [
        (1, "1 judgment given twice with the same grade was merged"),
        (2, "2 judgments given twice with the same grade were merged"),
    ],
)
def test_what_was_merged_is_noted(core: ModuleType, tmp_path: Path, repeats: int, note: str) -> None:
    path = tmp_path / "qrels.txt"
    path.write_text("q1 0 a 1\n" * (repeats + 1) + "q1 0 b 0\n")
    judgments = Judgments.of(path)
    assert (judgments.name, judgments.notes) == (str(path), (note,))


def test_nothing_can_be_changed(core: ModuleType) -> None:
    judgments = Judgments.of(MAPPING)
    for array in (judgments.grades, judgments.offsets, judgments.items.data, judgments.queries.offsets):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        judgments.name = "other"  # type: ignore[misc]


def test_pickled_without_index_and_memo(core: ModuleType) -> None:
    judgments = Judgments.of(MAPPING, name="gold")
    before = align(judgments, Run.of({"q2": ["x", "a"]}))
    judgments.remember("what cannot be pickled", lambda: lambda: None)
    copy = pickle.loads(pickle.dumps(judgments))
    assert copy == judgments
    assert (copy.name, copy.integer_queries) == ("gold", True)
    assert align(copy, Run.of({"q2": ["x", "a"]})) == before
    with pytest.raises(ValueError, match="read-only"):
        copy.grades[0] = 0


def test_remember_computes_once(core: ModuleType) -> None:
    judgments = Judgments.of(MAPPING)
    computed: list[int] = []

    def compute() -> int:
        computed.append(1)
        return 5

    assert [judgments.remember(("key", 1), compute), judgments.remember(("key", 1), compute)] == [5, 5]
    assert judgments.remember(("key", 2), lambda: None) is None
    assert computed == [1]
    assert judgments.index is judgments.index


def test_among_knows_the_queries(core: ModuleType) -> None:
    judgments = Judgments.of(MAPPING)
    assert judgments.among(["none", "q2"]).tolist() == [True, False, True]
    assert judgments.among([7]).tolist() == [False, True, False]
    with pytest.raises(InputError, match="chosen, but not judged: q1, q3") as caught:
        judgments.among(["q3", "q2", "q1"])
    assert caught.value.code == "unknown-queries"
    with pytest.raises(InputError, match="no query was chosen"):
        judgments.among([])
    with pytest.raises(InputError, match="and 3 more"):
        judgments.among([f"x{i}" for i in range(8)])


def test_ids() -> None:
    ids = Ids.of(["a", b"\xff", "é", ""])
    assert list(ids) == ["a", "\udcff", "é", ""]
    assert (ids[-2], ids[1:3], len(ids), ids.raw(2)) == ("é", ["\udcff", "é"], 4, "é".encode())
    assert ids == Ids.of(["a", "\udcff", "é", b""])
    assert ids != Ids.of(["a\udcff", "é", ""])
    with pytest.raises(IndexError):
        ids[4]
    assert list(Ids.of([])) == []
