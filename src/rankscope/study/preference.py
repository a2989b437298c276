"""Which measure is better than which, and whether that makes an order."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

__all__ = ["Preference", "preference"]


@dataclass(frozen=True)
class Preference:
    """The measures from the best to the worst.

    Those of one step are not better than each other, or better in a circle; each of a later step has at least
    one better measure in the step before.
    """

    steps: tuple[tuple[str, ...], ...]
    cycles: tuple[tuple[str, ...], ...] = ()
    """Measures that are better than each other in a circle."""

    @property
    def is_order(self) -> bool:
        """Whether there is a single order: one measure in each step."""
        return all(len(step) == 1 for step in self.steps)

    def __str__(self) -> str:
        return " > ".join(step[0] if len(step) == 1 else f"{{{', '.join(step)}}}" for step in self.steps)


def preference(better_than: Mapping[str, Collection[str]]) -> Preference:
    """The order that follows from the measures that each one is better than.

    >>> str(preference({"A": ["B", "C"], "B": ["C"], "C": []}))
    'A > B > C'
    >>> preference({"A": ["B"], "B": ["C"], "C": ["A"]}).cycles
    (('A', 'B', 'C'),)
    """
    reached = {name: _reached(name, better_than) for name in better_than}
    # Measures that reach each other are a circle, and stand or fall together.
    circle = {
        a: tuple(b for b in better_than if b == a or (b in reached[a] and a in reached[b]))
        for a in better_than
    }
    left = dict.fromkeys(circle.values())
    steps = []
    while left:
        best = [
            one for one in left if not any(one[0] in reached[other[0]] for other in left if other is not one)
        ]
        steps.append(tuple(name for name in better_than if circle[name] in best))
        for one in best:
            del left[one]
    cycles = tuple(one for one in dict.fromkeys(circle.values()) if len(one) > 1)
    return Preference(tuple(steps), cycles)


def _reached(start: str, better_than: Mapping[str, Collection[str]]) -> set[str]:
    """All measures below `start`, step by step."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for name in better_than[waiting.pop()]:
            if name not in found:
                found.add(name)
                waiting.append(name)
    return found
