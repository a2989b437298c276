"""A comparison as tables of text: means with marks, pairs, and queries helped and harmed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from string import ascii_lowercase
from typing import TYPE_CHECKING

from rankscope.errors import printable
from rankscope.tables import UNDEFINED, Table, number
from rankscope.tabulate import ALL, best_cells

if TYPE_CHECKING:
    from rankscope.compare.comparison import Comparison, Pair

__all__ = ["labels", "legend", "pairs_table", "queries_table", "summary_table"]

MARKS = {"better": "+", "worse": "-", "undecided": ""}
P_DIGITS = 4


def labels(count: int) -> list[str]:
    """As many labels as there are runs: a to z, then aa, ab and so on.

    >>> labels(28)[24:]
    ['y', 'z', 'aa', 'ab']
    """
    return [_label(number) for number in range(count)]


def _label(number: int) -> str:
    before, last = divmod(number, len(ascii_lowercase))
    return (_label(before - 1) if before else "") + ascii_lowercase[last]


def summary_table(comparison: Comparison, digits: int) -> Table:
    """The mean of each run by each measure, the best marked; by group as well, if there are groups."""
    parts = [
        *zip(comparison.result.shown_groups, comparison.groups.values(), strict=False),
        (ALL, comparison),
    ]
    words = [*(["group"] if comparison.groups else []), *([""] if _has_letters(comparison) else []), "run"]
    measures = {str(m): m for m in comparison.measures}
    letters = labels(len(comparison.runs))
    lines: list[list[str]] = []
    best: set[tuple[int, int]] = set()
    marks: dict[tuple[int, int], str] = {}
    for group, part in parts:
        means = list(part.means.values())
        start, first = len(lines), len(words)
        best |= {(start + line, first + column) for line, column in best_cells(means, measures)}
        marks |= {(start + line, first + column): mark for line, column, mark in _marks(part)}
        for letter, name, row in zip(letters, part.runs, means, strict=True):
            told = {"group": group, "": letter, "run": printable(name)}
            lines.append([*(told[w] for w in words), *(number(row[m], digits) for m in measures)])
    return Table((*words, *measures), lines, best=frozenset(best), words=len(words), marks=marks)


def _has_letters(comparison: Comparison) -> bool:
    return comparison.baseline is None and len(comparison.runs) > 2


def _marks(comparison: Comparison) -> Iterator[tuple[int, int, str]]:
    """(line, column, mark) of the runs that are significantly better than others."""
    line_of = {name: line for line, name in enumerate(comparison.runs)}
    column_of = {str(m): column for column, m in enumerate(comparison.measures)}
    if not _has_letters(comparison):
        yield from (
            (line_of[pair.run], column_of[pair.measure], MARKS[pair.verdict])
            for pair in comparison.pairs
            if MARKS[pair.verdict]
        )
        return
    beaten: dict[tuple[int, int], list[int]] = {}
    for pair in comparison.pairs:
        if pair.verdict != "undecided":
            sides = (pair.run, pair.baseline) if pair.verdict == "better" else (pair.baseline, pair.run)
            winner, loser = (line_of[name] for name in sides)
            beaten.setdefault((winner, column_of[pair.measure]), []).append(loser)
    letters = labels(len(comparison.runs))
    gap = "," if len(letters) > len(ascii_lowercase) else ""
    for (line, column), losers in beaten.items():
        yield line, column, gap.join(letters[loser] for loser in sorted(losers))


def legend(comparison: Comparison) -> tuple[str, ...]:
    """What the marks mean, and the method."""
    if _has_letters(comparison):
        marks = "letters: significantly better than the runs with these letters"
    else:
        beside = comparison.baseline if comparison.baseline is not None else comparison.runs[0]
        marks = f"marks: + significantly better than {printable(beside)}, - significantly worse"
    return marks, comparison.method


def pairs_table(comparison: Comparison, digits: int) -> Table:
    """Every pair by every measure."""
    settings = comparison.settings
    has_ends, has_need = settings.interval != "none", settings.power is not None
    parts = [
        *zip(comparison.result.shown_groups, comparison.groups.values(), strict=False),
        (ALL, comparison),
    ]
    header = [
        *(["group"] if comparison.groups else []),
        *("measure", "run", "baseline", "queries", "mean", "difference", "%"),
        *(("low", "high") if has_ends else ()),
        *("effect", "won", "tied", "lost", "p", *(() if settings.is_joint else ("corrected",))),
        *(("URisk", "TRisk") if comparison.baseline is not None else ()),
        *(("needed",) if has_need else ()),
    ]
    rows = [(group, pair) for group, part in parts for pair in part.pairs]
    lines = []
    for group, pair in rows:
        told = {"group": group, **_cells(pair, digits)}
        lines.append([told[name] for name in header])
    column = header.index("difference")
    marks = {(n, column): MARKS[pair.verdict] for n, (_, pair) in enumerate(rows) if MARKS[pair.verdict]}
    return Table(header, lines, words=header.index("queries"), marks=marks)


def _cells(pair: Pair, digits: int) -> dict[str, str]:
    return {
        "measure": pair.measure,
        "run": printable(pair.run),
        "baseline": printable(pair.baseline),
        "queries": str(pair.queries),
        "mean": number(pair.mean, digits),
        "difference": _signed(pair.difference, digits),
        "%": _signed(100 * pair.relative, 1),
        "low": _signed(pair.low, digits),
        "high": _signed(pair.high, digits),
        "effect": _signed(pair.effect, 2),
        "won": str(pair.won),
        "tied": str(pair.tied),
        "lost": str(pair.lost),
        "p": _chance(pair.p),
        "corrected": _chance(pair.corrected),
        "URisk": _signed(pair.urisk, digits),
        "TRisk": _signed(pair.trisk, 2),
        "needed": UNDEFINED if pair.needed is None else str(pair.needed),
    }


def queries_table(comparison: Comparison, most: int, digits: int) -> Table:
    """For each pair and measure, the queries that are helped and harmed most."""
    lines: list[Sequence[str]] = []
    for pair in comparison.pairs:
        key = (pair.measure, pair.run, pair.baseline)
        helped = comparison.helped(*key, most=most)
        harmed = comparison.harmed(*key, most=most)[::-1]
        lines += [
            [
                *(pair.measure, printable(pair.run), printable(pair.baseline), found.query),
                *(number(found.baseline, digits), number(found.run, digits)),
                _signed(found.difference, digits),
            ]
            for found in (*helped, *harmed)
        ]
    header = ("measure", "run", "baseline", "query", "by baseline", "by run", "difference")
    return Table(header, lines, words=4)


def _signed(value: float, digits: int) -> str:
    return UNDEFINED if math.isnan(value) else f"{value:+.{digits}f}"


def _chance(p: float) -> str:
    """A p-value; one too small for its decimals is not called 0."""
    least = 10**-P_DIGITS
    return f"<{least:g}" if p < least / 2 else number(p, P_DIGITS)
