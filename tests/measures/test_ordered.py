"""What kernels of an order read, against a slow listing of the same rows."""

from __future__ import annotations

import random

import pytest

from rankscope import Judgments, Order, Run
from rankscope.align import align
from rankscope.measures import Ordered

Groups = list[list[float]]


def groups_of(ordered: Ordered, query: int) -> Groups:
    """The values of each tie group, in rank order, each group sorted."""
    begin, end = ordered.offsets[query : query + 2].tolist()
    found: Groups = []
    row = begin
    while row < end:
        size = int(ordered.size[row])
        assert ordered.first[row : row + size].tolist() == [row - begin + 1] * size
        assert ordered.size[row : row + size].tolist() == [size] * size
        found.append(sorted(ordered.value[row : row + size].tolist()))
        row += size
    return found


def listed(truth: dict[str, float], run: dict[str, float], ties: str, unretrieved: str) -> Groups:
    retrieved = [item for item in run if item in truth]
    by_score: dict[float, list[str]] = {}
    for item in retrieved:
        by_score.setdefault(run[item], []).append(item)
    groups = [by_score[score] for score in sorted(by_score, reverse=True)]
    if ties == "docid":
        groups = [[item] for group in groups for item in sorted(group, reverse=True)]
    rest = [item for item in truth if item not in run]
    if unretrieved == "last" and rest:
        groups.append(rest)
    values = [sorted((truth[item] for item in group), reverse=ties == "best") for group in groups]
    if ties in ("best", "worst"):
        return [[value] for group in values for value in group]
    return values


@pytest.mark.parametrize("unretrieved", ["last", "drop"])
@pytest.mark.parametrize("ties", ["docid", "expected", "kept", "best", "worst"])
def test_rows_are_those_of_a_slow_listing(ties: str, unretrieved: str) -> None:
    rng = random.Random(3)
    truth, run = {}, {}
    for q in range(80):
        pool = [f"d{i}" for i in range(12)]
        truth[f"q{q}"] = {i: float(rng.randint(-1, 3)) for i in rng.sample(pool, rng.randint(1, 8))}
        if rng.random() < 0.9:
            run[f"q{q}"] = {i: float(rng.randint(0, 3)) for i in rng.sample(pool, rng.randint(0, 10))}
    order = Order.of(truth)
    judged = align(order, Run.of(run))
    ordered = Ordered.of(judged, order, ties=ties, unretrieved=unretrieved)
    assert ordered.averaged == (ties == "expected")
    for number, query in enumerate(order.queries):
        ranking = run.get(query, {})
        assert groups_of(ordered, number) == listed(truth[query], ranking, ties, unretrieved)
        assert ordered.retrieved[number] == len(ranking.keys() & truth[query].keys())


def test_a_negative_grade_of_a_judgment_is_none() -> None:
    truth = {"q": {"a": -1, "b": 2, "c": 0, "d": -2}}
    for kind, expected in ((Judgments, [[2.0], [0.0]]), (Order, [[-1.0], [2.0], [-2.0, 0.0]])):
        of = kind.of(truth)
        judged = align(of, Run.of({"q": ["a", "b"]}))
        assert groups_of(Ordered.of(judged, of), 0) == expected


def test_the_items_beyond_the_depth_are_not_retrieved() -> None:
    order = Order.of({"q": ["a", "b", "c", "d"]})
    judged = align(order, Run.of({"q": ["x", "d", "y", "c", "b"]}))
    cut_by_the_view = Ordered.of(judged, order, depth=2)
    assert groups_of(cut_by_the_view, 0) == [[1.0], [2.0], [3.0, 4.0]]
    judged = align(order, Run.of({"q": ["x", "d", "y", "c", "b"]}), depth=2)
    assert groups_of(Ordered.of(judged, order), 0) == [[1.0], [2.0, 3.0, 4.0]]


def test_reordered_is_the_order_of_the_truth_or_its_opposite() -> None:
    order = Order.of({"q": {"a": 1, "b": 3, "c": 2}, "r": {"a": 5, "b": 9}})
    ordered = Ordered.of(align(order, Run.of({"q": ["a", "c", "b"]})), order)
    assert ordered.reordered("best").value.tolist() == [3, 2, 1, 9, 5]
    assert ordered.reordered("worst").value.tolist() == [1, 2, 3, 5, 9]
    assert ordered.reordered("best").size.tolist() == [1, 1, 1, 2, 2]


def test_reordered_keeps_ties_unless_the_mean_over_their_orders_is_asked_for() -> None:
    order = Order.of({"q": {"a": 1, "b": 3, "c": 2, "d": 4, "e": 0}})
    judged = align(order, Run.of({"q": {"a": 1.0, "b": 1.0, "c": 0.0}}))
    for ties, groups in (
        ("kept", [[3.0, 4.0], [2.0], [0.0, 1.0]]),
        ("expected", [[4.0], [3.0], [2.0], [0.0, 1.0]]),
        ("docid", [[4.0], [3.0], [2.0], [0.0, 1.0]]),
        ("best", [[4.0], [3.0], [2.0], [1.0], [0.0]]),
    ):
        assert groups_of(Ordered.of(judged, order, ties=ties).reordered("best"), 0) == groups
