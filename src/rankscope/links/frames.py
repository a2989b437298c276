"""Columns that become a data frame of any library, or CSV."""

from __future__ import annotations

import csv
import io
import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rankscope.errors import package

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

__all__ = ["Columns", "csv_text"]

Cells = Sequence[str] | np.ndarray[Any, np.dtype[Any]]


class Columns(ABC):
    """What has columns of equal length, and so is a table."""

    @abstractmethod
    def columns(self) -> dict[str, Cells]:
        """The columns by name; NaN where there is no value."""

    def to_pandas(self) -> pd.DataFrame:
        """The columns as a frame of pandas."""
        frame: pd.DataFrame = package("pandas").DataFrame(self.columns())
        return frame

    def to_polars(self) -> pl.DataFrame:
        """The columns as a frame of polars; what is not defined is null."""
        polars = package("polars")
        series = [polars.Series(name, cells, nan_to_null=True) for name, cells in self.columns().items()]
        frame: pl.DataFrame = polars.DataFrame(series)
        return frame

    def to_arrow(self) -> pa.Table:
        """The columns as a table of Arrow; what is not defined is null."""
        arrow = package("pyarrow")
        columns = {name: arrow.array(cells, from_pandas=True) for name, cells in self.columns().items()}
        table: pa.Table = arrow.table(columns)
        return table

    def to_csv(self) -> str:
        """A header and a line for each row; empty where there is no value."""
        columns = self.columns()
        cells = [c.tolist() if isinstance(c, np.ndarray) else c for c in columns.values()]
        return csv_text(list(columns), zip(*cells, strict=True))


def csv_text(header: Sequence[str], lines: Any) -> str:
    """Lines of cells as CSV, where NaN and None are empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([_cell(cell) for cell in line] for line in lines)
    return text.getvalue()


def _cell(cell: object) -> object:
    return "" if cell is None or (isinstance(cell, float) and math.isnan(cell)) else cell
