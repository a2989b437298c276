"""Fisher's randomisation test on values that are there already.

    python -m contenders.permutations rankscope|ranx one|all

Only the call is timed, after a small one that loads and compiles.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from contenders.common import answer

PERMUTATIONS = 100_000
RUNS, QUERIES, MEASURES = 50, 250, 5
ONE, ALL = "one", "all"
WARM_UP = 2_000

Values = npt.NDArray[np.float64]


def values(runs: int, measures: int) -> Values:
    """Measures x runs x queries: some queries are harder than others, some runs better."""
    rng = np.random.default_rng(1)
    return np.clip(
        rng.beta(2, 3, (measures, 1, QUERIES)) + rng.normal(0, 0.2, (measures, runs, QUERIES)), 0, 1
    )


def ours(table: Values) -> Callable[[int], object]:
    import rankscope
    from rankscope.data.ids import Ids
    from rankscope.result import RunResult

    measures = [rankscope.parse(f"P@{k}") for k in range(1, len(table) + 1)]
    ids = Ids.of([str(query).encode() for query in range(QUERIES)])

    def run(number: int) -> Any:
        columns = {str(m): table[n, number] for n, m in enumerate(measures)}
        return RunResult(
            name=str(number),
            aggregate={name: float(column.mean()) for name, column in columns.items()},
            values=columns,
            query_ids=ids,
            counted=np.ones(QUERIES, np.bool_),
            skips_undefined=False,
            notes=(),
        )

    runs = {str(number): run(number) for number in range(table.shape[1])}
    result = rankscope.Result(runs=runs, measures=tuple(measures), policy=rankscope.Policy())
    return lambda permutations: rankscope.compare(result, resamples=permutations, interval="none")


def theirs(table: Values) -> Callable[[int], object]:
    from ranx.statistical_tests.fisher_randomization_test import fisher_randomization_test

    control, treatment = table[0, 0], table[0, 1]
    return lambda permutations: fisher_randomization_test(control, treatment, permutations)


def main() -> None:
    contender, extent = sys.argv[1:]
    table = values(2, 1) if extent == ONE else values(RUNS, MEASURES)
    test = {"rankscope": ours, "ranx": theirs}[contender](table)
    test(WARM_UP)
    start = time.perf_counter()
    test(PERMUTATIONS)
    answer({}, time.perf_counter() - start)


if __name__ == "__main__":
    main()
