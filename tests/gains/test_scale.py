"""The lowest and the highest value of any order of the same items, found by trying every order."""

from __future__ import annotations

import math
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankscope
from rankscope.errors import MeasureError
from rankscope.measures import Measure, registered
from rankscope.measures.scale import SCALE
from rankscope.testing import random_data, variants

SCALABLE = [m for m in registered() if SCALE in m.params]
MEASURES = [v for m in SCALABLE for v in variants(m)]
ENDS = ("lowest", "highest", "minmax")


def values(judgments: Any, run: Any, measures: list[Measure], **options: Any) -> dict[str, np.ndarray]:
    return rankscope.evaluate(judgments, run, measures, undefined="nan", **options).run.values


def test_the_measures_that_have_a_scale() -> None:
    of_orders = {"ED", "MD", "SRN", "OrderAUC", "OrderAccuracy", "OAUC"}
    assert {"DCG", "nDCG", "RankDCG", "AP"} | of_orders <= {m.name for m in SCALABLE}


GRADES = st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 3), min_size=1, max_size=4)


def orders(grades: dict[str, int], ranking: list[str], product: str) -> list[list[str]]:
    """The rankings that the same items could have had.

    For measures of relevance: the retrieved items. For those of an order: the judged items, as many of them
    retrieved.
    """
    if product != "ordered":
        return [list(order) for order in permutations(ranking)]
    retrieved = sum(item in grades for item in ranking)
    return [list(order[:retrieved]) or ["x"] for order in permutations(grades)]


@settings(max_examples=10, deadline=None)
@given(GRADES, st.lists(st.sampled_from("abcdexy"), unique=True, min_size=1, max_size=4))
def test_the_ends_are_those_of_all_orders(grades: dict[str, int], ranking: list[str]) -> None:
    for product in ("judged", "ordered"):
        measures = [m for m in MEASURES if m.product == product]
        tried = [values({"q": grades}, {"q": order}, measures) for order in orders(grades, ranking, product)]
        scaled = [m(scale=end) for m in measures for end in ENDS]
        found = values({"q": grades}, {"q": ranking}, [*measures, *scaled])
        for measure in measures:
            name = str(measure)
            all_values = [one[name][0] for one in tried]
            low, high = min(all_values), max(all_values)
            share = (found[name][0] - low) / (high - low) if high - low > 1e-9 else math.nan
            ends = [found[str(measure(scale=end))][0] for end in ENDS]
            assert ends == pytest.approx([low, high, share], rel=1e-9, abs=1e-12, nan_ok=True), name


@pytest.mark.parametrize("unjudged", ["irrelevant", "drop"])
@pytest.mark.parametrize("ties", ["docid", "expected", "best", "worst", "kept"])
@pytest.mark.parametrize("depth", [None, 4])
def test_a_value_is_between_its_ends(unjudged: str, ties: str, depth: int | None) -> None:
    sides = random_data(3, tied=True, queries=60)
    chosen = [scaled for m in MEASURES for scaled in (m, *(m(scale=end) for end in ENDS))]
    found = values(*sides, chosen, ties=ties, unjudged=unjudged, depth=depth)
    for measure in MEASURES:
        value, low, high, share = (found[str(m)] for m in (measure, *(measure(scale=end) for end in ENDS)))
        defined = ~np.isnan(share)
        if measure in SCALABLE:
            assert defined.sum() > 10, measure
        assert np.all(low[defined] <= value[defined] + 1e-12), measure
        assert np.all(value[defined] <= high[defined] + 1e-12), measure
        assert np.all((share[defined] >= 0) & (share[defined] <= 1)), measure
        recomputed = (value - low)[defined] / (high - low)[defined]
        assert share[defined] == pytest.approx(recomputed, abs=1e-9), measure


def test_a_query_is_scaled_by_itself() -> None:
    judgments, run = random_data(7, tied=True, queries=8)
    chosen = [measure(scale=end) for measure in MEASURES for end in ENDS]
    together = values(judgments, run, chosen, ties="expected")
    for number, query in enumerate(judgments):
        if run[query]:
            alone = values({query: judgments[query]}, {query: run[query]}, chosen, ties="expected")
            for name, column in alone.items():
                assert column[0].tobytes() == together[name][number].tobytes(), (name, query)


def test_a_fair_looking_value_may_be_the_worst() -> None:
    """[D0, T1, A3]: nDCG is 0.587 (the page prints 0.22), and no order of these items has less."""
    judgments, run = {"q": {"A": 3, "T": 1, "D": 0}}, {"q": ["D", "T", "A"]}
    found = rankscope.bounds(judgments, run, "nDCG, RankDCG").queries["q"]
    assert found["nDCG"] == found["nDCG(scale=lowest)"] == pytest.approx(0.58688267143572, rel=1e-13)
    assert found["nDCG(scale=highest)"] == 1
    assert found["nDCG(scale=minmax)"] == found["RankDCG(scale=minmax)"] == found["RankDCG"] == 0
    assert (found["RankDCG(scale=lowest)"], found["RankDCG(scale=highest)"]) == (0, 1)


def test_with_a_cutoff_the_best_order_brings_items_from_below_it() -> None:
    judgments, run = {"q": {"a": 1}}, {"q": ["x", "y", "a"]}
    found = rankscope.bounds(judgments, run, "nDCG@2").queries["q"]
    assert list(found.values()) == [0, 0, 1, 0]


def test_where_no_order_makes_a_difference_there_is_no_scale() -> None:
    judgments = {"q1": {"a": 1}, "q2": {"a": 1, "b": 0}}
    result = rankscope.evaluate(judgments, {"q1": ["a"], "q2": ["a", "b"]}, "nDCG(scale=minmax), nDCG")
    assert math.isnan(result.queries["q1"]["nDCG(scale=minmax)"])
    assert result["nDCG(scale=minmax)"] == 1
    assert result["nDCG"] == 1
    assert any("not defined for 1 query" in note for note in result.notes)


def test_an_empty_ranking_has_ends_of_zero() -> None:
    judgments = {"q1": {"a": 1}, "q2": {"a": 1}}
    found = rankscope.bounds(judgments, {"q2": ["a", "x"]}, "nDCG").queries["q1"]
    assert [found[f"nDCG(scale={end})"] for end in ("lowest", "highest")] == [0, 0]
    assert math.isnan(found["nDCG(scale=minmax)"])


def test_bounds_takes_what_evaluate_takes() -> None:
    judgments, run = {"q": {"a": 1, "b": 0}}, {"q": {"a": 1.0, "b": 1.0}}
    one = rankscope.bounds(judgments, run, rankscope.nDCG, ties="expected")
    many = rankscope.bounds(judgments, [run], ["nDCG"], ties="expected")
    assert one.queries["q"] == many.queries["q"]
    assert one["nDCG(scale=minmax)"] == pytest.approx(0.5, rel=1e-13)


def test_a_measure_without_a_scale_is_refused_with_those_that_have_one() -> None:
    with pytest.raises(MeasureError, match=r"P has no scale\n  expected: one of .*nDCG"):
        rankscope.bounds({"q": {"a": 1}}, {"q": ["a"]}, "P@5")
    with pytest.raises(MeasureError, match="none or minmax or lowest or highest"):
        rankscope.nDCG(scale="max")
