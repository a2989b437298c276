"""The distance from the query's class to the others, from whatever says it."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankscope.classes.labels import Label, as_float, class_of, listed, shown
from rankscope.classes.taxonomy import Taxonomy
from rankscope.errors import InputError, input_error, nearest
from rankscope.measures.segments import FloatArray

__all__ = ["ClassDistance", "finite"]

Rows = dict[Label, dict[Label, float]]
ANY: Label = None
"""Stands for the query's class where the distances are those from it, whatever it is."""


@dataclass(frozen=True, eq=False)
class ClassDistance:
    """The class distance d(query's class, class); only differences within a row ever matter.

    A class is at distance 0 from itself unless something else is said.

    >>> distance = ClassDistance.of({"b": {"c": 1, "t": 6}})
    >>> distance.row("b", ["b", "t", "c"])
    array([0., 6., 1.])
    """

    rows: Rows | None
    """From class to class; None if a function says it."""
    function: Callable[[Any, Any], Any] | None = None
    source: str = "the class distance"

    @classmethod
    def of(cls, given: Any, *, classes: Iterable[Any] | None = None) -> ClassDistance:
        """From a mapping, a matrix, a data frame, a callable, a taxonomy or a file.

        - a mapping of class to its distance from the query's class, of class to such a mapping, or of pairs
          (from, to);
        - a square matrix, with the names of its `classes`;
        - a data frame or a file (CSV or white space): a matrix with the names of the classes on top and in
          the first column, or a table with the columns from, to and distance, or class and distance;
        - a callable, of the query's class and the other one; `Taxonomy` is such a callable.
        """
        if classes is not None:
            return cls(_matrix(given, classes))
        if isinstance(given, ClassDistance):
            return given
        if isinstance(given, Mapping):
            return cls(_mapping(given))
        if isinstance(given, str | os.PathLike):
            from rankscope.classes.files import distance_rows

            return cls(*distance_rows(os.fsdecode(given)))
        if callable(given):
            return cls(None, given, getattr(given, "source", "the class distance"))
        from rankscope.data.frames import is_frame

        if is_frame(given):
            from rankscope.classes.frames import distance_columns

            return cls(distance_columns(given))
        if isinstance(given, np.ndarray | list | tuple):
            raise input_error("matrix-names", source="the class distance")
        raise input_error("class-distance-type", found=type(given).__name__)

    @classmethod
    def of_order(cls, order: Iterable[Any]) -> ClassDistance:
        """From the desired order of the classes: distances 0, 1, 2, ...; those in a group are equally far.

        >>> ClassDistance.of_order(["b", ["c", "g"], "t"]).row(None, ["t", "g", "c"])
        array([2., 1., 1.])
        """
        row: dict[Label, float] = {}
        for step, entry in enumerate(listed(order)):
            for label in entry if isinstance(entry, list | tuple | Set) else [entry]:
                if class_of(label) in row:
                    raise input_error("class-twice", source="the order of classes", label=shown(label))
                row[class_of(label)] = float(step)
        return cls({ANY: row}, source="the order of classes")

    @classmethod
    def chosen(cls, distance: Any, order: Any, classes: Iterable[Any] | None = None) -> ClassDistance:
        """From a distance or an order, whichever is given."""
        if (distance is None) == (order is None):
            raise input_error("distance-and-order" if order is not None else "no-distance-of-classes")
        return cls.of_order(order) if distance is None else cls.of(distance, classes=classes)

    @property
    def needs_query_class(self) -> bool:
        return self.rows is None or ANY not in self.rows

    def row(self, query_class: Any, labels: Sequence[Any]) -> FloatArray:
        """The distance from the query's class to each of these."""
        if self.needs_query_class and query_class is None and not self._takes_none:
            raise input_error("no-query-class", source=self.source)
        if self.function is not None:
            values = [finite(self.function(query_class, label), label, self.source) for label in labels]
        else:
            values = self._looked_up(query_class, labels)
        return np.array(values, np.float64)

    def varied(self, query_class: Any, label: Any, value: float) -> ClassDistance:
        """The same with another distance between two classes."""
        changed, start, end = finite(value, label, self.source), class_of(query_class), class_of(label)

        def function(source: Any, target: Any) -> float:
            if (class_of(source), class_of(target)) == (start, end):
                return changed
            return float(self.row(source, [target])[0])

        return ClassDistance(None, function, self.source)

    @property
    def _takes_none(self) -> bool:
        return self.function is not None and not isinstance(self.function, Taxonomy)

    def _looked_up(self, query_class: Any, labels: Sequence[Any]) -> list[float]:
        rows = self.rows or {}
        start = ANY if ANY in rows else class_of(query_class)
        own = None if query_class is None else class_of(query_class)
        row = rows.get(start, {})
        values = [row.get(label, math.nan) for label in map(class_of, labels)]
        for number, (label, value) in enumerate(zip(labels, values, strict=True)):
            if math.isnan(value):
                if class_of(label) != own:
                    raise self._unknown(start, class_of(label))
                values[number] = 0.0
        return values

    def _unknown(self, start: Label, label: Label) -> InputError:
        rows = self.rows or {}
        row = rows.get(start, {})
        asked, among = (label, row) if start in rows else (start, rows)
        close = nearest(str(asked), map(str, among))
        hint = f"did you mean {' or '.join(close)}?" if close else ""
        if start in rows.get(label, {}):
            hint = (
                f"there is one from '{shown(label)}' to '{shown(start)}', but it is the other way that counts"
            )
        origin = "" if start is ANY else f" from '{shown(start)}'"
        return input_error(
            "no-class-distance", source=self.source, label=shown(label), origin=origin, hint=hint
        )


def finite(value: Any, label: Any, source: str, line: int = 0) -> float:
    """A distance as a number; an error that names its class if it is none."""
    number = as_float(value)
    if not math.isfinite(number):
        text = value.item() if isinstance(value, np.generic) else value
        raise input_error("class-distance-value", source=source, line=line, label=shown(label), text=text)
    return number


def _mapping(given: Mapping[Any, Any]) -> Rows:
    source = "the class distance"
    if given and all(isinstance(value, Mapping) for value in given.values()):
        return {class_of(start): _row(row, source) for start, row in given.items()}
    if given and all(isinstance(key, tuple) and len(key) == 2 for key in given):
        rows: Rows = {}
        for (start, end), value in given.items():
            _put(rows.setdefault(class_of(start), {}), end, value, source)
        return rows
    return {ANY: _row(given, source)}


def _row(given: Mapping[Any, Any], source: str) -> dict[Label, float]:
    row: dict[Label, float] = {}
    for label, value in given.items():
        _put(row, label, value, source)
    return row


def _put(row: dict[Label, float], label: Any, value: Any, source: str) -> None:
    """A distance into its row; 1 and "1" are the same class, and so may not differ."""
    number = finite(value, label, source)
    if row.setdefault(class_of(label), number) != number:
        raise input_error("class-distance-twice", source=source, label=shown(label))


def _matrix(given: Any, classes: Iterable[Any]) -> Rows:
    names = [class_of(label) for label in listed(classes)]
    source = "the class distance"
    try:
        matrix = np.asarray(given, np.float64)
    except (TypeError, ValueError) as error:
        raise input_error("array-values", source=source, reason=str(error)) from error
    if matrix.shape != (len(names), len(names)):
        raise input_error("matrix-shape", source=source, shape=matrix.shape, count=len(names))
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise input_error("class-twice", source=source, label=shown(twice))
    for start, end in np.argwhere(~np.isfinite(matrix)).tolist():
        finite(matrix[start, end], names[end], source)
    return {
        name: dict(zip(names, row, strict=True)) for name, row in zip(names, matrix.tolist(), strict=True)
    }
