"""Charts as text: of the size asked for, in what the terminal can show."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rankscope import plots
from rankscope.errors import InputError

RISING = plots.Series("rising", [0, 1], [0, 1])
FALLING = plots.Series("falling\x1b[2J", [0, 1], [1, 0], reference="worst")


def test_a_straight_line_is_a_diagonal_of_letters() -> None:
    text = plots.terminal(RISING, 24, 11, encoding="ascii")
    rows = [line.partition("|")[2] for line in text.splitlines()[:11]]
    starts = [row.index("a") for row in rows]
    assert starts == sorted(starts, reverse=True)
    assert all(set(row.strip()) == {"a"} for row in rows)
    assert rows[-1].startswith("a")
    assert text.splitlines()[0].strip().startswith("1 |")
    assert text.splitlines()[10].strip().startswith("0 |")


@pytest.mark.parametrize(("width", "height"), [(24, 4), (30, 5), (72, 14), (79, 24)])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "cp1252", "no-such-encoding", None])
def test_it_fits_its_size_and_its_encoding(width: int, height: int, encoding: str | None) -> None:
    text = plots.terminal([RISING, FALLING], width, height, x="k", encoding=encoding)
    lines = text.splitlines()
    assert len(lines) == height + 4
    assert max(map(len, lines[: height + 2])) <= width
    if encoding != "utf-8":
        assert text.isascii()
    else:
        assert any(0x2800 < ord(character) < 0x2900 for character in text)


def test_curves_are_told_apart_by_letters_and_names_are_harmless() -> None:
    text = plots.terminal([RISING, FALLING])
    chart, key = text.splitlines()[:-2], text.splitlines()[-2:]
    assert any("a" in line for line in chart)
    assert any("b" in line for line in chart)
    assert key == ["  a  rising", r"  b  falling\x1b[2J"]


@pytest.mark.parametrize(
    "y", [[math.nan] * 3, [1, 1, 1], [0, math.nan, 1], [1e300, -1e300, 0], [1, math.inf, 2]]
)
def test_odd_values_are_drawn(y: list[float]) -> None:
    assert len(plots.terminal(plots.Series("odd", [1, 2, 3], y), 40, 8).splitlines()) == 10


def test_one_point_and_many() -> None:
    assert "a" in plots.terminal(plots.Series("one", [3], [2]), 30, 5, encoding="ascii")
    many = plots.Series("many", np.arange(200_000), np.sin(np.arange(200_000) / 1e4))
    assert len(plots.terminal(many).splitlines()) == 16


@pytest.mark.parametrize("size", [(10, 10), (40, 2), (0, 0), (-5, 8)])
def test_too_small_is_an_error(size: tuple[int, int]) -> None:
    with pytest.raises(InputError, match="at least 24 by 4"):
        plots.terminal(RISING, *size)
