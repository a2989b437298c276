"""Consistency and discriminancy of the six measures of Huang and Ling over all permutations.

    python -m contenders.lists N

The first call is timed: what it loads is part of it, the start of Python is not.
"""

from __future__ import annotations

import sys
import time

import rankscope
from contenders.common import answer

MEASURES = ("OAUC", "ED", "SRN", "OrderAUC", "MD", "OrderAccuracy")


def main() -> None:
    start = time.perf_counter()
    degrees = rankscope.study(MEASURES, over=int(sys.argv[1]))
    seconds = time.perf_counter() - start
    answer({f"C({f}, {g})": counts.consistency for (f, g), counts in degrees.counts.items()}, seconds)


if __name__ == "__main__":
    main()
