"""Fixtures for the command line: in this process, in one of its own, and on a terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from rankscope.cli import run

EXAMPLES = Path(__file__).parents[2] / "examples"


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """`rankscope` in this process: what the entry point does, short of leaving the interpreter."""

    def call(*arguments: object) -> Outcome:
        code = run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return call


@pytest.fixture
def process() -> Callable[..., Outcome]:
    """`python -m rankscope` in a process of its own."""

    def call(*arguments: object, given: bytes = b"", **environment: str) -> Outcome:
        done = subprocess.run(
            [sys.executable, "-m", "rankscope", *map(str, arguments)],
            input=given,
            capture_output=True,
            env={**os.environ, **environment},
            timeout=60,
        )
        return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())

    return call


@pytest.fixture(scope="session")
def examples() -> Path:
    return EXAMPLES


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with judgments of three queries, and two runs that differ."""
    (tmp_path / "truth.qrels").write_text("q1 0 a 1\nq1 0 b 0\nq2 0 c 2\nq2 0 d 1\nq3 0 e 0\n")
    (tmp_path / "one.run").write_text("q1 Q0 b 1 2 one\nq1 Q0 a 2 1 one\nq2 Q0 c 1 9 one\n")
    (tmp_path / "two.run").write_text("q1 Q0 a 1 2 two\nq2 Q0 x 1 9 two\nq2 Q0 d 2 8 two\n")
    return tmp_path
