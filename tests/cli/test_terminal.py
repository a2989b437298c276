"""On a terminal: the best values are bold, a long read shows its progress, and NO_COLOR is respected."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pty = pytest.importorskip("pty", reason="runs where there are pseudo-terminals")

BOLD = "\x1b[1m{}\x1b[0m"


def on_terminal(code: str, *arguments: object, both: bool = True, **environment: str) -> str:
    """All that a terminal gets from a Python program: its standard error and, with `both`, its output."""
    terminal, process_side = pty.openpty()
    env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
    process = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=process_side if both else subprocess.DEVNULL,
        stderr=process_side,
        env={**env, "TERM": "xterm-256color", **environment},
    )
    os.close(process_side)
    shown = b""
    try:
        while chunk := os.read(terminal, 65536):
            shown += chunk
    except OSError:  # how Linux says that nobody has the other side open any more
        pass
    finally:
        os.close(terminal)
        process.wait(timeout=60)
    return shown.decode().replace("\r\n", "\n")


RUN = "from rankscope.cli import main; main()"


@pytest.fixture
def best(data: Path) -> list[object]:
    """A call where the best value is run one's 0.3333: only its q2 has an item of grade 2 first."""
    return ["evaluate", data / "truth.qrels", data / "one.run", data / "two.run", "-m", "P(rel=2)@1"]


def test_the_best_value_is_bold(best: list[object]) -> None:
    shown = on_terminal(RUN, *best)
    assert BOLD.format("    0.3333") in shown
    assert "*" not in shown


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_without_colour_it_has_a_star(best: list[object], environment: dict[str, str]) -> None:
    shown = on_terminal(RUN, *best, **environment)
    assert "0.3333*" in shown
    assert "\x1b" not in shown


def test_an_error_is_red_unless_no_colour_is_wanted() -> None:
    assert "rankscope: \x1b[31m\x1b[1merror:\x1b[0m there is no command" in on_terminal(RUN, "x")
    assert on_terminal(RUN, "x", NO_COLOR="1").startswith("rankscope: error: there is no command")


def test_odd_terminals_get_escapes(tmp_path: Path) -> None:
    (tmp_path / "t.qrels").write_text("問い 0 a 1\n", encoding="utf-8")
    (tmp_path / "r.run").write_text("問い Q0 a 1 1 r\n", encoding="utf-8")
    call = ("evaluate", tmp_path / "t.qrels", tmp_path / "r.run", "-m", "RR", "-q")
    assert "\\u554f\\u3044" in on_terminal(RUN, *call, PYTHONIOENCODING="ascii")


def test_the_list_of_measures_fits_the_terminal() -> None:
    shown = on_terminal(RUN, "measures", NO_COLOR="", COLUMNS="80")
    assert "nDCG" in shown
    plain = [line.replace("\x1b[4m", "").replace("\x1b[0m", "") for line in shown.splitlines()]
    assert max(map(len, plain)) <= 80


BAR = """
from rankscope.cli import progress
progress.DELAY = {delay}
with progress.ProgressBar() as bar:
    bar(1, 4)
    bar(3, 4)
"""
ERASE = "\x1b[2K"


def test_long_work_shows_its_progress_and_erases_it() -> None:
    shown = on_terminal(BAR.format(delay=0))
    assert "reading" in shown
    assert shown.rindex(ERASE) > shown.rindex("reading")


def test_short_work_shows_nothing() -> None:
    assert on_terminal(BAR.format(delay=1)) == ""


def test_progress_is_for_terminals_only() -> None:
    done = subprocess.run([sys.executable, "-c", BAR.format(delay=0)], capture_output=True)
    assert (done.stdout, done.stderr) == (b"", b"")


def test_a_long_read_reports_its_progress(tmp_path: Path) -> None:
    """The plain core takes long enough over this many rows to report."""
    (tmp_path / "t.qrels").write_text("q0 0 d0 1\n")
    rows = "".join(f"q{q} Q0 d{d} {d} {-d} r\n" for q in range(1500) for d in range(100))
    (tmp_path / "r.run").write_text(rows)
    slow = f"from rankscope.cli import progress; progress.DELAY = 0; {RUN}"
    call = ("evaluate", tmp_path / "t.qrels", tmp_path / "r.run", "-m", "RR")
    shown = on_terminal(slow, *call, both=False, RANKSCOPE_ENGINE="plain")
    assert "reading" in shown
    assert shown.index("reading") < shown.index("policy: ")
