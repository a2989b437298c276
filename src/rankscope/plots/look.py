"""How every chart looks: colours that the colour-blind can tell apart, dashes and shapes for black and white.

The colours are those of Okabe and Ito, ordered by how well they stand out from the background.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from rankscope.errors import InputError, nearest

__all__ = ["REFERENCES", "Look", "Mode", "look", "page_variables"]

Mode = Literal["light", "dark", "page"]

FONT = "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'Liberation Sans', sans-serif"

# The number of dashes has no divisor in common with that of the colours: no two of 35 series look alike.
DASHES: tuple[list[int], ...] = ([1, 0], [8, 3], [2, 2], [10, 3, 2, 3], [5, 5])
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")

REFERENCES: dict[str, list[int]] = {"best": [12, 4], "worst": [3, 3], "expected": [8, 3, 1, 3]}
"""What a curve may be there for comparison as, and its dashes."""


@dataclass(frozen=True)
class Look:
    """The colours of one mode."""

    colours: tuple[str, ...]
    background: str
    ink: str
    quiet: str
    """For what stands back: references, axes, boxes."""
    faint: str
    """For grids and for cells without a value."""
    rising: str
    """A scheme of colours whose lightness follows the value, so that it survives black and white."""
    diverging: str
    """The same for values on both sides of 0."""

    def colour(self, number: int) -> str:
        return self.colours[number % len(self.colours)]

    def dash(self, number: int) -> list[int]:
        return DASHES[number % len(DASHES)]

    def shape(self, number: int) -> str:
        return SHAPES[number % len(SHAPES)]

    def config(self) -> dict[str, Any]:
        """What Vega-Lite takes as the config of a chart."""
        text = {"labelColor": self.ink, "titleColor": self.ink, "labelFont": FONT, "titleFont": FONT}
        return {
            "background": self.background,
            "padding": 12,
            "font": FONT,
            "view": {"stroke": None},
            "title": {"anchor": "start", "color": self.ink, "font": FONT, "fontSize": 15, "offset": 12},
            "axis": {
                **text,
                "domainColor": self.quiet,
                "tickColor": self.quiet,
                "gridColor": self.faint,
                "titleFontWeight": "normal",
                "labelLimit": 240,
                "titlePadding": 8,
            },
            "legend": {
                **text,
                "labelLimit": 240,
                "symbolSize": 120,
                "symbolStrokeWidth": 2,
                "titleColor": self.ink,
            },
            "text": {"color": self.ink, "font": FONT},
            "line": {"strokeWidth": 2, "strokeCap": "butt"},
            "point": {"size": 45, "strokeWidth": 1.5, "filled": True},
        }


_LOOKS: dict[str, Look] = {
    "light": Look(
        colours=("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"),
        background="#FFFFFF",
        ink="#1A1A1A",
        quiet="#6E6E6E",
        faint="#E3E3E3",
        rising="blues",
        diverging="blueorange",
    ),
    "dark": Look(
        colours=("#56B4E9", "#E69F00", "#009E73", "#CC79A7", "#F0E442", "#D55E00", "#FFFFFF"),
        background="#16181C",
        ink="#ECECEC",
        quiet="#A0A0A0",
        faint="#33363C",
        rising="blues",
        diverging="blueorange",
    ),
}


# Colours that the page around the chart decides, so that one picture serves light and dark.
_LOOKS["page"] = Look(
    colours=tuple(f"var(--series-{n})" for n in range(len(_LOOKS["light"].colours))),
    background="transparent",
    ink="var(--ink)",
    quiet="var(--quiet)",
    faint="var(--faint)",
    rising="blues",
    diverging="blueorange",
)


def page_variables() -> str:
    """The style sheet with the colours of the mode "page": light, and dark on a screen that prefers it."""
    light, dark = (f":root {{ {_variables(mode)} }}" for mode in ("light", "dark"))
    return f"{light}\n@media screen and (prefers-color-scheme: dark) {{ {dark} }}"


def _variables(mode: str) -> str:
    chosen = _LOOKS[mode]
    named = {"background": chosen.background, "ink": chosen.ink, "quiet": chosen.quiet, "faint": chosen.faint}
    named |= {f"series-{number}": colour for number, colour in enumerate(chosen.colours)}
    return " ".join(f"--{name}: {colour};" for name, colour in named.items())


def look(mode: str) -> Look:
    """The look of a mode: light, dark, or page (inside a page that has `page_variables` in its style).

    >>> look("dark").background
    '#16181C'
    """
    found = _LOOKS.get(mode)
    if found is None:
        close = nearest(str(mode), _LOOKS)
        raise InputError(
            f"mode={mode!r} is not a look",
            code="chart-mode",
            expected=" or ".join(_LOOKS),
            hint=f"did you mean {close[0]}?" if close else "",
        )
    return found
