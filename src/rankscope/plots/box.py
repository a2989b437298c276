"""Distributions side by side: quartiles as boxes, whiskers, and the values beyond them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from rankscope.errors import InputError, printable
from rankscope.plots.chart import Chart
from rankscope.plots.look import Mode, look

__all__ = ["box"]

STEP, HEIGHT = 70, 320
WHISKER = 1.5
"""A whisker reaches to the last value within so many heights of the box, as Tukey drew it."""
MOST_BEYOND = 500

FloatArray = npt.NDArray[np.float64]


def box(values: Mapping[str, npt.ArrayLike], *, title: str = "", y: str = "", mode: Mode = "light") -> Chart:
    """A box for each name: the middle half of its values, with the median; NaN is left out.

    >>> box({"bm25": [0.1, 0.4, 0.5, 0.9], "dense": [0.2, 0.3, 0.3, 0.4]}, title="AP")
    Chart('AP')
    """
    chosen = look(mode)
    columns = {printable(str(name)): _defined(column) for name, column in values.items()}
    if not any(len(column) for column in columns.values()):
        raise InputError("nothing to draw", code="chart-empty", expected="at least one value")
    boxes = [_box(name, column) for name, column in columns.items() if len(column)]
    beyond = [{"name": b["name"], "value": v} for b in boxes for v in b.pop("beyond")[:MOST_BEYOND]]
    place = {"field": "name", "type": "nominal", "sort": None, "title": None, "axis": {"labelAngle": -35}}
    height = {"type": "quantitative", "title": printable(y) or None}
    layers = [
        _layer({"type": "rule", "color": chosen.quiet}, "low", "high", height),
        _layer({"type": "bar", "size": 34, "color": chosen.colour(0)}, "q1", "q3", height),
        _layer({"type": "tick", "size": 34, "thickness": 2, "color": chosen.ink}, "median", None, height),
        {
            "data": {"values": beyond},
            "mark": {"type": "point", "filled": False, "color": chosen.quiet, "tooltip": True},
            "encoding": {"y": {"field": "value", **height}},
        },
    ]
    return Chart.of(
        chosen,
        printable(title),
        {
            "width": {"step": STEP},
            "height": HEIGHT,
            "data": {"values": boxes},
            "encoding": {"x": place},
            "layer": layers,
        },
    )


def _layer(mark: dict[str, Any], low: str, high: str | None, height: dict[str, Any]) -> dict[str, Any]:
    ends = {"y": {"field": low, **height}} | ({"y2": {"field": high}} if high else {})
    return {"mark": {**mark, "tooltip": {"content": "data"}}, "encoding": ends}


def _defined(column: npt.ArrayLike) -> FloatArray:
    found = np.asarray(column, np.float64)
    return found[np.isfinite(found)]


def _box(name: str, column: FloatArray) -> dict[str, Any]:
    q1, median, q3 = np.quantile(column, [0.25, 0.5, 0.75]).tolist()
    reach = WHISKER * (q3 - q1)
    near = column[(column >= q1 - reach) & (column <= q3 + reach)]
    beyond = column[(column < q1 - reach) | (column > q3 + reach)]
    return {
        "name": name,
        "low": float(near.min()),
        "q1": q1,
        "median": median,
        "q3": q3,
        "high": float(near.max()),
        "beyond": beyond.tolist(),
    }
