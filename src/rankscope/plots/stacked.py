"""Several charts one below the other, in one file."""

from __future__ import annotations

from collections.abc import Iterable

from rankscope.errors import InputError, printable
from rankscope.plots.chart import SCHEMA, Chart

__all__ = ["stacked"]

# What only a whole chart has.
_OUTER = ("$schema", "config")


def stacked(charts: Iterable[Chart], *, title: str = "") -> Chart:
    """The charts from top to bottom, each with its own colours; they look as the first of them does.

    >>> from rankscope.plots import heatmap
    >>> one, other = (heatmap([[1, 2]], ["row"], ["a", "b"], title=name) for name in ("one", "other"))
    >>> [part["title"] for part in stacked([one, other]).spec["vconcat"]]
    ['one', 'other']
    """
    found = list(charts)
    if not found:
        raise InputError("nothing to draw", code="chart-empty", expected="at least one chart")
    if len(found) == 1:
        return found[0]
    parts = [{name: part for name, part in chart.spec.items() if name not in _OUTER} for chart in found]
    shown = printable(title) or ", ".join(str(chart.spec.get("title", "")) for chart in found)
    return Chart(
        {
            "$schema": SCHEMA,
            "description": shown,
            **({"title": printable(title)} if title else {}),
            "config": found[0].spec.get("config", {}),
            "vconcat": parts,
            "spacing": 36,
            "resolve": {"scale": dict.fromkeys(("color", "strokeDash"), "independent")},
        }
    )
