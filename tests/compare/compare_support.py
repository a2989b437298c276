"""What the tests of comparisons share."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

import numpy as np
import numpy.typing as npt

from rankscope.compare.panel import Panel
from rankscope.measures import parse
from rankscope.policy import Policy
from rankscope.result import Result, RunResult

FloatArray = npt.NDArray[np.float64]


def panel_of(values: npt.ArrayLike, pairs: Sequence[tuple[int, int]] | None = None) -> Panel:
    """A panel of all pairs of rows, if no others are given."""
    table = np.array(values, np.float64)
    chosen = list(combinations(range(len(table)), 2)) if pairs is None else list(pairs)
    return Panel(table, np.arange(table.shape[1]), chosen, range(len(chosen)))


def result_of(values: dict[str, dict[str, Sequence[float]]]) -> Result:
    """A result with these values: run -> measure -> one for each query."""
    runs = {}
    for name, by_measure in values.items():
        columns = {measure: np.array(column, np.float64) for measure, column in by_measure.items()}
        size = len(next(iter(columns.values())))
        runs[name] = RunResult(
            name=name,
            aggregate={measure: float(np.nanmean(column)) for measure, column in columns.items()},
            values=columns,
            query_ids=_ids(size),
            counted=np.ones(size, np.bool_),
            skips_undefined=False,
            notes=(),
        )
    measures = tuple(parse(name) for name in next(iter(values.values())))
    return Result(runs=runs, measures=measures, policy=Policy())


def _ids(size: int):  # type: ignore[no-untyped-def]
    from rankscope.data.ids import Ids

    return Ids.of([f"q{number}".encode() for number in range(1, size + 1)])


def flip_p(differences: npt.ArrayLike) -> float:
    """Fisher's randomisation test by the book: every assignment of signs, one after the other."""
    values = np.array(differences, np.float64)
    seen, slack = abs(values.sum()), 1e-12 * np.abs(values).sum()
    sums = [abs(float(np.dot(signs, values))) for signs in product((1, -1), repeat=len(values))]
    return float(np.mean([total >= seen - slack for total in sums]))
