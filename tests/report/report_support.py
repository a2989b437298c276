"""Runs whose ids are hostile, and what the tests of a report share."""

from __future__ import annotations

from injections import FORMULAS, INJECTIONS

Table = dict[str, dict[str, float]]


def hostile() -> tuple[Table, dict[str, Table]]:
    """Every injection is a query, a judged item, an unjudged item and part of a run's name."""
    judgments: Table = {}
    first: Table = {}
    second: Table = {}
    for number, text in enumerate([*INJECTIONS, *FORMULAS]):
        judgments[text] = {text: 1 + number % 3, f"other {text}": 0, f"missed {text}": 2}
        first[text] = {text: 2.0, f"unjudged {text}": 1.0}
        second[text] = {f"other {text}": 2.0, text: 1.0}
    return judgments, {INJECTIONS[0]: first, f"{INJECTIONS[1]}\x1b[31m": second}
