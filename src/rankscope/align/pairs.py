"""Pairs of items by both cores: one door for whoever counts them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rankscope.align import available_processors
from rankscope.align.engine import core
from rankscope.measures.segments import ratio

__all__ = ["Pairs", "Wins", "count_pairs", "count_wins", "smaller_after"]

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Pairs:
    """Per segment, the pairs of items by how two columns order them."""

    concordant: IntArray
    discordant: IntArray
    tied_x: IntArray
    """Tied in x only."""
    tied_y: IntArray
    """Tied in y only."""
    tied_both: IntArray

    @property
    def all(self) -> IntArray:
        return self.concordant + self.discordant + self.tied_x + self.tied_y + self.tied_both


@dataclass(frozen=True)
class Wins:
    """Per segment, the pairs of a positive and a negative item."""

    doubled: IntArray
    """Twice the pairs in which the positive one has the higher score, plus those that are tied."""
    positives: IntArray
    negatives: IntArray

    @property
    def area(self) -> FloatArray:
        """The area under the ROC curve; NaN where there is no positive or no negative item."""
        return ratio(self.doubled / 2, (self.positives * self.negatives).astype(np.float64))


def count_pairs(x: FloatArray, y: FloatArray, offsets: IntArray) -> Pairs:
    """The pairs within each segment, rows ``offsets[s]:offsets[s + 1]``."""
    return Pairs(
        **core().count_pairs(_column(x), _column(y), _offsets(offsets), threads=available_processors())
    )


def smaller_after(values: FloatArray, offsets: IntArray) -> IntArray:
    """For each row, how many later rows of its segment have a smaller value."""
    counts: IntArray = core().smaller_after(
        _column(values), _offsets(offsets), threads=available_processors()
    )
    return counts


def count_wins(scores: FloatArray, positive: BoolArray, offsets: IntArray) -> Wins:
    """What the area under the ROC curve is made of, for each segment."""
    labels = np.ascontiguousarray(positive, np.bool_)
    return Wins(
        **core().mann_whitney(_column(scores), labels, _offsets(offsets), threads=available_processors())
    )


def _column(values: FloatArray) -> FloatArray:
    return np.ascontiguousarray(values, np.float64)


def _offsets(offsets: IntArray) -> IntArray:
    return np.ascontiguousarray(offsets, np.int64)
