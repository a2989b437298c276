"""What ranx says: reads questions as JSON, writes answers as JSON. Run as a program of its own.

ranx compiles for minutes on first use; uncompiled, which has to be decided before it is imported, the same
source answers at once.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any


def answer(question: dict[str, Any]) -> dict[str, list[float]] | str:
    """metric -> one value per query in sorted order of their ids; or the name of the exception."""
    from ranx import Qrels, Run, evaluate

    judgments, run = Qrels(question["judgments"]), Run(question["run"])
    options = {"return_mean": False, "make_comparable": question["comparable"]}
    try:
        found = {m: evaluate(judgments, run, m, **options) for m in question["metrics"]}
    except AssertionError:
        return "AssertionError"
    return {metric: [float(value) for value in values] for metric, values in found.items()}


if __name__ == "__main__":
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    json.dump([answer(question) for question in json.load(sys.stdin)], sys.stdout)
