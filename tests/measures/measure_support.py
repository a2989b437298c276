"""Every built-in measure once more, by its definition, in exact fractions and loops over one ranking."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction

from rankscope import Measure

Grade = float | None  # None: without a judgment
Ranking = list[Grade]
Number = Fraction | float


def is_relevant(grade: Grade, rel: float) -> bool:
    return grade is not None and grade >= 0 and grade >= rel


class OneQuery:
    """A strict ranking of one query and the grades of all its judged items."""

    def __init__(self, ranking: Ranking, judged: list[float], parameters: dict[str, object]) -> None:
        self.ranking = ranking
        self.judged = judged
        self.rel = float(parameters.get("rel", 1.0))  # type: ignore[arg-type]
        self.k: int | None = parameters.get("k")  # type: ignore[assignment]
        self.parameters = parameters
        self.seen = ranking[: self.k]
        self.R = sum(is_relevant(g, self.rel) for g in judged)
        self.N = sum(0 <= g < self.rel for g in judged)

    def hits(self, upto: int | None = None) -> Fraction:
        return Fraction(sum(is_relevant(g, self.rel) for g in self.seen[:upto]))

    def over_relevant(self, value: Number) -> Number | None:
        return value / self.R if self.R else None

    def dcg(self, grades: Ranking) -> float:
        exp = self.parameters["gain"] == "exp"
        base = float(self.parameters["base"])  # type: ignore[arg-type]
        gains = [(2.0**g - 1 if exp else float(g)) if g is not None and g > 0 else 0.0 for g in grades]
        return sum(g / math.log(1 + rank, base) for rank, g in enumerate(gains[: self.k], 1))


def precision(q: OneQuery) -> Number:
    return q.hits() / (q.k or len(q.ranking) or 1)


def f(q: OneQuery) -> Number | None:
    if not q.R:
        return None
    p, r = Fraction(precision(q)), q.hits() / q.R
    beta = Fraction(q.parameters["beta"])  # type: ignore[arg-type]
    return (1 + beta**2) * p * r / (beta**2 * p + r) if p or r else Fraction(0)


def ap(q: OneQuery) -> Number | None:
    total = sum(
        (q.hits(rank) / rank for rank, g in enumerate(q.seen, 1) if is_relevant(g, q.rel)), Fraction(0)
    )
    return q.over_relevant(total)


def rr(q: OneQuery) -> Number:
    return next((Fraction(1, i) for i, g in enumerate(q.seen, 1) if is_relevant(g, q.rel)), Fraction(0))


def ndcg(q: OneQuery) -> Number | None:
    ideal = q.dcg(sorted(q.judged, reverse=True))
    return q.dcg(q.ranking) / ideal if ideal > 0 else None


def rbp(q: OneQuery) -> Number:
    p = Fraction(q.parameters["p"])  # type: ignore[arg-type]
    return (1 - p) * sum((p**i for i, g in enumerate(q.seen) if is_relevant(g, q.rel)), Fraction(0))


def bpref(q: OneQuery) -> Number | None:
    total, nonrelevant = Fraction(0), 0
    for g in q.ranking:
        if is_relevant(g, q.rel):
            total += 1 - (Fraction(min(nonrelevant, q.R), min(q.N, q.R)) if nonrelevant else 0)
        elif g is not None and g >= 0:
            nonrelevant += 1
    return q.over_relevant(total)


def judged(q: OneQuery) -> Number:
    return Fraction(sum(g is not None for g in q.seen), len(q.seen) or 1)


BY_DEFINITION: dict[str, Callable[[OneQuery], Number | None]] = {
    "P": precision,
    "R": lambda q: q.over_relevant(q.hits()),
    "Success": lambda q: Fraction(q.hits() > 0),
    "F": f,
    "Rprec": lambda q: q.over_relevant(q.hits(q.R)),
    "AP": ap,
    "RR": rr,
    "DCG": lambda q: q.dcg(q.ranking),
    "nDCG": ndcg,
    "RBP": rbp,
    "bpref": bpref,
    "Judged": judged,
    "NumRet": lambda q: Fraction(len(q.seen)),
    "NumRel": lambda q: Fraction(q.R),
    "NumRelRet": lambda q: q.hits(),
}


def orders(groups: list[Ranking]) -> Iterator[Ranking]:
    """Every strict ranking that breaks the ties of the groups, each as often as the others."""
    for order in itertools.product(*(itertools.permutations(group) for group in groups)):
        yield [grade for group in order for grade in group]


def by_enumeration(
    measure: Measure,
    groups: list[Ranking],
    judged: list[float],
    *,
    ties: str,
    depth: int | None = None,
    drop: bool = False,
) -> float:
    """Mean, best or worst value over all orders of the ties; NaN where it is not defined."""
    if drop:
        groups = [[g for g in group if g is not None and g >= 0] for group in groups]
    times = Counter(tuple(order[:depth]) for order in orders(groups))
    values = {
        order: BY_DEFINITION[measure.name](OneQuery(list(order), judged, measure.parameters))
        for order in times
    }
    defined = {order: value for order, value in values.items() if value is not None}
    if not defined:
        return math.nan
    if ties == "expected":
        return float(sum(value * times[order] for order, value in defined.items()) / times.total())
    best = (ties == "best") == (measure.better == "higher")
    return float(max(defined.values()) if best else min(defined.values()))
