"""The papers behind the measures, recomputed: each printed figure beside ours, and a verdict on the two.

>>> from rankscope.reproduce import reproduce
>>> [paper] = reproduce("michel")
>>> paper["exchanges"].rows[0].labels, round(paper["exchanges"].rows[0].cells[2].value, 4)
(('3',), 1.3265)
"""

from __future__ import annotations

from importlib import import_module

from rankscope.errors import InputError, nearest
from rankscope.reproduce.cells import VERDICTS, Cell, Experiment, Reproduction, Row, Settings

__all__ = [
    "LARGEST_SEED",
    "MOST_REPETITIONS",
    "SOURCES",
    "VERDICTS",
    "Cell",
    "Experiment",
    "Reproduction",
    "Row",
    "Settings",
    "reproduce",
]

SOURCES = {
    "classi": "classi",
    "rankdcg": "rankdcg",
    "ardoco": "ardoco",
    "huang-ling": "huang_ling",
    "michel": "michel",
}
"""What can be reproduced, and the module that does it."""

LARGEST_SEED = 2**32 - 1
"""That of scikit-learn."""
MOST_REPETITIONS = 100_000


def reproduce(*names: str, seed: int = 0, repetitions: int = 50, table4: bool = True) -> list[Reproduction]:
    """Recompute what the sources print; all of them if none is named.

    - `seed`: of everything that is drawn at random.
    - `repetitions`: random rankings for each mean in Figures 2 and 3 of the paper on ClasSi.
    - `table4`: whether learners are trained for Table 4 of Huang and Ling, which needs scikit-learn; data of
      packages that are not installed is left out, and the cell says so.

    >>> [paper] = reproduce("rankdcg")
    >>> paper["post"].rows[1].cells[0].verdict, paper["readme"].rows[0].cells[0].verdict
    ('different', 'equal')
    """
    for name in names:
        if name not in SOURCES:
            raise _unknown(name)
    settings = Settings(
        _whole("seed", seed, 0, LARGEST_SEED), _whole("repetitions", repetitions, 2, MOST_REPETITIONS), table4
    )
    return [
        import_module(f"rankscope.reproduce.{SOURCES[name]}").reproduction(settings)
        for name in names or SOURCES
    ]


def _whole(option: str, given: int, least: int, most: int) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or not least <= given <= most:
        raise InputError(
            f"{option}={given!r}",
            code="bad-value",
            expected=f"{option}= a whole number from {least} to {most}",
        )
    return given


def _unknown(name: str) -> InputError:
    close = nearest(str(name), SOURCES, count=1)
    return InputError(
        f"there is nothing to reproduce under '{name}'",
        code="unknown-source",
        expected=f"one of {', '.join(SOURCES)}",
        hint=f"did you mean {close[0]}?" if close else "",
    )
