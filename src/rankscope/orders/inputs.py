"""What the functions take: the permutation of the paper, or true and predicted scores of the same items."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from rankscope.errors import InputError, PolicyError, input_error, nearest
from rankscope.measures.ordered import Ordered
from rankscope.measures.segments import FloatArray, IntArray

__all__ = [
    "Ties",
    "arranged",
    "from_best_first",
    "numbers",
    "one_query",
    "paired_numbers",
    "permutation",
]

Ties = Literal["error", "kept", "stable", "random"]
"""What becomes of equal scores: an error, ties that stay ties, the order given, or one drawn by lot."""

_TIES = {
    "error": "an error",
    "kept": "ties stay ties: midranks, strictly discordant pairs, half a pair",
    "stable": "the item given first is the better one",
    "random": "an order drawn by lot, the same for the same seed",
}
_ALIASES = {"midranks": "kept"}


def from_best_first(ranking: Any) -> IntArray:
    """The paper's permutation of a list that has the best first, with 1 for the truly best item.

    The paper lists items from worst to best, and their labels rise with quality: label n is the truly best.

    >>> from_best_first([2, 4, 7, 5, 8, 1, 3, 6]).tolist()
    [3, 6, 8, 1, 4, 2, 5, 7]
    """
    places = permutation(ranking)
    turned: IntArray = len(places) + 1 - places[::-1]
    return turned


def permutation(given: Any) -> IntArray:
    """The numbers 1 to n in some order; an error for anything else."""
    values = numbers(given, "the permutation")
    n = len(values)
    seen = np.zeros(n + 1, np.bool_)
    whole = (values >= 1) & (values <= n) & (values == np.floor(values))
    if not whole.all():
        raise _no_permutation(n, f"entry {int(np.argmin(whole)) + 1} is {values[np.argmin(whole)]:g}")
    labels = values.astype(np.int64)
    seen[labels] = True
    if not seen[1:].all():
        missing = int(np.argmin(seen[1:])) + 1
        raise _no_permutation(n, f"{missing} is not in it, and another number is in it twice")
    return labels


def _no_permutation(n: int, what: str) -> InputError:
    return InputError(
        f"not a permutation of 1 to {n}: {what}",
        code="not-a-permutation",
        expected="each of the numbers 1 to n once, from the item ranked worst to the one ranked best, "
        "where n is the truly best",
        hint="from_best_first() for a list with the best first; true and predicted scores as two lists",
    )


def numbers(given: Any, name: str) -> FloatArray:
    """A column of finite numbers."""
    try:
        array = np.asarray(given)
    except ValueError as error:  # rows of different lengths
        raise input_error("array-values", source=name, reason=str(error)) from error
    if array.ndim != 1:
        raise input_error(
            "array-shape", source=name, what=f"{array.ndim} dimensions", expected="one number for each item"
        )
    if array.size and array.dtype.kind not in "biuf":
        raise input_error("array-values", source=name, reason=f"its type is {array.dtype}")
    if array.dtype.kind in "iu" and array.size and _exceeds_floats(array):
        raise input_error("array-values", source=name, reason="whole numbers beyond 2^53 are not told apart")
    column = np.asarray(array, np.float64, order="C")
    finite = np.isfinite(column)
    if not finite.all():
        row = int(np.argmin(finite))
        raise input_error("not-finite", source=name, row=row + 1, field="score", text=float(column[row]))
    return column


def _exceeds_floats(whole: npt.NDArray[Any]) -> bool:
    return bool(int(whole.max()) > 2**53 or int(whole.min()) < -(2**53))


def paired_numbers(truth: Any, predicted: Any) -> tuple[FloatArray, FloatArray]:
    """True and predicted scores of the same items."""
    true, run = numbers(truth, "the true scores"), numbers(predicted, "the predicted scores")
    if len(true) != len(run):
        raise input_error(
            "array-shape",
            what=f"{len(true)} true scores and {len(run)} predicted ones",
            expected="a true and a predicted score for each item",
        )
    return true, run


def arranged(
    truth: Any, predicted: Any, *, ties: str, seed: int | None, takes_rough: bool = False
) -> tuple[Ordered, IntArray]:
    """The items in the order of the prediction, best first, and which item as given each is.

    Without `predicted`, `truth` is the paper's permutation. A rough truth has two values only; measures that
    need the true order refuse it unless told what to do with ties.
    """
    kind = _checked(ties)
    if predicted is None:
        labels = permutation(truth)
        order = np.arange(len(labels))[::-1]
        return one_query(labels[::-1].astype(np.float64), order.astype(np.float64)), order
    true, run = paired_numbers(truth, predicted)
    true_is_tied, run_is_tied = _is_tied(true), _is_tied(run)
    if kind == "error":
        if true_is_tied and not takes_rough:
            raise _tied("true", true)
        if run_is_tied or (true_is_tied and not _is_rough(true)):
            raise _tied("predicted" if run_is_tied else "true", run if run_is_tied else true)
    elif kind != "kept":
        rng = np.random.default_rng(0 if seed is None else seed) if kind == "random" else None
        true = true if takes_rough and _is_rough(true) else _strict(true, rng)
        run = _strict(run, rng)
    order = np.argsort(-run, kind="stable")
    return one_query(true[order], run[order]), order


def one_query(true: FloatArray, falling: FloatArray) -> Ordered:
    """One query whose rows stand in the order of falling scores."""
    n = len(true)
    opens = np.ones(n + 1, np.bool_)
    opens[1:-1] = falling[1:] != falling[:-1]
    bounds = np.flatnonzero(opens)
    sizes = np.diff(bounds)
    first, size = np.repeat(bounds[:-1] + 1, sizes), np.repeat(sizes, sizes)
    return Ordered(np.array([0, n]), true, first, size, np.array([n]))


def _checked(ties: str) -> str:
    kind = _ALIASES.get(ties, ties)
    if kind not in _TIES:
        close = nearest(str(ties), _TIES)
        raise PolicyError(
            f"ties={ties} is not a choice",
            code="unknown-policy-value",
            expected=f"ties= one of {', '.join(_TIES)}",
            hint=f"did you mean {' or '.join(close)}?" if close else "",
        )
    return kind


def _is_tied(values: FloatArray) -> bool:
    ascending = np.sort(values)
    return bool(np.any(ascending[1:] == ascending[:-1]))


def _is_rough(values: FloatArray) -> bool:
    """Whether the values tell two kinds of items apart, and no more."""
    if len(values) < 2:
        return False
    low, high = values.min(), values.max()
    return bool(low < high and np.all((values == low) | (values == high)))


def _strict(values: FloatArray, rng: np.random.Generator | None) -> FloatArray:
    """Ranks without ties: among equal values the first given is the best, or one drawn by lot."""
    n = len(values)
    lot = np.arange(n)[::-1] if rng is None else rng.permutation(n)
    ranks = np.empty(n)
    ranks[np.lexsort((lot, values))] = np.arange(1, n + 1)
    return ranks


def _tied(side: str, values: npt.NDArray[Any]) -> InputError:
    distinct, counts = np.unique(values, return_counts=True)
    shared = int(np.argmax(counts))
    rough = side == "true" and _is_rough(values)
    return InputError(
        f"the {side} scores say only which items are positive: they have {len(distinct)} different values"
        if rough
        else f"{counts[shared]} {side} scores are equal: {distinct[shared]:g}",
        code="rough-truth" if rough else "tied-scores",
        expected=f"a {side} score of its own for each item",
        hint=("order_auc or order_accuracy, to which positive or negative is enough; or " if rough else "")
        + "ties='kept' (midranks, strictly discordant pairs), 'stable' or 'random'",
    )
