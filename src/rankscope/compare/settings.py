"""What a comparison is made with: the test, its correction, and the choices behind both."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, SupportsFloat, SupportsIndex

from rankscope.compare.corrections import CORRECTIONS
from rankscope.compare.intervals import INTERVALS
from rankscope.compare.resample import EXACT_QUERIES
from rankscope.errors import InputError, PolicyError, nearest, printable

__all__ = ["JOINT", "TESTS", "Settings", "check_equal_queries"]

# name -> what it is. The first is the default.
TESTS = {
    "fisher": "Fisher's randomisation test; exact up to 20 queries",
    "t": "paired t-test",
    "wilcoxon": "Wilcoxon's signed rank test",
    "sign": "sign test, exact",
    "bootstrap": "paired bootstrap test",
    "tukey": "randomised Tukey HSD: family-wise over all pairs of runs",
    "anova": "two-way analysis of variance with Tukey HSD: family-wise over all pairs of runs",
}

JOINT = ("tukey", "anova")
"""Tests of all runs together, whose p-values need no correction."""

# What each test draws, and how many by default. A draw of Tukey's shuffles every value of every run.
_DRAWN = {"fisher": "permutations", "bootstrap": "resamples", "tukey": "permutations"}
_DRAWS = {"fisher": 100_000, "bootstrap": 100_000, "tukey": 10_000}
INTERVAL_DRAWS = 10_000

_NAMES = {
    "fisher": "Fisher's randomisation test",
    "t": "paired t-test",
    "wilcoxon": "Wilcoxon signed rank test",
    "sign": "sign test",
    "bootstrap": "paired bootstrap test",
    "tukey": "randomised Tukey HSD",
    "anova": "two-way ANOVA with Tukey HSD",
}
_CORRECTED = {
    "holm": "Holm's correction",
    "bonferroni": "Bonferroni's correction",
    "bh": "Benjamini-Hochberg correction",
    "by": "Benjamini-Yekutieli correction",
    "none": "no correction",
}

_ALIASES = {
    "randomisation": "fisher",
    "randomization": "fisher",
    "permutation": "fisher",
    "student": "t",
    "ttest": "t",
    "t-test": "t",
    "tukey-hsd": "tukey",
    "benjamini-hochberg": "bh",
    "fdr-bh": "bh",
    "benjamini-yekutieli": "by",
    "fdr-by": "by",
}


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Everything that p-values and intervals depend on beside the data.

    >>> Settings.of(test="permutation", seed=7).test
    'fisher'
    """

    test: str = "fisher"
    correction: str = "holm"
    alpha: float = 0.05
    seed: int = 0
    resamples: int = 0
    """What the test draws; 0 if it draws nothing."""
    interval: str = "bca"
    interval_resamples: int = 0
    """What the interval draws; 0 if it draws nothing."""
    risk: float = 1.0
    """How much more than a gain a loss counts in URisk and TRisk."""
    power: float | None = None
    """The chance with which a difference is to be seen, if the number of queries for it is asked for."""

    @classmethod
    def of(
        cls,
        *,
        test: str = "fisher",
        correction: str = "holm",
        alpha: float = 0.05,
        seed: int = 0,
        resamples: int | None = None,
        interval: str | None = "bca",
        risk: float = 1.0,
        power: float | None = None,
    ) -> Settings:
        """Checked settings, with the usual number of draws where none is given."""
        chosen = _chosen("test", test, TESTS)
        ends = _chosen("interval", interval or "none", INTERVALS)
        draws = None if resamples is None else _whole("resamples", resamples, least=1)
        return cls(
            test=chosen,
            correction="none" if chosen in JOINT else _chosen("correction", correction, CORRECTIONS),
            alpha=_number("alpha", alpha, 0, 1),
            seed=_whole("seed", seed, least=0, most=2**64 - 1),
            resamples=(draws or _DRAWS[chosen]) if chosen in _DRAWS else 0,
            interval=ends,
            interval_resamples=min(draws or INTERVAL_DRAWS, INTERVAL_DRAWS) if ends == "bca" else 0,
            risk=_number("risk", risk, -1, math.inf),
            power=None if power is None else _number("power", power, 0, 1),
        )

    @property
    def is_joint(self) -> bool:
        """Whether the test is one of all runs together."""
        return self.test in JOINT

    @property
    def level(self) -> float:
        """The confidence level of the intervals."""
        return 1 - self.alpha

    def words(self, queries: Sequence[int]) -> str:
        """The method, for the foot of a table of comparisons over so many queries each."""
        test = f"{_NAMES[self.test]} ({self._draws(queries)})" if self.resamples else _NAMES[self.test]
        family = "family-wise over all pairs" if self.is_joint else _CORRECTED[self.correction]
        return f"{test}, {family}, alpha {self.alpha:g}"

    def _draws(self, queries: Sequence[int]) -> str:
        drawn = f"{self.resamples:,} {_DRAWN[self.test]}, seed {self.seed}"
        exact = {self.test == "fisher" and size <= EXACT_QUERIES for size in queries if size}
        if exact == {True}:
            return "exact"
        return f"exact up to {EXACT_QUERIES} queries, else {drawn}" if True in exact else drawn

    def interval_words(self) -> str:
        """What the ends of the intervals are."""
        drawn = f" ({self.interval_resamples:,} resamples)" if self.interval_resamples else ""
        names = {"bca": "BCa bootstrap", "t": "Student's t"}
        return f"{100 * self.level:g} % interval of the difference: {names[self.interval]}{drawn}"

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def check_equal_queries(options: Mapping[str, Any]) -> None:
    """Refuse the options of `evaluate` by which queries would not count alike."""
    for name in ("weights", "aggregate"):
        if options.get(name) is not None:
            raise InputError(
                f"{name} cannot be given here",
                code="not-for-compare",
                expected="queries that all count alike",
            )


def _chosen(option: str, given: object, known: Mapping[str, str]) -> str:
    folded = str(given).casefold().replace("_", "-")
    name = _ALIASES.get(folded, folded)
    if name in known:
        return name
    aliases = [alias for alias, meant in _ALIASES.items() if meant in known]
    close = nearest(folded, [*known, *aliases], count=1)
    raise PolicyError(
        f"{option}={printable(str(given))} is not a choice",
        code=f"unknown-{option}",
        expected=f"{option}= one of {', '.join(known)}",
        hint=f"did you mean {close[0]}?" if close else "",
    )


def _whole(option: str, given: object, *, least: int, most: int | None = None) -> int:
    if isinstance(given, SupportsIndex) and not isinstance(given, bool):
        found = operator.index(given)
        if found >= least and (most is None or found <= most):
            return found
    limit = f"from {least} up" if most is None else f"from {least} to {most}"
    raise InputError(f"{option}={given}", code="count", expected=f"{option}= a whole number {limit}")


def _number(option: str, given: object, above: float, below: float) -> float:
    if isinstance(given, SupportsFloat) and not isinstance(given, bool | str):
        found = float(given)
        if above < found < below:
            return found
    limit = f"above {above:g}" if below == math.inf else f"between {above:g} and {below:g}"
    raise InputError(f"{option}={given}", code="number", expected=f"{option}= a number {limit}")
