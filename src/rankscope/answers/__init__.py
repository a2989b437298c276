"""Similarity of answers: cardinal, nominal and ordered, of total and partial orders; and rank-biased overlap.

>>> from rankscope import answers
>>> one, other = [["a", "b"], ["c"], ["d"]], [["a"], ["b", "c"], ["e"]]
>>> answers.jaccard(one, other), round(answers.pdelta(one, other), 4)
(0.6, 0.4562)

An answer is a set, a list of items (best first), a list of groups of tied items, or a mapping of item to
score. The equations are those of Michel's paper; each function names its own.
"""

from rankscope.answers.orders import (
    class_ranks,
    mean_alpha,
    mean_mu,
    pdelta,
    rbo,
    s1o,
    s2o,
    s3o,
    s4o,
    s5o,
    s6o,
    s7o,
    sum_over_groups,
    tague_r,
    type3,
)
from rankscope.answers.ranking import Ranking
from rankscope.answers.sets import (
    cardinal_ratio,
    cardinal_share,
    cosine,
    dice,
    jaccard,
    overlap,
    precision,
    recall,
)
from rankscope.answers.type3 import CONDITIONS, PhiFailure, check_phi, constant_squared, phi

__all__ = [
    "CONDITIONS",
    "PhiFailure",
    "Ranking",
    "cardinal_ratio",
    "cardinal_share",
    "check_phi",
    "class_ranks",
    "constant_squared",
    "cosine",
    "dice",
    "jaccard",
    "mean_alpha",
    "mean_mu",
    "overlap",
    "pdelta",
    "phi",
    "precision",
    "rbo",
    "recall",
    "s1o",
    "s2o",
    "s3o",
    "s4o",
    "s5o",
    "s6o",
    "s7o",
    "sum_over_groups",
    "tague_r",
    "type3",
]
