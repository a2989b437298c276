"""The page: content laid out as one HTML file that asks for nothing from anywhere."""

from __future__ import annotations

import json
import math
import os
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.resources import files
from typing import Any

from rankscope.compare.comparison import Pair
from rankscope.compare.tabulate import legend, pairs_table, summary_table
from rankscope.data.writing import replacing, unwritable
from rankscope.errors import package, printable
from rankscope.measures import Measure
from rankscope.measures.describe import facts, parameter_rows
from rankscope.plots.look import page_variables
from rankscope.plots.saving import inert
from rankscope.report.content import Content
from rankscope.tabulate import aggregate_table

__all__ = ["Report"]

DIGITS = 4
MOST_LINES = 2000
"""So many queries are in the table; the page says when there are more."""
MOST_PAIRS = 12
"""Of more pairs of runs than these, only those of the best run are shown at first."""

# Nothing but what is in the page itself: no request, whatever an id says.
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"


@dataclass(frozen=True, eq=False)
class Report:
    """A finished report; `html` is the page, `save` writes it."""

    content: Content

    @property
    def title(self) -> str:
        return self.content.title

    @cached_property
    def html(self) -> str:
        """The whole page."""
        environment = package("jinja2").Environment(
            loader=package("jinja2").FunctionLoader(_asset),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=package("jinja2").StrictUndefined,
        )
        page: str = environment.get_template("report.html").render(**_fields(self.content))
        return page

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, which is there whole or not at all."""
        target, content = os.fsdecode(path), self.html.encode("utf-8", "backslashreplace")
        try:
            with replacing(target) as file:
                file.write(content)
        except OSError as error:
            raise unwritable(target, error.strerror or str(error)) from error

    def __repr__(self) -> str:
        return f"<Report '{printable(self.title)}'>"


def _asset(name: str) -> str:
    return files("rankscope.report").joinpath("assets", name).read_text("utf-8")


def _fields(content: Content) -> dict[str, Any]:
    """What the template shows, ready but for escaping."""
    from rankscope import __version__

    safe = package("markupsafe").Markup
    runs = [printable(name) for name in content.runs]
    return {
        "version": __version__,
        "policy": POLICY,
        "title": content.title,
        "runs": runs,
        "queries": content.detail.of,
        "leading": str(content.leading),
        "verdict": _verdict(content),
        "summary": safe(_summary(content)),
        "legend": [] if content.comparison is None else list(legend(content.comparison)),
        "pairs": _pairs(content, safe),
        "curves": [safe(_drawn(chart)) for chart in _curve_charts(content)],
        "differences": safe(_drawn(chart)) if (chart := _difference_chart(content)) else None,
        "lines": _lines(content),
        "detail": content.detail,
        "data": safe(inert(json.dumps(_data(content), allow_nan=False, separators=(",", ":")))),
        "care": [_careful(content, n) for n in range(len(runs))],
        "policies": content.result.policy.to_dict(),
        "measures": [_defined(measure, safe) for measure in content.result.measures],
        "style": safe(_asset("report.css").replace("/* colours */", page_variables())),
        "script": safe(_asset("report.js")),
    }


def _verdict(content: Content) -> str:
    """The answer in two sentences."""
    best, leading, rival = printable(content.best), content.leading, content.rival
    value = content.result.runs[content.best][leading]
    if rival is None:
        return f"{leading} of {best} is {_number(value)}; there is no other run beside it."
    if math.isnan(value):
        return f"{leading} is not defined for any query, and so no run is the best."
    other = printable(rival.baseline if rival.run == content.best else rival.run)
    first = f"{best} has the best {leading}: {value:.{DIGITS}f}."
    if math.isnan(rival.corrected):
        return f"{first} How sure one can be of that, these queries do not tell."
    if rival.difference == 0:
        return f"{best} and {other} share the best {leading}: {value:.{DIGITS}f}."
    certainty = "which may be chance" if rival.verdict == "undecided" else "more than chance explains"
    more = "more" if leading.better == "higher" else "less"
    return (
        f"{first} That is {abs(rival.difference):.{DIGITS}f} {more} than {other}{_span(content, rival)}, "
        f"{certainty} (p = {rival.corrected:.2g})."
    )


def _span(content: Content, rival: Pair) -> str:
    """The interval of the best run's difference from its rival."""
    if content.comparison is None or math.isnan(rival.low):
        return ""
    low, high = (rival.low, rival.high) if rival.run == content.best else (-rival.high, -rival.low)
    level = 100 * content.comparison.settings.level
    return f" ({level:g} % interval {low:+.{DIGITS}f} to {high:+.{DIGITS}f})"


def _pairs(content: Content, safe: Any) -> dict[str, Any] | None:
    """The differences by the leading measure: of the best run, and of all pairs where these are many."""
    comparison = content.comparison
    if comparison is None:
        return None
    every = comparison.by(content.leading)
    best = tuple(pair for pair in every if content.best in (pair.run, pair.baseline))
    is_long = len(every) > MOST_PAIRS and 0 < len(best) < len(every)

    def shown(pairs: tuple[Pair, ...]) -> Any:
        return safe(pairs_table(replace(comparison, pairs=pairs, groups={}), DIGITS).to_html())

    return {
        "title": f"{printable(content.best)} beside the others" if is_long else "Pair by pair",
        "first": shown(best if is_long else every),
        "all": shown(every) if is_long else None,
        "count": len(every),
        "interval": comparison.settings.interval != "none" and comparison.settings.interval_words(),
    }


def _summary(content: Content) -> str:
    if content.comparison is None:
        return aggregate_table(content.result, DIGITS).to_html()
    return summary_table(content.comparison, DIGITS).to_html()


def _curve_charts(content: Content) -> list[Any]:
    from rankscope.plots import curves

    return [
        curves(curve.series(), title=f"{curve.measure}@k", x="k", mode="page")
        for curve in content.curves
        if any(math.isfinite(value) for values in curve.values.values() for value in values)
    ]


def _difference_chart(content: Content) -> Any:
    from rankscope.plots import bars

    rival, comparison = content.rival, content.comparison
    if rival is None or comparison is None:
        return None
    pairs = comparison.queries(content.leading, rival.run, rival.baseline)
    if not any(found.difference for found in pairs):
        return None
    title = f"{printable(rival.run)} less {printable(rival.baseline)}, query by query"
    values = {found.query: found.difference for found in pairs}
    return bars(values, title=title, y=f"difference in {content.leading}", mode="page")


def _drawn(chart: Any) -> str:
    from rankscope.plots.saving import drawn

    return drawn(chart.spec, ".svg").decode("utf-8")


def _lines(content: Content) -> list[tuple[str, list[str]]]:
    """The leading value of each query by each run, those on which the runs differ most first."""
    names = content.result.shown_queries
    number = {name: n for n, name in enumerate(names)}
    columns = [run.values[str(content.leading)] for run in content.result.runs.values()]
    shown = [query.name for query in content.detail.queries[:MOST_LINES]]
    return [(name, [_number(float(column[number[name]])) for column in columns]) for name in shown]


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.{DIGITS}f}"


def _data(content: Content) -> dict[str, Any]:
    """What the script needs: the rankings of each query, and the values by every measure."""
    numbers = {name: n for n, name in enumerate(content.result.shown_queries)}
    chosen = [numbers[query.name] for query in content.detail.queries]
    values = {
        str(m): [_rounded(run.values[str(m)][chosen].tolist()) for run in content.result.runs.values()]
        for m in content.result.measures
    }
    return {
        "runs": [printable(name) for name in content.runs],
        "highest": content.detail.highest,
        "values": values,
        "queries": [
            {"name": query.name, "rankings": query.rankings, "missed": query.missed}
            for query in content.detail.queries
        ],
    }


def _rounded(values: list[float]) -> list[float | None]:
    return [None if not math.isfinite(value) else round(value, 6) for value in values]


def _careful(content: Content, number: int) -> dict[str, Any]:
    care = content.care[number]
    return {
        "run": printable(care.run),
        "notes": care.notes,
        "ties": {ties: _number(value) for ties, value in care.ties.items()},
        "judged": {share: _number(value) for share, value in care.judged.items()},
    }


def _defined(measure: Measure, safe: Any) -> dict[str, Any]:
    return {
        "name": str(measure),
        "meaning": measure.meaning,
        "idea": measure.idea,
        "formula": safe(_mathml(measure.formula)) if measure.formula else None,
        "facts": [(label, text) for label, text in facts(measure) if label not in ("example", "other names")],
        "parameters": [row[:2] for row in parameter_rows(measure)],
    }


def _mathml(formula: str) -> str:
    """The formula as browsers set it."""
    found: str = package("latex2mathml.converter").convert(formula, display="block")
    return found
