"""Similarity of partial orders, group by group: type 3 (Eq 31), its conditions, and P_delta (Eq 32 and 33).

$Q = \\sum_{i,j} S(C_i, C'_j) \\varphi(i, j)$, where $\\varphi$ is largest for groups of the same number near
the top. P_delta is Q with Jaccard's S and the $\\varphi$ of Eq 32. It is 0 if nothing is in common, 1 for the
same groups in the same order, and between otherwise; so it is with Dice and the cosine, but not with overlap.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rankscope.answers.matched import Matched
from rankscope.answers.nominal import Nominal, as_number, called, cell_similarity
from rankscope.errors import MeasureError, printable
from rankscope.measures.segments import FloatArray, segment_sums

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["CONDITIONS", "Phi", "PhiFailure", "check_phi", "constant_squared", "phi", "type3"]

Phi = Callable[[int, int, int], Any]
"""The weight of the groups i and j, given m_0, the number of groups of the answer that has more of them."""

CONDITIONS = {
    "i": "phi(i, j) > 0",
    "ii": "the sum of phi(i, i) for i = 1, ..., m_0 is 1",
    "iii": "phi(i, j) falls strictly as j rises from i",
    "iv": "phi(i, j) falls strictly as i rises from j",
    "v": "phi(i, i) falls strictly as i rises",
}
"""What makes a phi show the relative order and the top-ranking."""

ROUNDING = 1e-9


def constant_squared(m0: int) -> Fraction:
    """A^2, the square of the constant in delta, as an exact fraction.

    >>> constant_squared(5)
    Fraction(125, 531)
    """
    from fractions import Fraction

    m0 = _count("m0", m0)
    return Fraction(6 * m0**3, 6 * m0**4 - 6 * m0**3 + 8 * m0**2 - 3 * m0 + 1)


def phi(i: int, j: int, m0: int) -> Fraction:
    """Eq 32 as an exact fraction: delta(i u) delta(j u) with u = |i - j| + 1, where only A^2 is needed of A.

    >>> phi(1, 2, 3)
    Fraction(24, 97)
    """
    from fractions import Fraction

    i, j = _count("i", i), _count("j", j)
    u = abs(i - j) + 1
    return constant_squared(m0) * (1 - Fraction(i * u - 1, m0**2)) * (1 - Fraction(j * u - 1, m0**2))


def _phis(i: npt.NDArray[Any], j: npt.NDArray[Any], m0: npt.NDArray[Any]) -> FloatArray:
    """Eq 32 for many pairs of groups at once."""
    i, j, m0 = (np.asarray(numbers, np.float64) for numbers in (i, j, m0))
    u = np.abs(i - j) + 1
    over = m0 * (6 * m0**4 - 6 * m0**3 + 8 * m0**2 - 3 * m0 + 1)
    return np.asarray(6 * (m0**2 - i * u + 1) * (m0**2 - j * u + 1) / over)


def type3(matched: Matched, nominal: Nominal, weight: Phi | None = None) -> FloatArray:
    """Q, Eq 31, of each query; with Eq 32 unless another phi is given."""
    cells = matched.cells
    i, j = matched.left.number[cells.i], matched.right.number[cells.j]
    m0 = np.maximum(matched.left.groups, matched.right.groups)
    m0 = np.repeat(m0, np.diff(cells.offsets))
    weights = _phis(i, j, m0) if weight is None else called(_callable(weight), "phi", i, j, m0)
    values = segment_sums(cell_similarity(matched, nominal) * weights, cells.offsets)
    return np.where(matched.both_empty, np.nan, values)


def _callable(weight: Phi) -> Phi:
    if not callable(weight):
        raise MeasureError(
            f"phi={printable(repr(weight))}", code="bad-function", expected="a function of i, j and m0"
        )
    return weight


@dataclass(frozen=True)
class PhiFailure:
    """A condition that a phi does not keep, and the first place where it fails."""

    condition: str
    """Which of `CONDITIONS`: "i" to "v"."""
    i: int
    j: int
    found: str
    """What was found there."""
    places: int
    """At how many places it fails."""

    def __str__(self) -> str:
        return f"({self.condition}) {CONDITIONS[self.condition]}: {self.found}"


def check_phi(weight: Phi, m: int, m2: int | None = None) -> tuple[PhiFailure, ...]:
    """Which of the conditions (i) to (v) a phi fails for answers of `m` and `m2` groups, and where.

    Nothing comes back if it keeps them all. Sums in floating point may be off by a rounding error.

    >>> check_phi(phi, 4)
    ()
    >>> for failure in check_phi(lambda i, j, m0: 1 / (m0 * (1 + abs(i - j))), 4):
    ...     print(failure)
    (v) phi(i, i) falls strictly as i rises: phi(1, 1) = 0.25 and phi(2, 2) = 0.25
    """
    _callable(weight)
    sides = [_count("m", m), _count("m2", m if m2 is None else m2)]
    m0 = max(sides)
    values = {
        (i, j): _exact(weight, (i, j, m0)) for i in range(1, sides[0] + 1) for j in range(1, sides[1] + 1)
    }
    diagonal = [_exact(weight, (i, i, m0)) for i in range(1, m0 + 1)]
    found = {
        "i": ((i, j, f"phi({i}, {j}) = {value}") for (i, j), value in values.items() if not value > 0),
        "ii": _wrong_sum(diagonal),
        "iii": _not_falling(values, (0, 1)),
        "iv": _not_falling(values, (1, 0)),
        "v": _not_falling({(i, i): value for i, value in enumerate(diagonal, 1)}, (1, 1)),
    }
    failures = []
    for condition, generated in found.items():
        if places := list(generated):
            failures.append(PhiFailure(condition, *places[0], len(places)))
    return tuple(failures)


def _count(name: str, value: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise MeasureError(
            f"{name}={printable(repr(value))}",
            code="bad-value",
            expected="a whole number from 1 up, as groups are counted",
        )
    return int(value)


def _exact(weight: Phi, arguments: tuple[int, int, int]) -> Any:
    """The value as the function gives it: fractions stay exact."""
    found = weight(*arguments)
    as_number(found, "phi", arguments)
    return found


def _wrong_sum(diagonal: list[Any]) -> Iterator[tuple[int, int, str]]:
    total = sum(diagonal)
    if not math.isclose(total, 1, rel_tol=0, abs_tol=ROUNDING):
        yield len(diagonal), len(diagonal), f"the sum is {total}"


def _not_falling(values: dict[tuple[int, int], Any], step: tuple[int, int]) -> Iterator[tuple[int, int, str]]:
    """Where a step away from the diagonal, or along it, does not make the value smaller."""
    for (i, j), value in values.items():
        after = (i + step[0], j + step[1])
        away = (j >= i) if step == (0, 1) else (i >= j)
        if away and after in values and not values[after] < value:
            yield i, j, f"phi({i}, {j}) = {value} and phi{after} = {values[after]}"
