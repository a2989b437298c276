"""Lines over a common axis: named series, references to compare with, bands around them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rankscope.errors import printable
from rankscope.plots.chart import Chart
from rankscope.plots.look import REFERENCES, Look, Mode, look
from rankscope.plots.series import Series, checked

__all__ = ["axis", "curves", "lines", "told_apart"]

WIDTH, HEIGHT = 480, 300


def curves(
    series: Series | Iterable[Series],
    *,
    title: str = "",
    x: str = "",
    y: str = "",
    y_range: tuple[float, float] | None = None,
    mode: Mode = "light",
) -> Chart:
    """One or many curves; those marked as a reference stand back in grey.

    `x` and `y` are titles of the axes, `y_range` the ends of the upright one if the data should not decide.

    >>> best = Series("best", [1, 2, 3], [1, 1, 1], reference="best")
    >>> curves([Series("system", [1, 2, 3], [1, 0.5, 0.7]), best], x="k", y="P@k", y_range=(0, 1))
    Chart('')
    """
    found, chosen = checked(series), look(mode)
    upright = {"domain": list(y_range)} if y_range else {"zero": False}
    return Chart.of(
        chosen,
        printable(title),
        {
            "width": WIDTH,
            "height": HEIGHT,
            "data": {"values": [point for one in found for point in one.points()]},
            "encoding": {
                "x": axis("x", x, {"zero": False, "nice": False}),
                "y": axis("y", y, upright),
                **told_apart(found, chosen),
            },
            "layer": lines(found, chosen),
            # Merged with the shapes of the points, the legend would show these in place of the lines.
            "resolve": {"legend": {"shape": "independent"}},
        },
    )


def axis(field: str, title: str, scale: dict[str, Any]) -> dict[str, Any]:
    """The encoding of a number on an axis."""
    # The title of a field, unlike that of its axis, gets into expressions, where a backslash breaks it.
    return {
        "field": field,
        "type": "quantitative",
        "axis": {"title": printable(title) or None},
        "scale": scale,
    }


def lines(series: Sequence[Series], chosen: Look) -> list[dict[str, Any]]:
    """The layers: bands behind, then the lines, then the points of series that have few."""
    layers: list[dict[str, Any]] = []
    if any(one.low is not None for one in series):
        edges = {"y": {"field": "low", "type": "quantitative"}, "y2": {"field": "high"}}
        layers.append(
            {
                "transform": [{"filter": "isValid(datum.low)"}],
                "mark": {"type": "area", "opacity": 0.18},
                "encoding": {**edges, "strokeDash": {"value": [1, 0]}},
            }
        )
    # Points in the order of the data: a ROC curve goes straight up, and sorted by x it would not.
    layers.append({"mark": {"type": "line", "tooltip": True}, "encoding": {"order": {"value": None}}})
    if any(one.dotted for one in series):
        layers.append(
            {
                "transform": [{"filter": "datum.dotted"}],
                "mark": {"type": "point", "tooltip": True},
                "encoding": {"shape": _shapes(series, chosen), "strokeDash": {"value": [1, 0]}},
            }
        )
    return layers


def told_apart(series: Sequence[Series], chosen: Look) -> dict[str, Any]:
    """Colour and dashes by series; no legend where there is nothing to tell apart."""
    names = [one.name for one in series]
    own = iter(range(len(series)))
    numbers = [None if one.reference else next(own) for one in series]
    colours = [chosen.quiet if number is None else chosen.colour(number) for number in numbers]
    dashes = [
        REFERENCES[one.reference] if number is None else chosen.dash(number)
        for one, number in zip(series, numbers, strict=True)
    ]
    field = {"field": "series", "type": "nominal", "legend": _legend(series), "sort": None}
    return {
        "color": {**field, "scale": {"domain": names, "range": colours}},
        "strokeDash": {**field, "scale": {"domain": names, "range": dashes}},
    }


def _shapes(series: Sequence[Series], chosen: Look) -> dict[str, Any]:
    own = [one.name for one in series if not one.reference]
    shapes = [chosen.shape(number) for number in range(len(own))]
    return {"field": "series", "type": "nominal", "legend": None, "scale": {"domain": own, "range": shapes}}


def _legend(series: Sequence[Series]) -> dict[str, Any] | None:
    return (
        {"title": None, "symbolType": "stroke", "symbolSize": 400, "symbolOpacity": 1, "labelLimit": 180}
        if len(series) > 1
        else None
    )
