"""Results of links as tables, and these in the formats that people and programs read."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from rankscope.errors import printable
from rankscope.links.aggregation import Average
from rankscope.links.classification import ClassificationResult
from rankscope.links.frames import csv_text
from rankscope.links.rank import RankResult
from rankscope.tables import Table, number

__all__ = ["LAYOUTS", "average_rows", "classification_rows", "item_rows", "rank_rows", "shown"]

LAYOUTS = ("table", "json", "csv", "markdown", "latex")

Rows = Sequence[Sequence[object]]
"""A header, and lines of words and numbers."""

_TYPES = {"MACRO_AVERAGE": "macro", "WEIGHTED_AVERAGE": "weighted", "MICRO_AVERAGE": "micro"}


def shown(layout: str, rows: Rows, content: Any, *, words: int = 1, digits: int = 4) -> str:
    """The rows in a layout; JSON has the whole content instead."""
    if layout == "json":
        return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    header, *lines = rows
    if layout == "csv":
        return csv_text([str(name) for name in header], lines)
    table = Table(
        [str(name) for name in header],
        [[_cell(cell, digits) for cell in line] for line in lines],
        words=words,
    )
    text = {"table": table.to_text, "markdown": table.to_markdown, "latex": table.to_latex}[layout]()
    return text + "\n"


def rank_rows(result: RankResult, *, per_query: bool) -> Rows:
    """A line for each metric; or one for each query, and then one for all of them."""
    whole = (result.map, result.lag, result.auc)
    if not per_query:
        values = dict(zip(("MAP", "LAG", "AUC"), whole, strict=True))
        return [("metric", "value"), *values.items(), ("ground truth", result.ground_truth_size)]
    each = [
        (printable(q.query), q.ap, q.lag, q.auc, q.retrieved, q.found, q.relevant) for q in result.queries
    ]
    counts = (sum(q.retrieved for q in result.queries), sum(q.found for q in result.queries))
    header = ("query", "AP", "LAG", "AUC", "retrieved", "found", "relevant")
    return [header, *each, ("all", *whole, *counts, result.ground_truth_size)]


def classification_rows(result: ClassificationResult) -> Rows:
    """A line for each count and each metric."""
    counts = result.confusion
    return [
        ("metric", "value"),
        ("true positives", counts.tp),
        ("false positives", counts.fp),
        ("false negatives", counts.fn),
        ("true negatives", counts.tn),
        ("precision", counts.precision),
        ("recall", counts.recall),
        (f"F{result.beta:g}", result.f),
        ("accuracy", counts.accuracy),
        ("specificity", counts.specificity),
        ("phi", counts.phi),
        ("phi max", counts.phi_max),
        ("phi / phi max", counts.phi_over_phi_max),
    ]


def item_rows(result: ClassificationResult) -> Rows:
    """A line for each item, with what it turned out to be."""
    kinds = {
        "true positive": result.true_positives,
        "false positive": result.false_positives,
        "false negative": result.false_negatives,
    }
    return [
        ("item", "outcome"),
        *((printable(item), kind) for kind, items in kinds.items() for item in items),
    ]


def average_rows(averages: Sequence[Average[Any]]) -> Rows:
    """A line for each metric, a column for each average."""
    return [
        ("metric", *(_TYPES[average.type] for average in averages)),
        *((name, *(average[name] for average in averages)) for name in averages[0].values),
    ]


def _cell(cell: object, digits: int) -> str:
    if cell is None:
        return number(math.nan, digits)
    return number(cell, digits) if isinstance(cell, float) else str(cell)
