"""A value beside the lowest and the highest that any order of the same items could have.

An nDCG of 0.59 may look fair and still be the worst that any order of the items could have: of a short list
that is nearly all relevant, no order comes near 0. Scaled from the lowest to the highest value it is 0.

>>> import rankscope
>>> judgments, run = {"q": {"action": 3, "thriller": 1, "drama": 0}}, {"q": ["drama", "thriller", "action"]}
>>> result = rankscope.evaluate(judgments, run, "nDCG, nDCG(scale=lowest), nDCG(scale=minmax)")
>>> [round(value, 4) for value in result.queries["q"].values()]
[0.5869, 0.5869, 0.0]
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal, Protocol, Self, TypeVar

import numpy as np

from rankscope.measures.base import FloatArray, Param, Range, Undefined

__all__ = ["SCALE", "scaled", "scaled_range", "scaled_undefined"]

SCALE = Param(
    "scale",
    str,
    default="none",
    choices=("none", "minmax", "lowest", "highest"),
    help="minmax: from the lowest (0) to the highest value (1) of any order of the same items; or these",
)


class Reorderable(Protocol):
    """What a kernel reads, if it can put its items in another order: a `Graded`, an `Ordered`."""

    def reordered(self, how: Literal["best", "worst"]) -> Self: ...


View = TypeVar("View", bound=Reorderable)


def scaled(view: View, value: Callable[[View], FloatArray], scale: str) -> FloatArray:
    """What the kernel `value` gives, scaled as asked for; undefined where no order makes a difference.

    The extremes are those of the order of the truth and of the opposite one, and so it is for kernels that a
    better item further up never makes worse, or never makes better.
    """
    if scale == "none":
        return value(view)
    ends = value(view.reordered("best")), value(view.reordered("worst"))
    low, high = np.minimum(*ends), np.maximum(*ends)
    if scale != "minmax":
        return low if scale == "lowest" else high
    shares = np.full(len(low), np.nan)
    np.divide(value(view) - low, high - low, out=shares, where=high > low)
    return shares


def scaled_range(low: float, high: float) -> Range:
    """The declared range of a measure that takes `SCALE`, of its range without."""

    def declared(*, scale: str, **_: object) -> tuple[float, float]:
        return (0.0, 1.0) if scale == "minmax" else (low, high)

    return declared


def scaled_undefined(otherwise: float | None) -> Undefined:
    """What stands where a measure that takes `SCALE` is undefined: scaled, no value, for 0 would mislead."""

    def declared(*, scale: str, **_: object) -> float | None:
        return math.nan if scale == "minmax" else otherwise

    return declared
