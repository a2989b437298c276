"""How far a ranking is from the true order: ED, MD and SRN."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from rankscope.align.pairs import count_pairs, smaller_after
from rankscope.errors import PolicyError
from rankscope.measures.ordered import Ordered
from rankscope.measures.paired import distances, run_ranks, true_ranks
from rankscope.measures.segments import FloatArray, IntArray
from rankscope.orders.inputs import Ties, arranged

__all__ = ["Form", "ed", "md", "srn", "srn_terms"]

Form = Literal["plain", "share", "correlation"]
"""The value itself, its share of the largest there is (0 to 1), or a correlation (1 to -1)."""


def ed(
    truth: Any,
    predicted: Any = None,
    *,
    ties: Ties = "error",
    seed: int | None = None,
    root: bool = False,
    form: Form = "plain",
) -> float:
    """The squared Euclidean distance between a ranking and the true order; smaller is better.

    Of one list, the paper's permutation: the labels of the items from the one ranked worst to the one ranked
    best, where label n is the truly best (`from_best_first` turns a list that has the best first). Of two
    lists: true and predicted scores of the items, where bigger is better.

    - `ties`: equal scores are an error; "kept" gives them midranks; "stable" and "random" (see `seed`) break
      them, in the truth and in the prediction.
    - `root`: the distance itself.
    - `form`: "share" of the largest distance, (n^3 - n) / 3; "correlation" is 1 less twice that share, which
      is Spearman's rho.

    >>> ed([3, 6, 8, 1, 4, 2, 5, 7])
    76.0
    >>> ed([10, 30, 20], [0.1, 0.2, 0.3], form="correlation")
    0.5
    """
    ordered, _ = arranged(truth, predicted, ties=ties, seed=seed)
    n = _size(ordered)
    squared = float(np.sum((true_ranks(ordered) - run_ranks(ordered)) ** 2))
    if form == "plain":
        return _where(n >= 1, np.sqrt(squared) if root else squared)
    if root:
        raise PolicyError(
            "the root of a distance has no such form", code="bad-form", expected="root=True, or a form"
        )
    return _formed(squared, (n**3 - n) / 3, form)


def md(
    truth: Any, predicted: Any = None, *, ties: Ties = "error", seed: int | None = None, form: Form = "plain"
) -> float:
    """The sum of the distances between true and predicted ranks; smaller is better.

    Input and `ties` as for `ed`. `form`: "share" of the largest sum, the whole part of n^2 / 2.

    >>> md([3, 6, 8, 1, 4, 2, 5, 7])
    22.0
    """
    ordered, _ = arranged(truth, predicted, ties=ties, seed=seed)
    n = _size(ordered)
    total = float(np.sum(distances(ordered)))
    return _where(n >= 1, total) if form == "plain" else _formed(total, n * n // 2, form)


def srn(
    truth: Any, predicted: Any = None, *, ties: Ties = "error", seed: int | None = None, form: Form = "plain"
) -> float:
    """The number of pairs in the wrong order: the sum of reversed numbers; smaller is better.

    Input and `ties` as for `ed`; "kept" counts the pairs in strictly opposite order. `form`: "share" of all
    pairs; "correlation" is 1 less twice that share, which is Kendall's tau.

    >>> srn([3, 6, 8, 1, 4, 2, 5, 7])
    12.0
    """
    ordered, _ = arranged(truth, predicted, ties=ties, seed=seed)
    n = _size(ordered)
    pairs = count_pairs(-ordered.first.astype(np.float64), ordered.value, ordered.offsets)
    reversed_pairs = float(pairs.discordant[0])
    if form == "plain":
        return _where(n >= 1, reversed_pairs)
    return _formed(reversed_pairs, n * (n - 1) // 2, form)


def srn_terms(
    truth: Any, predicted: Any = None, *, ties: Ties = "error", seed: int | None = None
) -> IntArray:
    """For each item, how many items ranked above it are truly worse: the terms whose sum is `srn`.

    In the order given: of a permutation from the worst to the best, of scores as they are listed.

    >>> srn_terms([3, 6, 8, 1, 4, 2, 5, 7]).tolist()
    [2, 4, 5, 0, 1, 0, 0, 0]
    """
    ordered, item = arranged(truth, predicted, ties=ties, seed=seed)
    # From the worst to the best; among items tied in the run the truly worst first, so that none is reversed.
    rising = np.lexsort((ordered.value, -ordered.first))
    terms = np.zeros(len(rising), np.int64)
    terms[item[rising]] = smaller_after(ordered.value[rising], ordered.offsets)
    return terms


def _size(ordered: Ordered) -> int:
    return int(ordered.counts[0])


def _where(defined: bool, value: float | FloatArray) -> float:
    return float(value) if defined else float("nan")


def _formed(value: float, largest: float, form: Form) -> float:
    if form not in ("share", "correlation"):
        raise PolicyError(
            f"form={form} is not a choice",
            code="unknown-policy-value",
            expected="form= one of plain, share, correlation",
        )
    if largest <= 0:
        return float("nan")
    return value / largest if form == "share" else 1 - 2 * value / largest
