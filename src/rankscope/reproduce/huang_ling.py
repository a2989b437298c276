"""Huang and Ling: the six values of Table 1, consistency and discriminancy of Tables 2 and 3, preference."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from itertools import combinations, permutations
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from rankscope.orders.distances import ed, md, srn, srn_terms
from rankscope.orders.halves import oauc, order_accuracy, order_auc
from rankscope.reproduce.cells import (
    Cell,
    Experiment,
    Reproduction,
    Row,
    Settings,
    agrees,
    claim,
    figure,
    rows_of,
)
from rankscope.reproduce.learners import table_4
from rankscope.study import study

if TYPE_CHECKING:
    from rankscope.plots import Chart
    from rankscope.study.degrees import Degrees

__all__ = ["NAMES", "reproduction"]

Pair = tuple[str, str]

NAMES = {
    "AUC": "OrderAUC",
    "SRN": "SRN",
    "MD": "MD",
    "ED": "ED",
    "OAUC": "OAUC",
    "acc": "OrderAccuracy",
}
"""The measures of the paper, by its names and ours, in the order of its tables."""

SIZES = (8, 7)
"""The size that the paper states, and the one that its tables are of."""

PREFERENCE = "OAUC > ED > SRN > AUC > MD > acc"

TABLE_1 = (3, 6, 8, 1, 4, 2, 5, 7)

# Table 2 above its diagonal; the other half is the same, and four cells of row MD are lost in it.
TABLE_2 = {
    "AUC": {"SRN": "0.88", "MD": "0.89", "ED": "0.87", "OAUC": "0.99", "acc": "0.98"},
    "SRN": {"MD": "0.95", "ED": "0.98", "OAUC": "0.89", "acc": "0.91"},
    "MD": {"ED": "0.95", "OAUC": "0.90", "acc": "0.95"},
    "ED": {"OAUC": "0.88", "acc": "0.90"},
    "OAUC": {"acc": "0.97"},
}
TABLE_3 = {
    "AUC": {"SRN": "0.88", "MD": "1.42", "ED": "0.21", "OAUC": "0.0732", "acc": "14.0"},
    "SRN": {"AUC": "1.14", "MD": "1.84", "ED": "0.242", "OAUC": "0.215", "acc": "9.94"},
    "MD": {"AUC": "0.704", "SRN": "0.54", "ED": "0.117", "OAUC": "0.116", "acc": "6.8"},
    "ED": {"AUC": "4.76", "SRN": "4.13", "MD": "8.55", "OAUC": "", "acc": "38.2"},
    "OAUC": {"AUC": "13.67", "SRN": "4.65", "MD": "8.64", "ED": "1.15", "acc": "94.75"},
    "acc": {"AUC": "0.071", "SRN": "0.10", "MD": "0.147", "ED": "0.026", "OAUC": "0.011"},
}

NEAR = 0.015
"""So close, as a share of ours, a printed ratio must be in one of its two directions to be that of a size."""

OF_SEVEN = "the printed figure is that of lists of 7, though the paper says 8"
NEAR_SEVEN = (
    f"within {NEAR:.1%} of ours, this way or the other: half of the printed figures are reciprocals of "
    "rounded ones"
)
OF_NONE = "neither 7 nor 8 gives it; an error of the paper, as it seems"
LOST = "lost in the copy at hand; its reciprocal is printed as 1.15"


def reproduction(settings: Settings) -> Reproduction:
    """What the paper on measures of orderings prints, computed."""
    degrees = {n: study([*NAMES.values()], over=n) for n in SIZES}
    experiments = [_table_1(), _table_2(degrees), _table_3(degrees), _conclusions(degrees)]
    if settings.table4:
        experiments += table_4(settings)
    return Reproduction(
        "huang-ling",
        "Tables 1 to 4 and Section 3 of the paper",
        "huang2005ordering",
        tuple(experiments),
    )


def _table_1() -> Experiment:
    terms = srn_terms(TABLE_1).tolist()
    printed_terms = "2 + 4 + 5 + 0 + 1 + 0 + 0"
    cells = {
        "ED": figure(ed(TABLE_1), "76"),
        "MD": figure(md(TABLE_1), "22"),
        "SRN": figure(srn(TABLE_1), "12"),
        "AUC": figure(order_auc(TABLE_1), "5/8"),
        "acc": figure(order_accuracy(TABLE_1), "1/2"),
        "OAUC": figure(oauc(TABLE_1), "31/52"),
        "terms of SRN": claim(
            (shown := " + ".join(map(str, terms))) == printed_terms,
            printed_terms,
            shown,
            otherwise="the paper leaves out the last term, which is always 0",
        ),
    }
    title = "Table 1: the list 3, 6, 8, 1, 4, 2, 5, 7"
    return Experiment("table-1", title, ("measure",), ("ours",), rows_of(cells))


def _table_2(degrees: Mapping[int, Degrees]) -> Experiment:
    rows = []
    for f, g in combinations(NAMES, 2):
        printed = TABLE_2[f][g]
        values = {n: found.counts[NAMES[f], NAMES[g]].consistency for n, found in degrees.items()}
        is_seven = agrees(values[7], printed)
        rows.append(Row((f, g), tuple(_judged(n, values, printed, is_seven) for n in SIZES)))
    fits = {n: sum(row.cells[column].verdict == "equal" for row in rows) for column, n in enumerate(SIZES)}
    notes = (
        f"The printed figures are those of lists of 7: {fits[7]} of {len(rows)} agree with them, and "
        f"{fits[8]} with lists of 8, of which the paper speaks.",
        "Four cells of the row MD are lost in the copy at hand; the table is symmetric, so they are known.",
    )
    return Experiment(
        "table-2",
        "Table 2: degree of consistency over all orders of n items",
        ("measure", "and"),
        tuple(f"n = {n}" for n in SIZES),
        tuple(rows),
        notes,
        {"table-2": partial(_draw, degrees, "consistency")},
    )


def _table_3(degrees: Mapping[int, Degrees]) -> Experiment:
    values = {
        n: {(f, g): found.counts[NAMES[f], NAMES[g]].discriminancy for f, g in permutations(NAMES, 2)}
        for n, found in degrees.items()
    }
    near = {n: {pair for pair in found if _is_near(found, pair)} for n, found in values.items()}
    rows = []
    for f, g in permutations(NAMES, 2):
        of_pair = {n: values[n][f, g] for n in SIZES}
        cells = (_judged(n, of_pair, TABLE_3[f][g], (f, g) in near[7]) for n in SIZES)
        rows.append(Row((f, g), tuple(cells)))
    pairs = math.comb(len(NAMES), 2)
    fits = {n: len(found) // 2 for n, found in near.items()}
    note = (
        f"Within {NEAR:.1%} in at least one direction are {fits[7]} of {pairs} pairs for lists of 7, and "
        f"{fits[8]} for lists of 8. The printed lower half has the reciprocals of the rounded upper half; "
        "0.88 for AUC over SRN may be a copy from Table 2."
    )
    return Experiment(
        "table-3",
        "Table 3: degree of discriminancy of the first over the second, over all orders of n items",
        ("measure", "over"),
        tuple(f"n = {n}" for n in SIZES),
        tuple(rows),
        (note,),
        {"table-3": partial(_draw, degrees, "discriminancy")},
    )


def _is_near(values: Mapping[Pair, float], pair: Pair) -> bool:
    """Whether the printed figure, or that of the pair turned round, is close to ours."""
    ways = [(values[f, g], TABLE_3[f][g]) for f, g in (pair, pair[::-1]) if TABLE_3[f][g]]
    return any(abs(float(printed) - value) <= NEAR * value for value, printed in ways)


def _judged(n: int, values: Mapping[int, float], printed: str, is_seven: bool) -> Cell:
    """A figure of lists of n, beside a printed one that may be that of lists of 7."""
    if not printed:
        return figure(values[n], lost=LOST)
    if not is_seven:
        return figure(values[n], printed, lost=OF_NONE)
    return figure(values[n], printed, otherwise=NEAR_SEVEN if n == 7 else OF_SEVEN)


def _conclusions(degrees: Mapping[int, Degrees]) -> Experiment:
    """What the paper concludes from the two tables."""
    paper = {ours: name for name, ours in NAMES.items()}
    orders, least, distinct = [], [], []
    for found in degrees.values():
        steps = found.preference.steps
        order = " > ".join(" = ".join(paper[name] for name in step) for step in steps)
        orders.append(claim(order == PREFERENCE, PREFERENCE, order))
        lowest = min(counts.consistency for counts in found.counts.values())
        least.append(claim(lowest > 0.5, "all above 0.5", f"lowest {lowest:.4f}"))
        distinct.append(found.distinct)
    rows = {
        "order of preference": orders,
        "degrees of consistency": least,
        **{f"different values of {name}": _values(name, distinct) for name in NAMES},
    }
    title = "The order of preference, and how many values the measures have"
    columns = tuple(f"n = {n}" for n in SIZES)
    return Experiment("preference", title, ("figure",), columns, rows_of(rows))


def _values(name: str, distinct: list[Mapping[str, int]]) -> list[Cell]:
    """The paper gives formulas for AUC and OAUC, which are taken for the n that it speaks of."""
    half = SIZES[0] // 2
    formulas = {
        "AUC": (half * half, "n0 n1 is the largest numerator; with 0 there is one more value"),
        "OAUC": (
            half * sum(half + i for i in range(1, half + 1)),
            "n1 times the sum of (n1 + i) is the largest numerator, not the number of values",
        ),
    }
    stated, other = (figure(float(found[NAMES[name]])) for found in distinct)
    if name in formulas:
        printed, reason = formulas[name]
        stated = figure(float(distinct[0][NAMES[name]]), str(printed), otherwise=reason)
    return [stated, other]


def _draw(degrees: Mapping[int, Degrees], degree: str) -> Chart:
    """Heat maps of the printed table and of ours; ratios by their logarithm, so that both ways look alike."""
    from rankscope.plots import heatmap
    from rankscope.plots.stacked import stacked

    matrices = {"as printed": _printed_matrix(degree)}
    matrices |= {f"n = {n}": getattr(found, degree) for n, found in degrees.items()}
    is_ratio = degree == "discriminancy"
    title = "Table 3: log10 of discriminancy, row over column" if is_ratio else "Table 2: consistency"
    charts = [
        heatmap(
            np.log10(matrix) if is_ratio else matrix,
            [*NAMES],
            title=f"{title}, {name}",
            value_range=(-2, 2) if is_ratio else (0.5, 1),
        )
        for name, matrix in matrices.items()
    ]
    return stacked(charts)


def _printed_matrix(degree: str) -> npt.NDArray[np.float64]:
    matrix = np.ones((len(NAMES), len(NAMES)))
    for (row, f), (column, g) in permutations(enumerate(NAMES), 2):
        text = TABLE_3[f][g] if degree == "discriminancy" else TABLE_2.get(f, {}).get(g) or TABLE_2[g][f]
        matrix[row, column] = float(text) if text else np.nan
    return matrix
