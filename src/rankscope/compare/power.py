"""How many queries it takes to see a difference: topic-set size by the power of the t-test."""

from __future__ import annotations

import math
from statistics import NormalDist

from rankscope.errors import InputError, package

__all__ = ["power_of_t", "queries_needed"]

MOST = 1_000_000
"""Beyond so many queries the t distribution is as good as normal."""


def power_of_t(effect: float, queries: int, alpha: float) -> float:
    """The chance that the paired t-test, two-sided at `alpha`, sees an effect with so many queries.

    `effect` is the standardised mean difference: the mean of the differences by their standard deviation.
    """
    special = package("scipy.special")
    freedom, shift = queries - 1, abs(effect) * math.sqrt(queries)
    limit = float(special.stdtrit(freedom, 1 - alpha / 2))
    above = 1.0 - float(special.nctdtr(freedom, shift, limit))
    return above + float(special.nctdtr(freedom, shift, -limit))


def queries_needed(effect: float, *, alpha: float = 0.05, power: float = 0.8) -> int | None:
    """The least number of queries with which the paired t-test sees an effect with a chance of `power`.

    None if there is no effect to see.

    >>> queries_needed(0.5)
    34
    """
    for name, value in (("alpha", alpha), ("power", power)):
        if not 0 < value < 1:
            raise InputError(
                f"{name}={value}", code="no-chance", expected=f"{name}= a number between 0 and 1"
            )
    if not math.isfinite(effect) or effect == 0:
        return None
    normal = NormalDist()
    wanted = ((normal.inv_cdf(1 - alpha / 2) + normal.inv_cdf(power)) / effect) ** 2
    if wanted > MOST:
        return math.ceil(wanted)
    low, high = 1, 2
    while power_of_t(effect, high, alpha) < power:
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        if power_of_t(effect, middle, alpha) < power:
            low = middle
        else:
            high = middle
    return high
