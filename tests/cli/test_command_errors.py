"""Errors of the command: one message, exit code 2, and nothing on standard output."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]
Arguments = Callable[[Path], list[object]]

CASES: dict[str, tuple[Arguments, list[str]]] = {
    "no command": (lambda d: ["evalute"], ["there is no command 'evalute'", "did you mean evaluate?"]),
    "no arguments": (lambda d: ["evaluate"], ["QRELS", "rankscope evaluate --help"]),
    "no run": (lambda d: ["evaluate", d / "truth.qrels"], ["a RUN is missing"]),
    "unknown option": (
        lambda d: ["evaluate", d / "truth.qrels", d / "one.run", "--tise", "best"],
        ["--tise", "--ties"],
    ),
    "swapped": (
        lambda d: ["evaluate", d / "one.run", d / "truth.qrels"],
        ["one.run:1", "looks like a run", "give the judgments first"],
    ),
    "judgments as a run": (
        lambda d: ["evaluate", d / "truth.qrels", d / "truth.qrels"],
        ["truth.qrels:1", "looks like judgments"],
    ),
    "wrong file": (lambda d: ["evaluate", d / "truth.qrels", d / "prose"], ["prose:1", "columns"]),
    "empty file": (lambda d: ["evaluate", d / "truth.qrels", d / "empty"], ["empty", "no row in it"]),
    "directory": (lambda d: ["evaluate", d, d / "one.run"], ["it is a directory"]),
    "missing file": (
        lambda d: ["evaluate", d / "truth.qrel", d / "one.run"],
        ["there is no such file", "did you mean", "truth.qrels?"],
    ),
    "missing queries file": (
        lambda d: ["evaluate", d / "truth.qrels", d / "one.run", "--queries", d / "nothing"],
        ["nothing: cannot be read", "there is no such file"],
    ),
    "unknown query": (
        lambda d: ["evaluate", d / "truth.qrels", d / "one.run", "--queries", d / "prose"],
        ["chosen, but not judged: Once"],
    ),
    "unknown measure": (
        lambda d: ["evaluate", d / "truth.qrels", d / "one.run", "-m", "nDGC@10"],
        ["there is no measure 'nDGC'", "did you mean nDCG"],
    ),
    "cutoff 0": (
        lambda d: ["evaluate", d / "truth.qrels", d / "one.run", "-m", "P@0"],
        ["cutoff 0 is not allowed", "a whole number from 1 to 2147483647"],
    ),
    "bad policy": (
        lambda d: ["evaluate", d / "truth.qrels", d / "one.run", "--ties", "expcted"],
        ["ties=expcted is not a policy", "did you mean expected"],
    ),
    "policy with a control character": (
        lambda d: ["evaluate", d / "truth.qrels", d / "one.run", "--ties", "\x1b[31m"],
        ["ties=\\x1b[31m is not a policy"],
    ),
    "unknown aggregate": (
        lambda d: ["evaluate", d / "truth.qrels", d / "one.run", "--aggregate", "mean,medain"],
        ["there is no aggregate 'medain'", "did you mean median?"],
    ),
    "weights without some query": (
        lambda d: ["evaluate", d / "truth.qrels", d / "one.run", "--weights", d / "empty"],
        ["empty: no weight for 3 judged queries ('q1', 'q2', 'q3')"],
    ),
    "weights that are words": (
        lambda d: ["evaluate", d / "truth.qrels", d / "one.run", "--weights", d / "prose"],
        ["prose:1: weight 'upon a time there was a ranking.' is not a weight"],
    ),
    "missing groups file": (
        lambda d: ["evaluate", d / "truth.qrels", d / "one.run", "--groups", d / "nothing"],
        ["nothing: cannot be read", "there is no such file"],
    ),
    "no such shell": (lambda d: ["completion", "powershell"], ["powershell", "bash", "zsh", "fish"]),
    "bad format": (
        lambda d: ["evaluate", d / "truth.qrels", d / "one.run", "--format", "yaml"],
        ["yaml", "json"],
    ),
    "depth 0": (lambda d: ["evaluate", d / "truth.qrels", d / "one.run", "--depth", 0], ["--depth"]),
    "rel nan": (
        lambda d: ["evaluate", d / "truth.qrels", d / "one.run", "--rel", "nan"],
        ["rel=nan is not allowed"],
    ),
    "same run twice": (
        lambda d: ["evaluate", d / "truth.qrels", d / "one.run", d / "one.run"],
        ["2 runs have the name"],
    ),
    "two standard inputs": (lambda d: ["evaluate", "-", "-"], ["only one input can be standard input"]),
    "missing policy error": (
        lambda d: ["evaluate", d / "truth.qrels", d / "one.run", "--missing", "error"],
        ["the run lacks 1 judged query ('q3')"],
    ),
    "measures: unknown": (lambda d: ["measures", "nDGC"], ["there is no measure 'nDGC'", "did you mean"]),
    "measures: bad name": (lambda d: ["measures", "nDCG@"], ["expected a cutoff after '@'"]),
}


@pytest.mark.parametrize("case", CASES)
def test_error(command: Command, data: Path, case: str) -> None:
    (data / "prose").write_text("Once upon a time there was a ranking.\n")
    (data / "empty").touch()
    arguments, words = CASES[case]
    done = command(*arguments(data))
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("rankscope: error: ")
    assert "Traceback" not in done.err
    for word in words:
        assert word in done.err


@pytest.mark.parametrize(
    ("raised", "said"),
    [
        (MemoryError(), "there is not enough memory"),
        (RecursionError("too deep"), "RecursionError: too deep"),
        (OSError(5, "Input/output error", "a\x1bb"), "a\\x1bb: Input/output error"),
        (ZeroDivisionError("in a measure"), "ZeroDivisionError: in a measure"),
    ],
)
def test_what_nobody_foresaw_is_one_message_too(
    command: Command, data: Path, monkeypatch: pytest.MonkeyPatch, raised: Exception, said: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise raised

    monkeypatch.setattr(import_module("rankscope.cli.evaluate"), "evaluate_runs", fail)
    monkeypatch.delenv("RANKSCOPE_TRACEBACK", raising=False)
    done = command("evaluate", data / "truth.qrels", data / "one.run")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("rankscope: error: ")
    assert said in done.err
    assert "Traceback" not in done.err
    monkeypatch.setenv("RANKSCOPE_TRACEBACK", "1")
    assert "Traceback" in command("evaluate", data / "truth.qrels", data / "one.run").err


def test_without_a_command_the_help_is_shown(command: Command) -> None:
    done = command()
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("Usage: rankscope")
