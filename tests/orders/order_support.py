"""The measures of an order by their definitions, in exact fractions and loops over one strict ranking."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product

Values = Sequence[float]
Number = Fraction | float | None


def midranks(values: Values) -> list[Fraction]:
    """From 1 for the lowest; equal values share the mean of their ranks."""
    return [
        Fraction(2 * sum(v < value for v in values) + sum(v == value for v in values) + 1, 2)
        for value in values
    ]


def positive(true: Values) -> list[bool]:
    return [rank > Fraction(len(true), 2) for rank in midranks(true)]


def ed(true: Values, run: Values) -> Number:
    return sum((a - b) ** 2 for a, b in zip(midranks(true), midranks(run), strict=True)) if true else None


def md(true: Values, run: Values) -> Number:
    return sum(abs(a - b) for a, b in zip(midranks(true), midranks(run), strict=True)) if true else None


def sign(a: float, b: float) -> int:
    return int(a < b) - int(a > b)


def directions(true: Values, run: Values) -> list[tuple[int, int]]:
    return [(sign(true[i], true[j]), sign(run[i], run[j])) for i, j in combinations(range(len(true)), 2)]


def srn(true: Values, run: Values) -> Number:
    return Fraction(sum(a * b < 0 for a, b in directions(true, run))) if true else None


def order_auc(true: Values, run: Values) -> Number:
    pairs = [
        Fraction(1 + sign(run[j], run[i]), 2)
        for i, is_positive in enumerate(positive(true))
        for j, other in enumerate(positive(true))
        if is_positive and not other
    ]
    return sum(pairs) / len(pairs) if pairs else None


def oauc(true: Values, run: Values) -> Number:
    """The numerator of the paper for a strict run: a_{r_i} (r_i - i), where r_i - i negatives are below."""
    labels, ranks = positive(true), midranks(true)
    negatives = labels.count(False)
    weight = sum(rank for rank, label in zip(ranks, labels, strict=True) if label)
    total = sum(
        ranks[i] * Fraction(1 + sign(run[j], run[i]), 2)
        for i in range(len(true))
        for j in range(len(true))
        if labels[i] and not labels[j]
    )
    return total / (negatives * weight) if negatives and weight else None


def order_accuracy(true: Values, run: Values) -> Number:
    """Of a strict run."""
    labels = positive(true)
    called = sorted(range(len(run)), key=lambda i: run[i], reverse=True)[: sum(labels)]
    right = sum((i in called) == label for i, label in enumerate(labels))
    return Fraction(right, len(true)) if true else None


def balance(true: Values, run: Values) -> int:
    return sum(a * b for a, b in directions(true, run))


def over(part: float, whole: float) -> Number:
    return part / whole if whole else None


def kendall_a(true: Values, run: Values) -> Number:
    return over(balance(true, run), len(directions(true, run)))


def kendall_b(true: Values, run: Values) -> Number:
    pairs = directions(true, run)
    untied = sum(a != 0 for a, _ in pairs) * sum(b != 0 for _, b in pairs)
    return over(balance(true, run), math.sqrt(untied))


def kendall_c(true: Values, run: Values) -> Number:
    m = min(len({*true}), len({*run}))
    return over(2 * balance(true, run), len(true) ** 2 * (m - 1) / m) if m else None


def gamma(true: Values, run: Values) -> Number:
    return over(balance(true, run), sum(a * b != 0 for a, b in directions(true, run)))


def somers(true: Values, run: Values) -> Number:
    return over(balance(true, run), sum(a != 0 for a, _ in directions(true, run)))


def somers_of_truth(true: Values, run: Values) -> Number:
    return somers(run, true)


def spearman(true: Values, run: Values) -> Number:
    a, b = ([rank - Fraction(len(true) + 1, 2) for rank in midranks(side)] for side in (true, run))
    whole = sum(x * x for x in a) * sum(y * y for y in b)
    return over(float(sum(x * y for x, y in zip(a, b, strict=True))), math.sqrt(whole))


def footrule(true: Values, run: Values) -> Number:
    total = md(true, run)
    return None if total is None or len(true) < 2 else total / (len(true) ** 2 // 2)


BY_DEFINITION: dict[str, Callable[[Values, Values], Number]] = {
    "ED": ed,
    "MD": md,
    "SRN": srn,
    "OrderAUC": order_auc,
    "OAUC": oauc,
    "OrderAccuracy": order_accuracy,
    "Kendall(variant=a)": kendall_a,
    "Kendall": kendall_b,
    "Kendall(variant=c)": kendall_c,
    "Gamma": gamma,
    "Somers": somers,
    "Somers(direction=truth)": somers_of_truth,
    "Spearman": spearman,
    "Footrule": footrule,
}


def strict_orders(run: Values) -> Iterator[list[int]]:
    """Every way to break the ties of a run, as ranks."""
    groups = [[i for i, value in enumerate(run) if value == level] for level in sorted({*run})]
    for order in product(*(permutations(group) for group in groups)):
        ranks = [0] * len(run)
        for rank, item in enumerate((i for group in order for i in group), 1):
            ranks[item] = rank
        yield ranks


def mean_over_orders(name: str, true: Values, run: Values) -> float:
    values = [BY_DEFINITION[name](true, ranks) for ranks in strict_orders(run)]
    if any(value is None for value in values):
        return math.nan
    return float(sum(Fraction(value) for value in values if value is not None) / len(values))
