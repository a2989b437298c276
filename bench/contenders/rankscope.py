"""Rankscope, through its Python door."""

from __future__ import annotations

from typing import Any

import rankscope
from contenders.common import MEASURES, Values, main


def evaluate(judgments: Any, run: Any) -> Values:
    result = rankscope.evaluate(judgments, run, list(MEASURES))
    return {measure: result[measure] for measure in MEASURES}


if __name__ == "__main__":
    main(dict.fromkeys(("files", "reading", "dict", "pandas", "polars", "arrow"), evaluate))
