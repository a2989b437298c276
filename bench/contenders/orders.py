"""Pairs of items in columns of numbers: Kendall's tau, the area under the ROC curve, and reversed pairs.

    python -m contenders.orders rankscope|scipy|scikit-learn kendall|auc|srn SIZE

Only the call is timed, the best of several, after a small one that loads what is needed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from contenders.common import Values, answer, best_of_calls

KENDALL, AUC, SRN = "kendall", "auc", "srn"
SEED = 11
WARM_UP = 100


def columns(kind: str, size: int) -> tuple[Any, Any]:
    """Two columns without ties that agree more often than not; for AUC the first is of labels."""
    rng = np.random.default_rng(SEED)
    if kind == SRN:
        return rng.permutation(size) + 1, None
    scores = rng.random(size)
    noisy = scores + rng.normal(0, 0.3, size)
    return (noisy > 0.5, scores) if kind == AUC else (scores, noisy)


def ours(kind: str) -> Callable[[Any, Any], Values]:
    from rankscope import orders

    calls: dict[str, Callable[[Any, Any], float]] = {
        KENDALL: orders.kendall,
        AUC: orders.roc_auc,
        SRN: orders.srn,
    }
    return lambda x, y: {kind: float(calls[kind](x, y))}


def scipys(kind: str) -> Callable[[Any, Any], Values]:
    from scipy.stats import kendalltau

    return lambda x, y: {kind: float(kendalltau(x, y).statistic)}


def scikit_learns(kind: str) -> Callable[[Any, Any], Values]:
    from sklearn.metrics import roc_auc_score

    return lambda x, y: {kind: float(roc_auc_score(x, y))}


CONTENDERS = {"rankscope": ours, "scipy": scipys, "scikit-learn": scikit_learns}


if __name__ == "__main__":
    who, wanted, count = sys.argv[1:]
    call = CONTENDERS[who](wanted)
    call(*columns(wanted, WARM_UP))
    answer(*best_of_calls(call, *columns(wanted, int(count))))
