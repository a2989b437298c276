"""The ClasSi curve of a long ranking of classes, and one argsort of its distances.

    python -m contenders.classes curve|argsort

Only the call is timed, the best of several, after a small one that loads what is needed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from contenders.common import Values, answer, best_of_calls

CURVE, ARGSORT = "curve", "argsort"
ITEMS, CLASSES = 1_000_000, 1_000
SEED = 13


def distances(items: int) -> Any:
    """The distance of the class at each position of a ranking in no order at all."""
    rng = np.random.default_rng(SEED)
    return rng.random(CLASSES)[rng.integers(0, CLASSES, items)]


def curve() -> Callable[[Any, Any], Values]:
    from rankscope import classi

    return lambda ranked, _: {"ClasSi": float(classi(ranked).curve[-1])}


def argsort() -> Callable[[Any, Any], Values]:
    def call(ranked: Any, _: Any) -> Values:
        np.argsort(ranked)
        return {}

    return call


if __name__ == "__main__":
    call = {CURVE: curve, ARGSORT: argsort}[sys.argv[1]]()
    call(distances(100), None)
    answer(*best_of_calls(call, distances(ITEMS), None))
