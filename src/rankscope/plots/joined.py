"""Two rankings side by side: groups of tied items boxed, common items joined by lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rankscope.errors import InputError, printable
from rankscope.plots.chart import Chart
from rankscope.plots.look import Look, Mode, look

__all__ = ["joined"]

WIDTH, STEP = 420, 24
LABEL_LIMIT = 130
MOST_ITEMS = 60
"""Items of a ranking that are drawn; a longer one ends with how many more there are."""

# Where the two columns of boxes begin and end, on a width of 1.
COLUMNS = ((0.0, 0.34), (0.66, 1.0))
MOVES = ("higher", "lower", "as high")


@dataclass(frozen=True)
class _Place:
    """Where an item stands: its line, counted from 0, and the middle of its group."""

    line: int
    middle: float


def joined(
    left: Iterable[Any],
    right: Iterable[Any],
    *,
    names: tuple[str, str] = ("A", "B"),
    title: str = "",
    mode: Mode = "light",
) -> Chart:
    """Two rankings, best first, each a list of items or of groups (lists or sets) of tied items.

    A line is drawn for each item that both have, in another colour and dash if the item stands higher, lower
    or as high in the second; items that only one of them has are grey.

    >>> joined(["a", "b", "c"], [["b", "c"], "d"], names=("bm25", "dense"))
    Chart('')
    """
    chosen = look(mode)
    sides = [_groups(side) for side in (left, right)]
    places = [_places(groups) for groups in sides]
    lines = min(max(len(places[0]), len(places[1]), 1), MOST_ITEMS + 1)
    layers = [_joins(places, chosen)]
    for number, name in enumerate(names):
        layers += _column(
            sides[number], places[number], places[1 - number], number, printable(str(name)), chosen
        )
    return Chart.of(
        chosen,
        printable(title),
        {"width": WIDTH, "height": STEP * (lines + 1), "layer": [_scaled(layer, lines) for layer in layers]},
    )


def _groups(given: Iterable[Any]) -> list[list[str]]:
    """The groups of a ranking, as text; no item twice."""
    groups = [
        [
            printable(str(item))
            for item in (entry if isinstance(entry, list | tuple | set | frozenset) else [entry])
        ]
        for entry in given
    ]
    found: set[str] = set()
    for item in (item for group in groups for item in group):
        if item in found:
            raise InputError(
                f"item '{item}' stands twice in one ranking", code="chart-ranking", expected="each item once"
            )
        found.add(item)
    return [group for group in groups if group]


def _places(groups: Sequence[Sequence[str]]) -> dict[str, _Place]:
    places: dict[str, _Place] = {}
    for group in groups:
        first = len(places)
        places |= {item: _Place(first + n, first + (len(group) - 1) / 2) for n, item in enumerate(group)}
    return places


def _joins(places: Sequence[dict[str, _Place]], chosen: Look) -> dict[str, Any]:
    """The lines between the two places of each item that both rankings have."""
    here, there = places
    rows = [
        {"item": item, "y": here[item].line, "y2": there[item].line, "move": _move(here[item], there[item])}
        for item in here
        if item in there and max(here[item].line, there[item].line) < MOST_ITEMS
    ]
    field = {"field": "move", "type": "nominal", "title": None}
    colours = [chosen.colour(0), chosen.colour(1), chosen.quiet]
    dashes = [chosen.dash(0), chosen.dash(1), chosen.dash(2)]
    return {
        "data": {"values": [{**row, "x": COLUMNS[0][1], "x2": COLUMNS[1][0]} for row in rows]},
        "mark": {"type": "rule", "strokeWidth": 1.5, "tooltip": {"content": "data"}},
        "encoding": {
            "x": {"field": "x"},
            "x2": {"field": "x2"},
            "y": {"field": "y"},
            "y2": {"field": "y2"},
            "color": {**field, "scale": {"domain": list(MOVES), "range": colours}},
            "strokeDash": {**field, "scale": {"domain": list(MOVES), "range": dashes}},
        },
    }


def _move(here: _Place, there: _Place) -> str:
    if here.middle == there.middle:
        return "as high"
    return "higher" if there.middle < here.middle else "lower"


def _column(
    groups: Sequence[Sequence[str]],
    places: dict[str, _Place],
    others: dict[str, _Place],
    side: int,
    name: str,
    chosen: Look,
) -> Iterator[dict[str, Any]]:
    """The boxes of one ranking, its items, and its name above."""
    start, stop = COLUMNS[side]
    yield {
        "data": {"values": list(_boxes(groups, start, stop))},
        "mark": {"type": "rect", "fill": None, "stroke": chosen.quiet, "cornerRadius": 4},
        "encoding": {name: {"field": name} for name in ("x", "x2", "y", "y2")},
    }
    labels = [
        {"label": item, "common": item in others, "y": place.line, "x": (start + stop) / 2}
        for item, place in places.items()
        if place.line < MOST_ITEMS
    ]
    if len(places) > MOST_ITEMS:
        more = f"… {len(places) - MOST_ITEMS} more"
        labels.append({"label": more, "common": False, "y": MOST_ITEMS, "x": (start + stop) / 2})
    yield _texts(labels, chosen)
    heading = {"label": name, "common": True, "y": -1, "x": (start + stop) / 2}
    yield _texts([heading], chosen, fontWeight="bold")


def _boxes(groups: Sequence[Sequence[str]], start: float, stop: float) -> Iterator[dict[str, float]]:
    line = 0
    for group in groups:
        if line >= MOST_ITEMS:
            return
        end = min(line + len(group), MOST_ITEMS)
        yield {"x": start, "x2": stop, "y": line - 0.42, "y2": end - 0.58}
        line = end


def _texts(labels: Sequence[dict[str, Any]], chosen: Look, **style: Any) -> dict[str, Any]:
    return {
        "data": {"values": list(labels)},
        "mark": {"type": "text", "limit": LABEL_LIMIT, "fontSize": 12, **style},
        "encoding": {
            "x": {"field": "x"},
            "y": {"field": "y"},
            "text": {"field": "label", "type": "nominal"},
            "color": {"condition": {"test": "datum.common", "value": chosen.ink}, "value": chosen.quiet},
        },
    }


def _scaled(layer: dict[str, Any], lines: int) -> dict[str, Any]:
    """The layer on the axes that all layers share, of which nothing is drawn."""
    domains = {"x": [0, 1], "y": [-1.5, lines - 0.5]}
    encoding = dict(layer["encoding"])
    for name, domain in domains.items():
        scale = {"domain": domain, "nice": False, "zero": False, "reverse": name == "y"}
        encoding[name] = {**encoding[name], "type": "quantitative", "axis": None, "scale": scale}
    return {**layer, "encoding": encoding}
