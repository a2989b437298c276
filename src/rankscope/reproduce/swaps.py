"""Random exchanges of two items of a ranking: drawn rankings, and what to expect of them exactly."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

__all__ = ["expected_classi", "expected_tau", "swapped"]

IntArray = npt.NDArray[np.int64]


def swapped(m: int, most: int, repetitions: int, seed: int) -> Iterator[tuple[int, IntArray]]:
    """After 0, 1, ... `most` exchanges of two random items: their number, and a ranking in each row.

    The rankings start in the order 0, 1, ..., m - 1, and each is drawn on its own.

    >>> [rankings.tolist() for _, rankings in swapped(2, 2, 1, seed=0)]
    [[[0, 1]], [[1, 0]], [[0, 1]]]
    """
    generator = np.random.default_rng(seed)
    rankings = np.tile(np.arange(m), (repetitions, 1))
    rows = np.arange(repetitions)
    yield 0, rankings.copy()
    for swaps in range(1, most + 1):
        one = generator.integers(0, m, repetitions)
        # One of the m - 1 other places.
        other = generator.integers(0, m - 1, repetitions)
        other += other >= one
        rankings[rows, one], rankings[rows, other] = rankings[rows, other], rankings[rows, one]
        yield swaps, rankings.copy()


def expected_classi(m: int, swaps: int) -> float:
    """The mean of ClasSi after so many random exchanges of the best ranking, whatever the distances.

    ClasSi is linear in the distances, and an exchange shrinks the mean of a linear function by one factor.

    >>> expected_classi(5, 1), expected_classi(5, 3)
    (0.5, 0.125)
    """
    return float(((m - 3) / (m - 1)) ** swaps)


def expected_tau(m: int, swaps: int) -> float:
    """The mean of Kendall's tau after so many random exchanges of the best ranking of m distinct items.

    The mean step maps the sign of q - p, of two places p and q, to a multiple of itself and of q - p, which
    it only shrinks; the mean of q - p over all p < q is (m + 1) / 3.

    >>> round(expected_tau(250, 1), 6)
    0.989312
    """
    pairs = m * (m - 1) / 2
    of_sign = ((m - 2) * (m - 3) / 2 - 3) / pairs
    of_distance = (m - 3) / (m - 1)
    return float(of_sign**swaps + 2 * (m + 1) / (3 * m) * (of_distance**swaps - of_sign**swaps))
