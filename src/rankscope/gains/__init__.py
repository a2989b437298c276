"""Gains of one ranking: RankDCG, DCG and nDCG of a list, and agreement position by position.

>>> from rankscope import gains
>>> gains.rankdcg_order([3, 1, 0]), gains.rankdcg_scores([3, 1, 0], [0.1, 0.7, 0.9])
(1.0, 0.0)

The measures RankDCG, DCG and nDCG are the same for whole runs.
"""

from rankscope.gains.bounds import bounds
from rankscope.gains.dcg import DCGRatio, dcg, dcg_ratio, ndcg
from rankscope.gains.positional import positional_average_precision, positional_precision
from rankscope.gains.rankdcg import RankDCGTerms, rankdcg_order, rankdcg_scores, rankdcg_terms
from rankscope.gains.relevance import relevances_of

__all__ = [
    "DCGRatio",
    "RankDCGTerms",
    "bounds",
    "dcg",
    "dcg_ratio",
    "ndcg",
    "positional_average_precision",
    "positional_precision",
    "rankdcg_order",
    "rankdcg_scores",
    "rankdcg_terms",
    "relevances_of",
]
