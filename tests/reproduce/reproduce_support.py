"""Reproductions computed once, and the exact values to hold them against."""

from __future__ import annotations

import json
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from rankscope.reproduce import Cell, Reproduction, reproduce

GOLDEN: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "golden" / "golden.json").read_text(encoding="utf-8")
)


@cache
def reproduced(name: str, repetitions: int = 50) -> Reproduction:
    [found] = reproduce(name, repetitions=repetitions, table4=False)
    return found


def cell(name: str, experiment: str, *labels: str, column: int = 0) -> Cell:
    rows = [row for row in reproduced(name)[experiment].rows if row.labels == labels]
    assert len(rows) == 1, (experiment, labels)
    return rows[0].cells[column]


def value(name: str, experiment: str, *labels: str, column: int = 0) -> float:
    found = cell(name, experiment, *labels, column=column).value
    assert found is not None
    return found


def exact(expected: Any, stored: Any) -> Any:
    """A number of the golden file: its exact fraction where it has one, else its float."""
    if isinstance(expected, list):
        return [exact(*pair) for pair in zip(expected, stored, strict=True)]
    if isinstance(expected, dict):
        return {name: exact(text, stored[name]) for name, text in expected.items()}
    try:
        return Fraction(expected)
    except (TypeError, ValueError):  # a root or a logarithm, or nothing
        return stored


def golden(case: str) -> Any:
    return exact(GOLDEN[case]["exact"], GOLDEN[case]["value"])


def cases(*prefixes: str) -> list[str]:
    return [case for case in GOLDEN if case.startswith(prefixes)]


def cells_of(found: Reproduction) -> Iterable[Cell]:
    for experiment in found.experiments:
        yield from experiment.cells()
