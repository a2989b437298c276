"""ROC curves: how many true positives each share of false positives buys, with the diagonal of chance."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from rankscope.errors import InputError, printable
from rankscope.plots.chart import Chart
from rankscope.plots.curves import axis, lines, told_apart
from rankscope.plots.look import Mode, look
from rankscope.plots.series import Series, checked

__all__ = ["roc"]

SIDE = 360
CHANCE = "chance"


def roc(series: Series | Iterable[Series], *, title: str = "", mode: Mode = "light") -> Chart:
    """ROC curves, each a series with the false positive rates as x and the true positive rates as y.

    >>> roc(Series("system", [0, 0, 0.5, 1], [0, 0.5, 1, 1]), title="ROC")
    Chart('ROC')
    """
    found = checked(series)
    for one in found:
        if any(np.any((rates < 0) | (rates > 1)) for rates in (one.x, one.y)):
            raise InputError(
                "a rate outside 0 to 1", code="chart-series", where=f"series '{one.name}'", expected="rates"
            )
    diagonal = Series(_unused(CHANCE, found), [0, 1], [0, 1], reference="expected")
    drawn, chosen = checked([*found, diagonal]), look(mode)
    return Chart.of(
        chosen,
        printable(title),
        {
            "width": SIDE,
            "height": SIDE,
            "data": {"values": [point for one in drawn for point in one.points()]},
            "encoding": {
                "x": axis("x", "false positive rate", {"domain": [0, 1]}),
                "y": axis("y", "true positive rate", {"domain": [0, 1]}),
                **told_apart(drawn, chosen),
            },
            "layer": lines(drawn, chosen),
        },
    )


def _unused(name: str, series: Iterable[Series]) -> str:
    taken = {one.name for one in series}
    while name in taken:
        name += " "
    return name
