"""Between what values the measures of types 1 and 2 lie: it depends on the equations they are made with."""

from __future__ import annotations

import math

__all__ = ["of_delay", "of_type1", "of_type2"]

Range = tuple[float, float]

_ALPHAS: dict[str, Range] = {"eq27": (-math.inf, 1.0)}
_MUS: dict[str, Range] = {
    "eq11": (0.0, math.inf),
    "eq13": (0.0, math.inf),
    "eq14": (-math.inf, 1.0),
    "eq15": (0.0, math.inf),
}
_SHARE: Range = (0.0, 1.0)


def of_delay(alpha: str | None, mu: str | None) -> Range:
    """The range of alpha, of mu, or of their product.

    >>> of_delay("eq6", "eq10"), of_delay("eq27", None), of_delay("eq6", "eq15")
    ((0.0, 1.0), (-inf, 1.0), (0.0, inf))
    """
    parts = [_ALPHAS.get(alpha or "", _SHARE), _MUS.get(mu or "", _SHARE)]
    negative = [low < 0 for low, _ in parts]
    bounded = all(high <= 1 for _, high in parts) and not all(negative)
    return (-math.inf if any(negative) else 0.0, 1.0 if bounded else math.inf)


def of_type1(weight: Range, sets: str) -> Range:
    """A weight times S, which is between 0 and 1 of sets and not bounded as a sum over groups."""
    return weight if sets == "flat" or weight[1] == math.inf else (weight[0], math.inf)


def of_type2(delay: Range, *, normed: bool) -> Range:
    """A sum of delays; that of alpha alone, divided by what each answer has with itself, is a share."""
    return delay if normed else (delay[0], math.inf)
