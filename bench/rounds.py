"""Programs that take turns: each round runs every one of them in a fresh process; the best round counts."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from environment import BenchError

BENCH = Path(__file__).parent
TOLERANCE = 1e-6
SLOW = 8.0
"""Seconds after which a program is called slow, and takes part in fewer rounds."""
SLOW_ROUNDS = 2
SAMPLE_EVERY = 0.002

Values = dict[str, float]


@dataclass(frozen=True)
class Outcome:
    """What one process gave: the seconds that count, its values, and its peak of private memory."""

    seconds: float
    values: Values
    private_bytes: int | None = None


def values_of_contender(stdout: str) -> tuple[Values, float | None]:
    answer = json.loads(stdout)
    return answer["values"], answer["seconds"]


def no_values(stdout: str) -> tuple[Values, float | None]:
    return {}, None


@dataclass(frozen=True)
class Program:
    """A contender's command line, and how to read its output: values, and seconds if it timed itself."""

    name: str
    command: Sequence[str]
    read: Callable[[str], tuple[Values, float | None]] = values_of_contender
    sample_memory: bool = False

    def run(self) -> Outcome:
        start = time.perf_counter()
        process = subprocess.Popen(
            self.command, cwd=BENCH, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        peak = _peak_private_bytes(process) if self.sample_memory else None
        stdout, stderr = process.communicate()
        elapsed = time.perf_counter() - start
        if process.returncode:
            raise BenchError(f"{self.name} failed with exit code {process.returncode}\n{stderr.strip()}")
        values, own_seconds = self.read(stdout)
        return Outcome(elapsed if own_seconds is None else own_seconds, values, peak)


@dataclass
class Best:
    """The best outcome of a program so far, and how long it kept us waiting each time."""

    outcome: Outcome | None = None
    waited: list[float] = field(default_factory=list)

    @property
    def is_done(self) -> bool:
        return len(self.waited) >= SLOW_ROUNDS and min(self.waited) > SLOW

    def add(self, outcome: Outcome, waited: float) -> None:
        self.waited.append(waited)
        if self.outcome is None or outcome.seconds < self.outcome.seconds:
            self.outcome = outcome


def race(programs: Sequence[Program], rounds: int) -> dict[str, Outcome]:
    """The best outcome of each program; an error if their values differ from those of the first."""
    best = {program.name: Best() for program in programs}
    for number in range(1, rounds + 1):
        for program in programs:
            if best[program.name].is_done:
                continue
            start = time.perf_counter()
            outcome = program.run()
            best[program.name].add(outcome, time.perf_counter() - start)
            _say(f"  round {number}: {program.name} {outcome.seconds:.3f} s")
    outcomes = {name: b.outcome for name, b in best.items() if b.outcome is not None}
    _check_agreement(outcomes)
    return outcomes


def _check_agreement(outcomes: dict[str, Outcome]) -> None:
    (reference_name, reference), *others = outcomes.items()
    for name, outcome in others:
        for measure, found in outcome.values.items():
            expected = reference.values[measure]
            if not abs(expected - found) <= TOLERANCE:
                raise BenchError(
                    f"{measure} is {found!r} for {name} and {expected!r} for {reference_name}: "
                    "they do not do the same work"
                )


def _peak_private_bytes(process: subprocess.Popen[str]) -> int:
    """The most memory that belonged to the process alone (pages of files not counted), as Linux tells it."""
    status = Path(f"/proc/{process.pid}/status")
    peak = 0
    while process.poll() is None:
        lines = [line.split() for line in status.read_text().splitlines()]
        private = sum(int(line[1]) for line in lines if line[0] in ("RssAnon:", "RssShmem:"))
        peak = max(peak, private * 1024)
        time.sleep(SAMPLE_EVERY)
    return peak


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
