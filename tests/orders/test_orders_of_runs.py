"""Measures of an order on runs, against their definitions in fractions, with ties in truth and run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from order_support import BY_DEFINITION, mean_over_orders

from rankscope import InputError, Judgments, Order, Run, evaluate, parse
from rankscope.measures import registered

MEASURES = list(BY_DEFINITION)
LEVELS = st.integers(0, 3).map(float)
SIDES = st.lists(st.tuples(LEVELS, LEVELS), min_size=1, max_size=5)
# Without a definition of its own for ties, it is a mean over orders in any case.
MEAN_ONLY = "OrderAccuracy"


def measured(true: Sequence[float], run: Sequence[float], **options: Any) -> dict[str, float]:
    """One query whose items are all retrieved."""
    sides = ({"q": {f"d{i}": value for i, value in enumerate(side)}} for side in (true, run))
    grades, predicted = (kind.of(side) for kind, side in zip((Judgments, Run), sides, strict=True))
    return evaluate(grades, predicted, MEASURES, undefined="nan", **options).queries["q"]


def same(found: float | None, wanted: float | None) -> bool:
    if found is None or wanted is None or math.isnan(wanted):
        return (found is None or math.isnan(found)) and (wanted is None or math.isnan(wanted))
    return found == pytest.approx(float(wanted), rel=1e-12, abs=1e-12)


@settings(deadline=None, max_examples=150)
@given(sides=SIDES)
def test_ties_that_stay_ties_and_means_over_their_orders(sides: list[tuple[float, float]]) -> None:
    true, run = (list(side) for side in zip(*sides, strict=True))
    kept, mean = (measured(true, run, ties=ties) for ties in ("kept", "expected"))
    for name in MEASURES:
        by_orders = mean_over_orders(name, true, run)
        assert same(mean[name], by_orders), (name, "expected")
        own = by_orders if name == MEAN_ONLY else BY_DEFINITION[name](true, run)
        assert same(kept[name], None if own is None else float(own)), (name, "kept")


@settings(deadline=None, max_examples=60)
@given(sides=SIDES)
def test_best_and_worst_are_those_of_all_orders(sides: list[tuple[float, float]]) -> None:
    from order_support import strict_orders

    true, run = (list(side) for side in zip(*sides, strict=True))
    for ties, pick in (("best", max), ("worst", min)):
        found = measured(true, run, ties=ties)
        for name in MEASURES:
            sign = 1 if parse(name).better == "higher" else -1
            values = [BY_DEFINITION[name](true, ranks) for ranks in strict_orders(run)]
            wanted = None if None in values else sign * pick(sign * float(v) for v in values if v is not None)
            assert same(found[name], wanted), (name, ties)


def test_items_that_were_not_retrieved_are_one_tied_group_at_the_end() -> None:
    """a and b retrieved in this order, c and d not: the same as scores 2, 1, 0, 0."""
    order = Order.of({"q": ["b", "a", "c", "d"]})
    found = evaluate(order, {"q": ["a", "b", "x"]}, MEASURES).queries["q"]
    for name, value in measured([3, 4, 2, 1], [2, 1, 0, 0], ties="kept").items():
        assert found[name] == value, name
    dropped = evaluate(order, {"q": ["a", "b", "x"]}, ["SRN", "Kendall"], unretrieved="drop").queries["q"]
    assert dropped == {"SRN": 1.0, "Kendall": -1.0}


def test_judgments_stand_in_for_an_order() -> None:
    """Of grades 2, 1, 1, 0 and a run that has them as 1, 2, 0, 1 (d, c, a, b by rank): tau-b by hand is
    (C - D) / sqrt(5 * 6) with C = 3 and D = 2."""
    found = evaluate({"q": {"a": 2, "b": 1, "c": 1, "d": 0}}, {"q": ["b", "a", "d", "c"]}, "Kendall, SRN")
    assert found.queries["q"]["SRN"] == 2.0
    assert found.queries["q"]["Kendall"] == pytest.approx(1 / math.sqrt(30), rel=1e-12)


def test_the_example_of_the_paper_as_a_run() -> None:
    """Table 1: labels 3, 6, 8, 1, 4, 2, 5, 7 from the worst to the best place."""
    order = Order.of({"q": {str(label): float(label) for label in range(1, 9)}})
    run = {"q": [str(label) for label in (7, 5, 2, 4, 1, 8, 6, 3)]}
    found = evaluate(order, run, "ED, MD, SRN, OrderAUC, OrderAccuracy, OAUC").queries["q"]
    assert found == {
        "ED": 76,
        "MD": 22,
        "SRN": 12,
        "OrderAUC": 5 / 8,
        "OrderAccuracy": 1 / 2,
        "OAUC": 31 / 52,
    }


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ED(form=root)", math.sqrt(76)),
        ("ED(normalised=yes)", 76 / 168),
        ("ED(scale=minmax)", 76 / 168),
        ("MD(normalised=yes)", 22 / 32),
        ("SRN(normalised=yes)", 12 / 28),
        ("Footrule(normalised=no)", 22),
        ("OrderAUC(positives=0.25)", 8 / 12),  # 7 and 8: 7 has 6 others below it, 8 has 2
        ("OrderAUC(positives=2)", 8 / 12),
        ("OrderAUC(threshold=7)", 8 / 12),
        ("OAUC(threshold=7)", (7 * 6 + 8 * 2) / (6 * 15)),
        ("OAUC(positives=1)", 2 / 7),  # 8 has 6, 3 below it
        ("OrderAccuracy(positives=0.25)", 6 / 8),  # 7 and 5 are called positive
        ("OrderAccuracy(positives=3)", 4 / 8),  # of 8, 7 and 6 only 7 is among 7, 5 and 2
    ],
)
def test_parameters_on_the_example_of_the_paper(name: str, value: float) -> None:
    """By hand from Table 1."""
    order = Order.of({"q": {str(label): float(label) for label in range(1, 9)}})
    run = {"q": [str(label) for label in (7, 5, 2, 4, 1, 8, 6, 3)]}
    assert evaluate(order, run, name)[name] == pytest.approx(value, rel=1e-12)


def test_an_odd_number_of_items() -> None:
    """The middle one is positive: of 2, 1, 5, 3, 4 all of 3, 4, 5 come after 1 and 2, so the area is 1."""
    order = Order.of({"q": {str(label): float(label) for label in range(1, 6)}})
    found = evaluate(order, {"q": ["4", "3", "5", "1", "2"]}, "OrderAUC, OrderAccuracy, OAUC").queries["q"]
    assert found == {"OrderAUC": 1, "OrderAccuracy": 1, "OAUC": 1}


def test_one_item_and_orientations() -> None:
    found = evaluate(Order.of({"q": ["a"]}), {"q": ["a"]}, MEASURES).queries["q"]
    assert {name: value for name, value in found.items() if value is not None and not math.isnan(value)} == {
        "ED": 0,
        "MD": 0,
        "SRN": 0,
        "OrderAccuracy": 1,
    }
    lower = {m.name for m in registered() if m.truth == "order" and m.better == "lower"}
    assert {"ED", "MD", "SRN", "Footrule"} <= lower
    assert not lower & {"OrderAUC", "OAUC", "OrderAccuracy", "Kendall", "Gamma", "Somers", "Spearman"}


def test_a_query_does_not_depend_on_its_neighbours() -> None:
    rng = np.random.default_rng(3)
    truth = {
        f"q{q}": {f"d{i}": float(rng.integers(0, 5)) for i in range(int(rng.integers(1, 60)))}
        for q in range(30)
    }
    run = {q: {i: float(rng.integers(0, 5)) for i in items} for q, items in truth.items()}
    together = evaluate(truth, run, MEASURES, ties="expected").queries
    for query in truth:
        alone = evaluate({query: truth[query]}, {query: run[query]}, MEASURES, ties="expected")
        assert str(alone.queries[query]) == str(together[query])


@pytest.mark.parametrize("name", ["ED", "MD", "SRN", "OAUC"])
def test_a_true_order_that_says_only_good_or_bad_is_refused(name: str) -> None:
    rough = Order.of({"q1": {"a": 1, "b": 0, "c": 0}, "q2": {"a": 1, "b": 1}})
    run = {"q1": ["a", "b", "c"], "q2": ["a", "b"]}
    with pytest.raises(InputError, match=f"{name} needs a true order") as caught:
        evaluate(rough, run, f"OrderAUC, {name}")
    assert "OrderAUC or OrderAccuracy" in caught.value.hint
    assert evaluate(rough, run, "OrderAUC, OrderAccuracy").queries["q1"] == {
        "OrderAUC": 1,
        "OrderAccuracy": 1,
    }


def test_one_query_with_more_to_say_is_enough() -> None:
    order = Order.of({"q1": {"a": 1, "b": 0, "c": 0}, "q2": {"a": 2, "b": 1, "c": 0}})
    assert evaluate(order, {"q1": ["a", "b", "c"], "q2": ["b", "a", "c"]}, "SRN").queries["q2"] == {"SRN": 1}
    assert evaluate(Order.of({"q": ["a", "b"]}), {"q": ["b", "a"]}, "SRN")["SRN"] == 1


def test_measures_say_how_much_of_the_truth_they_need() -> None:
    assert {m.name for m in registered() if m.detail == "full"} == {"ED", "MD", "SRN", "OAUC"}
