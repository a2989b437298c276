"""Predicted orders beside the true one: all measures of an order, with notes on what was left out or tied."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rankscope.errors import InputError, MeasureError, PolicyError, input_error, printable
from rankscope.measures import Measure, parse
from rankscope.measures.segments import FloatArray
from rankscope.notes import named
from rankscope.orders.correlations import kendall, spearman
from rankscope.orders.files import Scores
from rankscope.orders.inputs import one_query
from rankscope.tables import Table, number
from rankscope.tabulate import best_cells

__all__ = ["DEFAULT_MEASURES", "TIES", "UNRETRIEVED", "Comparison", "compare_orders", "with_positives"]

DEFAULT_MEASURES = (
    "ED",
    "MD",
    "SRN",
    "OrderAUC",
    "OrderAccuracy",
    "OAUC",
    "RankDCG",
    "Kendall(variant=a)",
    "Kendall",
    "Kendall(variant=c)",
    "Gamma",
    "Somers",
    "Somers(direction=truth)",
    "Spearman",
    "Footrule",
)
OF_PAIRS = ("Kendall", "Gamma", "Somers")

TIES = {
    "kept": "ties stay ties: midranks, tau-b, half a pair, as each measure has it",
    "expected": "exact mean over all orders of the tied items",
    "error": "an error",
}
UNRETRIEVED = {
    "last": "items without a prediction come after all others, tied",
    "drop": "they are left out",
    "error": "an error",
}


@dataclass(frozen=True)
class Comparison:
    """The values of each predicted order."""

    measures: tuple[Measure, ...]
    truth: str
    """The name of the true order; empty if each predicted order has one of its own."""
    values: Mapping[str, Mapping[str, float]]
    """By predicted order, then by measure; NaN where it is not defined."""
    pvalues: Mapping[str, Mapping[str, float]]
    """The same, of those measures that have a p-value, if they were asked for."""
    items: Mapping[str, int]
    notes: tuple[str, ...]

    def table(self, digits: int) -> Table:
        """A line for each measure, with a column for each predicted order."""
        header, cells = ["measure"], [[str(measure)] for measure in self.measures]
        best: set[tuple[int, int]] = set()
        by_name = {str(measure): measure for measure in self.measures}
        comparable = bool(self.truth) and len(self.values) > 1
        marked = set(best_cells([*self.values.values()], by_name)) if comparable else set()
        for run, (name, values) in enumerate(self.values.items()):
            best |= {(line, len(header)) for place, line in marked if place == run}
            header.append(printable(name))
            for line, measure in enumerate(by_name):
                cells[line].append(number(values[measure], digits, count=_is_count(by_name[measure])))
            if self.pvalues:
                header.append("p")
                for line, measure in enumerate(by_name):
                    cells[line].append(number(self.pvalues[name].get(measure, math.nan), digits))
        return Table(header, cells, best=frozenset(best))

    def rows(self) -> Iterator[tuple[str, str, float, float]]:
        """Predicted order, measure, value and p-value, one after the other."""
        for name, values in self.values.items():
            for measure, value in values.items():
                yield name, measure, value, self.pvalues.get(name, {}).get(measure, math.nan)

    def to_dict(self) -> dict[str, Any]:
        """All of it, with None where a value is not defined."""
        return {
            "truth": printable(self.truth) or None,
            "measures": [{"name": str(m), "better": m.better, "detail": m.detail} for m in self.measures],
            "orders": [
                {
                    "name": printable(name),
                    "items": self.items[name],
                    "values": _without_nan(values),
                    **({"pvalues": _without_nan(self.pvalues[name])} if self.pvalues else {}),
                }
                for name, values in self.values.items()
            ],
            "notes": list(self.notes),
        }


def compare_orders(
    truth: Scores | Sequence[Scores],
    predicted: Sequence[Scores],
    measures: Sequence[Measure] | None = None,
    *,
    positives: str | None = None,
    ties: str = "kept",
    unretrieved: str = "last",
    pvalues: bool = False,
) -> Comparison:
    """Measure predicted orders against the true one, or each against its own, over the items of the truth.

    Without `measures`, all that the truth allows. `positives` is a count, a share or a threshold (">=2.5").

    >>> truth = Scores("truth", {"a": 3, "b": 2, "c": 1})
    >>> found = compare_orders(truth, [Scores("mine", {"a": 0.9, "b": 0.1, "c": 0.5})], [parse("SRN")])
    >>> found.values["mine"]
    {'SRN': 1.0}
    """
    _check_choice("ties", ties, TIES)
    _check_choice("unretrieved", unretrieved, UNRETRIEVED)
    truths = [truth] * len(predicted) if isinstance(truth, Scores) else truth
    asked, notes = _chosen(truths, measures)
    fewest = min((len(one.values) for one in truths), default=0)
    chosen = [with_positives(measure, positives, fewest) for measure in asked]
    values: dict[str, dict[str, float]] = {}
    tested: dict[str, dict[str, float]] = {}
    items: dict[str, int] = {}
    for own_truth, scores in zip(truths, predicted, strict=True):
        true, run, said = _aligned(own_truth, scores, unretrieved)
        said += _on_ties(true, run, ties, scores.name)
        notes += [f"{printable(scores.name)}: {note}" if len(predicted) > 1 else note for note in said]
        values[scores.name] = dict(zip(map(str, chosen), _values(chosen, true, run, ties), strict=True))
        tested |= {scores.name: _pvalues(chosen, true, run)} if pvalues else {}
        items[scores.name] = len(true)
    name = truth.name if isinstance(truth, Scores) else ""
    return Comparison(tuple(chosen), name, values, tested, items, tuple(notes))


def with_positives(measure: Measure, text: str | None, n: int) -> Measure:
    """The measure with other positives than the upper half, if it has any and leaves them at the default."""
    chosen = measure.parameters
    if text is None or (chosen.get("positives"), chosen.get("threshold", 0)) != (0.5, None):
        return measure
    try:
        if text.startswith(">="):
            return measure(threshold=float(text.removeprefix(">=")))
        if text.isdecimal() and 0 < int(text) < n:
            return measure(positives=int(text))
        if 0 < float(text) < 1:
            return measure(positives=float(text))
    except ValueError:
        pass  # no number at all
    raise PolicyError(
        f"positives={printable(text)} does not say which items are positive",
        code="bad-positives",
        expected=f"a count from 1 to {n - 1}, a share between 0 and 1, or a threshold such as '>=2.5'",
    )


def _chosen(truths: Sequence[Scores], measures: Sequence[Measure] | None) -> tuple[list[Measure], list[str]]:
    """The measures, of which a truth with two values allows only some."""
    asked = [parse(name) for name in DEFAULT_MEASURES] if measures is None else list(measures)
    for measure in asked:
        if measure.product != "ordered":
            raise MeasureError(
                f"{measure} is not measured on an order",
                code="other-truth",
                expected=f"one of {', '.join(DEFAULT_MEASURES)}",
                hint="rankscope evaluate",
            )
    rough = next((one for one in truths if _is_rough(one)), None)
    refused = [m for m in asked if m.detail == "full"]
    if rough is None or not refused:
        return asked, []
    if measures is not None:
        raise input_error("rough-truth", source=rough.name, measure=refused[0])
    what = "the truth" if len({id(one) for one in truths}) == 1 else f"the truth '{printable(rough.name)}'"
    left_out = ", ".join(map(str, refused))
    note = f"{what} has two different values only: {left_out} need a true order and are left out"
    return [m for m in asked if m.detail == "rough"], [note]


def _is_rough(truth: Scores) -> bool:
    return len(truth.values) > 2 and len({*truth.values.values()}) == 2


def _aligned(truth: Scores, scores: Scores, unretrieved: str) -> tuple[FloatArray, FloatArray, list[str]]:
    """True and predicted scores of the same items, and notes on those that only one side has."""
    notes = []
    extra = [item for item in scores.values if item not in truth.values]
    lacking = [item for item in truth.values if item not in scores.values]
    if len(lacking) == len(truth.values):
        raise InputError(
            f"no item in common with '{printable(truth.name)}'",
            code="no-common-item",
            where=printable(scores.name),
            expected="the same items on both sides",
            hint="check that the two belong together",
        )
    if lacking and unretrieved == "error":
        raise InputError(
            f"{named(lacking, 'item', 'items')} of the truth not in it",
            code="missing-items",
            where=printable(scores.name),
            expected="every item of the truth",
            hint="unretrieved=last or unretrieved=drop",
        )
    if extra:
        notes.append(f"{named(extra, 'item', 'items')} not in the truth: left out")
    if lacking:
        what = "they come last, tied" if unretrieved == "last" else "left out"
        notes.append(f"{named(lacking, 'item', 'items')} of the truth not predicted: {what}")
    kept = [i for i in truth.values if i in scores.values or unretrieved == "last"]
    below = min(scores.values.values()) - 1.0
    below = below if math.isfinite(below) and below < min(scores.values.values()) else -math.inf
    true = np.array([truth.values[i] for i in kept], np.float64)
    return true, np.array([scores.values.get(i, below) for i in kept], np.float64), notes


def _on_ties(true: FloatArray, run: FloatArray, ties: str, name: str) -> list[str]:
    notes = []
    for side, column in (("true", true), ("predicted", run)):
        _, counts = np.unique(column, return_counts=True)
        tied = int(counts[counts > 1].sum())
        if tied and ties == "error":
            raise InputError(
                f"{tied} of {len(column)} {side} scores are equal to another",
                code="tied-scores",
                where=printable(name),
                expected="a score of its own for each item",
                hint="ties=kept or ties=expected",
            )
        if tied:
            notes.append(f"{tied} of {len(column)} {side} scores are equal to another: ties={ties}")
    return notes


def _values(measures: Sequence[Measure], true: FloatArray, run: FloatArray, ties: str) -> list[float]:
    order = np.argsort(-run, kind="stable")
    ordered = replace(one_query(true[order], run[order]), averaged=ties == "expected")
    return [float(measure.compute(ordered)[0][0]) for measure in measures]


def _pvalues(measures: Sequence[Measure], true: FloatArray, run: FloatArray) -> dict[str, float]:
    finite = np.where(np.isfinite(run), run, np.finfo(np.float64).min)
    tests: dict[str, float | None] = {}
    if any(m.name in OF_PAIRS for m in measures):
        tests |= dict.fromkeys(OF_PAIRS, kendall(true, finite, pvalue=True).pvalue)
    if any(m.name == "Spearman" for m in measures):
        tests["Spearman"] = spearman(true, finite, pvalue=True).pvalue
    return {str(m): found for m in measures if (found := tests.get(m.name)) is not None}


def _check_choice(name: str, given: str, choices: Mapping[str, str]) -> None:
    if given not in choices:
        raise PolicyError(
            f"{name}={printable(given)} is not a choice",
            code="unknown-policy-value",
            expected=f"{name}= one of {', '.join(choices)}",
        )


def _is_count(measure: Measure) -> bool:
    """Whether its values without ties are whole numbers."""
    return measure.range[1] == math.inf


def _without_nan(values: Mapping[str, float]) -> dict[str, float | None]:
    return {name: None if math.isnan(value) else value for name, value in values.items()}
