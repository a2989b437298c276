"""The rows of the bench that are about comparing runs: permutations of Fisher's randomisation test."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from contenders.permutations import ALL, MEASURES, ONE, PERMUTATIONS, QUERIES, RUNS
from environment import Environment
from rounds import Outcome, Program
from rows import OURS, Line, Row

__all__ = ["ROWS"]

GOAL = 20.0
RANX = "ranx"


def _programs(ours: str) -> Callable[[Environment, Path], list[Program]]:
    """Rankscope on one pair or on all, and ranx on one pair: on all it would take hours."""

    def programs(environment: Environment, data: Path) -> list[Program]:
        call = [environment.python, "-m", "contenders.permutations"]
        return [Program(OURS, [*call, OURS, ours]), Program(RANX, [*call, RANX, ONE])]

    return programs


def _lines(pairs: int) -> Callable[[Row, Mapping[str, Outcome]], list[Line]]:
    """Our time for so many pairs, and so many times the time that ranx takes for one."""
    who = RANX if pairs == 1 else f"{RANX}, {pairs:,} times one pair"

    def lines(row: Row, outcomes: Mapping[str, Outcome]) -> list[Line]:
        ours, theirs = outcomes[OURS].seconds, outcomes[RANX].seconds * pairs
        ratio = theirs / ours
        goal = f"at least {GOAL:g}x"
        return [
            Line(row.key, row.title, OURS, ours),
            Line(row.key, row.title, who, theirs, ratio=ratio, goal=goal, met=ratio >= GOAL),
        ]

    return lines


ROWS = (
    Row(
        "fisher",
        f"{PERMUTATIONS:,} permutations of one pair of runs, {QUERIES} queries",
        "track",
        _programs(ONE),
        _lines(1),
    ),
    Row(
        "fisher-all",
        f"{PERMUTATIONS:,} permutations of all pairs of {RUNS} runs, {QUERIES} queries, {MEASURES} measures",
        "track",
        _programs(ALL),
        _lines(RUNS * (RUNS - 1) // 2 * MEASURES),
        rounds=2,
    ),
)
