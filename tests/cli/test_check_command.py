"""rankscope check: what it prints, and its exit codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]


def test_what_a_person_sees(command: Command, data: Path) -> None:
    (data / "bad.run").write_text("q1 Q0 a 1 2 t\nq1 Q0 b 2 high t\nq2 Q0 c 1 nan t\nq3 Q0 e 1 1 t\n")
    done = command("check", data / "truth.qrels", data / "bad.run")
    assert (done.code, done.err) == (1, "")
    lines = done.out.splitlines()
    assert lines[:3] == [
        f"{data / 'truth.qrels'}: 5 usable rows, 3 queries",
        "  nothing to remark",
        "",
    ]
    assert lines[3] == f"{data / 'bad.run'}: 2 usable rows, 2 queries"
    assert lines[4:7] == [
        "  problem  1 line in which the score is not a number [number]",
        "           - line 2: score 'high'",
        "           try: write a decimal number such as 12, -0.5 or 3.1e-4, or remove the row",
    ]
    assert "  warning  1 query judged, but not in the run [missing-queries]" in lines
    assert lines[-1] == "2 problems, 1 warning, 0 remarks"


def test_warnings_fail_only_when_strict(command: Command, data: Path) -> None:
    given = ("check", data / "truth.qrels", data / "one.run")  # q3 is missing
    assert command(*given).code == 0
    assert command(*given, "--strict").code == 1


def test_json(command: Command, data: Path) -> None:
    done = command("check", data / "truth.qrels", data / "one.run", data / "two.run", "--format", "json")
    content = json.loads(done.out)
    assert content["ok"] is True
    assert [Path(one["source"]).name for one in content["inputs"]] == ["truth.qrels", "one.run", "two.run"]
    assert content["inputs"][1]["findings"][0]["code"] == "missing-queries"


def test_a_file_for_the_report(command: Command, data: Path) -> None:
    target = data / "report.txt"
    done = command("check", data / "truth.qrels", data / "one.run", "-o", target)
    assert (done.code, done.out) == (0, "")
    assert target.read_text().endswith("0 problems, 1 warning, 1 remark\n")
    assert command("check", data / "truth.qrels", data / "one.run", "-o", data / "one.run").code == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["truth.qrels"], "RUN"),
        (["truth.qrels", "none.run"], "there is no such file"),
        (["-", "-"], "only one input can be standard input"),
        (["truth.qrels", "one.run", "--format", "xml"], "xml"),
    ],
)
def test_bad_usage(command: Command, data: Path, arguments: list[str], words: str) -> None:
    done = command("check", *(data / a if "." in a else a for a in arguments))
    assert (done.code, done.out) == (2, "")
    assert words in done.err
    assert "Traceback" not in done.err


def test_standard_input(process: Command, data: Path) -> None:
    done = process("check", data / "truth.qrels", "-", given=b"q1 Q0 a 1 2 t\nq1 Q0 b 2 x t\n")
    assert done.code == 1
    assert "stdin: 1 usable row, 1 query" in done.out
    assert "- line 2: score 'x'" in done.out
