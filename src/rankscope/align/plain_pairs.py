"""The plain twin of the core's pairs: what two columns put in the same or in opposite order, n log n.

Rows ``offsets[s]:offsets[s + 1]`` belong to segment s, and pairs are within a segment.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rankscope.measures.segments import segment_sums

__all__ = ["count_pairs", "mann_whitney", "smaller_after"]

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


def count_pairs(x: FloatArray, y: FloatArray, offsets: IntArray, *, threads: int) -> dict[str, IntArray]:
    """Per segment: the pairs of rows that the two columns order alike, or not, or that one or both tie."""
    segment = _owners(offsets, len(x), len(y))
    order = np.lexsort((y, x, segment))
    x, y = x[order], y[order]
    counts = np.diff(offsets)
    all_pairs = counts * (counts - 1) // 2
    in_x = _pairs(_opens(segment, x), offsets)
    in_both = _pairs(_opens(segment, x, y), offsets)
    by_y = y[np.lexsort((y, segment))]
    in_y = _pairs(_opens(segment, by_y), offsets)
    discordant = segment_sums(_smaller_after(y, segment), offsets)
    return {
        "concordant": all_pairs - discordant - in_x - in_y + in_both,
        "discordant": discordant,
        "tied_x": in_x - in_both,
        "tied_y": in_y - in_both,
        "tied_both": in_both,
    }


def smaller_after(values: FloatArray, offsets: IntArray, *, threads: int) -> IntArray:
    """For each row: how many later rows of its segment have a smaller value."""
    return _smaller_after(values, _owners(offsets, len(values), len(values)))


def mann_whitney(
    scores: FloatArray, positive: BoolArray, offsets: IntArray, *, threads: int
) -> dict[str, IntArray]:
    """Per segment: twice the pairs in which a positive row is above a negative one, plus the tied ones."""
    segment = _owners(offsets, len(scores), len(positive))
    order = np.lexsort((scores, segment))
    scores, positive = scores[order], positive[order]
    negatives_before = np.concatenate([[0], np.cumsum(~positive)])
    start, end = _extents(_opens(segment, scores))
    below = negatives_before[start] - negatives_before[offsets[:-1]][segment]
    tied = negatives_before[end] - negatives_before[start]
    positives = segment_sums(positive.astype(np.int64), offsets)
    return {
        "doubled": segment_sums(np.where(positive, 2 * below + tied, 0), offsets),
        "positives": positives,
        "negatives": np.diff(offsets) - positives,
    }


def _owners(offsets: IntArray, rows: int, others: int) -> IntArray:
    """The segment of each row."""
    sizes = np.diff(offsets)
    if (
        not len(offsets)
        or offsets[0] != 0
        or offsets[-1] != rows
        or rows != others
        or bool(np.any(sizes < 0))
    ):
        raise ValueError("offsets do not fit their rows")
    return np.repeat(np.arange(len(sizes)), sizes)


def _opens(*columns: npt.NDArray[Any]) -> BoolArray:
    """Whether a row differs from the one before it in any column."""
    opens = np.ones(len(columns[0]), np.bool_)
    opens[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in columns])
    return opens


def _pairs(opens: BoolArray, offsets: IntArray) -> IntArray:
    """Per segment: the pairs within the stretches that begin where `opens` says."""
    start, _ = _extents(opens)
    return segment_sums(np.arange(len(opens)) - start, offsets)


def _smaller_after(values: FloatArray, segment: IntArray) -> IntArray:
    """For each row: how many later rows of its segment have a smaller value.

    Ranks are split by their bits from the highest down, the order of rows kept. At each step a row with a 1
    has passed the rows with a 0 that come after it among those with which it shared all higher bits. Ranks
    rise from segment to segment, so no row is ever before a smaller one of another segment.
    """
    order = np.lexsort((values, segment))
    rank = np.empty(len(values), np.int64)
    rank[order] = np.cumsum(_opens(segment[order], values[order])) - 1
    row, counts = np.arange(len(rank)), np.zeros(len(rank), np.int64)
    highest = int(rank.max(initial=0)).bit_length()
    for bit in reversed(range(highest)):
        is_high = (rank >> bit & 1).astype(np.bool_)
        low_before = np.concatenate([[0], np.cumsum(~is_high)])
        start, end = _extents(_opens(rank >> (bit + 1)))
        lows_passed, lows = low_before[:-1] - low_before[start], low_before[end] - low_before[start]
        counts[row[is_high]] += (lows - lows_passed)[is_high]
        place = start + np.where(is_high, lows + np.arange(len(rank)) - start - lows_passed, lows_passed)
        rank[place], row[place] = rank.copy(), row.copy()
    return counts


def _extents(opens: BoolArray) -> tuple[IntArray, IntArray]:
    """Where the stretch of each row begins and ends."""
    bounds = np.flatnonzero(np.append(opens, True))
    sizes = np.diff(bounds)
    return np.repeat(bounds[:-1], sizes), np.repeat(bounds[1:], sizes)
