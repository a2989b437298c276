"""What holds for RankDCG: its bounds, its ties and what may change places, against exact fractions."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankscope
from rankscope.errors import InputError, PolicyError
from rankscope.gains import rankdcg_order, rankdcg_scores, rankdcg_terms

RELEVANCES = st.lists(st.integers(-2, 3), max_size=9)
FINITE = st.floats(-1e6, 1e6)


def exact_sum(order: list[Any]) -> Fraction:
    """S of the definition, in fractions."""
    levels = sorted(set(order))
    place = {value: number for number, value in enumerate(levels, 1)}
    ideal = sorted(order, reverse=True)
    return sum(
        (
            Fraction(place[item], len(levels) + 1 - place[best])
            for item, best in zip(order, ideal, strict=True)
        ),
        Fraction(),
    )


def exact(order: list[Any]) -> Fraction | None:
    low, high = exact_sum(sorted(order)), exact_sum(sorted(order, reverse=True))
    return (exact_sum(order) - low) / (high - low) if high > low else None


def close(found: float, wanted: Fraction | None) -> bool:
    return math.isnan(found) if wanted is None else math.isclose(found, wanted, rel_tol=1e-12, abs_tol=1e-14)


@given(RELEVANCES)
def test_order_is_the_definition(order: list[int]) -> None:
    assert close(rankdcg_order(order), exact(order))
    terms = rankdcg_terms(order)
    assert close(terms.total, exact_sum(order))
    assert close(terms.lowest, exact_sum(sorted(order)))
    assert close(terms.highest, exact_sum(sorted(order, reverse=True)))
    assert terms.value == rankdcg_order(order) or math.isnan(terms.value)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), max_size=6))
def test_ties_are_all_their_orders(pairs: list[tuple[int, int]]) -> None:
    truth, scores = [p[0] for p in pairs], [p[1] for p in pairs]
    orders = {p for p in permutations(range(len(pairs))) if sorted(p, key=lambda n: -scores[n]) == list(p)}
    values = [exact([truth[n] for n in order]) for order in orders]
    if values[0] is None:
        wanted: dict[str, Fraction | None] = dict.fromkeys(("worst", "expected", "best", "given"))
    else:
        found = [value for value in values if value is not None]
        listed = exact([truth[n] for n in sorted(range(len(truth)), key=lambda n: -scores[n])])
        wanted = {
            "worst": min(found),
            "expected": sum(found, Fraction()) / len(found),
            "best": max(found),
            "given": listed,
        }
    for ties, value in wanted.items():
        assert close(rankdcg_scores(truth, scores, ties=ties), value), ties


@given(RELEVANCES, st.randoms(use_true_random=False))
def test_items_of_equal_relevance_and_ranks_of_equal_discount_may_be_swapped(
    order: list[int], rng: random.Random
) -> None:
    discounts = rankdcg_terms(order).discounts
    shuffled = list(order)
    for level in set(discounts):
        places = [n for n, discount in enumerate(discounts) if discount == level]
        moved = rng.sample(places, len(places))
        for place, other in zip(places, moved, strict=True):
            shuffled[place] = order[other]
    assert rankdcg_order(shuffled) == pytest.approx(rankdcg_order(order), rel=1e-12, abs=1e-14, nan_ok=True)


@given(st.lists(FINITE, max_size=30))
def test_any_strictly_increasing_map_of_the_relevances_changes_nothing(order: list[float]) -> None:
    places = {value: number for number, value in enumerate(sorted(set(order)))}
    mapped = [math.exp(places[value] / 10) - 7 for value in order]
    assert np.float64(rankdcg_order(order)).tobytes() == np.float64(rankdcg_order(mapped)).tobytes()


@given(st.permutations(range(7)))
def test_distinct_relevances_have_the_sums_of_the_theorem(order: list[int]) -> None:
    """min = n, max = (n + 1) H_n - n."""
    n = len(order)
    harmonic = sum(Fraction(1, i) for i in range(1, n + 1))
    terms = rankdcg_terms(order)
    assert terms.lowest == pytest.approx(n, rel=1e-14)
    assert terms.highest == pytest.approx(float((n + 1) * harmonic - n), rel=1e-14)


@pytest.mark.parametrize("n", [2, 3, 5, 6])
def test_distinct_relevances_have_a_mean_of_one_half(n: int) -> None:
    values = [rankdcg_order(order) for order in permutations(range(n))]
    assert math.fsum(values) / len(values) == pytest.approx(0.5, rel=1e-13)
    assert min(values) == 0
    assert max(values) == 1


@given(st.lists(st.integers(0, 1), min_size=2, max_size=12))
def test_with_two_relevances_only_the_top_block_counts(order: list[int]) -> None:
    relevant = sum(order)
    if 0 < relevant < len(order):
        most, least = relevant, max(0, 2 * relevant - len(order))
        found = sum(order[:relevant])
        assert rankdcg_order(order) == pytest.approx((found - least) / (most - least), rel=1e-13)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=7))
def test_one_if_and_only_if_sorted_up_to_ties(order: list[int]) -> None:
    if len(set(order)) > 1:
        assert (rankdcg_order(order) == 1) == (order == sorted(order, reverse=True))
        assert rankdcg_order(sorted(order)) == 0


@given(st.lists(st.tuples(FINITE, st.integers(0, 3)), min_size=2, max_size=20))
def test_a_constant_prediction_has_zero_and_the_policies_are_in_order(pairs: list[tuple[float, int]]) -> None:
    truth, scores = [p[0] for p in pairs], [p[1] for p in pairs]
    if len(set(truth)) > 1:
        assert rankdcg_scores(truth, [7] * len(truth)) == 0
        assert rankdcg_scores(truth, [7] * len(truth), ties="best") == 1
        worst, mean, best = (rankdcg_scores(truth, scores, ties=t) for t in ("worst", "expected", "best"))
        assert 0 <= worst <= mean + 1e-12
        assert mean <= best + 1e-12
        assert best <= 1


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 5)), min_size=1, max_size=30))
def test_the_measure_of_runs_agrees_with_the_function(pairs: list[tuple[int, int]]) -> None:
    grades = {f"d{n}": grade for n, (grade, _) in enumerate(pairs)}
    run = {f"d{n}": score for n, (_, score) in enumerate(pairs)}
    for ties in ("worst", "expected", "best"):
        result = rankscope.evaluate({"q": grades}, {"q": run}, "RankDCG", ties=ties)
        wanted = rankdcg_scores(list(grades.values()), list(run.values()), ties=ties)
        assert result["RankDCG"] == pytest.approx(wanted, rel=1e-12, abs=1e-14, nan_ok=True)


def test_items_that_were_not_retrieved_are_one_tied_group_at_the_end() -> None:
    """a, then b and c in any order: (1 + [a c b]) / 2; an item without a judgment leaves the ranking."""
    judgments = {"q": {"a": 2, "b": 1, "c": 0}}
    result = rankscope.evaluate(judgments, {"q": ["x", "a"]}, "RankDCG")
    assert result["RankDCG"] == pytest.approx(float((1 + (exact([2, 0, 1]) or 0)) / 2), rel=1e-14)
    nothing = rankscope.evaluate(judgments, {"q": ["x"]}, "RankDCG")
    assert nothing["RankDCG"] == pytest.approx(0.5, rel=1e-14)
    dropped = rankscope.evaluate(judgments, {"q": ["c", "a"]}, "RankDCG", unretrieved="drop")
    assert dropped["RankDCG"] == 0


def test_scores_and_orders_are_not_confused() -> None:
    """L3 of the program's examples: the same two lists, read the two ways."""
    reference, hypothesis = [9, 4, 4, 2, 2, 2, 1, 1, 1, 1], [4, 4, 2, 9, 2, 2, 1, 1, 1, 1]
    assert rankdcg_scores(reference, hypothesis) == pytest.approx(13 / 20, rel=1e-13)
    assert rankdcg_order(hypothesis) == pytest.approx(3 / 4, rel=1e-13)


@pytest.mark.parametrize("order", [[], [4], [2, 2, 2], [0.0, -0.0]])
def test_without_two_different_relevances_it_is_undefined(order: list[float]) -> None:
    assert math.isnan(rankdcg_order(order))
    assert math.isnan(rankdcg_scores(order, range(len(order))))
    assert math.isnan(rankdcg_terms(order).value)


def test_many_items_in_little_time() -> None:
    truth = np.random.default_rng(0).integers(0, 1000, 200_000)
    assert rankdcg_scores(truth, truth) == 1
    assert rankdcg_scores(truth, -truth) == 0


def genre(name: str) -> int:
    return {"action": 3, "thriller": 1, "drama": 0}[name]


@pytest.mark.parametrize("kind", ["mapping", "callable", "csv", "white space", "frame"])
def test_categories_have_the_relevance_they_are_given(kind: str, tmp_path: Any) -> None:
    table = {"action": 3, "thriller": 1, "drama": 0}
    (tmp_path / "genres.csv").write_text("genre,relevance\naction,3\nthriller,1\ndrama,0\n")
    (tmp_path / "genres.txt").write_text("# genre relevance\naction 3\n\nthriller  1\ndrama 0.0\n")
    relevance: Any = {
        "mapping": table,
        "callable": genre,
        "csv": tmp_path / "genres.csv",
        "white space": str(tmp_path / "genres.txt"),
        "frame": pd.DataFrame({"genre": list(table), "relevance": list(table.values())}),
    }[kind]
    assert rankdcg_order(["thriller", "action", "drama"], relevance) == 0.625
    assert rankdcg_order(["drama", "thriller", "action"], relevance) == 0


def test_whole_numbers_and_text_name_the_same_category() -> None:
    assert rankdcg_order([1, 2], {"1": 0, "2": 5}) == rankdcg_order(["1", "2"], {1: 0, 2: 5}) == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rankdcg_scores([1, 2], [1]), "1 values, where y_true has 2"),
        (lambda: rankdcg_scores([1, math.nan], [1, 2]), "y_true, row 2: value 'nan' is not finite"),
        (lambda: rankdcg_scores([1, 2], [math.inf, 2]), "y_score, row 1: value 'inf' is not finite"),
        (lambda: rankdcg_scores([[1, 2]], [[1, 2]]), "2 dimensions"),
        (lambda: rankdcg_scores([1, [2]], [1, 2]), "not an array of numbers"),
        (lambda: rankdcg_order(["1", "2"]), "not an array of numbers"),
        (lambda: rankdcg_order(5), "0 dimensions"),
        (lambda: rankdcg_order({2, 1}), "a set has no order"),
        (lambda: rankdcg_scores({"a": 1}, {"a": 2}), "a dict has no order"),
        (lambda: rankdcg_order([1, None]), "not an array of numbers"),
        (lambda: rankdcg_order("abc", {"a": 1}), "of type str is no ranking"),
        (lambda: rankdcg_order(["dramma"], {"drama": 1}), "did you mean drama"),
        (lambda: rankdcg_order(["a"], {"a": "x"}), "the relevance of 'a' is x"),
        (lambda: rankdcg_order(["a"], {"a": math.nan}), "the relevance of 'a' is nan"),
        (lambda: rankdcg_order(["a"], lambda _: None), "the relevance of 'a' is None"),
        (lambda: rankdcg_order(["a"], {1: 2, "1": 3}), "two different relevances"),
        (lambda: rankdcg_order(["a"], 3), "of type int cannot be read as the relevance"),
        (lambda: rankdcg_order(["a"], "no/such/file"), "there is no such file"),
    ],
)
def test_bad_input_is_an_error_that_says_where(call: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("action 3\ndrama x\n", ":2: the relevance of 'drama' is x"),
        ("action 3\ndrama\n", ":2: 1 columns"),
        ("action 3\naction 4\n", ":2: 'action' has two different relevances"),
        ("action 1_0\n", "the relevance of 'action' is 1_0"),
    ],
)
def test_bad_files_are_errors_that_name_the_line(content: str, message: str, tmp_path: Any) -> None:
    (tmp_path / "genres").write_text(content)
    with pytest.raises(InputError, match=message):
        rankdcg_order(["action"], tmp_path / "genres")


@pytest.mark.parametrize("ties", ["docid", "kept", "nonsense"])
def test_ties_that_need_ids_are_refused(ties: str) -> None:
    with pytest.raises(PolicyError):
        rankdcg_scores([1, 2], [1, 2], ties=ties)
