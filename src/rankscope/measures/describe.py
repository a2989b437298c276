"""What a measure declares, in words: for the command line, the pages of the documentation and reports."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from rankscope.measures.base import Measure
from rankscope.measures.bibliography import BIBLIOGRAPHY
from rankscope.measures.foreign import WITH_CUTOFF
from rankscope.measures.params import Param

__all__ = ["described", "facts", "family", "parameter_rows", "range_text", "signature"]

TRUTHS = {
    "judgments": "judgments",
    "order": "an order (judgments stand in for one)",
    "classes": "classes of items (judgments stand in for them)",
    "answer": "another answer",
}


def described(measure: Measure) -> dict[str, Any]:
    """Everything that a measure declares, in plain lists, dicts and numbers.

    None stands for an infinite bound, an `empty` as the formula gives it, and an `undefined` without a value.
    """
    return {
        "name": measure.name,
        "meaning": measure.meaning,
        "idea": measure.idea,
        "formula": measure.formula,
        "parameters": [_parameter(param) for param in measure.params],
        "range": [bound if math.isfinite(bound) else None for bound in measure.range],
        "better": measure.better,
        "truth": measure.truth,
        "detail": measure.detail,
        "aggregate": measure.aggregate,
        "empty": measure.empty,
        "always_defined": measure.undefined is None,
        "undefined": None
        if measure.undefined is None or math.isnan(measure.undefined)
        else measure.undefined,
        "aliases": _aliases(measure),
        "reference": {"key": measure.reference, "citation": BIBLIOGRAPHY.get(measure.reference, "")},
        "example": _example(measure),
    }


def _parameter(param: Param) -> dict[str, Any]:
    return {
        "name": param.name,
        "type": {int: "whole number", float: "number", str: "word"}[param.kind],
        "default": param.default,
        "allowed": param.allowed,
        "choices": list(param.choices),
        "help": param.help,
    }


def facts(measure: Measure) -> Iterator[tuple[str, str]]:
    """What a measure declares besides its meaning, each with a label."""
    yield "range", range_text(measure)
    yield "better", measure.better
    yield "truth", TRUTHS[measure.truth] + ("; good or bad is not enough" if measure.detail == "full" else "")
    yield "aggregate", measure.aggregate
    yield "empty", "as the formula gives" if measure.empty is None else f"{measure.empty:g}"
    yield "undefined", _undefined(measure)
    yield "other names", ", ".join(_aliases(measure)) or "none"
    yield "reference", BIBLIOGRAPHY.get(measure.reference, "") or "none"
    yield "example", _example(measure)


def family(measure: Measure) -> str:
    """The folder that the measure is in: relevance, order, classes, similarity or sets; else its module."""
    parts = measure.kernel.__module__.split(".")
    return parts[2] if parts[:2] == ["rankscope", "measures"] and len(parts) > 3 else parts[0]


def parameter_rows(measure: Measure) -> list[list[str]]:
    """Name, meaning, what is allowed and the default of each parameter."""
    return [[_written(p), p.help, p.allowed, _default(p)] for p in measure.params]


def signature(measure: Measure) -> str:
    """The parameters with their defaults, in one line."""
    written = [f"{_written(p)}{'' if p.is_cutoff else f'={_default(p)}'}" for p in measure.params]
    return ", ".join(written) or "none"


def range_text(measure: Measure) -> str:
    """The range as an interval."""
    low, high = measure.range
    return f"{'[' if math.isfinite(low) else '('}{low:g}, {high:g}{']' if math.isfinite(high) else ')'}"


def _undefined(measure: Measure) -> str:
    if measure.undefined is None:
        return "never"
    return "no value, and not in the mean" if math.isnan(measure.undefined) else f"{measure.undefined:g}"


def _written(param: Param) -> str:
    return "@k" if param.is_cutoff else param.name


def _default(param: Param) -> str:
    return "none" if param.default is None else param.show(param.default)


def _aliases(measure: Measure) -> list[str]:
    with_cutoff = [f"{theirs}_10" for theirs, ours in WITH_CUTOFF.items() if ours == measure.name]
    return [*measure.aliases, *with_cutoff]


def _example(measure: Measure) -> str:
    """A command line that uses the measure with a parameter of its own, if it has any, and a cutoff."""
    for param in measure.params:
        other = next((choice for choice in param.choices if choice != param.default), None)
        if other is not None:
            measure = measure(**{param.name: other})
            break
    if any(param.is_cutoff for param in measure.params):
        measure = measure @ 10
    if measure.truth == "answer":
        return f"rankscope similarity bm25.run dense.run -m '{measure}'"
    return f"rankscope evaluate judgments.qrels bm25.run -m '{measure}'"
