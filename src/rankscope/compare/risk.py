"""What a mean hides: how much a run loses where it loses, and how often."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["Risk", "risk_of"]

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Risk:
    """How a run does against a baseline, query by query."""

    robustness: float
    """Queries won less queries lost, as a share of all; from -1 to 1."""
    urisk: float
    """The mean gain, where a loss counts 1 + alpha times."""
    trisk: float
    """The same in units of its standard error: below -2 is a risk that chance hardly explains."""


def risk_of(gains: FloatArray, alpha: float) -> Risk:
    """The risk of the gains of a run over a baseline (positive: better), one for each query.

    >>> risk = risk_of(np.array([0.5, 0.25, -0.25, 0.0]), alpha=1)
    >>> risk.robustness, risk.urisk, round(risk.trisk, 6)
    (0.25, 0.0625, 0.29277)
    """
    size = len(gains)
    if not size:
        return Risk(math.nan, math.nan, math.nan)
    robustness = (int(np.count_nonzero(gains > 0)) - int(np.count_nonzero(gains < 0))) / size
    weighed = np.where(gains < 0, (1 + alpha) * gains, gains)
    urisk = float(np.mean(weighed))
    deviation = float(np.std(weighed, ddof=1)) if size > 1 else math.nan
    trisk = urisk / (deviation / math.sqrt(size)) if deviation > 0 else math.nan
    return Risk(robustness, urisk, trisk)
