"""All measures by name: the built-in ones, those of installed plugins, and those declared on the way.

A built-in one is in a file of its name, in lower case, in one of the folders beside this file; it is imported
when it is asked for. Where no file has the name (it may be an alias) all are, then plugins are looked for:
what is not used costs nothing.
"""

from __future__ import annotations

import pkgutil
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Literal

from rankscope.errors import MeasureError, PluginWarning, nearest
from rankscope.measures.plugins import load_plugins

if TYPE_CHECKING:
    from rankscope.measures.base import Measure

__all__ = ["REGISTRY", "Registry"]

PACKAGE = "rankscope.measures"


class Registry:
    """Measures by name and alias, regardless of case."""

    def __init__(self) -> None:
        self._by_name: dict[str, Measure] = {}
        self._by_alias: dict[str, Measure] = {}
        self._found = False
        self._plugins: Literal["not asked", "loading", "loaded"] = "not asked"
        self._finding = threading.RLock()
        self.problems: tuple[str, ...] = ()
        """What was wrong with plugins, a sentence each."""

    def add(self, measure: Measure) -> None:
        """Register a measure; its own module may define it anew, as a notebook cell does when run again.

        Plugins are not loaded here: the one that declares this measure may be half imported.
        """
        if not _is_builtin(measure):
            self._find()
        replaced = self._by_name.get(measure.name.casefold())
        if replaced is not None and not _may_replace(measure, replaced):
            raise _taken(measure.name, replaced)
        taken = {f: m for f, m in {**self._by_name, **self._by_alias}.items() if m is not replaced}
        for name in (measure.name, *measure.aliases):
            if name.casefold() in taken:
                raise _taken(name, taken[name.casefold()])
        self._by_alias = {f: m for f, m in self._by_alias.items() if m is not replaced}
        self._by_alias |= {alias.casefold(): measure for alias in measure.aliases}
        self._by_name[measure.name.casefold()] = measure

    def get(self, name: str) -> Measure | None:
        """The measure of that name or alias, at its defaults."""
        folded = name.casefold()
        if folded in self._modules:
            import_module(self._modules[folded])
        if folded not in self._by_name and folded not in self._by_alias:
            self._find()
        if folded not in self._by_name and folded not in self._by_alias:
            self._load_plugins()
        return self._by_name.get(folded) or self._by_alias.get(folded)

    def find(self, name: str) -> Measure:
        """The measure of that name or alias; an unknown name is answered with the nearest ones."""
        found = self.get(name)
        if found is None:
            close = nearest(name, [n for m in self.all() for n in (*m.aliases, m.name)])
            raise MeasureError(
                f"there is no measure '{name}'",
                code="unknown-measure",
                expected="" if close else f"one of {', '.join(m.name for m in self.all())}",
                hint=f"did you mean {' or '.join(close)}?" if close else "",
            )
        return found

    def all(self) -> list[Measure]:
        """Every measure, by name."""
        self._find()
        self._load_plugins()
        return [self._by_name[folded] for folded in sorted(self._by_name)]

    def _find(self) -> None:
        """Import every module of the folders of measures: to add a file is to add a measure."""
        if self._found:
            return
        with self._finding:
            for module in self._modules.values():
                import_module(module)
            self._found = True

    @cached_property
    def _modules(self) -> dict[str, str]:
        """The modules of built-in measures, by the last part of their names."""
        package = import_module(PACKAGE)
        folders = [f.name for f in pkgutil.iter_modules(package.__path__) if f.ispkg]
        return {
            module.name: f"{PACKAGE}.{folder}.{module.name}"
            for folder in folders
            for module in pkgutil.iter_modules([f"{path}/{folder}" for path in package.__path__])
        }

    def _load_plugins(self) -> None:
        if self._plugins == "loaded":
            return
        with self._finding:  # another thread waits here; a plugin that asks for measures itself does not
            if self._plugins != "not asked":
                return
            self._plugins = "loading"
            try:
                self.problems = load_plugins(self)
            except KeyboardInterrupt:
                self._plugins = "not asked"
                raise
            self._plugins = "loaded"
        for problem in self.problems:
            warnings.warn(problem, PluginWarning, stacklevel=3)

    @contextmanager
    def all_or_nothing(self) -> Iterator[None]:
        """Forget the measures that were added inside if it ends with an exception."""
        before = dict(self._by_name), dict(self._by_alias)
        try:
            yield
        except BaseException:
            self._by_name, self._by_alias = before
            raise


def _is_builtin(measure: Measure) -> bool:
    return measure.kernel.__module__.startswith(f"{PACKAGE}.")


def _may_replace(new: Measure, old: Measure) -> bool:
    return new.kernel.__module__ == old.kernel.__module__ and not _is_builtin(old)


def _taken(name: str, owner: Measure) -> MeasureError:
    return MeasureError(
        f"the name '{name}' belongs to {owner.name}",
        code="name-taken",
        expected="a name that no measure has, regardless of case",
    )


REGISTRY = Registry()
