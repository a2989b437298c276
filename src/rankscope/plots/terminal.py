"""Curves as text: dots of braille where the terminal has them, else letters.

Without colour a curve is told from the others by its letter, which stands on it here and there.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from rankscope.errors import InputError, printable
from rankscope.plots.series import Series, checked

__all__ = ["terminal"]

FloatArray = npt.NDArray[np.float64]

SMALLEST = (24, 4)
LETTERS = string.ascii_lowercase + string.ascii_uppercase
MARKS = 4
"""How often the letter of a curve stands on it."""

# The bits of the eight dots of a braille character, by line and column.
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
_BRAILLE = 0x2800


@dataclass(frozen=True)
class _Style:
    """How fine the dots of a character are, and what the frame is made of."""

    across: int
    down: int
    side: str
    corner: str
    floor: str


_FINE = _Style(2, 4, "┤", "└", "─")
_PLAIN = _Style(1, 1, "|", "+", "-")


@dataclass
class _Canvas:
    """Characters of a chart, each with dots that are set or not, and letters on top."""

    width: int
    height: int
    style: _Style
    dots: npt.NDArray[np.uint8] = field(init=False)
    letters: dict[tuple[int, int], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.dots = np.zeros((self.height, self.width), np.uint8)

    def set(self, columns: npt.NDArray[np.int64], lines: npt.NDArray[np.int64], letter: str) -> None:
        """Set the dots at these places, counted in dots from the top left."""
        places = lines // self.style.down, columns // self.style.across
        if self.style is _PLAIN:
            at = zip(places[0].tolist(), places[1].tolist(), strict=True)
            self.letters |= dict.fromkeys(at, letter)
            return
        bits = np.array(_DOTS, np.uint8)[lines % self.style.down, columns % self.style.across]
        np.bitwise_or.at(self.dots, places, bits)

    def lines(self) -> list[str]:
        blank = " " if self.style is _PLAIN else ""
        return [
            "".join(
                self.letters.get((line, column)) or blank or (chr(_BRAILLE + bits) if bits else " ")
                for column, bits in enumerate(row)
            )
            for line, row in enumerate(self.dots.tolist())
        ]


def terminal(
    series: Series | Iterable[Series],
    width: int = 72,
    height: int = 14,
    *,
    title: str = "",
    x: str = "",
    encoding: str | None = "utf-8",
) -> str:
    """A small chart of curves as text, so many characters wide and high, in what `encoding` can hold.

    >>> print(terminal(Series("P@k", [1, 2, 3, 4], [1.0, 0.5, 0.75, 0.5]), 30, 5, encoding="ascii"))
       1 |aa
         |  a
    0.75 |   aaa       aaaaa
         |      a    aa     aaa
     0.5 |       aaaa          aaa
         +------------------------
          1                      4
    """
    found = checked(series)
    if width < SMALLEST[0] or height < SMALLEST[1]:
        raise InputError(
            f"a chart of {width} by {height} characters is too small",
            code="chart-size",
            expected=f"at least {SMALLEST[0]} by {SMALLEST[1]}",
        )
    style = _FINE if _can_show(_FINE, encoding) else _PLAIN
    low, high = _ends([one.y for one in found])
    scale = {height - 1: low, (height - 1) // 2: (low + high) / 2, 0: high}
    if (height - 1) % 2:
        del scale[(height - 1) // 2]
    labels = {line: _shown(value) for line, value in scale.items()}
    margin = max(map(len, labels.values()))
    canvas = _Canvas(width - margin - 2, height, style)
    _draw(canvas, found, _ends([one.x for one in found]), (low, high))
    framed = [
        f"{labels.get(line, ''):>{margin}} {style.side}{text}".rstrip()
        for line, text in enumerate(canvas.lines())
    ]
    return "\n".join(
        [
            *([printable(title)] if title else []),
            *framed,
            *_floor(found, margin, canvas.width, style, printable(x)),
            *_key(found),
        ]
    )


def _can_show(style: _Style, encoding: str | None) -> bool:
    try:
        f"{chr(_BRAILLE)}{style.side}{style.corner}{style.floor}".encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _ends(columns: Sequence[FloatArray]) -> tuple[float, float]:
    values = np.concatenate(columns)
    finite = values[np.isfinite(values)]
    if not len(finite):
        return 0.0, 1.0
    low, high = float(finite.min()), float(finite.max())
    return (low, high) if low < high else (low - 0.5, high + 0.5)


def _draw(
    canvas: _Canvas, series: Sequence[Series], across: tuple[float, float], upright: tuple[float, float]
) -> None:
    """Draw all curves, references first so that they lie below, then the letters."""
    columns = canvas.width * canvas.style.across
    lines = canvas.height * canvas.style.down
    tracks = {}
    for number in sorted(range(len(series)), key=lambda n: not series[n].reference):
        one, letter = series[number], LETTERS[number % len(LETTERS)]
        places, heights = _track(one, across, upright, columns, lines)
        shown = slice(None, None, 3) if one.reference and canvas.style is _FINE else slice(None)
        canvas.set(places[shown], heights[shown], letter)
        tracks[number] = (places, heights, letter)
    if len(series) > 1:
        for number, (places, heights, letter) in sorted(tracks.items()):
            # Letters of different curves stand at different places, so that curves that meet still show both.
            share = (np.arange(MARKS) + (number + 0.5) / len(series)) / MARKS
            chosen = (share * len(places)).astype(np.int64) if len(places) else np.zeros(0, np.int64)
            for place in chosen.tolist():
                at = int(heights[place]) // canvas.style.down, int(places[place]) // canvas.style.across
                canvas.letters[at] = letter


def _track(
    one: Series, across: tuple[float, float], upright: tuple[float, float], columns: int, lines: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The dots of a curve: along each piece between two points that are defined, without a gap."""
    x = _scaled(one.x, across, columns)
    y = _scaled(one.y, upright, lines)
    pieces = [np.zeros((0, 2))]
    for start, stop in zip(range(max(len(x) - 1, 1)), range(1, max(len(x), 2)), strict=True):
        ends = np.array([[x[start], y[start]], [x[min(stop, len(x) - 1)], y[min(stop, len(x) - 1)]]])
        if np.isfinite(ends).all():
            steps = int(np.abs(ends[1] - ends[0]).max()) + 1
            pieces.append(np.linspace(ends[0], ends[1], steps + 1))
    dots = np.rint(np.concatenate(pieces)).astype(np.int64)
    return dots[:, 0], lines - 1 - dots[:, 1]


def _scaled(values: FloatArray, ends: tuple[float, float], count: int) -> FloatArray:
    return (values - ends[0]) / (ends[1] - ends[0]) * (count - 1)


def _floor(series: Sequence[Series], margin: int, width: int, style: _Style, title: str) -> list[str]:
    low, high = (_shown(value) for value in _ends([one.x for one in series]))
    room = width - len(low) - len(high)
    middle = f"{title:^{room}}" if len(title) < room else " " * room
    return [
        f"{'':{margin}} {style.corner}{style.floor * width}",
        f"{'':{margin}}  {low}{middle}{high}",
    ]


def _key(series: Sequence[Series]) -> list[str]:
    """Which letter is which curve; a single one has no need of it."""
    if len(series) == 1:
        return []
    return [f"  {LETTERS[number % len(LETTERS)]}  {one.name}" for number, one in enumerate(series)]


def _shown(value: float) -> str:
    return f"{value:.4g}"
