"""The row of the bench that is about rankings of classes: the whole ClasSi curve beside one argsort."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from contenders.classes import ARGSORT, CURVE
from environment import Environment
from rounds import Outcome, Program
from rows import OURS, Line, Row

__all__ = ["ROWS"]

LIMIT = 2.0
"""How many times the time of np.argsort the curve may take."""


def _programs(environment: Environment, data: Path) -> list[Program]:
    call = [environment.python, "-m", "contenders.classes"]
    return [Program(kind, [*call, kind]) for kind in (CURVE, ARGSORT)]


def _lines(row: Row, outcomes: Mapping[str, Outcome]) -> list[Line]:
    ours, least = outcomes[CURVE].seconds, outcomes[ARGSORT].seconds
    goal = f"at most {LIMIT:g}x that"
    return [
        Line(row.key, row.title, "np.argsort of the distances", least),
        Line(row.key, row.title, OURS, ours, ratio=ours / least, goal=goal, met=ours / least <= LIMIT),
    ]


ROWS = (
    Row("classi", "ClasSi curve of 1,000,000 items in 1,000 classes", "track", _programs, _lines, rounds=10),
)
