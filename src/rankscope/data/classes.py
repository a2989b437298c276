"""Classes: a truth that says of which class each item and each query is, and how far the classes are."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from rankscope.classes.distances import ClassDistance
from rankscope.classes.files import pairs_of_file
from rankscope.classes.frames import LABEL_NAMES, columns_named
from rankscope.classes.labels import Label, class_of
from rankscope.data.frames import ITEM_NAMES, QUERY_NAMES, is_frame
from rankscope.data.ids import Ids
from rankscope.data.judgments import Judgments
from rankscope.errors import input_error
from rankscope.measures.classed import Database
from rankscope.measures.segments import IntArray

__all__ = ["Classes"]

Pairs = Iterable[tuple[Any, Any, int]]


class Classes(Judgments):
    """The class of every item of a database and of each query, and a distance between classes.

    `labels` and `query_classes` are a mapping of id to label, a data frame (item, label; query, label) or a
    file with an id and a label on each line. The distance is as `rankscope.classi` takes it, or `order` the
    desired order of the classes.

    >>> classes = Classes({"x": "b", "y": "t", "z": "c"}, {"q1": "b"}, {"c": 1, "t": 6})
    >>> from rankscope import evaluate
    >>> evaluate(classes, {"q1": ["x", "y", "z"]}, "ClasSi")["ClasSi"]
    0.16666666666666663
    """

    kind: ClassVar[str] = "classes"

    classes: Sequence[Label]
    """The classes of the items."""
    counts: IntArray
    """By class: how many items it has."""
    query_classes: Sequence[Label]
    """The classes of the queries, each once."""
    query_class: IntArray
    """By query: the number of its class."""
    distance: ClassDistance

    def __init__(
        self,
        labels: Any,
        query_classes: Any,
        distance: Any = None,
        *,
        order: Any = None,
        classes: Iterable[Any] | None = None,
        name: str = "classes",
    ) -> None:
        table = ClassDistance.chosen(distance, order, classes)
        items = _Coded.of(labels, "item", ITEM_NAMES)
        queries = _Coded.of(query_classes, "query", QUERY_NAMES)
        super().__init__(
            queries=Ids.of(queries.code_of),
            offsets=np.zeros(len(queries.code_of) + 1, np.int64),
            items=Ids.of([]),
            grades=np.zeros(0),
            name=name,
            integer_queries=queries.integers,
            integer_items=items.integers,
        )
        own = {
            "classes": items.classes,
            "counts": np.bincount(list(items.code_of.values()), minlength=len(items.classes)),
            "query_classes": queries.classes,
            "query_class": np.array(list(queries.code_of.values()), np.int64),
            "distance": table,
            "_code_of": items.code_of,
        }
        for attribute, value in own.items():
            object.__setattr__(self, attribute, value)

    _code_of: dict[str, int]

    @property
    def size(self) -> int:
        """How many items have a label."""
        return len(self._code_of)

    def labels_of(self, items: Iterable[str]) -> IntArray:
        """The number of the class of each item; -1 for one that has no label."""
        return np.array([self._code_of.get(item, -1) for item in items], np.int64)

    def database(self, query_class: int) -> Database:
        """All items as they look from one of the classes of the queries, by its number."""
        return self.remember(
            ("database", query_class),
            lambda: Database(self.distance.row(self.query_classes[query_class], self.classes), self.counts),
        )

    def __repr__(self) -> str:
        sizes = f"{self.size} items in {len(self.classes)} classes, {len(self)} queries"
        return f"<Classes '{self.name}': {sizes}>"


class _Coded:
    """Ids and the number of the class of each."""

    def __init__(self, code_of: dict[str, int], classes: list[Label], *, integers: bool) -> None:
        self.code_of = code_of
        self.classes = classes
        self.integers = integers

    @classmethod
    def of(cls, given: Any, field: str, names: Sequence[str]) -> _Coded:
        source, pairs = _pairs(given, field, names)
        number: dict[Label, int] = {}
        classes: dict[Label, int] = {}
        code_of: dict[str, int] = {}
        integers = False
        for given_id, label, line in pairs:
            if not isinstance(given_id, str):
                integers, given_id = True, _id(given_id, field, source)
            code = number.get(label) if isinstance(label, Hashable) else None
            if code is None:
                code = classes.setdefault(class_of(label), len(classes))
                number[label] = code
            if code_of.setdefault(given_id, code) != code:
                raise input_error("label-twice", source=source, line=line, field=field, id=given_id)
        if not code_of:
            raise input_error("no-labels", source=source, field=field)
        return cls(code_of, list(classes), integers=integers)


def _pairs(given: Any, field: str, names: Sequence[str]) -> tuple[str, Pairs]:
    """Where the pairs of id and label are from, and the pairs with their lines; line 0 is none."""
    wanted = {field: names, "label": LABEL_NAMES}
    if isinstance(given, str | os.PathLike):
        return pairs_of_file(os.fsdecode(given), wanted)
    source = f"the classes of the {'items' if field == 'item' else 'queries'}"
    if isinstance(given, Mapping):
        return source, ((key, label, 0) for key, label in given.items())
    if is_frame(given):
        ids, labels = columns_named(given, wanted, source)
        return source, ((key, label, 0) for key, label in zip(ids, labels, strict=True))
    raise input_error("labels-type", source=source, field=field, found=type(given).__name__)


def _id(given: Any, field: str, source: str) -> str:
    found = class_of(given)
    if not isinstance(found, str):
        raise input_error(
            "id-type", source=source, field=f"{field} id", text=repr(given), found=type(given).__name__
        )
    return found
