"""The command in a process of its own: streams, signals, exit codes and what it imports."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Process = Callable[..., Any]
MODULE = [sys.executable, "-m", "rankscope"]

# Whatever comes from elsewhere than the standard library and the package itself.
FOREIGN = """
import sys
before = set(sys.modules)
from rankscope.cli import run
code = run(sys.argv[1:])
loaded = {name.partition(".")[0] for name in set(sys.modules) - before}
loaded -= {*sys.stdlib_module_names, "rankscope"}
sys.stderr.write(f"{code} {sorted(loaded)}\\n")
"""


def test_version_says_which_core_serves(process: Process) -> None:
    import rankscope

    plain = process("--version", RANKSCOPE_ENGINE="plain")
    assert plain.out == f"rankscope {rankscope.__version__} (plain core, as RANKSCOPE_ENGINE says)\n"


@pytest.mark.skipif(
    os.environ.get("RANKSCOPE_ENGINE") == "plain", reason="runs where the native core is not ruled out"
)
def test_version_of_the_native_core(process: Process) -> None:
    import rankscope

    done = process("--version", RANKSCOPE_ENGINE="native")
    assert done.out == f"rankscope {rankscope.__version__} (native core)\n"


def test_a_core_that_does_not_exist_is_an_error(process: Process) -> None:
    done = process("--version", RANKSCOPE_ENGINE="nativ")
    assert done.code == 2
    assert done.err.startswith("rankscope: error: RANKSCOPE_ENGINE=nativ names no core")


@pytest.mark.parametrize("flag", ["-h", "--help"])
@pytest.mark.parametrize("verb", [[], ["evaluate"], ["measures"], ["completion"]])
def test_every_command_has_help_with_examples(process: Process, verb: list[str], flag: str) -> None:
    done = process(*verb, flag)
    assert done.code == 0
    assert "\nExamples:\n  rankscope " in done.out


def test_the_example_runs(process: Process, examples: Path) -> None:
    runs = [examples / f"{name}.run" for name in ("bm25", "dense", "hybrid")]
    done = process("evaluate", examples / "judgments.qrels", *runs)
    assert done.code == 0
    assert [line.split()[0] for line in done.out.splitlines()] == ["run", "bm25", "dense", "hybrid"]
    assert done.err.startswith("policy: ")


def test_a_run_or_judgments_from_standard_input(process: Process, data: Path) -> None:
    run, truth = (data / "one.run").read_bytes(), (data / "truth.qrels").read_bytes()
    for given in (run, gzip.compress(run)):
        done = process("evaluate", data / "truth.qrels", "-", "-m", "RR", given=given)
        assert done.out == "measure   stdin\nRR       0.5000\n"
    done = process("evaluate", "-", data / "one.run", "-m", "RR", given=truth)
    assert done.out == "measure     one\nRR       0.5000\n"
    queries = ("--queries", "-")
    done = process("evaluate", data / "truth.qrels", data / "one.run", "-m", "RR", *queries, given=b"q2\n")
    assert done.out == "measure     one\nRR       1.0000\n"


def test_only_numpy_and_click_are_imported(data: Path) -> None:
    call = ["evaluate", data / "truth.qrels", data / "one.run", "-q"]
    for layout in ("table", "json", "csv", "tsv", "markdown", "latex", "trec"):
        done = subprocess.run(
            [sys.executable, "-c", FOREIGN, *call, "--format", layout],
            capture_output=True,
            text=True,
        )
        assert done.stderr.splitlines()[-1] == "0 ['click', 'numpy']"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="runs where there is /dev/full")
@pytest.mark.parametrize("verb", ["evaluate", "measures", "--help"])
def test_a_full_disk_is_one_message(data: Path, verb: str) -> None:
    files = [data / "truth.qrels", data / "one.run"] if verb == "evaluate" else []
    with open("/dev/full", "w") as full:
        done = subprocess.run([*MODULE, verb, *files], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("rankscope: error: ")
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


def test_output_that_is_closed_is_an_error_and_not_lost_in_silence(data: Path) -> None:
    call = [*MODULE, "evaluate", data / "truth.qrels", data / "one.run"]
    done = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *call], capture_output=True, text=True)
    assert done.returncode == 2
    assert "standard output: cannot be written" in done.stderr


@pytest.mark.parametrize("arguments", [["evaluate", "truth.qrels", "one.run"], ["measures"], ["--help"]])
def test_a_reader_who_goes_away_is_no_error(data: Path, arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*MODULE, *arguments], cwd=data, stdout=writer, stderr=subprocess.PIPE, text=True, env=_importable()
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


def test_ctrl_c_is_one_line_and_130(data: Path) -> None:
    waiting = subprocess.Popen(
        [*MODULE, "evaluate", data / "truth.qrels", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert waiting.stdin is not None
    # More than a pipe holds can only be written once the command reads.
    waiting.stdin.write(b"q1 Q0 a 1 1 r\n" * 100_000)
    waiting.stdin.flush()
    waiting.send_signal(signal.SIGINT)
    out, err = waiting.communicate(timeout=20)
    assert (waiting.returncode, out, err) == (130, b"", b"rankscope: interrupted\n")


def test_any_id_can_be_printed_whatever_the_encoding(process: Process, tmp_path: Path) -> None:
    (tmp_path / "t.qrels").write_text("問い 0 a 1\n", encoding="utf-8")
    (tmp_path / "r.run").write_text("問い Q0 a 1 1 r\n", encoding="utf-8")
    call = ("evaluate", tmp_path / "t.qrels", tmp_path / "r.run", "-m", "RR", "-q")
    done = process(*call, PYTHONIOENCODING="ascii", LC_ALL="C")
    assert (done.code, done.out) == (0, "query      RR\n問い   1.0000\nall    1.0000\n")


def _importable() -> dict[str, str]:
    """The environment, with the places to import from made absolute for a process that starts elsewhere."""
    path = [os.path.abspath(part) for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path)}
