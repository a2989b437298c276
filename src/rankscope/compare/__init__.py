"""compare: which of these systems is better, and is it luck?

What the two functions here need is imported when they are called: to evaluate takes none of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rankscope.measures.base import Measure

if TYPE_CHECKING:
    from rankscope.compare.comparison import Comparison

__all__ = ["compare", "compare_predictions"]

Measures = str | Measure | Iterable[str | Measure]
Progress = Callable[[int, int], None]


def compare(
    judgments: Any,
    runs: Any = None,
    measures: Measures | None = None,
    *,
    baseline: str | None = None,
    test: str = "fisher",
    correction: str = "holm",
    alpha: float = 0.05,
    seed: int = 0,
    resamples: int | None = None,
    interval: str | None = "bca",
    risk: float = 1.0,
    power: float | None = None,
    groups: Any = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Comparison:
    """Compare runs query by query: differences, intervals, effect sizes and p-values.

    `judgments` (or another truth), `runs` and `measures` are as for `evaluate`, and so are `groups` and the
    other options and policies. A finished `Result` of several runs may stand in place of all three.

    - `baseline`: the run that all others are compared with; without it every pair of runs is compared.
    - `test`: fisher (the default), t, wilcoxon, sign, bootstrap, tukey or anova; all are two-sided.
    - `correction` for the number of comparisons by one measure: holm, bonferroni, bh, by or none. tukey and
      anova need none.
    - `alpha`: what a corrected p-value may be at most to be called significant; intervals are at 1 - alpha.
    - `seed` and `resamples`: of what is drawn at random. The same seed gives the same numbers, however many
      threads there are.
    - `interval`: bca (bootstrap), t or none.
    - `risk`: how much more than a gain a loss counts in URisk and TRisk.
    - `power`: also tell how many queries would be needed to see each difference with this chance.

    Every query counts alike. Queries for which one of two runs has no value are left out for that pair.

    >>> judgments = {q: {"a": 1} for q in "12345"}
    >>> runs = {"old": {q: ["b", "a"] for q in "12345"}, "new": {q: ["a", "b"] for q in "12345"}}
    >>> compare(judgments, runs, "RR", baseline="old").pair("RR", "new").p
    0.0625
    """
    from rankscope.align import available_processors
    from rankscope.compare.comparing import compare_result
    from rankscope.compare.resample import Crew
    from rankscope.compare.settings import Settings, check_equal_queries
    from rankscope.errors import input_error

    settings = Settings.of(
        test=test,
        correction=correction,
        alpha=alpha,
        seed=seed,
        resamples=resamples,
        interval=interval,
        risk=risk,
        power=power,
    )
    if threads is not None and threads < 1:
        raise input_error("count", option="threads", given=threads)
    check_equal_queries(options)
    given = {"threads": threads, "progress": progress, "groups": groups, **options}
    result = _result(judgments, runs, measures, given)
    beside = None if baseline is None else str(baseline)
    return compare_result(result, settings, beside, Crew(threads or available_processors(), progress))


def compare_predictions(
    table: Any,
    *,
    truth: str,
    systems: Sequence[str],
    by: str | None = None,
    measures: Measures,
    **options: Any,
) -> Comparison:
    """Compare what several systems predicted, given in one table with the true values.

    `table` is a data frame, or a mapping of names to columns. The columns `truth` and `systems` are numbers,
    the bigger the better. `by` is the column of the fold or query that a row belongs to: each is one case
    for the test. All other options are those of `compare`.

    >>> table = {"fold": [1, 1, 2, 2], "y": [1, 2, 1, 2], "ann": [1, 3, 2, 5], "ibl": [4, 1, 3, 1]}
    >>> systems = ["ann", "ibl"]
    >>> found = compare_predictions(table, truth="y", systems=systems, by="fold", measures="P(rel=2)@1")
    >>> [means["P(rel=2)@1"] for means in found.means.values()]
    [1.0, 0.0]
    """
    from rankscope.compare.predictions import tabled
    from rankscope.measures import parse, parse_many

    given = [measures] if isinstance(measures, Measure) else measures
    wanted = parse_many(given) if isinstance(given, str) else [parse(m) for m in given]
    names = [systems] if isinstance(systems, str) else list(systems)
    return compare(*tabled(table, truth, names, by, wanted), wanted, **options)


def _result(judgments: Any, runs: Any, measures: Measures | None, options: dict[str, Any]) -> Any:
    """The values to be compared: evaluated now, or brought along."""
    from rankscope.errors import InputError
    from rankscope.evaluate import DEFAULT_MEASURES, evaluate
    from rankscope.result import Result

    if not isinstance(judgments, Result):
        return evaluate(judgments, runs, DEFAULT_MEASURES if measures is None else measures, **options)
    beside = {"runs": runs, "measures": measures, **options, "threads": None, "progress": None}
    for name, value in beside.items():
        if value is not None:
            raise InputError(
                f"{name} cannot be given beside a result",
                code="result-is-finished",
                expected="a result alone, or a truth, runs and measures",
            )
    return judgments
