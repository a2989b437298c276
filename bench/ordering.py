"""The rows of the bench that are about pairs of items: correlations, areas under the curve, inversions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from contenders.orders import AUC, KENDALL, SRN
from environment import Environment
from rounds import Outcome, Program
from rows import OURS, Line, Row, ratios

__all__ = ["ROWS"]

SRN_LIMIT = 5.0
"""Seconds for ten million items."""


def _programs(kind: str, size: int, *peers: str) -> Callable[[Environment, Path], list[Program]]:
    def programs(environment: Environment, data: Path) -> list[Program]:
        call = [environment.python, "-m", "contenders.orders"]
        return [Program(who, [*call, who, kind, str(size)]) for who in (OURS, *peers)]

    return programs


def _srn_lines(row: Row, outcomes: Mapping[str, Outcome]) -> list[Line]:
    seconds = outcomes[OURS].seconds
    goal = f"under {SRN_LIMIT:g} s"
    return [Line(row.key, row.title, OURS, seconds, goal=goal, met=seconds < SRN_LIMIT)]


ROWS = (
    *(
        Row(
            f"kendall-{size}",
            f"Kendall's tau-b of {size:,} items without ties",
            "track",
            _programs(KENDALL, size, "scipy"),
            ratios,
            goals={"scipy": 4},
        )
        for size in (100_000, 1_000_000)
    ),
    *(
        Row(
            f"auc-{size}",
            f"The area under the ROC curve of {size:,} items",
            "track",
            _programs(AUC, size, "scikit-learn"),
            ratios,
            goals={"scikit-learn": 10},
        )
        for size in (100_000, 1_000_000)
    ),
    Row(
        "srn",
        "Reversed pairs (SRN) of 10,000,000 items",
        "track",
        _programs(SRN, 10_000_000),
        _srn_lines,
        rounds=2,
    ),
)
