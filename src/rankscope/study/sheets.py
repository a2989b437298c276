"""What every analysis gives: tables with titles, plain data, and charts."""

from __future__ import annotations

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rankscope.errors import printable
from rankscope.tables import UNDEFINED, Table

if TYPE_CHECKING:
    from rankscope.plots import Chart

__all__ = ["Finding", "Record", "Sheet", "matrix_sheet", "plain", "shown"]

FloatArray = npt.NDArray[np.float64]
Record = Mapping[str, str | float]


@dataclass(frozen=True)
class Sheet:
    """A table and what it is."""

    title: str
    table: Table


class Finding(ABC):
    """The answer of one analysis."""

    analysis: str
    """Its name on the command line."""
    notes: tuple[str, ...]

    @abstractmethod
    def sheets(self, digits: int = 4) -> list[Sheet]:
        """Tables to be shown."""

    @abstractmethod
    def records(self) -> Iterator[Record]:
        """One row for each number, in a few columns, for programs that read tables."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Plain lists, dicts and numbers; what is not defined is None, what is infinite the word "inf"."""

    def charts(self) -> dict[str, Chart]:
        """The charts of it, by name; some have none."""
        return {}

    def lines(self) -> list[str]:
        """What is said in a sentence below the tables."""
        return []

    def to_json(self, *, indent: int | None = 2) -> str:
        """The text of `to_dict` as JSON."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False, allow_nan=False)

    def __repr__(self) -> str:
        parts = [f"{sheet.title}\n{sheet.table.to_text()}" for sheet in self.sheets()]
        talk = [*self.lines(), *(f"note: {note}" for note in self.notes)]
        return "\n\n".join([*parts, *(["\n".join(talk)] if talk else [])])

    def _repr_html_(self) -> str:
        from html import escape

        parts = [f"<p>{escape(sheet.title)}</p>{sheet.table.to_html()}" for sheet in self.sheets()]
        return "".join([*parts, *(f"<p>{escape(line)}</p>" for line in (*self.lines(), *self.notes))])


def matrix_sheet(
    title: str,
    corner: str,
    names: Sequence[str],
    matrix: FloatArray,
    digits: int,
    columns: Sequence[str] = (),
) -> Sheet:
    """A matrix with the names of its rows and of its columns (the same, unless given)."""
    heads = [printable(name) for name in names]
    across = [printable(name) for name in columns] or heads
    lines = [
        [name, *(shown(value, digits) for value in row)]
        for name, row in zip(heads, matrix.tolist(), strict=True)
    ]
    return Sheet(title, Table((corner, *across), lines))


def shown(value: float, digits: int) -> str:
    """A number for people: very big and very small ones keep `digits` significant digits."""
    if math.isnan(value):
        return UNDEFINED
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    size = abs(value)
    if size and digits and not 10.0 ** (1 - digits) <= size < 1e6:
        return f"{value:.{max(1, digits - 1)}g}"
    return f"{value:.{digits}f}"


def plain(content: Any) -> Any:
    """Numbers as JSON has them."""
    if isinstance(content, Mapping):
        return {name: plain(value) for name, value in content.items()}
    if isinstance(content, np.ndarray):
        return plain(content.tolist())
    if isinstance(content, list | tuple):
        return [plain(value) for value in content]
    if isinstance(content, float):
        if math.isnan(content):
            return None
        if math.isinf(content):
            return "inf" if content > 0 else "-inf"
    return content
