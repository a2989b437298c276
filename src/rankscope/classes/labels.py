"""Class labels: what counts as the same class, and labels as numbers."""

from __future__ import annotations

import math
import operator
from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from typing import Any, SupportsFloat, SupportsIndex

import numpy as np

from rankscope.errors import input_error, printable
from rankscope.measures.segments import IntArray

__all__ = ["Label", "as_float", "class_of", "encoded", "listed", "shown"]

Label = Hashable


def class_of(label: Any) -> Label:
    """The class that a label names: whole numbers and text alike are text, as all ids are.

    >>> class_of(1) == class_of("1")
    True
    """
    if isinstance(label, str):
        return str(label)
    if isinstance(label, bytes):
        return label.decode("utf-8", "surrogateescape")
    if type(label) is int:  # at once, as asking for a protocol takes long
        return str(label)
    if isinstance(label, SupportsIndex) and not isinstance(label, bool):
        return str(operator.index(label))
    if label is None or not isinstance(label, Hashable) or label != label:  # NaN is no label
        raise input_error("class-label", text=repr(label), found=type(label).__name__)
    return label


def encoded(labels: Any) -> tuple[list[Label], IntArray]:
    """The classes, and the number of the class at each position."""
    if isinstance(labels, np.ndarray) and labels.ndim == 1 and labels.dtype.kind in "iuUS":
        return _encoded_array(labels)
    given = listed(labels)
    try:
        distinct = dict.fromkeys(given)
    except TypeError:
        distinct = dict.fromkeys(class_of(label) for label in given)
    classes: dict[Label, int] = {}
    code = {label: classes.setdefault(class_of(label), len(classes)) for label in distinct}
    return list(classes), np.fromiter((code[label] for label in given), np.int64, len(given))


def listed(labels: Any) -> Sequence[Any]:
    """Labels as a sequence; one text, a mapping or a set has no order of positions."""
    dimensions = getattr(labels, "ndim", 1)
    if dimensions != 1:
        raise input_error("ranking-of-classes", found=f"{type(labels).__name__} in {dimensions} dimensions")
    if isinstance(labels, str | bytes | Mapping | Set) or not isinstance(labels, Iterable):
        raise input_error("ranking-of-classes", found=type(labels).__name__)
    if hasattr(labels, "to_pylist"):  # what iterates over an Arrow array are its own scalars
        return list(labels.to_pylist())
    return labels if isinstance(labels, list | tuple) else list(labels)


def as_float(value: Any) -> float:
    """A number of any kind as a float; NaN for what is none, and for what is too large."""
    if isinstance(value, bool | str | bytes) or not isinstance(value, SupportsFloat | SupportsIndex):
        return math.nan
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def shown(label: object) -> str:
    """A label as it may be shown."""
    return printable(str(label))


def _encoded_array(labels: Any) -> tuple[list[Label], IntArray]:
    """The same of an array, whose classes come in ascending order."""
    if labels.dtype.kind == "i" and labels.size:
        lowest = int(labels.min())
        span = int(labels.max()) - lowest + 1
        if span <= 2 * labels.size:  # so few numbers that a table of all of them needs no sorting
            present = np.zeros(span, np.bool_)
            present[labels - lowest] = True
            code = np.cumsum(present) - 1
            return [class_of(n + lowest) for n in np.flatnonzero(present).tolist()], code[labels - lowest]
    distinct, code = np.unique(labels, return_inverse=True)
    return [class_of(label) for label in distinct.tolist()], code
