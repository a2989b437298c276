"""What the contenders share: the measures, the objects in memory, the clock and the answer."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

MEASURES = ("nDCG@10", "AP", "RR", "P@10", "R@100")
WARM_UP_QUERIES = 5
CALLS = 3

Values = dict[str, float]
Evaluate = Callable[[Any, Any], Values]


def main(evaluators: dict[str, Evaluate]) -> None:
    """Run the evaluator for the kind that the command line names, and print what it gave."""
    kind, judgments, run = sys.argv[1:]
    evaluate = evaluators[kind]
    if kind == "files":
        answer(evaluate(judgments, run))
    elif kind == "reading":
        answer(*best_of_calls(evaluate, judgments, run))
    else:
        answer(*steady(evaluate, kind, judgments, run))


def answer(values: Values, seconds: float | None = None) -> None:
    print(json.dumps({"values": values, "seconds": seconds}))


def steady(evaluate: Evaluate, kind: str, judgments_path: str, run_path: str) -> tuple[Values, float]:
    """Values and seconds of a call on objects in memory, after one on few queries that loads and compiles."""
    evaluate(*in_memory(kind, judgments_path, run_path, WARM_UP_QUERIES))
    return best_of_calls(evaluate, *in_memory(kind, judgments_path, run_path))


def best_of_calls(evaluate: Evaluate, judgments: Any, run: Any) -> tuple[Values, float]:
    times = []
    for _ in range(CALLS):
        start = time.perf_counter()
        values = evaluate(judgments, run)
        times.append(time.perf_counter() - start)
    return values, min(times)


def in_memory(kind: str, judgments_path: str, run_path: str, queries: int | None = None) -> tuple[Any, Any]:
    """Judgments and run as objects of a kind: all of them, or those of the first few queries."""
    import polars as pl

    frames = [pl.read_parquet(path) for path in (judgments_path, run_path)]
    if queries is not None:
        kept = frames[1]["query"].unique(maintain_order=True).head(queries)
        frames = [frame.filter(pl.col("query").is_in(kept.implode())) for frame in frames]
    judgments, run = (_CONVERT[kind](frame) for frame in frames)
    return judgments, run


def _dict(frame: pl.DataFrame) -> dict[str, dict[str, float]]:
    nested: dict[str, dict[str, float]] = {}
    for query, item, value in frame.iter_rows():
        nested.setdefault(query, {})[item] = value
    return nested


_CONVERT: dict[str, Callable[[pl.DataFrame], Any]] = {
    "dict": _dict,
    "pandas": lambda frame: frame.to_pandas(),
    "polars": lambda frame: frame,
    "arrow": lambda frame: frame.to_arrow(),
}
