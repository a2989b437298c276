"""The rows of the bench that are about measures of measures: all pairs of all permutations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from environment import Environment
from rounds import Outcome, Program
from rows import OURS, Line, Row

__all__ = ["ROWS"]

LIMITS = {8: 1.0, 9: 10.0}
"""Items, and the seconds that all pairs of their permutations may take."""


def _programs(items: int) -> Callable[[Environment, Path], list[Program]]:
    def programs(environment: Environment, data: Path) -> list[Program]:
        return [Program(OURS, [environment.python, "-m", "contenders.lists", str(items)])]

    return programs


def _lines(row: Row, outcomes: Mapping[str, Outcome]) -> list[Line]:
    limit = LIMITS[int(row.key.removeprefix("permutations"))]
    seconds = outcomes[OURS].seconds
    return [Line(row.key, row.title, OURS, seconds, goal=f"under {limit:g} s", met=seconds < limit)]


ROWS = tuple(
    Row(
        f"permutations{items}",
        f"All pairs of permutations of {items}: consistency and discriminancy of 6 measures",
        "track",
        _programs(items),
        _lines,
        rounds=3,
    )
    for items in LIMITS
)
