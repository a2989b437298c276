"""rankscope report: where the page goes, and what it says to bad input."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rankscope

Command = Callable[..., Any]


@pytest.fixture
def files(examples: Path) -> list[Path]:
    return [examples / "judgments.qrels", *(examples / f"{name}.run" for name in ("bm25", "dense"))]


def test_the_page_is_what_python_makes(command: Command, files: list[Path], tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    options = ("-m", "AP, P@5", "--title", "Two & more", "--baseline", "dense", "--seed", "3")
    done = command("report", *files, *options, "-o", target)
    assert (done.code, done.out) == (0, "")
    assert done.err == f"the report is in {target}\n"
    expected = rankscope.report(
        files[0], files[1:], "AP, P@5", title="Two & more", baseline="dense", seed=3
    ).html
    assert target.read_text("utf-8") == expected
    assert "<title>Two &amp; more</title>" in expected


def test_it_may_go_to_standard_output(command: Command, files: list[Path]) -> None:
    done = command("report", *files, "-m", "AP", "-o", "-")
    assert done.out.startswith("<!DOCTYPE html>")
    assert done.err == ""


def test_a_run_may_come_from_a_pipe(process: Command, files: list[Path], tmp_path: Path) -> None:
    """It is looked at several times, and kept for that."""
    target = tmp_path / "page.html"
    done = process("report", files[0], "-", "-m", "AP", "-o", target, given=files[1].read_bytes())
    assert done.code == 0
    value = rankscope.evaluate(files[0], files[1], "AP")["AP"]
    assert f"AP of stdin is {value:.4f}" in target.read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ([], "--output"),
        (["-o", "no/such/folder/page.html"], "cannot be written"),
        (["-o", "page.html", "--baseline", "bm52"], "did you mean bm25?"),
        (["-o", "page.html", "-m", "nope"], "nope"),
        (["-o", "page.html", "--seed", "-1"], "seed= a whole number"),
        (["no-such.run", "-o", "page.html"], "no-such.run"),
        (["-", "-", "-o", "page.html"], "standard input"),
    ],
)
def test_bad_usage(
    command: Command,
    files: list[Path],
    options: list[str],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = command("report", *files, *options)
    assert done.code == 2
    assert says in done.err
    assert "Traceback" not in done.err
    assert not list(tmp_path.iterdir())


def test_help_has_examples(command: Command) -> None:
    done = command("report", "--help")
    assert "rankscope report judgments.qrels bm25.run dense.run -o report.html" in done.out
