"""The example of the paper: bonobos are searched for, chimpanzees are near, tigers are far."""

from __future__ import annotations

from rankscope.classes.coefficient import ClassRanking, classi

__all__ = ["DISTANCE", "QUERY_CLASS", "RANKINGS", "example"]

QUERY_CLASS = "bonobo"
DISTANCE = {"bonobo": 0, "chimpanzee": 1, "tiger": 6}

_NAMES = {name[0]: name for name in DISTANCE}

RANKINGS = {
    name: [_NAMES[letter] for letter in letters]
    for name, letters in {
        "best": "bbbccccttt",
        "r1": "cbbbcccttt",
        "r2": "bbbctccctt",
        "worst": "tttccccbbb",
    }.items()
}
"""In r1 a chimpanzee moved forward three places, in r2 a tiger did."""


def example() -> dict[str, ClassRanking]:
    """The four rankings, measured.

    >>> {name: round(ranking.value, 2) for name, ranking in example().items()}
    {'best': 1.0, 'r1': 0.95, 'r2': 0.76, 'worst': -1.0}
    """
    return {name: classi(labels, QUERY_CLASS, DISTANCE) for name, labels in RANKINGS.items()}
