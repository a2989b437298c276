"""Measures: how they are declared, named, found and computed."""

from __future__ import annotations

from rankscope.measures.base import CUTOFF, REL, Measure, Param, measure
from rankscope.measures.graded import Graded, binary, exponential, linear
from rankscope.measures.grammar import parse, parse_many
from rankscope.measures.ordered import Ordered
from rankscope.measures.registry import REGISTRY

__all__ = [
    "CUTOFF",
    "REL",
    "Graded",
    "Measure",
    "Ordered",
    "Param",
    "binary",
    "exponential",
    "linear",
    "measure",
    "parse",
    "parse_many",
    "registered",
]


def registered() -> list[Measure]:
    """Every measure there is, at its defaults, by name."""
    return REGISTRY.all()
