"""rankscope measures: every measure there is, in a table, in words and as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rankscope.measures import parse, registered
from rankscope.measures.bibliography import BIBLIOGRAPHY

Command = Callable[..., Any]

NAMES = [measure.name for measure in registered()]


def test_the_table_has_a_line_for_each_measure(command: Command) -> None:
    done = command("measures")
    header, *lines = done.out.splitlines()
    assert header.split() == ["name", "meaning", "parameters", "range", "better", "truth"]
    assert [line.split()[0] for line in lines] == NAMES
    assert (done.code, done.err) == (0, "")


def test_a_line_of_the_table(command: Command) -> None:
    (line,) = [line for line in command("measures").out.splitlines() if line.startswith("RBP ")]
    assert line.split()[-8:] == ["p=0.8,", "gain=binary,", "rel=1,", "@k", "[0,", "1]", "higher", "judgments"]


@pytest.mark.parametrize("name", NAMES)
def test_each_measure_is_explained(command: Command, name: str) -> None:
    measure = parse(name)
    done = command("measures", name)
    assert done.code == 0
    assert done.out.startswith(f"{name}: {measure.meaning}\n")
    for label in ("formula", "range", "better", "truth", "aggregate", "empty", "undefined", "reference"):
        assert f"\n{label}:" in done.out
    for fact in (measure.formula, BIBLIOGRAPHY[measure.reference], *measure.aliases):
        assert fact in done.out


@pytest.mark.parametrize("name", NAMES)
def test_the_example_of_each_measure_runs(command: Command, examples: Path, name: str) -> None:
    example = json.loads(command("measures", name, "--format", "json").out)["example"]
    asked = example.rpartition(" -m ")[2].strip("'")
    done = command("evaluate", examples / "judgments.qrels", examples / "bm25.run", "-m", asked)
    assert done.code == 0
    assert done.out.splitlines()[1].split()[0] == asked.split()[0]


@pytest.mark.parametrize("spelling", ["ndcg", "ndcg@10", "nDCG(gain=exp)@5", "ndcg_cut_10"])
def test_any_spelling_is_explained_as_the_measure_itself(command: Command, spelling: str) -> None:
    assert command("measures", spelling).out == command("measures", "nDCG").out


def test_json_of_one_measure(command: Command) -> None:
    shown = json.loads(command("measures", "nDCG", "--format", "json").out)
    assert shown["range"] == [0, 1]
    assert shown["reference"] == {"key": "jarvelin2002ndcg", "citation": BIBLIOGRAPHY["jarvelin2002ndcg"]}
    assert shown["parameters"][0] == {
        "name": "gain",
        "type": "word",
        "default": "linear",
        "allowed": "linear or exp",
        "choices": ["linear", "exp"],
        "help": "what a grade is worth",
    }
    assert (shown["always_defined"], shown["undefined"], shown["empty"]) == (False, 0, 0)
    assert "ndcg_cut_10" in shown["aliases"]


def test_json_of_all_measures(command: Command) -> None:
    shown = json.loads(command("measures", "--format", "json").out)
    assert [measure["name"] for measure in shown] == NAMES
    counts = {measure["name"]: measure for measure in shown}["NumRet"]
    assert counts["range"] == [0, None]
    assert (counts["aggregate"], counts["always_defined"]) == ("sum", True)
