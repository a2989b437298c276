"""ClasSi as a measure of runs: over judgments, and over a database of labelled items."""

from __future__ import annotations

import pickle
import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from class_support import COSTS, cumulative_cost

from rankscope import Answer, Classes, InputError, MeasureError, Order, Taxonomy, classi, evaluate

MEASURES = ["ClasSi", "ClasSi@1", "ClasSi@3", "ClasSi(cost=unit)", "ClasSi(cost=unit)@2"]


def expected_value(
    groups: Sequence[Sequence[float]], retrieved: int, k: int | None, cost: str = "difference"
) -> float:
    """By the definition: the mean of DisCost_k over all orders of the tied items, against W_k."""
    items = [d for group in groups for d in group]
    depth = len(items) if k is None else min(k, retrieved)
    worst = cumulative_cost(sorted(items, reverse=True), cost)[depth - 1] if depth else Fraction(0)
    if not worst:
        return float("nan")
    orders: list[list[float]] = [[]]
    for group in groups:
        orders = [[*order, *end] for order in orders for end in permutations(group)]
    spent = sum((cumulative_cost(order, cost)[depth - 1] for order in orders), Fraction(0)) / len(orders)
    return float(1 - 2 * spent / worst)


def cases(seed: int, count: int = 40) -> list[dict[str, Any]]:
    """Rankings in groups of equal scores, some items not retrieved, all with a class from 0 to 3."""
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        items = {f"d{n}": rng.randrange(4) for n in range(rng.randint(1, 6))}
        scores = {item: float(rng.randrange(3)) for item in items if rng.random() < 0.7}
        found.append({"items": items, "scores": scores})
    return found


def grouped(case: dict[str, Any], *, strict: bool, last: bool) -> list[list[float]]:
    """The distances in the order of the run; tied items by id, the highest first, if none may be tied."""
    items, scores = case["items"], case["scores"]
    if strict:
        groups = [[item] for item in sorted(scores, key=lambda i: (scores[i], i), reverse=True)]
    else:
        groups = [[i for i in scores if scores[i] == s] for s in sorted(set(scores.values()), reverse=True)]
    rest = [item for item in items if item not in scores]
    listed = [*groups, *([rest] if rest and last else [])]
    return [[float(items[item]) for item in group] for group in listed]


POLICIES = [
    {"ties": ties, "unretrieved": unretrieved}
    for ties in ("docid", "expected")
    for unretrieved in ("last", "drop")
]


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: "-".join(policy.values()))
def test_over_judgments(core: ModuleType, policy: dict[str, str]) -> None:
    """A grade is a class, and its distance is how much it is below the best."""
    found = cases(1)
    judgments = {f"q{n}": {i: 3 - d for i, d in case["items"].items()} for n, case in enumerate(found)}
    check(judgments, found, policy)


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: "-".join(policy.values()))
def test_over_a_database(core: ModuleType, policy: dict[str, str]) -> None:
    """Each query has its own items and classes; in one database all items are those of all queries."""
    for case in cases(2):
        classes = Classes(case["items"], {"q0": "any"}, {n: n for n in range(4)})
        if case["scores"]:
            check(classes, [case], policy)


@pytest.mark.parametrize("ties", ["docid", "docid-asc", "given", "expected", "kept", "best", "worst"])
@pytest.mark.parametrize("unretrieved", ["last", "drop"])
def test_judgments_and_a_database_of_the_same_items_agree(ties: str, unretrieved: str) -> None:
    """Under every policy, what was not retrieved included."""
    for case in cases(3):
        if case["scores"]:
            run, policy = {"q": case["scores"]}, {"ties": ties, "unretrieved": unretrieved}
            judgments = {"q": {item: 3 - d for item, d in case["items"].items()}}
            classes = Classes(case["items"], {"q": "any"}, {n: n for n in range(4)})
            ours, theirs = (evaluate(truth, run, MEASURES, **policy).run for truth in (classes, judgments))
            for measure, values in ours.values.items():
                assert values.tolist() == pytest.approx(
                    theirs.values[measure].tolist(), rel=1e-12, abs=1e-14, nan_ok=True
                )


def check(truth: Any, found: list[dict[str, Any]], policy: dict[str, str]) -> None:
    run = {f"q{n}": {**case["scores"], "unknown": 1.5} for n, case in enumerate(found)}
    result = evaluate(truth, run, MEASURES, **policy).run
    strict, last = policy["ties"] == "docid", policy["unretrieved"] == "last"
    for measure in result.values:
        k = int(measure.partition("@")[2]) if "@" in measure else None
        cost = "unit" if "unit" in measure else "difference"
        expected = [
            expected_value(grouped(c, strict=strict, last=last), len(c["scores"]), k, cost) for c in found
        ]
        assert result.values[measure].tolist() == pytest.approx(expected, rel=1e-12, abs=1e-14, nan_ok=True)


@pytest.mark.parametrize("cost", sorted(COSTS))
def test_a_database_of_several_classes_of_queries(core: ModuleType, cost: str) -> None:
    """Against rankings measured one by one, with the counts of the whole database."""
    rng = np.random.default_rng(4)
    labels = {f"i{n}": str(n % 7) for n in range(500)}
    names = [str(n) for n in range(7)]
    matrix = rng.random((7, 7))
    query_classes = {f"q{n}": str(int(c)) for n, c in enumerate(rng.integers(0, 7, 30))}
    run = {q: [f"i{n}" for n in rng.permutation(500)[:40]] for q in query_classes}
    classes = Classes(labels, query_classes, matrix, classes=names)
    counts = dict.fromkeys(names, 0)
    for label in labels.values():
        counts[label] += 1
    result = evaluate(classes, run, [f"ClasSi(cost={cost})", f"ClasSi(cost={cost})@10"]).run
    for n, (query, query_class) in enumerate(query_classes.items()):
        ranked = [labels[item] for item in run[query]]
        whole = classi(ranked, query_class, matrix, classes=names, counts=counts, cost=cost)  # type: ignore[arg-type]
        assert result.values[_named(cost, "@10")][n] == pytest.approx(whole.at(10), rel=1e-12, abs=1e-13)
        # What was not retrieved is in any order: half of its pairs stand the wrong way round.
        rest = {c: counts[c] - ranked.count(c) for c in names}
        tail = classi([], query_class, matrix, classes=names, counts=rest, cost=cost)  # type: ignore[arg-type]
        spent = whole.cost[-1] + tail.total_worst_cost / 2
        expected = 1 - 2 * spent / whole.total_worst_cost
        assert whole.completed == pytest.approx(expected, rel=1e-12, abs=1e-13)
        assert result.values[_named(cost, "")][n] == pytest.approx(expected, rel=1e-12, abs=1e-13)


def _named(cost: str, cutoff: str) -> str:
    return ("ClasSi" if cost == "difference" else "ClasSi(cost=unit)") + cutoff


def test_the_example_of_the_paper_as_judgments() -> None:
    """Grades 6, 5 and 0 are at distances 0, 1 and 6: r_2 has 16/21, and 3/4 at 5."""
    grades = {f"{label}{n}": {"b": 6, "c": 5, "t": 0}[label] for n, label in enumerate("bbbctccctt")}
    result = evaluate({"q": grades}, {"q": list(grades)}, "ClasSi, ClasSi@5")
    assert result["ClasSi"] == pytest.approx(16 / 21, rel=1e-12)
    assert result["ClasSi@5"] == 0.75


def test_an_order_stands_in_for_classes() -> None:
    from rankscope import Order

    order = Order.of({"q": ["a", "b", "c", "d"]})
    assert evaluate(order, {"q": ["a", "b", "d", "c"]}, "ClasSi")["ClasSi"] == pytest.approx(0.8)  # rho


def test_a_million_labelled_items_and_many_queries() -> None:
    """Items times queries would be 10^9 rows."""
    labels = pd.DataFrame({"item": np.arange(1_000_000), "label": np.arange(1_000_000) % 100})
    classes = Classes(labels, {f"q{n}": n % 100 for n in range(1000)}, lambda a, b: abs(int(a) - int(b)))
    run = {f"q{n}": [n % 100 + 100 * i for i in range(20)] for n in range(1000)}
    result = evaluate(classes, run, "ClasSi@20, ClasSi")
    assert result["ClasSi@20"] == 1
    assert 0 < result["ClasSi"] < 1e-3


# ---- inputs and notes


def test_classes_from_frames_files_and_mappings(tmp_path: Path) -> None:
    items, queries = {"x": "b", "y": "t", "z": "c"}, {"q1": "b", "q2": "t"}
    tree = Taxonomy({"b": "ape", "c": "ape", "ape": "mammal", "t": "mammal"})
    (tmp_path / "items.csv").write_text("item,label\nx,b\ny,t\nz,c\n")
    (tmp_path / "items.txt").write_text("# photographs\nx b\ny t\nz c\n")
    (tmp_path / "queries.tsv").write_text("q1\tb\nq2\tt\n")
    frame = pl.DataFrame({"label": list(items.values()), "doc_id": list(items)})
    run = {"q1": ["x", "y", "z"], "q2": ["x", "y", "z"]}
    given = [(items, queries), (frame, tmp_path / "queries.tsv"), (tmp_path / "items.csv", queries)]
    given.append(
        (tmp_path / "items.txt", pd.DataFrame({"query": list(queries), "class": list(queries.values())}))
    )
    found = [evaluate(Classes(*each, tree), run, "ClasSi").queries for each in given]
    assert all(each == found[0] for each in found)
    assert found[0]["q1"]["ClasSi"] == classi([0, 3, 2]).value


def test_classes_can_be_sent_to_another_process() -> None:
    classes = Classes({"x": "b", "y": "t"}, {"q": "b"}, order=["b", "t"])
    copy = pickle.loads(pickle.dumps(classes))
    assert evaluate(copy, {"q": ["y", "x"]}, "ClasSi")["ClasSi"] == -1
    assert repr(copy) == "<Classes 'classes': 2 items in 2 classes, 1 queries>"


def test_notes_on_short_rankings_and_items_without_a_label() -> None:
    classes = Classes({"x": "b", "y": "t", "z": "b"}, {"q": "b"}, order=["b", "t"])
    notes = evaluate(classes, {"q": ["x", "unknown", "y"]}, "ClasSi@5").notes
    assert "1 of 3 retrieved items have no label: left out" in notes
    assert "1 of 3 labelled items were not retrieved: they come last, tied" in notes
    short = "fewer than 5 labelled items were retrieved for 1 query ('q'), and only those are measured"
    assert f"ClasSi@5: {short}" in notes
    assert not any(short in note for note in evaluate(classes, {"q": ["x", "y"]}, "ClasSi@2").notes)
    (note,) = (n for n in evaluate(classes, {"q": ["X"]}, "ClasSi@1").notes if "alike" in n)
    assert note.startswith("no retrieved item has a label")


def test_notes_speak_of_what_the_truth_has() -> None:
    """Nobody judged the items of an order, of another answer, or of a database."""
    run = {"q1": ["x", "unknown"], "q3": ["x"]}
    classes = Classes({"x": "b", "y": "t"}, {"q1": "b", "q2": "t"}, order=["b", "t"])
    assert evaluate(classes, run, "ClasSi").notes == (
        "the run lacks 1 query with a class ('q2'): it counts as an empty ranking",
        "the run has 1 query without a class ('q3'): left out",
        "1 of 2 retrieved items have no label: left out",
        "3 of 4 labelled items were not retrieved: they come last, tied",
    )
    order = Order.of({"q1": ["x", "y"], "q2": ["x", "y"]})
    assert evaluate(order, run, "RankDCG", unretrieved="drop", undefined="zero").notes[:4] == (
        "the run lacks 1 query of the order ('q2'): it counts as an empty ranking",
        "the run has 1 query that the order lacks ('q3'): left out",
        "1 of 2 retrieved items are not in the order: left out",
        "3 of 4 items of the order were not retrieved: left out",
    )
    assert evaluate(Answer.of({"q1": ["x"], "q2": ["x"]}), run, "RBO").notes == (
        "the run lacks 1 query of the other answer ('q2'): it counts as an empty ranking",
        "the run has 1 query that the other answer lacks ('q3'): left out",
    )
    with pytest.raises(
        InputError, match=r"lacks 1 query with a class \('q2'\)\n  expected: every query with"
    ):
        evaluate(classes, run, "ClasSi", missing="error")
    with pytest.raises(InputError, match="in the classes are 'q1', 'q2', ranked are 'other'"):
        evaluate(classes, {"other": ["x"]}, "ClasSi")
    with pytest.raises(InputError, match="chosen, but not in the classes: q9"):
        evaluate(classes, run, "ClasSi", queries=["q9"])


def test_a_ranking_without_any_item_to_measure() -> None:
    judgments = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1, "d": 0}}
    result = evaluate(judgments, {"q1": ["a"]}, "ClasSi, ClasSi@1")
    assert result.queries["q2"]["ClasSi"] == 0  # all in one tied group
    assert np.isnan(result.run.values["ClasSi@1"][1])


def test_other_measures_need_judgments() -> None:
    classes = Classes({"x": "b", "y": "t"}, {"q": "b"}, order=["b", "t"])
    with pytest.raises(MeasureError, match="AP is measured against judgments, not classes of items"):
        evaluate(classes, {"q": ["x"]}, "ClasSi, AP")


@pytest.mark.parametrize(
    ("labels", "queries", "options", "message"),
    [
        (3, {"q": "b"}, {"order": ["b"]}, "type int cannot be read as a label for each item"),
        ({}, {"q": "b"}, {"order": ["b"]}, "no item with a label"),
        ({"x": "b"}, {}, {"order": ["b"]}, "no query with a label"),
        ({"x": None}, {"q": "b"}, {"order": ["b"]}, "the label None"),
        ({1.5: "b"}, {"q": "b"}, {"order": ["b"]}, "item id 1.5 is float"),
        ({"x": "b"}, {"q": "b"}, {}, "nothing says how far"),
        ({"x": "b"}, {"q": "b"}, {"order": ["b"], "distance": {"b": 0}}, "both a distance and an order"),
        (
            pl.DataFrame({"item": ["x", "x"], "label": ["b", "t"]}),
            {"q": "b"},
            {"order": ["b"]},
            "two different labels",
        ),
        (pl.DataFrame({"item": ["x"]}), {"q": "b"}, {"order": ["b"]}, "no column for label"),
        ("missing.csv", {"q": "b"}, {"order": ["b"]}, "no such file"),
    ],
)
def test_bad_classes(labels: Any, queries: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Classes(labels, queries, **options)


def test_a_label_without_a_distance_is_named() -> None:
    classes = Classes({"x": "b", "y": "t"}, {"q": "b"}, order=["b", "c"])
    with pytest.raises(InputError, match="no distance to class 't'"):
        evaluate(classes, {"q": ["x"]}, "ClasSi")
