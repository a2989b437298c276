"""A named line of points: what curves, ROC curves and charts in the terminal are drawn from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rankscope.errors import InputError, printable
from rankscope.plots.look import REFERENCES

__all__ = ["Series", "checked"]

FloatArray = npt.NDArray[np.float64]

FEW_POINTS = 40
"""A series of up to so many points shows each of them."""
MOST_POINTS = 2000
"""Points of a series that are drawn; a longer one is thinned without losing its peaks."""


@dataclass(frozen=True, eq=False)
class Series:
    """A curve: its name, its points, and what it is there for.

    A NaN in `y` is a gap. `reference` is "best", "worst" or "expected" if the curve is only there to compare
    with. `low` and `high` are the edges of a band around it.

    >>> Series("system", [1, 2, 3], [0.5, 0.7, 0.6])
    Series('system', 3 points)
    """

    name: str
    x: FloatArray
    y: FloatArray
    reference: str = ""
    low: FloatArray | None = None
    high: FloatArray | None = None

    def __init__(
        self,
        name: str,
        x: npt.ArrayLike,
        y: npt.ArrayLike,
        *,
        reference: str = "",
        low: npt.ArrayLike | None = None,
        high: npt.ArrayLike | None = None,
    ) -> None:
        shown = printable(str(name))
        if reference and reference not in REFERENCES:
            raise _refused(shown, f"reference={reference!r} is unknown", " or ".join(REFERENCES))
        if (low is None) != (high is None):
            raise _refused(shown, "a band with one edge", "both low and high, or neither")
        columns = {"x": x, "y": y} | ({} if low is None else {"low": low, "high": high})
        object.__setattr__(self, "name", shown)
        object.__setattr__(self, "reference", reference)
        for column, values in columns.items():
            object.__setattr__(self, column, _numbers(shown, column, values, len(np.atleast_1d(x))))
        if not len(self.x):
            raise _refused(shown, "a series without a point", "at least one point")
        if not np.isfinite(self.x).all():
            raise _refused(shown, "x has a value that is not finite", "a finite place for each point")

    def __len__(self) -> int:
        return len(self.x)

    def __repr__(self) -> str:
        return f"Series({self.name!r}, {len(self)} points)"

    @property
    def dotted(self) -> bool:
        """Whether its points are shown on the line."""
        return not self.reference and len(self) <= FEW_POINTS

    def points(self) -> Iterator[dict[str, Any]]:
        """The points as Vega-Lite takes them: null for a gap."""
        columns = {"x": self.x, "y": self.y}
        if self.low is not None and self.high is not None:
            columns |= {"low": self.low, "high": self.high}
        kept = thinned(self.y)
        rows = zip(*(_plain(values[kept]) for values in columns.values()), strict=True)
        for row in rows:
            yield {"series": self.name, "dotted": self.dotted, **dict(zip(columns, row, strict=True))}


def checked(series: Series | Iterable[Series]) -> list[Series]:
    """One or many series as a list; at least one, each with a name of its own."""
    found = [series] if isinstance(series, Series) else list(series)
    if not found:
        raise InputError("nothing to draw", code="chart-empty", expected="at least one series")
    for number, one in enumerate(found):
        if not isinstance(one, Series):
            raise InputError(
                f"something of type {type(one).__name__} cannot be drawn as a curve",
                code="chart-series",
                expected="a plots.Series: its name, x and y",
            )
        if any(one.name == other.name for other in found[:number]):
            raise _refused(one.name, "two series have this name", "a name of its own for each series")
    return found


def thinned(y: FloatArray, most: int = MOST_POINTS) -> npt.NDArray[np.int64]:
    """The points to be drawn, by number: the ends, and the lowest and the highest of each stretch."""
    if len(y) <= most:
        return np.arange(len(y))
    bounds = np.linspace(0, len(y), most // 2, dtype=np.int64)
    defined = np.isfinite(y)
    kept = {0, len(y) - 1}
    for start, stop in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        stretch = y[start:stop]
        kept |= {start + int(np.argmin(np.where(defined[start:stop], stretch, np.inf)))}
        kept |= {start + int(np.argmax(np.where(defined[start:stop], stretch, -np.inf)))}
    return np.array(sorted(kept))


def _numbers(name: str, column: str, values: npt.ArrayLike | None, length: int) -> FloatArray:
    try:
        found = np.atleast_1d(np.asarray(values, np.float64))
    except (TypeError, ValueError) as error:
        raise _refused(name, f"{column} is not an array of numbers", "numbers") from error
    if found.ndim != 1 or len(found) != length:
        raise _refused(name, f"{column} has the shape {found.shape}", f"{length} values, as many as x")
    return found


def _plain(values: FloatArray) -> list[float | None]:
    return [value if np.isfinite(value) else None for value in values.tolist()]


def _refused(name: str, what: str, expected: str) -> InputError:
    return InputError(what, code="chart-series", where=f"series '{name}'", expected=expected)
