"""What a value could have been: the lowest and the highest of any order of the same items."""

from __future__ import annotations

from typing import Any

from rankscope.errors import MeasureError
from rankscope.evaluate import Measures, evaluate
from rankscope.measures import Measure, parse, parse_many, registered
from rankscope.measures.scale import SCALE
from rankscope.result import Result

__all__ = ["bounds"]


def bounds(judgments: Any, runs: Any, measures: Measures, **options: Any) -> Result:
    """Evaluate each measure, with the lowest and highest value that any order of the same items could have.

    Each measure is followed by itself with scale=lowest, scale=highest and scale=minmax. The options are
    those of `evaluate`.

    >>> judgments, run = {"q": {"a": 3, "t": 1, "d": 0}}, {"q": ["d", "t", "a"]}
    >>> [round(value, 2) for value in bounds(judgments, run, "nDCG").queries["q"].values()]
    [0.59, 0.59, 1.0, 0.0]
    """
    if isinstance(measures, str | Measure):
        measures = parse_many(str(measures))
    return evaluate(judgments, runs, [end for m in measures for end in _with_ends(parse(m))], **options)


def _with_ends(measure: Measure) -> list[Measure]:
    if SCALE not in measure.params:
        able = ", ".join(m.name for m in registered() if SCALE in m.params)
        raise MeasureError(
            f"{measure.name} has no scale", code="no-scale", expected=f"one of {able}", where=str(measure)
        )
    return [measure, *(measure(scale=scale) for scale in ("lowest", "highest", "minmax"))]
