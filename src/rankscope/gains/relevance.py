"""What makes a ranking of categories one of numbers: the relevance of each category."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from rankscope.classes.files import pairs_of_file
from rankscope.classes.labels import as_float, class_of, listed, shown
from rankscope.errors import input_error, nearest
from rankscope.gains.values import FloatArray, numbers

__all__ = ["Relevance", "relevance_table", "relevances_of"]

Relevance = Mapping[Any, float] | Callable[[Any], float] | str | os.PathLike[str] | None

SOURCE = "the relevance of categories"
NAMES = {
    "category": ("category", "class", "label", "genre", "item", "name"),
    "relevance": ("relevance", "grade", "rel", "value", "score"),
}


def relevances_of(ranking: Any, relevance: Any = None) -> FloatArray:
    """The relevance of each entry of a ranking, best first.

    Without `relevance` the entries are relevances themselves. It may be a mapping of category to number, a
    callable, a data frame with columns for both, or the path of a file with both on each line.

    >>> relevances_of(["drama", "action"], {"action": 3, "drama": 0}).tolist()
    [0.0, 3.0]
    """
    if relevance is None:
        return numbers(ranking, "the ranking")
    entries = listed(ranking)
    if callable(relevance):
        return _filled((_number(relevance(entry), entry, SOURCE) for entry in entries), len(entries))
    known = relevance_table(relevance)
    return _filled((_found(known, entry) for entry in entries), len(entries))


def _filled(values: Iterator[float], count: int) -> FloatArray:
    return np.fromiter(values, np.float64, count)


def _found(known: Mapping[Any, float], entry: Any) -> float:
    label = class_of(entry)
    if label not in known:
        close = nearest(shown(label), [name for name in known if isinstance(name, str)], count=1)
        hint = f"did you mean {close[0]}?" if close else ""
        raise input_error("no-relevance", source=SOURCE, label=shown(label), hint=hint)
    return known[label]


def relevance_table(given: Any) -> dict[Any, float]:
    """Category -> relevance."""
    if isinstance(given, str | os.PathLike):
        source, rows = pairs_of_file(os.fsdecode(given), NAMES)
        return _collected(((label, _parsed(text), line) for label, text, line in rows), source)
    if isinstance(given, Mapping):
        return _collected(((label, value, 0) for label, value in given.items()), SOURCE)
    from rankscope.data.frames import is_frame

    if not is_frame(given):
        raise input_error("relevance-type", source=SOURCE, found=type(given).__name__)
    from rankscope.classes.frames import columns_named

    labels, values = columns_named(given, NAMES, SOURCE)
    return _collected(((label, value, 0) for label, value in zip(labels, values, strict=True)), SOURCE)


def _collected(rows: Iterable[tuple[Any, Any, int]], source: str) -> dict[Any, float]:
    found: dict[Any, float] = {}
    for given, value, line in rows:
        label, relevance = class_of(given), _number(value, given, source, line)
        if found.setdefault(label, relevance) != relevance:
            raise input_error("relevance-twice", source=source, line=line, label=shown(label))
    return found


def _parsed(text: str) -> float | str:
    try:
        return text if "_" in text else float(text)
    except ValueError:
        return text


def _number(value: Any, label: Any, source: str, line: int = 0) -> float:
    number = as_float(value)
    if not math.isfinite(number):
        raise input_error("relevance-value", source=source, line=line, label=shown(label), text=value)
    return number
