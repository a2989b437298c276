"""How likely an item of the upper half of the true order stands above one of the lower half.

The area under the ROC curve where the upper half of the true order is positive (of an odd number the
middle item too), or another share of it, or so many items from its top, or what has a true score of at
least a threshold. A truth that says only positive or negative is enough for it. Items tied in the truth are
all positive or all negative, by the mean of their ranks; a pair tied in the run counts half. It is not
defined without items of both kinds.
"""

from __future__ import annotations

import numpy as np

from rankscope.align.pairs import count_wins
from rankscope.measures.base import FloatArray, measure
from rankscope.measures.ordered import Ordered
from rankscope.measures.paired import POSITIVES, THRESHOLD
from rankscope.measures.paired import positives as positive_rows
from rankscope.measures.scale import SCALE, scaled


@measure(
    "OrderAUC",
    params=[POSITIVES, THRESHOLD, SCALE],
    truth="order",
    product="ordered",
    empty=None,
    reference="huang2005ordering",
    formula=r"\frac{1}{n_0 n_1} \sum_{i=1}^{n_0} (r_i - i)",
)
def orderauc(ordered: Ordered, *, positives: float, threshold: float | None, scale: str) -> FloatArray:
    def area(view: Ordered) -> FloatArray:
        positive = positive_rows(view, positives, threshold)
        return count_wins(-view.first.astype(np.float64), positive, view.offsets).area

    return scaled(ordered, area, scale)
