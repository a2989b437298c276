"""Labels and scores as arrays, the way scikit-learn takes them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rankscope.data.frames import ColumnSource
from rankscope.data.judgments import Judgments
from rankscope.data.run import Run
from rankscope.errors import InputError, input_error

__all__ = ["from_arrays"]


def from_arrays(y_true: Any, y_score: Any, groups: Any = None) -> tuple[Judgments, Run]:
    """Judgments and a run from true grades and scores of the same items; an item's id is its number.

    Two dimensions: each row is a query, its number is the query's id. One dimension: `groups` has the
    query of each item; without it, all items are of one query, "0".
    """
    truth, scores = _numbers(y_true, "y_true"), _numbers(y_score, "y_score")
    if truth.shape != scores.shape:
        raise _shape_error(
            f"y_true has shape {truth.shape} and y_score {scores.shape}", "the same shape for both"
        )
    if truth.ndim not in (1, 2):
        raise _shape_error(f"y_true and y_score have {truth.ndim} dimensions", "1, or 2 (queries x items)")
    query: npt.NDArray[np.int64] | list[Any]
    if truth.ndim == 2:
        if groups is not None:
            raise _shape_error("groups are given for arrays of 2 dimensions", "groups for 1 dimension only")
        query, item = (np.ascontiguousarray(part.ravel(), np.int64) for part in np.indices(truth.shape))
    else:
        query = _queries(groups, len(truth))
        item = np.arange(len(truth), dtype=np.int64)
    judgments = Judgments._of_columns(ColumnSource(query, item, truth.ravel()).judge("y_true"), "y_true")
    return judgments, Run("y_score", ColumnSource(query, item, scores.ravel()))


def _numbers(given: Any, name: str) -> npt.NDArray[np.float64]:
    try:
        array = np.asarray(given)
    except ValueError as error:  # rows of different lengths
        raise input_error("array-values", source=name, reason=str(error)) from error
    if array.dtype.kind not in "biuf":
        raise input_error("array-values", source=name, reason=f"its type is {array.dtype}")
    return np.asarray(array, np.float64, order="C")


def _queries(groups: Any, size: int) -> npt.NDArray[np.int64] | list[Any]:
    if groups is None:
        return np.zeros(size, np.int64)
    array = np.asarray(groups)
    if array.shape != (size,):
        raise _shape_error(f"groups have shape {array.shape}", f"one query id for each of the {size} items")
    if array.dtype.kind == "i":
        return array.astype(np.int64)
    ids: list[Any] = array.tolist()
    return ids


def _shape_error(what: str, expected: str) -> InputError:
    return input_error("array-shape", what=what, expected=expected)
