"""Numbers of one ranking, checked: one finite number for each item."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any

import numpy as np
import numpy.typing as npt

from rankscope.classes.labels import as_float
from rankscope.errors import input_error

__all__ = ["FloatArray", "numbers", "numbers_alike"]

FloatArray = npt.NDArray[np.float64]


def numbers(given: Any, name: str) -> FloatArray:
    """A list or an array of finite numbers; `name` is what an error calls it."""
    if isinstance(given, Mapping | Set):
        raise input_error("array-values", source=name, reason=f"a {type(given).__name__} has no order")
    entries = list(given) if isinstance(given, Iterable) and not hasattr(given, "__array__") else given
    try:
        array = np.asarray(entries)
    except ValueError as error:  # rows of different lengths
        raise input_error("array-values", source=name, reason=str(error)) from error
    if array.ndim != 1:
        raise input_error("array-shape", source=name, what=f"{array.ndim} dimensions", expected="one")
    if array.dtype.kind == "O" and not any(entry is None or isinstance(entry, str) for entry in array):
        array = np.array([as_float(entry) for entry in array])  # fractions, decimals, large whole numbers
    if array.dtype.kind not in "biuf":
        raise input_error("array-values", source=name, reason=f"its type is {array.dtype}")
    values = array.astype(np.float64)
    bad = ~np.isfinite(values)
    if bad.any():
        first = int(np.argmax(bad))
        raise input_error("not-finite", source=name, row=first + 1, field="value", text=f"{values[first]:g}")
    return values


def numbers_alike(first: Any, second: Any, names: tuple[str, str]) -> tuple[FloatArray, FloatArray]:
    """Two lists of numbers about the same items."""
    one, other = numbers(first, names[0]), numbers(second, names[1])
    if len(one) != len(other):
        raise input_error("lengths", source=names[1], found=len(other), other=names[0], expected=len(one))
    return one, other
