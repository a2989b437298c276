"""check: is there anything wrong with these files?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rankscope.checks.between import Truth, check_against, check_depths
from rankscope.checks.reading import Reader
from rankscope.checks.report import Example, Finding, Report, counted
from rankscope.checks.rows import Input
from rankscope.checks.within import Names, check_ranking, checked
from rankscope.data import runs_of

__all__ = ["Example", "Finding", "Report", "check"]


def check(
    judgments: Any,
    runs: Any,
    *,
    lower_is_better: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Look for everything that may be wrong with judgments and runs, and collect it.

    `evaluate` stops at the first bad row; this goes on, counts what it finds and keeps the first ten of each
    kind as examples. Judgments and runs are given as for `evaluate`. `report.ok` says whether no problem was
    found; iterate over the report for the findings.

    - `lower_is_better`: the scores are distances.
    - `progress(done, total)` is called now and then while an input is read.

    >>> report = check({"Q1": {"a": 1}}, {"q1": {"a": 0.5, "b": float("nan")}})
    >>> report.ok, [finding.code for finding in report]
    (False, ['not-finite', 'alike-queries', 'no-common-query', 'missing-queries', 'extra-queries'])
    """
    reader = Reader(progress, lower_is_better)
    vocabulary = reader.vocabulary
    chosen = runs_of(runs)
    given = reader.judgments(judgments)
    truth = Truth.of(checked(given, Names(vocabulary)))
    inputs, findings = [truth.given], [*truth.given.findings]
    for run in chosen:
        read = reader.run(run)
        names = Names(vocabulary)
        read = _distinct(checked(read, names), inputs)
        inputs.append(read)
        findings += [
            *read.findings,
            *check_ranking(read, names, vocabulary, ascending=lower_is_better),
            *check_against(truth, read, names, ascending=lower_is_better),
        ]
    findings += check_depths(inputs[1:])
    return Report({one.source: _content(one) for one in inputs}, findings)


def _distinct(read: Input, others: list[Input]) -> Input:
    """The input under a name that no other has."""
    taken = {other.source for other in others}
    if read.source not in taken:
        return read
    source = f"{read.source} (run)"
    return replace(read, source=source, findings=tuple(replace(f, source=source) for f in read.findings))


def _content(read: Input) -> str:
    rows = counted(len(read.rows), "usable row", "usable rows")
    return f"{rows}, {counted(len(read.queries), 'query', 'queries')}"
