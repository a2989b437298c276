"""Slow and plain answers to hold the fast ones against, and collections to ask them of."""

from __future__ import annotations

import json
import random
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np

import rankscope
from rankscope.measures import Measure, parse

GOLDEN = Path(__file__).parents[1] / "golden" / "golden.json"

PAPER = {
    "AUC": "OrderAUC",
    "SRN": "SRN",
    "MD": "MD",
    "ED": "ED",
    "OAUC": "OAUC",
    "acc": "OrderAccuracy",
}
"""The names of Huang and Ling, and ours."""

KINDS = ("agree", "disagree", "only_f", "only_g", "both_tie")


def golden(*prefixes: str) -> dict[str, Any]:
    found = {name: case for name, case in json.loads(GOLDEN.read_text()).items() if name.startswith(prefixes)}
    assert found
    return found


def order_measures() -> list[Measure]:
    """Every registered measure that a bare order is enough for."""
    return [
        m
        for m in rankscope.measures.registered()
        if m.product == "ordered"
        and m.truth in ("order", "classes")
        and m.kernel.__module__.startswith("rankscope.")
    ]


def values_by_evaluate(measures: list[Measure], lists: list[tuple[int, ...]], truth: type) -> np.ndarray:
    """The values of lists of labels, best first, each as an ordinary query of an ordinary run."""
    judged = {f"q{n}": {f"d{i}": label for i, label in enumerate(ranks)} for n, ranks in enumerate(lists)}
    run = {f"q{n}": [f"d{i}" for i in range(len(ranks))] for n, ranks in enumerate(lists)}
    result = rankscope.evaluate(truth.of(judged), run, measures, undefined="nan")
    return np.array([result.run.values[str(m)] * (1 if m.better == "higher" else -1) for m in measures])


def brute_force(f: np.ndarray, g: np.ndarray, weights: np.ndarray | None = None) -> dict[str, float]:
    """The counts over all pairs of lists, one by one; over weights, the products of the weights of a pair."""
    found = dict.fromkeys(KINDS, 0)
    for a, b in combinations(range(len(f)), 2):
        weight = 1 if weights is None else weights[a] * weights[b]
        by_f, by_g = np.sign(round(f[a] - f[b], 10)), np.sign(round(g[a] - g[b], 10))
        if by_f and by_g:
            found["agree" if by_f == by_g else "disagree"] += weight
        elif by_f or by_g:
            found["only_f" if by_f else "only_g"] += weight
        else:
            found["both_tie"] += weight
    return found


def brute_force_matrix(f: np.ndarray, g: np.ndarray) -> dict[str, int]:
    """The same for many lists, from the matrix of all ordered pairs."""
    by_f, by_g = (
        np.sign(v[:, None] - v[None, :]).astype(np.int8) for v in (np.round(f, 10), np.round(g, 10))
    )
    apart_f, apart_g = by_f != 0, by_g != 0
    counts = {
        "agree": by_f * by_g > 0,
        "disagree": by_f * by_g < 0,
        "only_f": apart_f & ~apart_g,
        "only_g": ~apart_f & apart_g,
        "both_tie": ~apart_f & ~apart_g,
    }
    found = {name: int(np.count_nonzero(chosen)) for name, chosen in counts.items()}
    found["both_tie"] -= len(f)
    return {name: count // 2 for name, count in found.items()}


def all_orders(n: int) -> list[tuple[int, ...]]:
    return list(permutations(range(n, 0, -1)))


def collection(seed: int, *, systems: int = 6, queries: int = 20, items: int = 15) -> tuple[dict, dict]:
    """Judgments and runs of different quality, with ties between systems on many queries."""
    rng = random.Random(seed)
    truth = {
        f"q{q:02}": {f"d{i}": rng.choice([0, 0, 0, 1, 1, 2]) for i in rng.sample(range(items), items // 2)}
        for q in range(queries)
    }
    for judged in truth.values():
        judged[next(iter(judged))] = 2
    runs = {}
    for s in range(systems):
        noise = 2 + s / 2
        runs[f"s{s}"] = {
            query: {
                f"d{i}": float(judged.get(f"d{i}", 0) + rng.gauss(0, noise))
                for i in rng.sample(range(items), 8)
            }
            for query, judged in truth.items()
        }
    return truth, runs


def measures(text: str) -> list[Measure]:
    return [parse(name) for name in text.split()]
