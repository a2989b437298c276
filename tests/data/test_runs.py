"""Runs and their names: one, several, or a mapping of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from rankscope.data import Run, runs_of
from rankscope.errors import InputError


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("runs/bm25.run", "bm25"),
        ("runs/bm25.run.gz", "bm25"),
        ("bm25.v2.txt.GZ", "bm25.v2"),
        ("bm25", "bm25"),
        ("bm25.gz", "bm25"),
        (".hidden", ".hidden"),
        (Path("x") / "dense.run", "dense"),
        ("-", "stdin"),
    ],
)
def test_a_run_is_named_after_its_file(path: Any, name: str) -> None:
    assert Run.of(path).name == name


def test_names_can_be_given() -> None:
    assert Run.of({"q": ["a"]}).name == "run"
    run = Run.of("bm25.run", name="baseline")
    assert (run.name, Run.of(run) is run, Run.of(run, name="other").name) == ("baseline", True, "other")
    assert repr(run) == "<Run 'baseline': bm25.run>"
    assert repr(Run.of({"q": ["a"]})) == "<Run 'run': in memory>"


FRAME = pd.DataFrame({"qid": ["q"], "docno": ["a"], "score": [1.0]})


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ("a.run", ["a"]),
        ({"q": {"d": 1.0}}, ["run"]),
        ({"q": ["d", "e"]}, ["run"]),
        ({"q": {}, "p": ("d",)}, ["run"]),
        ({"q": {}}, ["run"]),
        (FRAME, ["run"]),
        (["x/a.run", Path("b.run"), "-"], ["a", "b", "stdin"]),
        ([{"q": ["d"]}, "a.run", {"q": ["e"]}], ["run1", "a", "run3"]),
        ((FRAME, Run.of(FRAME, name="mine")), ["run1", "mine"]),
        ({"one": {"q": {"d": 1.0}}, "two": {"q": ["d"]}}, ["one", "two"]),
        ({"empty": {}, "two": {"q": {}}}, ["empty", "two"]),
        ({"one": "a.run", "two": {"q": ["d"]}}, ["one", "two"]),
        ({"one": FRAME, "two": Path("b.run"), 3: Run.of(FRAME)}, ["one", "two", "3"]),
        (["x/bm25.run", "y/bm25.run", "z.run"], ["x/bm25.run", "y/bm25.run", "z"]),
    ],
)
def test_one_run_or_many(given: Any, names: list[str]) -> None:
    assert [run.name for run in runs_of(given)] == names


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ([], "no-run"),
        (["a.run", "a.run"], "same-name"),
        ([Run.of(FRAME, name="x"), Run.of(FRAME, name="x")], "same-name"),
        ([Run.of(FRAME, name="a"), "a.run", Run.of(FRAME, name="a")], "same-name"),
        (3, "unusable"),
        (None, "unusable"),
        ([["a.run"]], "unusable"),
    ],
)
def test_what_are_no_runs(given: Any, code: str) -> None:
    with pytest.raises(InputError) as caught:
        runs_of(given)
    assert caught.value.code == code
