"""Requests that cannot be met, and how that is said."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any, SupportsIndex

from rankscope.errors import InputError

__all__ = ["listed", "refused", "share", "whole_number"]


def refused(what: str, expected: str, code: str = "study-request", hint: str = "") -> InputError:
    """The error of a request that does not make sense."""
    return InputError(what, code=code, where="study", expected=expected, hint=hint)


def whole_number(name: str, given: object, *, least: int, most: int = 2**62) -> int:
    """A whole number in its bounds."""
    if isinstance(given, bool) or not isinstance(given, SupportsIndex):
        raise refused(f"{name}={given!r}", f"{name}= a whole number from {least} up")
    number = operator.index(given)
    if not least <= number <= most:
        bounds = f"from {least} up" if number < least else f"up to {most}"
        raise refused(f"{name}={number}", f"{name}= a whole number {bounds}")
    return number


def listed(name: str, given: object) -> list[Any]:
    """Several of something, rather than one or a text."""
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise refused(f"{name}={given!r}", f"{name}= a list")
    return list(given)


def share(name: str, given: object) -> float:
    """A number between 0 and 1, neither of them included."""
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 < given < 1:
        raise refused(f"{name}={given!r}", f"{name}= a number between 0 and 1")
    return float(given)
