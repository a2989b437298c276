"""Named values as bars from high to low, such as the differences between two runs query by query."""

from __future__ import annotations

import math
from collections.abc import Mapping

from rankscope.errors import InputError, printable
from rankscope.plots.chart import Chart
from rankscope.plots.curves import axis
from rankscope.plots.look import Mode, look

__all__ = ["bars"]

WIDTH, HEIGHT = 640, 280
MOST_NAMES = 60
"""With more bars than this their names would not be readable, and are left to the tooltips."""


def bars(
    values: Mapping[str, float], *, title: str = "", x: str = "", y: str = "", mode: Mode = "light"
) -> Chart:
    """A bar for each name, the highest first; what is above 0 and what is below have colours of their own.

    NaN is left out.

    >>> bars({"q1": 0.2, "q2": -0.1, "q3": 0.0}, title="dense - bm25", y="difference in AP")
    Chart('dense - bm25')
    """
    defined = [(printable(str(name)), float(value)) for name, value in values.items() if math.isfinite(value)]
    if not defined:
        raise InputError("nothing to draw", code="chart-empty", expected="at least one value")
    ordered = sorted(defined, key=lambda pair: -pair[1])
    rows = [{"place": place, "name": name, "value": value} for place, (name, value) in enumerate(ordered)]
    chosen = look(mode)
    named = {
        "labelAngle": -90,
        "labelExpr": "data('bars')[datum.value].name",
        "labelLimit": 120,
        "ticks": False,
    }
    bare = {"labels": False, "ticks": False}
    return Chart.of(
        chosen,
        printable(title),
        {
            "width": WIDTH,
            "height": HEIGHT,
            "data": {"name": "bars", "values": rows},
            "mark": {"type": "bar", "tooltip": {"content": "data"}},
            "encoding": {
                "x": {
                    "field": "place",
                    "type": "ordinal",
                    "axis": {"title": printable(x) or None, **(named if len(rows) <= MOST_NAMES else bare)},
                },
                "y": axis("value", y, {}),
                "color": {
                    "condition": {"test": "datum.value < 0", "value": chosen.colour(1)},
                    "value": chosen.colour(0),
                },
            },
        },
    )
