"""Ways to hand hostile input over, and every measure there is."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from rankscope import Measure, Result, evaluate
from rankscope.align import engine
from rankscope.measures import registered

__all__ = [
    "SMALL",
    "built_in",
    "each_by_itself",
    "evaluate_text",
    "every_measure",
    "exactly",
    "qrels_text",
    "run_text",
    "survives",
]

CUTOFF = 10
SMALL = os.environ.get(engine.VARIABLE) == "plain"
"""Whether only the plain core is under test, which takes a hundred times as long for large inputs."""


def built_in() -> list[Measure]:
    """The measures of the package that judgments serve as truth, without those that other tests added."""
    return [
        measure
        for measure in registered()
        if measure.kernel.__module__.startswith("rankscope.") and measure.truth != "answer"
    ]


def every_measure() -> list[str]:
    """Every measure as it is, and those that take a cutoff also with one."""
    return [
        str(chosen)
        for measure in built_in()
        for chosen in ([measure, measure @ CUTOFF] if "k" in measure.parameters else [measure])
    ]


def each_by_itself() -> list[str]:
    """The same without those that look at all queries at once."""
    return [name for name in every_measure() if not name.startswith("PooledAUC")]


def exactly(values: Mapping[str, float]) -> Any:
    """What equals these values to the last bit, where one that is not defined equals another such."""
    return pytest.approx(dict(values), rel=0, abs=0, nan_ok=True)


def evaluate_text(folder: Path, qrels: bytes, run: bytes, measures: Any, **options: Any) -> Result:
    """The values of a run and judgments that are given as the bytes of two files."""
    (folder / "truth.qrels").write_bytes(qrels)
    (folder / "system.run").write_bytes(run)
    return evaluate(folder / "truth.qrels", folder / "system.run", measures, **options)


def qrels_text(judgments: dict[str, dict[str, Any]]) -> bytes:
    return "".join(f"{q} 0 {i} {g}\n" for q, items in judgments.items() for i, g in items.items()).encode()


def run_text(run: dict[str, dict[str, Any]]) -> bytes:
    return "".join(f"{q} Q0 {i} 1 {s} t\n" for q, items in run.items() for i, s in items.items()).encode()


def survives(program: str, *arguments: object, timeout: float = 60, **environment: str) -> str:
    """What a Python program printed; if the interpreter crashes, the test fails."""
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", program, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=timeout,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
