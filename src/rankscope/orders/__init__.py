"""Measures of one ranking against a true order, as functions, and rank correlations of two columns of scores.

`ed`, `md`, `srn` and `oauc` need the true order of the items; `order_auc` and `order_accuracy` also take a
rough one, which says only positive or negative.

>>> from rankscope import orders
>>> table_1 = [3, 6, 8, 1, 4, 2, 5, 7]
>>> orders.ed(table_1), orders.md(table_1), orders.srn(table_1)
(76.0, 22.0, 12.0)
"""

from rankscope.orders.correlations import (
    Correlation,
    count_pairs,
    footrule,
    gamma,
    kendall,
    somers,
    spearman,
)
from rankscope.orders.distances import ed, md, srn, srn_terms
from rankscope.orders.halves import oauc, order_accuracy, order_auc, roc_auc
from rankscope.orders.inputs import from_best_first

__all__ = [
    "Correlation",
    "count_pairs",
    "ed",
    "footrule",
    "from_best_first",
    "gamma",
    "kendall",
    "md",
    "oauc",
    "order_accuracy",
    "order_auc",
    "roc_auc",
    "somers",
    "spearman",
    "srn",
    "srn_terms",
]
