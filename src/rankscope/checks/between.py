"""What can be said of a run beside the judgments, and of runs beside each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankscope.align import align
from rankscope.checks.alike import Alike, look_alikes
from rankscope.checks.catalogue import finding
from rankscope.checks.report import Example, Finding, Severity
from rankscope.checks.rows import Input, IntArray, Rows, among, distinct, quoted
from rankscope.checks.within import Names
from rankscope.data import Judgments, Run
from rankscope.data.frames import ColumnSource
from rankscope.data.ids import Ids
from rankscope.evaluate import evaluate

__all__ = ["Truth", "check_against", "check_depths"]

MEASURE = "nDCG@10"
MATTERS = 0.01
"""A difference of nDCG@10 beyond which ties are worth a warning."""
MANY = 0.5
"""A share of unjudged or look-alike items beyond which it is more than a remark."""


@dataclass(frozen=True)
class Truth:
    """Judgments as rows, and with codes for ids as the strict machinery takes them."""

    given: Input
    coded: Judgments

    @classmethod
    def of(cls, given: Input) -> Truth:
        rows = given.rows.take(np.argsort(given.rows.query, kind="stable"))
        queries, starts = np.unique(rows.query, return_index=True)
        coded = Judgments(
            queries=_numbers(queries),
            offsets=np.append(starts, len(rows)).astype(np.int64),
            items=_numbers(rows.item),
            grades=rows.value,
            integer_queries=True,
            integer_items=True,
        )
        return cls(given, coded)


def _numbers(codes: IntArray) -> Ids:
    return Ids.of(b"%d" % code for code in codes.tolist())


def check_against(truth: Truth, run: Input, names: Names, *, ascending: bool) -> Iterator[Finding]:
    """Findings on a run and the judgments: their queries, their items, ties, unjudged items."""
    judged, retrieved = truth.given.queries, run.queries
    if not len(judged) or not len(retrieved):
        return
    yield from _on_queries(run, judged, retrieved, names)
    common = judged[among(judged, retrieved)]
    if not len(common):
        yield finding("no-common-query", run.source, len(judged))
        return
    rows = run.rows.take(among(run.rows.query, common))
    yield from _on_items(truth.given, run.source, rows, common, names)
    yield from _on_values(truth.coded, run.source, rows, ascending)


def _on_queries(run: Input, judged: IntArray, retrieved: IntArray, names: Names) -> Iterator[Finding]:
    missing, extra = judged[~among(judged, retrieved)], retrieved[~among(retrieved, judged)]
    if len(missing):
        examples = (Example(names.query(code)) for code in missing.tolist())
        yield finding("missing-queries", run.source, len(missing), examples)
    if len(extra):
        examples = (Example(names.query(code)) for code in extra.tolist())
        yield finding("extra-queries", run.source, len(extra), examples)
    sides = ([names.queries[code] for code in side.tolist()] for side in (missing, extra))
    alike = look_alikes(*sides)
    if alike:
        difference = _differences(alike)
        yield finding("alike-queries", run.source, len(alike), map(_pair, alike), difference=difference)


def _on_items(judgments: Input, source: str, rows: Rows, common: IntArray, names: Names) -> Iterator[Finding]:
    """Judged items (of queries that the run has) that are never retrieved, while a look-alike is."""
    pairs = judgments.rows.take(among(judgments.rows.query, common))
    hits = rows.take(among(rows.item, pairs.item))
    scale = len(names.items)
    if not np.isin(pairs.query * scale + pairs.item, hits.query * scale + hits.item).any():
        yield finding("no-judged-item", source, len(pairs), items=len(pairs))
    judged, retrieved = distinct(pairs.item), distinct(rows.item)
    never = judged[~among(judged, retrieved)]
    others = retrieved[~among(retrieved, judgments.rows.item)]
    alike = look_alikes(*([names.items[code] for code in side.tolist()] for side in (never, others)))
    if alike:
        share = len(alike) / len(never)
        severity: Severity = "problem" if share >= MANY else "warning"
        facts: dict[str, Any] = {"items": len(never), "share": share, "difference": _differences(alike)}
        yield finding("alike-items", source, len(alike), map(_pair, alike), severity=severity, **facts)


def _on_values(truth: Judgments, source: str, rows: Rows, ascending: bool) -> Iterator[Finding]:
    """What ties and missing judgments do to the values; both need nothing but codes."""
    run = Run("run", ColumnSource(rows.query, rows.item, rows.value))
    table = align(truth, run, ascending=ascending)
    tied, items = int(table.tied_rows.sum()), int(table.retrieved.sum())
    if tied:
        values = {
            ties: evaluate(truth, run, MEASURE, lower_is_better=ascending, ties=ties)[MEASURE]
            for ties in ("expected", "best", "worst")
        }
        severity: Severity = "warning" if values["best"] - values["worst"] >= MATTERS else "remark"
        yield finding("ties", source, tied, severity=severity, items=items, share=tied / items, **values)
    # Over the orders of ties, so that the share does not depend on how ids are spelt.
    result = evaluate(
        truth, run, "Judged@10, Judged@100", lower_is_better=ascending, ties="expected", missing="skip"
    )
    at_10, at_100 = (1 - result[name] for name in ("Judged@10", "Judged@100"))
    if at_100 > 0:
        severity = "warning" if at_10 > MANY else "remark"
        count = int(np.count_nonzero(table.in_run))
        yield finding("unjudged", source, count, severity=severity, at_10=at_10, at_100=at_100)


def check_depths(runs: Sequence[Input]) -> Iterator[Finding]:
    """Whether the runs are cut at one depth: a finding on each that is cut before the deepest."""
    depths = {run.source: int(np.bincount(run.rows.query).max()) for run in runs if len(run.rows)}
    if len(set(depths.values())) < 2:
        return
    least, deepest = min(depths.values()), max(depths.values())
    listed = ", ".join(f"{quoted(source)} {depth}" for source, depth in depths.items())
    for source, depth in depths.items():
        if depth < deepest:
            yield finding("different-depths", source, len(depths), depths=listed, least=least)


def _differences(alike: Sequence[Alike]) -> str:
    """How look-alikes differ, the most usual way first."""
    return "; ".join(difference for difference, _ in Counter(a.difference for a in alike).most_common())


def _pair(alike: Alike) -> Example:
    return Example(f"{quoted(alike.ours)} (the run has {quoted(alike.theirs)})")
