"""Items of any type under the names by which they are compared."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any, SupportsIndex

from rankscope.errors import InputError, printable

__all__ = ["Key", "distinct", "named"]

Key = Callable[[Any], object]
"""Gives an item the name that it is compared by: text, or a whole number, which is the same as its digits."""


def named(items: Iterable[Any], key: Key | None, where: str) -> list[str]:
    """The names of the items, in their order."""
    if isinstance(items, str | bytes | Mapping) or not isinstance(items, Iterable):
        raise InputError(
            f"something of type {type(items).__name__}, where items are listed",
            code="items-type",
            where=where,
            expected="a list or a set of items",
        )
    return [_name(item if key is None else key(item), key, where) for item in items]


def distinct(items: Iterable[Any], key: Key | None, where: str) -> tuple[set[str], int]:
    """The names of a set of items, and how many were given more than once."""
    names = named(items, key, where)
    found = set(names)
    return found, len(names) - len(found)


def _name(given: Any, key: Key | None, where: str) -> str:
    if isinstance(given, str):
        return given
    if isinstance(given, bytes):
        return given.decode("utf-8", "surrogateescape")
    if isinstance(given, SupportsIndex) and not isinstance(given, bool):
        return str(operator.index(given))
    what = "an item" if key is None else "what key gives for an item"
    raise InputError(
        f"{what} is of type {type(given).__name__}: {printable(repr(given))[:80]}",
        code="id-type",
        where=where,
        expected="text or a whole number",
        hint="key=, a function that gives each item its name",
    )
