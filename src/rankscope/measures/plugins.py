"""Measures of other packages: the modules that the entry points of a group name, imported one by one."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from rankscope.errors import printable

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from rankscope.measures.registry import Registry

__all__ = ["GROUP", "load_plugins"]

GROUP = "rankscope.measures"


def load_plugins(registry: Registry) -> tuple[str, ...]:
    """Import every plugin there is, which declares its measures; what is wrong with any, in sentences.

    A plugin that cannot be imported, or one of whose names is taken, adds nothing and harms nobody else.
    """
    from importlib.metadata import entry_points  # it costs more to import than most evaluations take

    try:
        found = sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value))
    except Exception as error:  # noqa: BLE001  (it reads the metadata of all packages, whatever their state)
        return (f"plugins could not be looked for: {_reason(error)}",)
    return tuple(problem for point in found if (problem := _problem_of(point, registry)))


def _problem_of(point: EntryPoint, registry: Registry) -> str:
    try:
        with registry.all_or_nothing():
            import_module(point.module)
    except (Exception, SystemExit) as error:  # noqa: BLE001  (a plugin may raise anything)
        return f"the plugin {_described(point)} was left out: {_reason(error)}"
    return ""


def _reason(error: BaseException) -> str:
    return f"{type(error).__name__}: {printable(' '.join(str(error).split()))}"


def _described(point: EntryPoint) -> str:
    package = f" of {point.dist.name} {point.dist.version}" if point.dist else ""
    return printable(f"'{point.name}'{package} ({point.value})")
