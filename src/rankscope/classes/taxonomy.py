"""Taxonomies: trees of classes, whose distance is the way from one to the other."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args

from rankscope.classes.labels import Label, class_of, shown
from rankscope.errors import InputError, PolicyError, input_error, nearest

__all__ = ["Steps", "Taxonomy"]

Steps = Literal["path", "up"]


class Taxonomy:
    """A tree of classes, each with its parent; as a distance, the number of edges between two classes.

    `steps="path"` counts the edges on the way through their lowest common ancestor, `steps="up"` only those
    from the query's class up to it.

    >>> apes = Taxonomy({"bonobo": "ape", "chimpanzee": "ape", "ape": "mammal", "tiger": "mammal"})
    >>> apes("bonobo", "chimpanzee"), apes("bonobo", "tiger")
    (2.0, 3.0)
    >>> Taxonomy(apes, steps="up")("bonobo", "tiger")
    2.0
    """

    def __init__(self, parents: Any, *, steps: Steps = "path", source: str = "the taxonomy") -> None:
        """From a mapping of child to parent, pairs (child, parent), a data frame, a file or a taxonomy.

        The root has no parent: it is no child, or its parent is empty.
        """
        if steps not in get_args(Steps):
            raise PolicyError(
                f"steps={steps} is not a way to count",
                code="unknown-steps",
                expected=f"steps= one of {', '.join(get_args(Steps))}",
            )
        self.steps = steps
        self.source: str = parents.source if isinstance(parents, Taxonomy) else source
        self._distances: dict[Label, dict[Label, int]] = {}
        """From the query's class that was asked for last: what lies below a class is found from there."""
        if isinstance(parents, Taxonomy):
            self.parents: dict[Label, Label | None] = parents.parents
        else:
            self.parents = self._read(parents)
            self._check_tree()

    @property
    def root(self) -> Label:
        return next(label for label, parent in self.parents.items() if parent is None)

    def __contains__(self, label: object) -> bool:
        return class_of(label) in self.parents

    def __call__(self, query_class: Any, label: Any) -> float:
        """The distance from the query's class to another."""
        start, end = self._known(query_class), self._known(label)
        if start not in self._distances:
            way = self.ancestors(start)
            self._distances = {start: {ancestor: steps for steps, ancestor in enumerate(way)}}
        found = self._distances[start]
        down: list[Label] = []
        at = end
        while at not in found:
            down.append(at)
            at = self.parents[at]
        for below in reversed(down):
            found[below] = found[self.parents[below]] + (self.steps == "path")
        return float(found[end])

    def ancestors(self, label: Any) -> tuple[Label, ...]:
        """The class, its parent, and so on up to the root."""
        way = [self._known(label)]
        while (parent := self.parents[way[-1]]) is not None:
            way.append(parent)
        return tuple(way)

    def _known(self, label: Any) -> Label:
        found = class_of(label)
        if found not in self.parents:
            raise self._unknown(found)
        return found

    def _read(self, given: Any) -> dict[Label, Label | None]:
        parents: dict[Label, Label | None] = {}
        for child, parent, line in self._pairs(given):
            own, above = class_of(child), None if parent is None or parent == "" else class_of(parent)
            if own == above:
                raise self._error("taxonomy-cycle", line=line, cycle=f"'{shown(own)}' is its own parent")
            if parents.get(own, above) != above:
                raise self._error(
                    "taxonomy-parents",
                    line=line,
                    label=shown(own),
                    first=shown(parents[own]),
                    second=shown(above),
                )
            parents[own] = above
        for above in [p for p in parents.values() if p is not None]:
            parents.setdefault(above, None)
        return parents

    def _pairs(self, given: Any) -> Iterable[tuple[Any, Any, int]]:
        """(child, parent, line) of every edge; line 0 is none."""
        if isinstance(given, str | os.PathLike):
            from rankscope.classes.files import taxonomy_rows

            self.source, rows = taxonomy_rows(os.fsdecode(given))
            return rows
        if isinstance(given, Mapping):
            return ((child, parent, 0) for child, parent in given.items())
        from rankscope.data.frames import is_frame

        if is_frame(given):
            from rankscope.classes.frames import taxonomy_columns

            return ((child, parent, 0) for child, parent in taxonomy_columns(given))
        return self._pairs_of_list(given)

    def _pairs_of_list(self, given: Any) -> Iterable[tuple[Any, Any, int]]:
        if not isinstance(given, Iterable):
            raise self._error("taxonomy-type", found=type(given).__name__)
        for pair in given:
            if isinstance(pair, str | bytes) or not isinstance(pair, list | tuple) or len(pair) != 2:
                raise self._error("taxonomy-type", found=f"list, with {pair!r} in it,")
            yield pair[0], pair[1], 0

    def _check_tree(self) -> None:
        """One root, from which every class hangs."""
        if not self.parents:
            raise self._error("taxonomy-empty")
        safe: set[Label] = set()
        for start in self.parents:
            way: dict[Label, None] = {}
            at: Label | None = start
            while at is not None and at not in safe:
                if at in way:
                    names = [*way][[*way].index(at) :]
                    cycle = " -> ".join(f"'{shown(name)}'" for name in [*names[:5], at])
                    raise self._error("taxonomy-cycle", cycle=cycle)
                way[at] = None
                at = self.parents[at]
            safe.update(way)
        roots = [label for label, parent in self.parents.items() if parent is None]
        if len(roots) > 1:
            some = ", ".join(f"'{shown(root)}'" for root in roots[:5])
            raise self._error("taxonomy-roots", count=len(roots), roots=some)

    def _unknown(self, label: Label) -> InputError:
        close = nearest(str(label), map(str, self.parents))
        hint = f"did you mean {' or '.join(close)}?" if close else "add it with its parent"
        return self._error("taxonomy-label", label=shown(label), hint=hint)

    def _error(self, code: str, **facts: Any) -> InputError:
        return input_error(code, source=self.source, **facts)
