"""The parameters a measure declares: their types, bounds and the words for what is allowed."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import SupportsFloat, SupportsIndex

from rankscope.errors import MeasureError, nearest

__all__ = ["CUTOFF", "REL", "Param", "Value"]

Value = float | int | str | None

MOST_ROWS = 2**31 - 1


@dataclass(frozen=True, init=False)
class Param:
    """One parameter of a measure.

    `kind` is float, int or str. Numbers may have `bounds`, an interval like ``"(0, 1)"`` or ``"[0, inf)"``.
    A word is one of `choices`. A parameter whose default is None may be left out altogether.
    """

    name: str
    kind: type
    default: Value
    bounds: str
    choices: tuple[str, ...]
    help: str

    def __init__(
        self,
        name: str,
        kind: type = float,
        *,
        default: Value,
        bounds: str = "(-inf, inf)",
        choices: Sequence[str] = (),
        help: str = "",
    ) -> None:
        if kind not in (float, int, str) or (kind is str) != bool(choices):
            raise _misdeclared(name, "a parameter is float, int, or str with choices")
        for field, value in (
            ("name", name),
            ("kind", kind),
            ("bounds", bounds),
            ("choices", tuple(choices)),
            ("help", help),
        ):
            object.__setattr__(self, field, value)
        _interval(bounds)
        object.__setattr__(self, "default", self.check(default, "a declaration"))

    @property
    def is_cutoff(self) -> bool:
        return self.name == "k"

    @property
    def allowed(self) -> str:
        """What the parameter takes, in words."""
        if self.kind is str:
            return " or ".join(self.choices)
        if self.is_cutoff:
            return f"a whole number from 1 to {MOST_ROWS}"
        number = "a whole number" if self.kind is int else "a number"
        return f"{number} in {self.bounds}" if self.bounds != "(-inf, inf)" else number

    def check(self, value: object, measure: str) -> Value:
        """The value in its canonical form; MeasureError if the parameter does not take it."""
        if value is None and getattr(self, "default", None) is None:
            return None
        checked = self._word(value) if self.kind is str else self._number(value)
        if checked is None:
            raise self._refusal(value, measure)
        return checked

    def takes(self, value: object) -> bool:
        """Whether the parameter may have the value."""
        return (self._word(value) if self.kind is str else self._number(value)) is not None

    def _word(self, value: object) -> str | None:
        folded = value.casefold() if isinstance(value, str) else None
        return next((c for c in self.choices if c.casefold() == folded), None)

    def _number(self, value: object) -> float | int | None:
        number: float | int
        try:
            if isinstance(value, str | bytes | bool):
                return None
            if self.kind is int and isinstance(value, SupportsIndex):
                number = operator.index(value)
            elif self.kind is float and isinstance(value, SupportsFloat | SupportsIndex):
                number = float(value) + 0.0  # -0.0 and 0.0 are one value with one name
            else:
                return None
        except (TypeError, ValueError, OverflowError):
            return None
        return number if math.isfinite(number) and self._within(number) else None

    def _within(self, number: float | int) -> bool:
        low, high = _interval(self.bounds)
        above = number >= low if self.bounds.startswith("[") else number > low
        below = number <= high if self.bounds.endswith("]") else number < high
        return above and below

    def _refusal(self, value: object, measure: str) -> MeasureError:
        shown = value if isinstance(value, str) else repr(value)
        close = nearest(str(shown), self.choices)
        what = f"cutoff {shown}" if self.is_cutoff else f"{self.name}={shown}"
        return MeasureError(
            f"{what} is not allowed",
            code="bad-value",
            where=measure,
            expected=f"{self.allowed} ({self.help})" if self.help else self.allowed,
            hint=f"did you mean {' or '.join(close)}?" if close else "",
        )

    def show(self, value: Value) -> str:
        """The value as it stands in a measure's name: the shortest text that reads back as the same value."""
        if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
            return str(int(value))
        return repr(value) if isinstance(value, float) else str(value)


def _interval(bounds: str) -> tuple[float, float]:
    try:
        low, high = (float(end) for end in bounds[1:-1].split(","))
    except ValueError:
        low, high = math.nan, math.nan
    if not (low <= high and bounds[0] in "([" and bounds[-1] in ")]"):
        raise _misdeclared(bounds, 'bounds are an interval such as "(0, 1)" or "[0, inf)"')
    return low, high


def _misdeclared(what: str, expected: str) -> MeasureError:
    return MeasureError(f"'{what}' cannot be declared so", code="bad-declaration", expected=expected)


CUTOFF = Param("k", int, default=None, bounds=f"[1, {MOST_ROWS}]", help="only the first k items count")
REL = Param("rel", float, default=1.0, bounds="[0, inf)", help="the lowest grade that is relevant")
