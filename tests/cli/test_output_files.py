"""-o FILE: there whole or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rankscope.cli.formats import FORMATS
from rankscope.cli.output import deliver

Command = Callable[..., Any]


def test_the_file_has_what_standard_output_would_have(command: Command, data: Path) -> None:
    call = ("evaluate", data / "truth.qrels", data / "one.run", "--format", "csv")
    written = command(*call, "-o", data / "values.csv")
    assert (written.code, written.out) == (0, "")
    printed = command(*call, "-o", "-")
    assert (data / "values.csv").read_text() == printed.out != ""


def test_an_existing_file_keeps_its_mode_and_a_link_stays_a_link(command: Command, data: Path) -> None:
    target, link = data / "values", data / "link"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    assert command("evaluate", data / "truth.qrels", data / "one.run", "-o", link).code == 0
    assert link.is_symlink()
    assert target.read_text().startswith("measure")
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_a_new_file_has_the_usual_mode(command: Command, data: Path) -> None:
    (data / "usual").touch()
    assert command("evaluate", data / "truth.qrels", data / "one.run", "-o", data / "values").code == 0
    assert (data / "values").stat().st_mode == (data / "usual").stat().st_mode


def test_on_an_error_nothing_is_left_and_the_old_file_stays(
    command: Command, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = data / "values"
    target.write_text("old")
    before = sorted(os.listdir(data))

    def half(*_: object) -> Iterator[str]:
        yield "new"
        raise OSError(28, "No space left on device")

    monkeypatch.setitem(FORMATS, "csv", half)
    done = command("evaluate", data / "truth.qrels", data / "one.run", "--format", "csv", "-o", target)
    assert done.code == 2
    assert "values: cannot be written: No space left on device" in done.err
    assert target.read_text() == "old"
    assert sorted(os.listdir(data)) == before


def test_an_interruption_leaves_nothing_either(tmp_path: Path) -> None:
    def interrupted() -> Iterator[str]:
        yield "new"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        deliver(interrupted(), str(tmp_path / "values"))
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        (".", "it is a directory"),
        ("nowhere/values", "there is no folder"),
        ("one.run", "it is also an input"),
    ],
)
def test_a_target_that_cannot_be_is_found_before_the_work(
    command: Command, data: Path, target: str, reason: str
) -> None:
    before = (data / "one.run").read_text()
    done = command("evaluate", data / "does-not-exist", data / "one.run", "-o", data / target)
    assert done.code == 2
    assert f"cannot be written: {reason}" in done.err
    assert (data / "one.run").read_text() == before


def test_what_is_no_regular_file_is_written_to_and_not_replaced(command: Command, data: Path) -> None:
    pipe = data / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert command("evaluate", data / "truth.qrels", data / "one.run", "-o", pipe).code == 0
        assert os.read(reader, 1000).startswith(b"measure")
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
