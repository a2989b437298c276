"""Measure the measures: which of them agree, which tell more apart, and which one should one trust?

`study` asks this of lists: of all permutations, all lists of grades, samples of them, or the systems of a
result. The other functions ask more of such a result. What they need is imported when they are asked for.

>>> import rankscope
>>> from rankscope.study import ClassSizes
>>> rankscope.study(["AP", "RR"], over=ClassSizes(2, 3)).preference.steps
(('AP',), ('RR',))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from rankscope.measures.base import Measure

if TYPE_CHECKING:
    from rankscope.study.counts import PairCounts
    from rankscope.study.curve import Curve
    from rankscope.study.degrees import Degrees
    from rankscope.study.overqueries import Correlation, correlation
    from rankscope.study.populations import (
        ClassSizes,
        Mallows,
        Permutations,
        Population,
        Rankings,
        Sampler,
        Swaps,
    )
    from rankscope.study.preference import Preference
    from rankscope.study.removal import stability
    from rankscope.study.sheets import Finding
    from rankscope.study.significance import Power, power
    from rankscope.study.swaprate import swap_rate
    from rankscope.study.taus import Agreement, agreement, tau_ap, tau_b
    from rankscope.study.ttests import Sensitivity, sensitivity

_PLACES = {
    "taus": ("Agreement", "agreement", "tau_ap", "tau_b"),
    "overqueries": ("Correlation", "correlation"),
    "counts": ("PairCounts",),
    "curve": ("Curve",),
    "degrees": ("Degrees",),
    "populations": (
        *("ClassSizes", "Mallows", "Permutations", "Population", "Rankings", "Sampler", "Swaps"),
    ),
    "significance": ("Power", "power"),
    "preference": ("Preference",),
    "ttests": ("Sensitivity", "sensitivity"),
    "sheets": ("Finding",),
    "removal": ("stability",),
    "swaprate": ("swap_rate",),
}
"""Which module has the names that only who asks for them pays for; no module has the name of a function."""

__all__ = [
    "Agreement",
    "ClassSizes",
    "Correlation",
    "Curve",
    "Degrees",
    "Finding",
    "Mallows",
    "PairCounts",
    "Permutations",
    "Population",
    "Power",
    "Preference",
    "Rankings",
    "Sampler",
    "Sensitivity",
    "Swaps",
    "agreement",
    "correlation",
    "power",
    "sensitivity",
    "stability",
    "study",
    "swap_rate",
    "tau_ap",
    "tau_b",
]

Measures = str | Measure | Iterable[str | Measure]
Progress = Callable[[int, int], None]


def study(
    measures: Measures | None = None,
    *,
    over: Any,
    sample: int | None = None,
    seed: int = 0,
    confidence: float = 0.95,
    by: str = "query",
    threads: int | None = None,
    progress: Progress | None = None,
) -> Degrees:
    """Degrees of consistency and discriminancy of every pair of measures, and which is to be preferred.

    `over` says which lists are compared:

    - a number n, or `Permutations(n)`: all orders of n items;
    - `ClassSizes(3, 5)`: all lists of 3 relevant and 5 other items, for measures of grades;
    - `Swaps(n, s)` and `Mallows(n, theta)`: orders near the true one;
    - `Rankings(lists, weights)`, or a plain list of lists, and `Sampler(n, function)`: your own;
    - a `Result` of `rankscope.evaluate` with several runs: the pairs are pairs of systems, on each query
      (by="query") or by their values over all queries (by="mean"). Measures need not be named then.

    All lists are compared if there are no more than 4 million. With `sample`, so many are drawn with the
    `seed`, and C and log D have intervals of that `confidence`; the answer does not depend on `threads`.

    >>> from rankscope.study import ClassSizes
    >>> degrees = study(["nDCG", "RR", "P@2"], over=ClassSizes(1, 1, 2))
    >>> print(degrees.preference)
    nDCG > RR > P@2
    """
    from rankscope.study.front import degrees_over

    return degrees_over(
        measures,
        over,
        sample=sample,
        seed=seed,
        confidence=confidence,
        by=by,
        threads=threads,
        progress=progress,
    )


def __getattr__(name: str) -> Any:
    for module, names in _PLACES.items():
        if name in names:
            return getattr(import_module(f"rankscope.study.{module}"), name)
    raise AttributeError(f"rankscope.study has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
