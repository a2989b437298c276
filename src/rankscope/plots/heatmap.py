"""A matrix as coloured cells with the values printed in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rankscope.errors import InputError, printable
from rankscope.plots.chart import Chart
from rankscope.plots.look import Look, Mode, look

__all__ = ["heatmap"]

FloatArray = npt.NDArray[np.float64]

CELL = 56
DEEP = 0.55
"""From this share of the scale on a cell is so dark that its text is white."""


def heatmap(
    values: npt.ArrayLike,
    rows: Sequence[str],
    columns: Sequence[str] | None = None,
    *,
    title: str = "",
    digits: int = 2,
    value_range: tuple[float, float] | None = None,
    mode: Mode = "light",
) -> Chart:
    """A matrix with the names of its rows and of its columns (the same, unless given); NaN is an empty cell.

    Values on both sides of 0 get two colours that meet there. `value_range` fixes the ends of the scale.

    >>> heatmap([[1, 0.4], [0.4, 1]], ["A", "B"], title="Jaccard")
    Chart('Jaccard')
    """
    names = (
        [printable(str(n)) for n in rows],
        [printable(str(n)) for n in (rows if columns is None else columns)],
    )
    matrix = _checked(values, *names)
    chosen = look(mode)
    low, high = value_range or _ends(matrix)
    bare = {"domain": False, "ticks": False}
    return Chart.of(
        chosen,
        printable(title),
        {
            "width": {"step": CELL},
            "height": {"step": CELL * 2 // 3},
            "data": {"values": list(_cells(matrix, *names, low, high, digits))},
            "encoding": {
                "x": _names("column", names[1], {**bare, "orient": "top", "labelAngle": -35}),
                "y": _names("row", names[0], bare),
            },
            "layer": [*_squares(chosen, low, high), _numbers(chosen)],
        },
    )


def _checked(values: npt.ArrayLike, rows: Sequence[str], columns: Sequence[str]) -> FloatArray:
    try:
        matrix = np.asarray(values, np.float64)
    except (TypeError, ValueError) as error:
        raise _refused("not a matrix of numbers", "a list of rows of numbers") from error
    if matrix.shape != (len(rows), len(columns)) or not matrix.size:
        raise _refused(
            f"a matrix of the shape {matrix.shape} for {len(rows)} rows and {len(columns)} columns",
            "a name for each row and each column, and at least one of both",
        )
    for names in (rows, columns):
        if len(set(names)) < len(names):
            twice = next(name for number, name in enumerate(names) if name in names[:number])
            raise _refused(f"the name '{twice}' stands twice", "each name once")
    return matrix


def _ends(matrix: FloatArray) -> tuple[float, float]:
    finite = matrix[np.isfinite(matrix)]
    if not len(finite):
        return 0.0, 1.0
    low, high = float(finite.min()), float(finite.max())
    if low < 0:
        extreme = max(-low, high)
        return -extreme, extreme
    return (low, high) if low < high else (low, low + 1.0)


def _cells(
    matrix: FloatArray, rows: Sequence[str], columns: Sequence[str], low: float, high: float, digits: int
) -> Iterator[dict[str, Any]]:
    for row, line in zip(rows, matrix.tolist(), strict=True):
        for column, value in zip(columns, line, strict=True):
            known = bool(np.isfinite(value))
            yield {
                "row": row,
                "column": column,
                "value": value if known else None,
                "shown": f"{value:.{digits}f}" if known else "",
                "deep": known and _depth(value, low, high) > DEEP,
            }


def _depth(value: float, low: float, high: float) -> float:
    """How far along the scale a value is, from light to dark."""
    if low < 0:
        return abs(value) / max(-low, high)
    return (value - low) / (high - low) if high > low else 0.0


def _names(field: str, names: Sequence[str], axis: dict[str, Any]) -> dict[str, Any]:
    # The domain is data; a list to sort by would become an expression, where a backslash breaks it.
    shown = {"axis": {**axis, "title": None}, "scale": {"domain": list(names)}}
    return {"field": field, "type": "nominal", **shown}


def _squares(chosen: Look, low: float, high: float) -> list[dict[str, Any]]:
    """A quiet square for every cell, and a coloured one over it where there is a value."""
    square = {"type": "rect", "stroke": chosen.background, "strokeWidth": 1}
    scheme = chosen.diverging if low < 0 else chosen.rising
    colour = {
        "field": "value",
        "type": "quantitative",
        "scale": {"scheme": scheme, "domain": [low, high]},
        "legend": {"title": None, "gradientLength": 120},
    }
    return [
        {"mark": {**square, "color": chosen.faint}},
        {
            "transform": [{"filter": "isValid(datum.value)"}],
            "mark": {**square, "tooltip": True},
            "encoding": {"color": colour},
        },
    ]


def _numbers(chosen: Look) -> dict[str, Any]:
    return {
        "mark": {"type": "text", "fontSize": 12},
        "encoding": {
            "text": {"field": "shown", "type": "nominal"},
            "color": {"condition": {"test": "datum.deep", "value": "#FFFFFF"}, "value": "#1A1A1A"},
        },
    }


def _refused(what: str, expected: str) -> InputError:
    return InputError(what, code="chart-matrix", where="heatmap", expected=expected)
