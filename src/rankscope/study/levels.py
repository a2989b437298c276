"""The distinct values of a measure, where values that agree to 12 significant digits are one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["DIGITS", "Coder", "Levels", "levels_of"]

FloatArray = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int32]

DIGITS = 12
EQUAL = 10.0**-DIGITS
NOISE = 1e-14
"""What a sum that should be 0 may be off, as a share of the largest value."""


@dataclass(frozen=True, eq=False)
class Levels:
    """Of each list the number of its level, 0 for the worst; -1 where the measure is not defined."""

    level: Codes
    count: int
    """How many distinct values there are."""
    gap: float
    """The smallest distance of two of them, as a share of the bigger one; NaN if there is only one."""

    @property
    def defined(self) -> npt.NDArray[np.bool_]:
        return self.level >= 0


def levels_of(values: FloatArray) -> Levels:
    """The levels of values that are all there.

    >>> levels_of(np.array([0.3, 0.1 + 0.2, 0.5])).level.tolist()
    [0, 0, 1]
    """
    coder = Coder()
    coder.add(values)
    return coder.settled()


class Coder:
    """Numbers values as they come, block by block, and puts the numbers in order at the end.

    A list costs the 4 bytes of a number, whatever the measure.
    """

    def __init__(self) -> None:
        self._values = np.zeros(0)
        self._codes = np.zeros(0, np.int32)
        self._blocks: list[Codes] = []

    def add(self, values: FloatArray) -> None:
        """The values of the lists that come next."""
        distinct, which = np.unique(values, return_inverse=True)
        defined = distinct[~np.isnan(distinct)]
        codes = np.full(len(distinct), -1, np.int32)
        codes[: len(defined)] = self._numbered(defined)
        self._blocks.append(codes[which])

    def _numbered(self, distinct: FloatArray) -> Codes:
        """The number of each of some ascending values; those not met before get new ones."""
        place = np.searchsorted(self._values, distinct)
        known = np.zeros(len(distinct), np.bool_)
        inside = place < len(self._values)
        known[inside] = self._values[place[inside]] == distinct[inside]
        codes = np.empty(len(distinct), np.int32)
        codes[known] = self._codes[place[known]]
        codes[~known] = len(self._values) + np.arange(np.count_nonzero(~known))
        self._values = np.insert(self._values, place[~known], distinct[~known])
        self._codes = np.insert(self._codes, place[~known], codes[~known])
        return codes

    def settled(self) -> Levels:
        """The level of every list so far."""
        codes = np.concatenate(self._blocks) if self._blocks else np.zeros(0, np.int32)
        if not len(self._values):
            return Levels(codes, 0, np.nan)
        size = np.where(np.isinf(self._values), 0.0, np.abs(self._values))
        step, bigger = np.diff(self._values), np.maximum(size[1:], size[:-1])
        differs = step > np.maximum(EQUAL * bigger, NOISE * size.max())
        level_of = np.empty(len(self._values) + 1, np.int32)
        level_of[self._codes] = np.concatenate([[0], np.cumsum(differs)])
        level_of[-1] = -1  # where the code -1 of an undefined value looks
        with np.errstate(divide="ignore"):  # beside an infinite value there may be nothing but 0
            gap = float((step[differs] / bigger[differs]).min()) if differs.any() else np.nan
        return Levels(level_of[codes], int(np.count_nonzero(differs)) + 1, gap)
