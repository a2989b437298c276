"""Each chart is Vega-Lite that draws what it was given, and refuses what cannot be drawn."""

from __future__ import annotations

import json
import math
import re
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

from rankscope import plots
from rankscope.errors import InputError
from rankscope.plots.chart import Chart
from rankscope.plots.look import DASHES, REFERENCES, look
from rankscope.plots.saving import drawn
from rankscope.plots.series import MOST_POINTS, thinned

HOSTILE = "</script><script>alert(1)</script>\x1b[31m\ud800\"'\\"
MODES = ("light", "dark")


class Scripts(HTMLParser):
    """Reads a page as a browser does, and keeps what its scripts are."""

    def __init__(self) -> None:
        super().__init__()
        self.scripts: list[str] = []
        self.inside = False

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.inside = tag == "script"
        if self.inside:
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.scripts[-1] += data


def charts(mode: Any, name: str = "system") -> dict[str, Chart]:
    one = plots.Series(name, [0, 0.5, 1], [0, math.nan, 1], low=[0, 0.1, 0.2], high=[0.5, 0.6, 1])
    best = plots.Series("best", [0, 1], [1, 1], reference="best")
    return {
        "curves": plots.curves([one, best], title=name, x=name, y=name, mode=mode),
        "roc": plots.roc([plots.Series(name, [0, 0, 1], [0, 1, 1]), best], title=name, mode=mode),
        "heatmap": plots.heatmap([[1, math.nan], [-0.5, 0]], [name, "b"], title=name, mode=mode),
        "joined": plots.joined(
            [name, ["b", "c"]], ["c", name, "d"], names=(name, "B"), title=name, mode=mode
        ),
        "bars": plots.bars({name: 0.5, "b": -0.25, "c": math.nan}, title=name, x=name, y=name, mode=mode),
    }


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", charts("light"))
def test_a_chart_draws_its_names_and_nothing_that_was_not_given(mode: str, kind: str) -> None:
    chart = charts(mode)[kind]
    picture = drawn(chart.spec, ".svg").decode()
    assert "system" in picture
    assert "NaN" not in picture
    assert look(mode).background in picture


@pytest.mark.parametrize("kind", charts("light"))
def test_names_are_data_and_never_markup(kind: str) -> None:
    chart = charts("light", HOSTILE)[kind]
    page = drawn(chart.spec, ".html").decode()
    reader = Scripts()
    reader.feed(page)
    library, spec, call = reader.scripts
    assert json.loads(spec) == chart.spec
    assert "alert(1)" not in library + call
    picture = drawn(chart.spec, ".svg").decode()
    assert "<script" not in picture
    assert "\x1b" not in picture + page


def test_series_differ_in_colour_and_in_dash() -> None:
    series = [plots.Series(f"s{n}", [0, 1], [n, n]) for n in range(35)]
    encoding = plots.curves(series).spec["encoding"]
    looks = list(
        zip(
            encoding["color"]["scale"]["range"],
            map(tuple, encoding["strokeDash"]["scale"]["range"]),
            strict=True,
        )
    )
    assert len(set(looks)) == 35
    assert len({dash for _, dash in looks[: len(DASHES)]}) == len(DASHES)


def contrast(first: str, second: str) -> float:
    """Of two colours, as the Web Content Accessibility Guidelines 2.2 define it."""

    def luminance(colour: str) -> float:
        parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("mode", MODES)
def test_text_and_the_first_lines_stand_out(mode: str) -> None:
    chosen = look(mode)
    assert contrast(chosen.ink, chosen.background) > 7
    assert contrast(chosen.quiet, chosen.background) > 4.5
    assert all(contrast(colour, chosen.background) > 3 for colour in chosen.colours[:3])


def test_references_stand_back() -> None:
    series = [plots.Series(kind, [0, 1], [0, 1], reference=kind) for kind in REFERENCES]
    spec = plots.curves([*series, plots.Series("own", [0, 1], [1, 0])], mode="dark").spec
    assert spec["encoding"]["color"]["scale"]["range"] == [look("dark").quiet] * 3 + [look("dark").colours[0]]
    assert len(set(map(tuple, spec["encoding"]["strokeDash"]["scale"]["range"][:3]))) == 3


def test_gaps_and_infinities_are_null() -> None:
    points = plots.curves(plots.Series("s", [1, 2, 3], [0.5, math.nan, math.inf])).spec["data"]["values"]
    assert [point["y"] for point in points] == [0.5, None, None]


def test_long_curves_are_thinned_without_losing_their_peaks() -> None:
    y = np.zeros(1_000_000)
    y[[123_456, 777_777]] = 5.0, -3.0
    kept = thinned(y)
    assert len(kept) <= MOST_POINTS + 2
    assert {0, 123_456, 777_777, 999_999} <= set(kept.tolist())
    assert len(thinned(np.full(10_000, np.nan))) <= MOST_POINTS + 2


def test_a_cell_without_a_value_is_not_coloured_as_zero() -> None:
    picture = drawn(plots.heatmap([[0, math.nan], [0.5, 1]], ["a", "b"]).spec, ".svg").decode()
    fills = [fill.lower() for fill in re.findall(r'fill="([^"]+)" stroke="#FFFFFF"', picture)]
    assert fills[:4] == [look("light").faint.lower()] * 4
    assert len(set(fills[4:])) == 3


def test_joined_lines_say_which_way_an_item_went() -> None:
    spec = plots.joined(["a", ["b", "c"], "d"], ["b", "a", "d", "e"]).spec
    moves = {row["item"]: row["move"] for row in spec["layer"][0]["data"]["values"]}
    # Middles of the groups, counted from 0: a 0 -> 1, b 1.5 -> 0, d 3 -> 2.
    assert moves == {"a": "lower", "b": "higher", "d": "higher"}
    assert plots.joined([["a", "b"]], ["a", "b"]).spec["layer"][0]["data"]["values"][0]["move"] == "higher"


def test_joined_shows_how_much_of_a_long_ranking_is_not_shown() -> None:
    chart = plots.joined(range(1000), range(1000))
    assert "940 more" in drawn(chart.spec, ".svg").decode()


def test_bars_are_sorted_and_without_undefined_values() -> None:
    rows = plots.bars({"a": -1.0, "b": 3.0, "c": math.nan, "d": 0.5}).spec["data"]["values"]
    assert [row["name"] for row in rows] == ["b", "d", "a"]


@pytest.mark.parametrize("bad", ["", "pale", None, 3])
def test_modes_are_light_and_dark(bad: Any) -> None:
    with pytest.raises(InputError, match="light or dark"):
        plots.curves(plots.Series("s", [1], [1]), mode=bad)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: plots.curves([]), "at least one series"),
        (lambda: plots.curves([[1, 2]]), "of type list"),
        (lambda: plots.curves([plots.Series("a", [1], [1]), plots.Series("a", [1], [2])]), "own for each"),
        (lambda: plots.Series("a", [1, 2], [1]), "as many as x"),
        (lambda: plots.Series("a", [1, math.nan], [1, 2]), "not finite"),
        (lambda: plots.Series("a", ["x"], [1]), "not an array of numbers"),
        (lambda: plots.Series("a", [1], [1], reference="mean"), "best or worst or expected"),
        (lambda: plots.Series("a", [1], [1], low=[0]), "both low and high"),
        (lambda: plots.roc(plots.Series("a", [0, 2], [0, 1])), "outside 0 to 1"),
        (lambda: plots.Series("a", [], []), "without a point"),
        (lambda: plots.heatmap([[1, 2]], ["a"]), "for 1 rows and 1 columns"),
        (lambda: plots.heatmap([], []), "at least one"),
        (lambda: plots.heatmap([["x"]], ["a"]), "not a matrix"),
        (lambda: plots.heatmap([[1, 2], [3, 4]], ["a", "a"]), "'a' stands twice"),
        (lambda: plots.joined(["a", "a"], ["b"]), "'a' stands twice"),
        (lambda: plots.bars({"a": math.nan}), "at least one value"),
    ],
)
def test_what_cannot_be_drawn_is_an_error(make: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()
