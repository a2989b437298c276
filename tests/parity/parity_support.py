"""Random runs and judgments with all that real ones have, and how two sets of values are compared."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rankscope import Result, evaluate, parse

Grades = dict[str, dict[str, int]]
Scores = dict[str, dict[str, float]]
Values = dict[tuple[str, str], float]

TOLERANCE = 1e-12
# Neighbours in single precision: the closest scores that trec_eval 9 can still tell apart.
FLOAT32_STEP = 2.0**-23


@dataclass(frozen=True)
class Case:
    """Judgments and a run; some queries are in one of the two only."""

    judgments: Grades
    run: Scores

    @property
    def shared(self) -> list[str]:
        return [query for query in self.judgments if query in self.run]

    def paths(self, folder: Path, seed: int = 0) -> tuple[Path, Path]:
        """The same as two text files; the rows of a query stay together, but in no order."""
        rng = np.random.default_rng(seed)
        truth, run = folder / "truth.qrels", folder / "system.run"
        with truth.open("w", encoding="utf-8") as file:
            for query, items in self.judgments.items():
                file.writelines(f"{query} 0 {item}\t{grade}\n" for item, grade in items.items())
        with run.open("w", encoding="utf-8") as file:
            for query, scores in self.run.items():
                rows = [f"{query} Q0 {item} 1 {score!r} tag\n" for item, score in scores.items()]
                file.writelines(rows[i] for i in rng.permutation(len(rows)))
        return truth, run


def random_case(
    seed: int,
    *,
    queries: int = 300,
    longest: int = 90,
    scores: str = "untied",
    grades: tuple[float, ...] = (0.55, 0.2, 0.12, 0.08, 0.05),
    lowest: int = 0,
    one_sided: bool = True,
) -> Case:
    """`grades` are the chances of the grades from `lowest` up; `one_sided` queries are in one table only."""
    rng = np.random.default_rng(seed)
    judgments: Grades = {}
    run: Scores = {}
    for number in range(queries):
        query = f"q{number}" if number % 3 else f"Frage-{number}é"
        sizes = rng.integers(1, longest, 2) if number % 7 else [1, rng.integers(1, 4)]
        retrieved, judged = int(sizes[0]), int(min(sizes[1], 40))
        # Twice as many items as are retrieved: some judged items are not found, some found ones not judged.
        items = [f"d{i}" if i % 5 else f"D{i}#ü" for i in range(2 * max(retrieved, judged))]
        if not one_sided or number % 11:
            chosen = rng.choice(len(grades), judged, p=grades) + lowest
            # pytrec_eval crashes on a query whose grades are all negative.
            chosen[0] = max(chosen[0], 0)
            places = rng.permutation(len(items))[:judged]
            judgments[query] = {items[p]: int(g) for p, g in zip(places, chosen, strict=True)}
        if not one_sided or number % 13:
            places = rng.permutation(len(items))[:retrieved]
            values = _scores(rng, scores, retrieved)
            run[query] = {items[p]: float(v) for p, v in zip(places, values, strict=True)}
    return Case(judgments, run)


def _scores(rng: np.random.Generator, kind: str, count: int) -> np.ndarray:
    if kind == "tied":
        return rng.integers(-2, 3, count).astype(np.float64)
    if kind == "nearly tied":
        return 1.0 + FLOAT32_STEP * rng.permutation(count)
    return rng.permutation(count) - count / 2


def ours(
    judgments: object, run: object, measures: Mapping[str, str] | Iterable[str], **options: object
) -> Values:
    """(query, name) -> value; `measures` maps a peer's name to our spelling, or has names both understand."""
    spelled = dict(measures) if isinstance(measures, Mapping) else {name: name for name in measures}
    result = evaluate(judgments, run, list(dict.fromkeys(spelled.values())), **options)  # type: ignore[arg-type]
    return values_of(result, spelled)


def values_of(result: Result, spelled: Mapping[str, str]) -> Values:
    keys = {name: str(parse(ours)) for name, ours in spelled.items()}
    return {(q, name): row[key] for q, row in result.queries.items() for name, key in keys.items()}


def assert_same(found: Values, theirs: Values) -> None:
    """The same queries, the same measures and, but for rounding, the same values."""
    assert found.keys() == theirs.keys()
    assert len(found) > 0
    apart = {
        key: (value, theirs[key])
        for key, value in found.items()
        if not math.isclose(value, theirs[key], rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    }
    assert apart == {}, f"{len(apart)} of {len(found)} differ"
