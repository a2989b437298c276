"""Rankings from a file: a list of labels on each line, and how much it counts."""

from __future__ import annotations

import os

import numpy as np

from rankscope.data.files import InputFile
from rankscope.errors import InputError, printable
from rankscope.study.populations import Rankings

__all__ = ["read_rankings"]

EXPECTED = (
    "labels with spaces or commas between them, best first, and perhaps a colon and a weight: 4 3 1 2 : 5"
)


def read_rankings(path: str | os.PathLike[str]) -> Rankings:
    """The rankings in a file (``-`` is standard input): on each line the labels of the items, best first.

    After a colon may follow a weight; without one it is 1. Empty lines and lines that start with # are not
    read.
    """
    file = InputFile(os.fsdecode(path))
    lists: list[list[int]] = []
    weights: list[float] = []
    for number, line in enumerate(file.read().decode("utf-8-sig", "backslashreplace").splitlines(), 1):
        text = line.strip()
        if text and not text.startswith("#"):
            labels, colon, weight = text.partition(":")
            lists.append(_labels(labels, file.label, number))
            weights.append(_weight(weight, file.label, number) if colon else 1)
            if len(lists[-1]) != len(lists[0]):
                raise _refused(
                    f"{len(lists[-1])} labels, where the first list has {len(lists[0])}", file.label, number
                )
    if not lists:
        raise _refused("no ranking in it", file.label, 0)
    alike = all(weight == 1 for weight in weights)
    whole = all(float(weight).is_integer() for weight in weights)
    return Rankings(lists, None if alike else np.array(weights, np.int64 if whole else np.float64))


def _labels(text: str, label: str, line: int) -> list[int]:
    try:
        return [int(word) for word in text.replace(",", " ").split()]
    except ValueError as error:
        raise _refused("a label that is not a whole number", label, line) from error


def _weight(text: str, label: str, line: int) -> float:
    try:
        weight = float(text)
    except ValueError:
        weight = np.nan
    if not 0 <= weight < 2**53:
        raise _refused(f"weight '{printable(text.strip())}' is not a number from 0 up", label, line)
    return weight


def _refused(what: str, label: str, line: int) -> InputError:
    where = f"{printable(label)}:{line}" if line else printable(label)
    return InputError(what, code="rankings-file", where=where, expected=EXPECTED)
