"""Measure rankings. Compare systems. Measure the measures.

>>> import rankscope
>>> result = rankscope.evaluate({"q1": {"a": 1}}, {"q1": {"a": 0.2, "b": 0.7}}, "RR")
>>> result["RR"]
0.5

Every measure is an attribute: ``rankscope.nDCG @ 10``. `rankscope.measures.registered()` has them all.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rankscope import measures
from rankscope.data import Answer, Judgments, Order, Run
from rankscope.errors import InputError, MeasureError, MissingDependency, PolicyError, RankscopeError
from rankscope.evaluate import evaluate, evaluate_scores
from rankscope.measures import CUTOFF, REL, Measure, Param, measure, parse
from rankscope.measures.registry import REGISTRY as _REGISTRY
from rankscope.policy import Policy
from rankscope.result import Result

if TYPE_CHECKING:
    from rankscope.checks import check

_LAZY = {
    "check": "rankscope.checks",
}
"""Names that only who asks for them pays for, and where they are."""

__version__ = "0.1.0"

__all__ = [
    "CUTOFF",
    "REL",
    "Answer",
    "InputError",
    "Judgments",
    "Measure",
    "MeasureError",
    "MissingDependency",
    "Order",
    "Param",
    "Policy",
    "PolicyError",
    "RankscopeError",
    "Result",
    "Run",
    "__version__",
    "check",
    "evaluate",
    "evaluate_scores",
    "measure",
    "measures",
    "parse",
]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    return _measure_named(name)


def _measure_named(name: str) -> Measure:
    found = None if name.startswith("_") else _REGISTRY.get(name)
    if found is None or found.name != name:
        raise AttributeError(f"rankscope has no attribute or measure '{name}'")
    return found


def __dir__() -> list[str]:
    return sorted([*__all__, *(m.name for m in _REGISTRY.all())])
