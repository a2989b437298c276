"""What can go wrong, and how it is said.

    RankscopeError
    ├── InputError          data that cannot be used            (also a ValueError)
    ├── MeasureError        a measure that does not exist       (also a ValueError)
    ├── PolicyError         a policy that does not exist        (also a ValueError)
    └── MissingDependency   an optional package is not there    (also an ImportError)

    PluginWarning           a plugin that was left out          (a UserWarning)

Every error says what was wrong, where, what was expected and what to try, and carries a stable code.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from importlib import import_module
from typing import Any

from rankscope.problems import PROBLEMS

__all__ = [
    "InputError",
    "MeasureError",
    "MissingDependency",
    "PluginWarning",
    "PolicyError",
    "RankscopeError",
    "nearest",
    "package",
    "printable",
]


class RankscopeError(Exception):
    """The base of everything Rankscope raises on purpose."""

    def __init__(self, what: str, *, code: str, where: str = "", expected: str = "", hint: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.code = code
        self.where = where
        self.expected = expected
        self.hint = hint

    def __str__(self) -> str:
        lines = [f"{self.where}: {self.what}" if self.where else self.what]
        if self.expected:
            lines.append(f"  expected: {self.expected}")
        if self.hint:
            lines.append(f"  try: {self.hint}")
        return "\n".join(lines)

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.what, self.code, self.where, self.expected, self.hint))


class InputError(RankscopeError, ValueError):
    """Data that cannot be used."""


class MeasureError(RankscopeError, ValueError):
    """A measure or one of its parameters that does not exist."""


class PolicyError(RankscopeError, ValueError):
    """A policy or one of its values that does not exist."""


class MissingDependency(RankscopeError, ImportError):
    """An optional package that this call needs."""


class PluginWarning(UserWarning):
    """A plugin that could not be loaded, or whose names are taken, and was left out."""


def _rebuild(
    kind: type[RankscopeError], what: str, code: str, where: str, expected: str, hint: str
) -> RankscopeError:
    return kind(what, code=code, where=where, expected=expected, hint=hint)


def printable(text: str) -> str:
    """An id as it may be shown: bytes that are not UTF-8 as ``\\xNN``, control characters escaped."""
    try:
        raw = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a lone surrogate that stands for no byte
        raw = text.encode("utf-8", "backslashreplace")
    shown = raw.decode("utf-8", "backslashreplace")
    if shown.isprintable():
        return shown
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in shown)


def nearest(name: str, known: Iterable[str], count: int = 3) -> list[str]:
    """The known names that a mistyped one most likely meant."""
    by_folded = {k.casefold(): k for k in known}
    return [by_folded[m] for m in difflib.get_close_matches(name.casefold(), by_folded, count, cutoff=0.5)]


def package(name: str, distribution: str = "") -> Any:
    """A module of an optional package, imported now; MissingDependency if it is not there.

    `distribution` is what pip calls the package, if that is another name.
    """
    try:
        return import_module(name)
    except ImportError as error:
        wanted = distribution or name.partition(".")[0]
        raise MissingDependency(
            f"{wanted} is not installed", code="missing-package", hint=f"pip install {wanted}"
        ) from error


def input_error(
    code: str, *, source: str = "", line: int = 0, column: int = 0, **facts: object
) -> InputError:
    """The error that a core found, in words: `source`, `line` and `column` say where it is.

    So do the facts `row`, `query` and `item`, unless the sentence itself has them.
    """
    problem = PROBLEMS[code]
    shown = {name: _shown(fact) for name, fact in facts.items()}
    where = ":".join(str(part) for part in (printable(source), line, column) if part)
    if "row" in shown:
        where += f", row {shown['row']}"
    for fact in ("query", "item"):
        if fact in shown and f"{{{fact}}}" not in problem.what:
            where += f", {fact} '{shown[fact]}'"
    return InputError(
        problem.what.format(**shown),
        code=code,
        where=where,
        expected=problem.expected.format(**shown),
        hint=problem.hint.format(**shown),
    )


def _shown(fact: object, limit: int = 200) -> str:
    """A fact in a sentence: numbers without a superfluous .0, ids printable, nothing longer than `limit`."""
    text = repr(fact).removesuffix(".0") if isinstance(fact, float) else printable(str(fact))
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
