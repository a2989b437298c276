"""MAP, LAG and AUC of lists: variants, theorems, and what is refused."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankscope import InputError, evaluate
from rankscope.links import Variant, average_precision, lag, rank_lists, roc
from rankscope.links.curve import AucTies

LISTS = {"q1": ["x", "a", "y", "b"], "q2": ["c", "x"], "q3": ["x", "y", "z"]}
TRUTHS = {"q1": ["a", "b", "missing"], "q2": ["c"], "q3": ["d"]}


@st.composite
def projects(draw: st.DrawFn) -> tuple[list[list[int]], set[int]]:
    """Lists of distinct items, and a truth for all of them."""
    lists = draw(st.lists(st.lists(st.integers(0, 15), max_size=8, unique=True), min_size=1, max_size=6))
    return lists, draw(st.sets(st.integers(0, 15), max_size=10))


def by_definition(one: list[int], truth: set[int]) -> tuple[list[Fraction], list[int]]:
    """The precision at each relevant item, and how many others stand before it."""
    precisions, lags, hits = [], [], 0
    for rank, item in enumerate(one, 1):
        if item in truth:
            hits += 1
            precisions.append(Fraction(hits, rank))
            lags.append(rank - hits)
    return precisions, lags


def mean(values: list[Any]) -> float:
    return float(Fraction(sum(values)) / len(values)) if values else math.nan


@settings(deadline=None)
@given(projects())
def test_map_and_lag_are_those_of_the_definition(project: tuple[list[list[int]], set[int]]) -> None:
    lists, truth = project
    parts = [by_definition(one, truth) for one in lists]
    aps = [mean(precisions) for precisions, _ in parts if precisions]
    found = rank_lists(lists, truth)
    assert found.map == pytest.approx(mean(aps), rel=1e-12, nan_ok=True)
    assert found.lag == pytest.approx(mean([v for _, lags in parts for v in lags]), rel=1e-12, nan_ok=True)
    macro = rank_lists(lists, truth, lag="macro", mean_over="all_queries")
    assert macro.lag == pytest.approx(mean([mean(v) for _, v in parts if v]), rel=1e-12, nan_ok=True)
    assert macro.map == pytest.approx(sum(aps) / len(lists), rel=1e-12)


@settings(deadline=None)
@given(projects())
def test_bounds_and_when_they_are_reached(project: tuple[list[list[int]], set[int]]) -> None:
    """MAP is 1 and LAG 0 if and only if the relevant items lead every list that has one."""
    lists, truth = project
    found = rank_lists(lists, truth)
    if math.isnan(found.map):
        assert math.isnan(found.lag)
        return
    assert 0 < found.map <= 1
    assert 0 <= found.lag <= max(map(len, lists)) - 1
    leads = all(sorted(one, key=lambda item: item not in truth) == one for one in lists)
    assert (found.map == 1) == (found.lag == 0) == leads


@settings(deadline=None)
@given(projects())
def test_gold_and_retrieved_agree_where_every_relevant_item_is_ranked(
    project: tuple[list[list[int]], set[int]],
) -> None:
    lists, truth = project
    ranked = {str(n): one for n, one in enumerate(lists)}
    truths = {query: [item for item in one if item in truth] for query, one in ranked.items()}
    gold = rank_lists(ranked, truths)
    retrieved = rank_lists(ranked, truths, denominator="retrieved")
    assert [q.ap for q in gold.queries] == [q.ap for q in retrieved.queries]
    assert gold.lag == pytest.approx(rank_lists(ranked, truth).lag, nan_ok=True)


@settings(deadline=None)
@given(projects())
def test_lag_and_auc_of_a_query_are_one_thing(project: tuple[list[list[int]], set[int]]) -> None:
    """AUC = 1 - LAG / N with N items that are not relevant, where no relevances are equal."""
    lists, truth = project
    scores = [[float(-rank) for rank in range(len(one))] for one in lists]
    for query in rank_lists(lists, truth, scores).queries:
        others = query.retrieved - query.found
        if query.found and others:
            assert query.auc == pytest.approx(1 - query.lag / others, rel=1e-12, abs=1e-12)
        else:
            assert math.isnan(query.auc)


@pytest.mark.parametrize("ties", ["half", "order"])
@pytest.mark.parametrize("lower", [False, True])
@settings(deadline=None, max_examples=40)
@given(project=projects(), seed=st.integers(0, 99))
def test_the_area_of_a_query_is_that_of_its_own_curve(
    project: tuple[list[list[int]], set[int]], seed: int, lower: bool, ties: AucTies
) -> None:
    lists, truth = project
    rng = np.random.default_rng(seed)
    scores = [rng.integers(0, 3, len(one)) for one in lists]
    found = rank_lists(lists, truth, scores, lower_is_better=lower, ties=ties)
    for query, one, column in zip(found.queries, lists, scores, strict=True):
        curve = roc([item in truth for item in one], column, lower_is_better=lower, ties=ties)
        assert query.auc == pytest.approx(curve.auc, rel=1e-12, nan_ok=True)


def test_a_truth_for_each_query_means_gold_and_all_queries() -> None:
    """(1/2 + 2/4)/3, 1 and 0: MAP 4/9; the lags are 1 and 2, and 0."""
    found = rank_lists(LISTS, TRUTHS)
    assert [q.ap for q in found.queries] == pytest.approx([1 / 3, 1, 0], rel=1e-12)
    assert found.map == pytest.approx(4 / 9, rel=1e-12)
    assert found.lag == 1
    assert found.ground_truth_size == 5
    assert found.variant == Variant.of({}, per_query=True)
    assert (found.variant.denominator, found.variant.mean_over) == ("gold", "all_queries")
    assert found.auc is None
    assert found.notes == ("1 list has no relevant item: AP is 0, not in LAG",)


def test_one_truth_means_retrieved_and_queries_with_a_relevant_item() -> None:
    found = rank_lists(LISTS, ["a", "b", "missing", "c", "d"])
    assert found.map == pytest.approx((1 / 2 + 1) / 2, rel=1e-12)
    assert (found.variant.denominator, found.variant.mean_over) == ("retrieved", "with_relevant")
    assert found.notes == ("1 list has no relevant item: not in MAP, not in LAG",)


def test_with_relevant_and_gold_leaves_out_queries_without_a_relevant_item_in_the_truth() -> None:
    truths = {**TRUTHS, "q2": []}
    found = rank_lists(LISTS, truths, mean_over="with_relevant")
    assert found.map == pytest.approx((1 / 3 + 0) / 2, rel=1e-12)


def test_gold_needs_a_truth_for_each_query() -> None:
    with pytest.raises(InputError, match="one ground truth for all queries") as caught:
        rank_lists(LISTS, ["a"], denominator="gold")
    assert caught.value.code == "no-gold"


def test_the_registry_has_the_same_numbers() -> None:
    run = {query: {item: -float(rank) for rank, item in enumerate(items)} for query, items in LISTS.items()}
    measures = "AP, AP(denominator=retrieved), LAG, LAG(average=macro), AUC"
    result = evaluate({q: dict.fromkeys(items, 1) for q, items in TRUTHS.items()}, run, measures)
    scores = {query: list(items.values()) for query, items in run.items()}
    own = rank_lists(LISTS, TRUTHS, scores)
    assert result["AP"] == pytest.approx(own.map, rel=1e-12)
    assert result["LAG"] == pytest.approx(own.lag, rel=1e-12)
    macro = rank_lists(LISTS, TRUTHS, lag="macro", denominator="retrieved")
    assert result["LAG(average=macro)"] == pytest.approx(macro.lag, rel=1e-12)
    assert result["AP(denominator=retrieved)"] == pytest.approx(macro.map, rel=1e-12)
    assert result.run.values["AUC"] == pytest.approx([q.auc for q in own.queries], rel=1e-12, nan_ok=True)


def test_compat_refuses_lists_of_unequal_length() -> None:
    with pytest.raises(InputError, match="query '1' has 1 items, query '2' has 2") as caught:
        rank_lists([["a"], ["a", "b"]], ["a"], compat="ardoco")
    assert caught.value.code == "unequal-lengths"
    assert rank_lists([["a"], ["a", "b"]], ["a"]).map == 1


def test_compat_is_the_programs_choice_of_everything() -> None:
    """Ties by order, duplicates counted, and the diagonal where there is no item."""
    found = rank_lists([["B", "A"]], ["A"], [[0.5, 0.5]], compat="ardoco")
    assert (found.auc, found.map, found.lag) == (0, 0.5, 1)
    assert rank_lists([["B", "A"]], ["A"], [[0.5, 0.5]]).auc == 0.5
    assert rank_lists([["a", "b", "a"]], ["a"], compat="ardoco").lag == 0.5
    assert rank_lists([[]], ["a"], [[]], compat="ardoco").auc == 0.5
    nothing = rank_lists([[]], ["a"], [[]])
    assert nothing.auc is not None
    assert math.isnan(nothing.auc)
    assert set(found.to_dict()) == {"map", "lag", "auc", "groundTruthSize"}
    assert rank_lists([["B", "A"]], ["A"], [[0.5, 0.5]], compat="ardoco", ties="half").auc == 0.5


def test_what_is_not_defined_is_null_in_a_dict() -> None:
    content = rank_lists([["x"]], ["a"], [[1]]).to_dict(per_query=True)
    assert (content["map"], content["lag"], content["auc"]) == (None, None, None)
    assert content["queries"] == [
        {"query": "1", "ap": 0.0, "lag": None, "auc": None, "retrieved": 1, "found": 0, "relevant": None}
    ]
    assert content["variant"]["lag"] == "micro"


def test_lists_that_contradict_their_relevances_are_noted() -> None:
    found = rank_lists([["a", "x"]], ["a"], [[0.1, 0.9]])
    assert (found.map, found.auc) == (1, 0)
    assert found.notes == (
        "1 list is not in the order of the relevances: MAP and LAG follow the list, AUC the relevances",
    )
    assert not rank_lists([["a", "x"]], ["a"], [[0.1, 0.9]], lower_is_better=True).notes


@dataclass(frozen=True)
class Link:
    source: str
    target: str


def test_items_of_any_type() -> None:
    links = [Link("UC1", "Login"), Link("UC1", "Cart")]
    truth = [Link("UC1", "Cart")]

    def key(link: Link) -> str:
        return f"{link.source}->{link.target}"

    assert rank_lists([links], truth, key=key).map == 0.5
    assert average_precision(links, truth, key=key) == 0.5
    assert lag(links, truth, key=key) == 1
    assert rank_lists([[1, 2]], ["2"]).map == 0.5  # a whole number is the same id as its digits
    assert rank_lists([np.array([1, 2])], np.array([2])).map == 0.5
    with pytest.raises(InputError, match=r"of type Link.*\n.*\n.*key="):
        rank_lists([links], truth)


def test_frames() -> None:
    found = rank_lists(LISTS, TRUTHS)
    frame = found.to_pandas()
    assert list(frame.columns) == ["query", "ap", "lag", "auc", "relevant", "retrieved", "found"]
    assert frame["found"].tolist() == [2, 1, 0]
    assert found.to_polars()["lag"].null_count() == 1
    assert found.to_arrow().column("lag").null_count == 1
    assert found.to_csv().splitlines()[-1] == "q3,0.0,,,1,3,0"


@pytest.mark.parametrize(
    ("arguments", "choices", "words"),
    [
        (([], ["a"]), {}, "no list"),
        (("ab", ["a"]), {}, "type str"),
        ((["ab"], ["a"]), {}, "type str"),
        ((7, ["a"]), {}, "type int"),
        (([["a"]], 7), {}, "type int"),
        (([["a"]], "a"), {}, "type str"),
        (([[None]], ["a"]), {}, "NoneType"),
        (([[0.5]], ["a"]), {}, "float"),
        (([["a", "b", "a"]], ["a"]), {}, r"ranked twice \(ranks 1 and 3\)"),
        (([["a"]], ["a"], [[1, 2]]), {}, "1 items and 2 relevances"),
        (([["a"]], ["a"], [[1], [2]]), {}, "without a list"),
        (([["a"], ["b"]], ["a"], [[1]]), {}, "none for 1 ranked query"),
        (([["a"]], ["a"], [[math.nan]]), {}, "not finite"),
        (([["a"]], ["a"], [[math.inf]]), {}, "not finite"),
        (([["a"]], ["a"], [["high"]]), {}, "not an array of numbers"),
        (([["a"]], ["a"], 3), {}, "type int"),
        (({"q": ["a"]}, {"r": ["a"]}), {}, "none for 1 ranked query"),
        (({"q": ["a"]}, {"q": ["a"], "r": ["a"]}), {}, "without a list"),
        (([["a"]], ["a"]), {"lag": "mikro"}, "did you mean micro"),
        (([["a"]], ["a"]), {"compat": "trec"}, "none or ardoco"),
        (([["a"]], ["a"]), {"ties": 1}, "half or order"),
    ],
)
def test_bad_input(arguments: tuple[Any, ...], choices: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        rank_lists(*arguments, **choices)
