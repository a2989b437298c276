"""Metrics of traceability link recovery: ranked lists, sets of links, and averages over projects.

They are those of ArDoCo's metrics, with the forms of its documentation and of its program side by side and
the one that was used named in the result.

>>> from rankscope.links import rank_lists
>>> result = rank_lists([["A", "B", "C"], ["B", "A", "D"]], {"A", "B"})
>>> result.map, result.lag, result.auc
(1.0, 0.0, None)
"""

from rankscope.links.aggregation import Average, RankSummary, average_classifications, average_ranks
from rankscope.links.classification import ClassificationResult, classify
from rankscope.links.confusion import Confusion, f_measure
from rankscope.links.curve import Roc, roc
from rankscope.links.rank import QueryRanks, RankResult, average_precision, lag, rank_lists
from rankscope.links.variant import Variant

__all__ = [
    "Average",
    "ClassificationResult",
    "Confusion",
    "QueryRanks",
    "RankResult",
    "RankSummary",
    "Roc",
    "Variant",
    "average_classifications",
    "average_precision",
    "average_ranks",
    "classify",
    "f_measure",
    "lag",
    "rank_lists",
    "roc",
]
