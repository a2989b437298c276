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
from rankscope.compare import compare, compare_predictions
from rankscope.data import Answer, Judgments, Order, Run
from rankscope.errors import InputError, MeasureError, MissingDependency, PolicyError, RankscopeError
from rankscope.evaluate import evaluate, evaluate_scores
from rankscope.measures import CUTOFF, REL, Measure, Param, measure, parse
from rankscope.measures.registry import REGISTRY as _REGISTRY
from rankscope.policy import Policy
from rankscope.report import report
from rankscope.result import Result
from rankscope.study import study

if TYPE_CHECKING:
    from rankscope.answers import pdelta, rbo
    from rankscope.checks import check
    from rankscope.classes import Taxonomy, classi
    from rankscope.compare.comparison import Comparison
    from rankscope.data.classes import Classes
    from rankscope.gains import bounds, rankdcg_order, rankdcg_scores
    from rankscope.links import classify, rank_lists, roc
    from rankscope.plots.of_runs import plot

_LAZY = {
    "Classes": "rankscope.data.classes",
    "Comparison": "rankscope.compare.comparison",
    "Taxonomy": "rankscope.classes",
    "bounds": "rankscope.gains",
    "check": "rankscope.checks",
    "classi": "rankscope.classes",
    "classify": "rankscope.links",
    "pdelta": "rankscope.answers",
    "plot": "rankscope.plots.of_runs",
    "rank_lists": "rankscope.links",
    "rankdcg_order": "rankscope.gains",
    "rankdcg_scores": "rankscope.gains",
    "rbo": "rankscope.answers",
    "roc": "rankscope.links",
}
"""Names that only who asks for them pays for, and where they are."""

__version__ = "0.1.0"

__all__ = [
    "CUTOFF",
    "REL",
    "Answer",
    "Classes",
    "Comparison",
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
    "Taxonomy",
    "__version__",
    "bounds",
    "check",
    "classi",
    "classify",
    "compare",
    "compare_predictions",
    "evaluate",
    "evaluate_scores",
    "measure",
    "measures",
    "parse",
    "pdelta",
    "plot",
    "rank_lists",
    "rankdcg_order",
    "rankdcg_scores",
    "rbo",
    "report",
    "roc",
    "study",
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
