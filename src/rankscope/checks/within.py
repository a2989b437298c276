"""What can be said of one input by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from rankscope.align.plain_rows import JUDGMENTS
from rankscope.checks.catalogue import finding
from rankscope.checks.report import EXAMPLES, Example, Finding
from rankscope.checks.rows import BoolArray, Input, IntArray, Rows, Vocabulary, quoted

__all__ = ["Names", "check_ranking", "checked"]


class Names:
    """The ids behind the codes, as examples show them."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.queries = list(vocabulary.queries)
        self.items = list(vocabulary.items)

    def query(self, code: int) -> str:
        return quoted(self.queries[code])

    def pair(self, rows: Rows, row: int) -> str:
        return f"query {self.query(int(rows.query[row]))}, item {quoted(self.items[int(rows.item[row])])}"


def checked(given: Input, names: Names) -> Input:
    """The input with findings on items given twice, and without their later rows."""
    rows = given.rows
    later, first = _repetitions(rows)
    if not len(later):
        return given
    if given.kind is JUDGMENTS:
        differ = rows.value[later] != rows.value[first]
        codes = {"conflicting-grades": differ, "repeated-judgments": ~differ}
    else:
        codes = {"duplicate-item": np.ones(len(later), np.bool_)}
    found = [
        _repeated(given, code, later[which], first[which], names)
        for code, which in codes.items()
        if which.any()
    ]
    kept = np.ones(len(rows), np.bool_)
    kept[later] = False
    return replace(given, rows=rows.take(kept), findings=(*given.findings, *found))


def _repetitions(rows: Rows) -> tuple[IntArray, IntArray]:
    """The rows with an item that their query has already, and for each the row that had it first."""
    key = rows.query * (int(rows.item.max(initial=0)) + 1) + rows.item
    order = np.argsort(key, kind="stable")
    again = np.zeros(len(key), np.bool_)
    again[1:] = key[order][1:] == key[order][:-1]
    # Stable sorting keeps the order of the input, so a run of equal keys starts with the first of them.
    heads = np.maximum.accumulate(np.where(again, 0, np.arange(len(key))))
    later, first = order[again], order[heads[again]]
    by_row = np.argsort(later)
    return later[by_row], first[by_row]


def _repeated(given: Input, code: str, later: IntArray, first: IntArray, names: Names) -> Finding:
    rows = given.rows
    value = given.kind.field

    def examples() -> Iterator[Example]:
        for row, other in zip(later.tolist(), first.tolist(), strict=True):
            before = f", first in {given.unit} {rows.place[other]}" if rows.place[other] else ""
            values = f"{value} {rows.value[row]:g} after {rows.value[other]:g}"
            yield Example(f"{names.pair(rows, row)}: {values}{before}", int(rows.place[row]))

    return finding(code, given.source, len(later), examples(), unit=given.unit)


def check_ranking(run: Input, names: Names, vocabulary: Vocabulary, *, ascending: bool) -> Iterator[Finding]:
    """Findings on a run by itself: its rank column, items that are queries, rankings cut short."""
    yield from _rank_order(run, names, ascending)
    yield from _own_ids(run, names, vocabulary)
    yield from _short_rankings(run, names)


def _rank_order(run: Input, names: Names, ascending: bool) -> Iterator[Finding]:
    if run.rows.rank is None or not len(run.rows):
        return
    rows = run.rows.take(np.isfinite(run.rows.rank))
    rank = rows.rank
    if rank is None:
        return
    order = np.lexsort((rank, rows.query))
    before, after = order[:-1], order[1:]
    neighbours: BoolArray = (rows.query[before] == rows.query[after]) & (rank[before] < rank[after])
    better = rows.value[after] < rows.value[before] if ascending else rows.value[after] > rows.value[before]
    wrong = np.flatnonzero(neighbours & better)
    if not len(wrong):
        return
    wrong = wrong[np.argsort(rows.place[after[wrong]], kind="stable")]

    def examples() -> Iterator[Example]:
        for n in wrong[:EXAMPLES].tolist():
            one, other = int(before[n]), int(after[n])
            yield Example(
                f"{names.pair(rows, other)}: rank {rank[other]:g} has score {rows.value[other]:g}, "
                f"rank {rank[one]:g} has {rows.value[one]:g}",
                int(rows.place[other]),
            )

    differ = neighbours & (rows.value[before] != rows.value[after])
    mostly = len(wrong) > 0.9 * np.count_nonzero(differ)
    code = "reversed-scores" if mostly and len(wrong) > 1 and not ascending else "rank-order"
    yield finding(code, run.source, len(wrong), examples(), unit=run.unit)


def _own_ids(run: Input, names: Names, vocabulary: Vocabulary) -> Iterator[Finding]:
    rows = run.rows
    same_id = np.array([vocabulary.items.get(raw, -1) for raw in names.queries], np.int64)
    own = np.flatnonzero(rows.item == same_id[rows.query]) if len(rows) else np.empty(0, np.int64)
    if len(own):
        examples = (Example(names.pair(rows, row), int(rows.place[row])) for row in own.tolist())
        yield finding("own-id", run.source, len(own), examples, unit=run.unit)


def _short_rankings(run: Input, names: Names) -> Iterator[Finding]:
    if not len(run.rows):
        return
    queries = run.queries
    sizes = np.bincount(run.rows.query)[queries]
    depth = int(sizes.max())
    short = np.flatnonzero(sizes < depth)
    if len(short):
        by_size = short[np.argsort(sizes[short], kind="stable")]
        examples = (Example(f"{names.query(int(queries[n]))} has {sizes[n]}") for n in by_size)
        yield finding("short-rankings", run.source, len(short), examples, depth=depth)
