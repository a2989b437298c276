"""Michel: examples and properties of P_delta, and which measures keep the two criteria of Figures 3 and 4."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

from rankscope.answers import (
    CONDITIONS,
    cardinal_ratio,
    check_phi,
    cosine,
    dice,
    jaccard,
    overlap,
    pdelta,
    phi,
    s1o,
    s2o,
    s3o,
    s4o,
    s5o,
    s6o,
    s7o,
    sum_over_groups,
)
from rankscope.reproduce.cells import Cell, Experiment, Reproduction, Row, Settings, claim, figure, rows_of

if TYPE_CHECKING:
    from rankscope.plots import Chart

__all__ = ["reproduction"]

Classes = Sequence[Sequence[str]]
Similarity = Callable[[Any, Any], float]

LENGTH = 5
"""Of the answers in Figures 3 and 4: the shortest in which a document can be on rank 5."""
LARGEST = 12
"""Numbers of classes up to which the conditions of phi are checked."""
EXCHANGES = (3, 5, 10, 20)

EXAMPLES: dict[str, tuple[Classes, Classes]] = {
    "a|b|c and c|b|a": ("abc", "cba"),
    "a|b|c and b|a|c": ("abc", "bac"),
    "a|b|c and a|c|b": ("abc", "acb"),
    "ab|c and abc": (("ab", "c"), ("abc",)),
    "abc and a|b|c": (("abc",), "abc"),
    "a|b|c|d and b|a": ("abcd", "ba"),
    "a|b|c and a|b": ("abc", "ab"),
    "ab|cd|e and bc|ae|df": (("ab", "cd", "e"), ("bc", "ae", "df")),
    "ab and bc": (("ab",), ("bc",)),
}

# Figure -> the criterion, and the ranks of the one common document in A and B, and in C and D.
FIGURES = {
    "figure-3": ("relative difference in order", (1, 1), (2, 1)),
    "figure-4": ("top-ranking", (2, 1), (5, 2)),
}

# Measure -> its function, and for each figure whether the paper says that it keeps the criterion, or nothing.
MEASURES: dict[str, tuple[Similarity, str, str]] = {
    "|C|/|C'|, cardinal": (cardinal_ratio, "no", "no"),
    "Jaccard, Eq 1": (jaccard, "no", "no"),
    "Dice, Eq 2": (dice, "no", "no"),
    "cosine, Eq 3": (cosine, "no", "no"),
    "overlap, Eq 4": (overlap, "no", "no"),
    "S1o, Eq 16": (s1o, "no", "no"),
    "S2o, Eq 19, as printed": (partial(s2o, over="all"), "yes", ""),
    "S2o, over common documents": (s2o, "yes", ""),
    "S3o, Eq 20, as printed": (partial(s3o, over="all"), "", "yes"),
    "S3o, over common documents": (s3o, "", "yes"),
    "S4o, Eq 21, as printed": (partial(s4o, over="all"), "yes", "yes"),
    "S4o, over common documents": (s4o, "yes", "yes"),
    "S5o, Eq 22": (s5o, "yes", ""),
    "S6o, Eq 23": (s6o, "", "yes"),
    "S7o, Eq 24": (s7o, "yes", "yes"),
    "Eq 25": (sum_over_groups, "no", "no"),
    "P_delta, Eq 33": (pdelta, "yes", "yes"),
}
BLIND = "as printed, the mean is over all pairs of ranks, and so blind to which documents stand there"


def reproduction(settings: Settings) -> Reproduction:
    """What the paper on similarity of answers says, computed."""
    return Reproduction(
        "michel",
        "the text of the paper, Sections 2.1 and 3.2; it prints no numbers",
        "michel2000similarity",
        (_examples(), _properties(), *(_figure(name) for name in FIGURES), _exchanges()),
    )


def _examples() -> Experiment:
    rows = {
        label: [
            figure(measure(_groups(one), _groups(other)))
            for measure in (pdelta, partial(pdelta, nominal="dice"), sum_over_groups)
        ]
        for label, (one, other) in EXAMPLES.items()
    }
    columns = ("P_delta", "the same with Dice", "Eq 25")
    note = "Classes are parted by |; Eq 25 sums up the similarity of the classes, whatever their order."
    return Experiment("examples", "P_delta of small answers", ("answers",), columns, rows_of(rows), (note,))


def _groups(classes: Classes) -> list[list[str]]:
    return [[*members] for members in classes]


def _properties() -> Experiment:
    failures = {failure.condition for m in range(1, LARGEST + 1) for failure in check_phi(phi, m)}
    conditions = {
        f"condition ({number}): {text}": _holds(number not in failures) for number, text in CONDITIONS.items()
    }
    orders = [*_weak_orders("abc")]
    proved = {name: _is_similarity(orders, name) for name in ("jaccard", "dice", "cosine")}
    above = pdelta([["d"], ["b", "c"], ["a"]], [["c", "d"], ["b"], ["a"]], nominal="overlap")
    cells = {
        **conditions,
        **{
            f"P_delta with {name}: from 0 to 1, 1 only of the same, symmetric": Cell(None, said=_word(kept))
            for name, kept in proved.items()
        },
        "overlap in place of Jaccard, d|bc|a and cd|b|a": figure(above),
    }
    notes = (
        f"The conditions are checked in exact fractions for up to {LARGEST} classes. Of (ii) only '= 1' is "
        "legible; it is that the diagonal of phi sums to 1, for which the printed constant is right.",
        f"That P_delta is a similarity is a theorem; here it is seen on all {len(orders) ** 2} pairs of weak "
        "orders of three documents. With the overlap coefficient it is none.",
    )
    title = "Properties of phi and P_delta"
    return Experiment("properties", title, ("property",), ("ours",), rows_of(cells), notes)


def _holds(kept: bool) -> Cell:
    return claim(kept, "holds", _word(kept), otherwise="a case was found against it")


def _word(kept: bool) -> str:
    return "holds" if kept else "fails"


def _weak_orders(items: str) -> Iterator[list[list[str]]]:
    """All ways to put items into classes and the classes in order."""
    if not items:
        yield []
    for size in range(1, len(items) + 1):
        for first in combinations(items, size):
            rest = "".join(item for item in items if item not in first)
            for others in _weak_orders(rest):
                yield [list(first), *others]


def _is_similarity(orders: Sequence[list[list[str]]], nominal: str) -> bool:
    values = {
        (a, b): pdelta(orders[a], orders[b], nominal=nominal)
        for a, b in product(range(len(orders)), repeat=2)
    }
    return all(
        0 <= value <= 1 + 1e-12
        and math.isclose(value, 1, rel_tol=1e-12) == (a == b)
        and math.isclose(value, values[b, a], rel_tol=1e-12)
        for (a, b), value in values.items()
    )


def _figure(name: str) -> Experiment:
    criterion, nearer, farther = FIGURES[name]
    number = [*FIGURES].index(name)
    rows = []
    for label, (measure, *said) in MEASURES.items():
        one, other = (measure(*_answers(ranks)) for ranks in (nearer, farther))
        rows.append(Row((label,), (figure(one), figure(other), _kept(one, other, said[number]))))
    title = (
        f"{name.replace('-', ' ').capitalize()}, {criterion}: one common document on ranks {nearer} of A "
        f"and B, and {farther} of C and D"
    )
    notes: tuple[str, ...] = (
        f"The length of the answers is not stated; here each has {LENGTH} documents.",
        "S1o is not defined with one common document, for it needs a correlation of ranks.",
    )
    if name == "figure-4":
        notes += (
            "The ranks of C and D are also farther apart, so delays of relative order see this pair too.",
        )
    columns = ("S(A, B)", "S(C, D)", "S(A, B) is higher")
    charts = {name: partial(_draw, title, nearer, farther)}
    return Experiment(name, title, ("measure",), columns, tuple(rows), notes, charts)


def _kept(one: float, other: float, printed: str) -> Cell:
    """Whether the criterion is kept; a measure that is not defined does not keep it."""
    found = "yes" if one > other and not math.isclose(one, other, rel_tol=1e-12) else "no"
    if not printed:
        return Cell(None, said=found)
    return claim(found == printed, printed, found, otherwise=BLIND)


def _answers(ranks: tuple[int, int]) -> tuple[list[str], list[str]]:
    """Two answers with one document in common, on these ranks."""
    left, right = (
        [f"{side}{rank}" if rank != common else "common" for rank in range(1, LENGTH + 1)]
        for side, common in zip("ab", ranks, strict=True)
    )
    return left, right


def _exchanges() -> Experiment:
    rows = {}
    for m in EXCHANGES:
        items = [str(item) for item in range(m)]
        top = 1 - pdelta(items, [items[1], items[0], *items[2:]])
        bottom = 1 - pdelta(items, [*items[:-2], items[-1], items[-2]])
        rows[str(m)] = [figure(top), figure(bottom), figure(bottom / top)]
    note = (
        "P_delta gives more for a match at the top, but it takes more for an exchange at the bottom, for the "
        "displacement is multiplied by the rank."
    )
    title = "What P_delta takes for the exchange of two neighbours"
    columns = ("at the top", "at the bottom", "bottom / top")
    return Experiment("exchanges", title, ("documents",), columns, rows_of(rows), (note,))


def _draw(title: str, nearer: tuple[int, int], farther: tuple[int, int]) -> Chart:
    from rankscope.plots import joined
    from rankscope.plots.stacked import stacked

    pairs = (("A", "B"), nearer), (("C", "D"), farther)
    charts = [joined(*_answers(ranks), names=names, title=" and ".join(names)) for names, ranks in pairs]
    return stacked(charts, title=title)
