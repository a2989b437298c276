"""Tens of thousands of random queries with everything that systems treat differently."""

from __future__ import annotations

import math

import numpy as np
from parity_support import Case, Values

from rankscope import Result, parse

POOL = 24
MOST_RETRIEVED = 14
MOST_JUDGED = 10


def many_queries(
    seed: int,
    queries: int = 20_000,
    *,
    ties: bool = True,
    one_sided: bool = True,
    grades: tuple[int, ...] = (-2, -1, 0, 0, 0, 0, 1, 1, 2, 3),
) -> Case:
    """Short rankings; a third each of strict orders, of few distinct scores, and of neighbours around 1e8.

    At 1e8 single precision has steps of 8, so that most of the last third is tied there and nowhere else.
    """
    rng = np.random.default_rng(seed)
    shuffled = rng.random((2, queries, POOL)).argsort(axis=2)
    retrieved = rng.integers(1, MOST_RETRIEVED + 1, queries)
    judged = rng.integers(1, MOST_JUDGED + 1, queries)
    graded = rng.choice(grades, (queries, MOST_JUDGED))
    graded[:, 0] = np.maximum(graded[:, 0], 0)  # pytrec_eval crashes on a query without any other grade
    strict = rng.random((queries, POOL)).argsort(axis=1)[:, :MOST_RETRIEVED]
    few = rng.integers(-2, 3, (queries, MOST_RETRIEVED))
    scores = np.choose(np.arange(queries)[:, None] % 3 if ties else 0, [strict, few, 1e8 + strict])
    ids = [f"d{i}" if i % 5 else f"D{i}ü" for i in range(POOL)]

    def rows(items: np.ndarray, values: np.ndarray, counts: np.ndarray) -> list[dict[str, float]]:
        lists = zip(items.tolist(), values.tolist(), counts.tolist(), strict=True)
        return [{ids[i]: v for i, v in zip(line[:n], column[:n], strict=True)} for line, column, n in lists]

    names = [f"q{n}" for n in range(queries)]
    truth = rows(shuffled[0][:, :MOST_JUDGED], graded, judged)
    run = rows(shuffled[1][:, :MOST_RETRIEVED], scores.astype(np.float64), retrieved)
    return Case(
        {q: row for n, (q, row) in enumerate(zip(names, truth, strict=True)) if not one_sided or n % 13},
        {q: row for n, (q, row) in enumerate(zip(names, run, strict=True)) if not one_sided or n % 11},
    )


def named(result: Result, spelled: dict[str, str]) -> Values:
    """(query, a peer's name) -> our value; `spelled` has our name of each as it was asked for."""
    columns = {theirs: str(result.asked[parse(ours)]) for theirs, ours in spelled.items()}
    found = {}
    for theirs, ours in columns.items():
        values = result.run.values[ours].tolist()
        kept = zip(result.run.query_ids, values, result.run.counted.tolist(), strict=True)
        found |= {(query, theirs): value for query, value, counted in kept if counted}
    return found


def same(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-12)
