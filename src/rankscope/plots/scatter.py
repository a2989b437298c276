"""Two values of each thing against each other, as points."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from rankscope.errors import InputError, printable
from rankscope.plots.chart import Chart
from rankscope.plots.look import Mode, look

__all__ = ["scatter"]

SIDE = 360


def scatter(
    points: Mapping[str, tuple[float, float]],
    *,
    title: str = "",
    x: str = "",
    y: str = "",
    diagonal: bool = False,
    mode: Mode = "light",
) -> Chart:
    """A point for each name; with `diagonal`, the line on which both values are equal. NaN is left out.

    >>> scatter({"q1": (0.2, 0.4), "q2": (0.9, 0.8)}, x="bm25", y="dense", diagonal=True)
    Chart('')
    """
    chosen = look(mode)
    rows = [
        {"name": printable(str(name)), "x": float(a), "y": float(b)}
        for name, (a, b) in points.items()
        if math.isfinite(a) and math.isfinite(b)
    ]
    if not rows:
        raise InputError("nothing to draw", code="chart-empty", expected="at least one point")
    layers: list[dict[str, Any]] = []
    if diagonal:
        values = [value for a, b in points.values() if math.isfinite(a + b) for value in (a, b)]
        ends = [float(min(values)), float(max(values))]
        layers.append(
            {
                "data": {"values": [{"x": end, "y": end} for end in ends]},
                "mark": {"type": "line", "color": chosen.quiet, "strokeDash": [6, 4], "strokeWidth": 1},
            }
        )
    layers.append(
        {
            "data": {"values": rows},
            "mark": {
                "type": "point",
                "color": chosen.colour(0),
                "opacity": 0.7,
                "tooltip": {"content": "data"},
            },
        }
    )
    scale = {"zero": False, "padding": 8}
    axes = {
        field: {"field": field, "type": "quantitative", "title": printable(name) or None, "scale": scale}
        for field, name in (("x", x), ("y", y))
    }
    content = {"width": SIDE, "height": SIDE, "encoding": axes, "layer": layers}
    return Chart.of(chosen, printable(title), content)
