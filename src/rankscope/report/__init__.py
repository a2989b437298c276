"""report: one page that says which run is best, how sure one can be, and where the runs differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from rankscope.evaluate import DEFAULT_MEASURES
from rankscope.measures.base import Measure

if TYPE_CHECKING:
    from rankscope.report.page import Report

__all__ = ["report"]

Measures = str | Measure | Iterable[str | Measure]
Progress = Callable[[int, int], None]


def report(
    judgments: Any,
    runs: Any,
    measures: Measures = DEFAULT_MEASURES,
    *,
    title: str = "",
    baseline: str | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Report:
    """A report of runs against judgments: a single HTML page that needs no network.

    `judgments`, `runs` and `measures` are as for `evaluate`; the first measure leads. The other options are
    those of `compare` and `evaluate`. The input is read several times.

    >>> judgments = {q: {"a": 1} for q in "123"}
    >>> found = report(judgments, {"old": {q: ["b", "a"] for q in "123"}, "new": {q: ["a"] for q in "123"}})
    >>> found.title
    'old, new'

    ``found.save("report.html")`` writes the page.
    """
    from rankscope.report.content import gather
    from rankscope.report.page import Report

    content = gather(judgments, runs, measures, title=title, baseline=baseline, progress=progress, **options)
    return Report(content)
