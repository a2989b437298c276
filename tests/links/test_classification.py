"""Metrics of sets: definitions, degenerate cases, and the largest phi by trying all."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, fbeta_score, matthews_corrcoef, precision_score, recall_score

from rankscope import InputError
from rankscope.links import ClassificationResult, Confusion, classify, f_measure

COUNT = st.integers(0, 12)


def labels(counts: Confusion) -> tuple[list[int], list[int]]:
    """Truth and decision of each item."""
    parts = (counts.tp, counts.fp, counts.fn, counts.tn or 0)
    truth = [t for t, n in zip((1, 0, 1, 0), parts, strict=True) for _ in range(n)]
    return truth, [d for d, n in zip((1, 1, 0, 0), parts, strict=True) for _ in range(n)]


@settings(deadline=None, max_examples=40)
@given(COUNT, COUNT, COUNT, COUNT)
def test_the_values_of_scikit_learn(tp: int, fp: int, fn: int, tn: int) -> None:
    counts = Confusion(tp, fp, fn, tn)
    if tp + fp + fn + tn == 0:
        assert counts.accuracy is not None
        assert math.isnan(counts.accuracy)
        return
    truth, decision = labels(counts)
    assert counts.precision == pytest.approx(precision_score(truth, decision, zero_division=1.0))
    assert counts.recall == pytest.approx(recall_score(truth, decision, zero_division=1.0))
    assert counts.accuracy == pytest.approx(accuracy_score(truth, decision))
    assert counts.specificity == pytest.approx(
        recall_score([1 - t for t in truth], [1 - d for d in decision], zero_division=1.0)
    )
    if len(set(truth) | set(decision)) > 1:
        assert counts.phi == pytest.approx(matthews_corrcoef(truth, decision), abs=1e-12)
    if tp:
        for beta in (0.5, 1.0, 2.0):
            assert counts.f(beta) == pytest.approx(fbeta_score(truth, decision, beta=beta), rel=1e-12)


@given(st.integers(1, 10**15), st.integers(1, 10**15), st.booleans())
def test_phi_of_what_is_all_right_or_all_wrong_is_one(right: int, other: int, wrong: bool) -> None:
    counts = Confusion(0, right, other, 0) if wrong else Confusion(right, 0, 0, other)
    assert counts.phi is not None
    assert abs(counts.phi) <= 1
    assert counts.phi == pytest.approx(-1 if wrong else 1, rel=1e-12)


@settings(deadline=None)
@given(COUNT, COUNT, COUNT, COUNT)
def test_phi_max_is_the_largest_phi_with_the_same_margins(tp: int, fp: int, fn: int, tn: int) -> None:
    counts = Confusion(tp, fp, fn, tn)
    chosen, wanted, total = tp + fp, tp + fn, tp + fp + fn + tn
    possible = [
        Confusion(t, chosen - t, wanted - t, total - chosen - wanted + t)
        for t in range(max(0, chosen + wanted - total), min(chosen, wanted) + 1)
    ]
    phis = [one.phi for one in possible if one.phi is not None]
    margins = chosen * wanted * (total - chosen) * (total - wanted)
    if margins:
        assert counts.phi_max == pytest.approx(max(phis), abs=1e-12)
        assert counts.phi_over_phi_max is not None
        assert counts.phi_over_phi_max <= 1
    else:
        assert (counts.phi, counts.phi_over_phi_max) == (0, 0)


@settings(deadline=None)
@given(st.sets(st.integers(0, 9)), st.sets(st.integers(0, 9)), st.integers(0, 5))
def test_sets_become_counts(chosen: set[int], wanted: set[int], beyond: int) -> None:
    found = classify(chosen, wanted, total=len(chosen | wanted) + beyond)
    assert set(found.true_positives) == {str(i) for i in chosen & wanted}
    assert set(found.false_positives) == {str(i) for i in chosen - wanted}
    assert set(found.false_negatives) == {str(i) for i in wanted - chosen}
    assert found.true_negatives == beyond
    assert found["f1"] == f_measure(found.confusion.precision, found.confusion.recall)


def test_without_a_sum_nothing_is_known_of_true_negatives() -> None:
    content = classify(["a"], ["a", "b"]).to_dict()
    assert list(content) == [
        *("truePositives", "falsePositives", "falseNegatives", "trueNegatives", "precision", "recall", "f1"),
        *("accuracy", "specificity", "phiCoefficient", "phiCoefficientMax", "phiOverPhiMax"),
    ]
    assert [name for name, value in content.items() if value is None] == [
        *("trueNegatives", "accuracy", "specificity", "phiCoefficient", "phiCoefficientMax", "phiOverPhiMax")
    ]


def test_lists_are_in_order_whatever_the_input() -> None:
    found = classify({"b", "a", "c"}, ["z", "b", "y"])
    assert (found.true_positives, found.false_positives, found.false_negatives) == (
        ("b",),
        ("a", "c"),
        ("y", "z"),
    )


def test_what_is_given_twice_counts_once_and_is_noted() -> None:
    found = classify(["a", "a", "b"], ["a", "a"])
    assert found.confusion == Confusion(1, 1, 0)
    assert found.notes == (
        "1 item is in the classification already: counted once",
        "1 item is in the ground truth already: counted once",
    )


def test_beta() -> None:
    """P = 1/2 and R = 1: F2 = 5/6."""
    found = classify(["a", "b"], ["a"], beta=2)
    assert found.f == pytest.approx(5 / 6, rel=1e-12)
    assert found.to_dict()["fBeta"] == pytest.approx(5 / 6, rel=1e-12)
    assert found["f1"] == pytest.approx(2 / 3, rel=1e-12)


def test_phi_of_large_counts_is_exact() -> None:
    """10^9 each way, one more: the difference of the products, 2 * 10^9 + 1, is lost in 64-bit floats."""
    n = 10**9
    assert Confusion(n + 1, n, n, n + 1).phi == pytest.approx((2 * n + 1) / (2 * n + 1) ** 2, rel=1e-12)


def test_items_of_any_type() -> None:
    found = classify([("a", 1), ("b", 2)], [("b", 2)], key=lambda link: f"{link[0]}{link[1]}")
    assert found.true_positives == ("b2",)
    assert classify(np.array([1, 2]), ["1"]).true_positives == ("1",)


def test_a_result_comes_back_from_its_dict() -> None:
    found = classify(["a", "b"], ["b", "c"], total=9)
    assert ClassificationResult.from_dict(found.to_dict()) == found


@pytest.mark.parametrize(
    ("chosen", "wanted", "options", "words"),
    [
        ("abc", ["a"], {}, "type str"),
        (7, ["a"], {}, "type int"),
        (["a"], None, {}, "NoneType"),
        (["a"], {"a": 1}, {}, "type dict"),
        ([("a", 1)], ["a"], {}, "key="),
        (["a"], ["b"], {"total": 1}, "sum 1, but 2 items"),
        (["a"], ["b"], {"total": 2.5}, "whole number"),
        (["a"], ["b"], {"total": True}, "whole number"),
        (["a"], ["b"], {"total": 2**70}, "counts"),
        (["a"], ["b"], {"beta": 0}, "beta"),
        (["a"], ["b"], {"beta": math.nan}, "beta"),
    ],
)
def test_bad_input(chosen: Any, wanted: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        classify(chosen, wanted, **options)


@pytest.mark.parametrize("counts", [(-1, 0, 0), (0, 0, 0, -1), (0.5, 0, 0), (0, 0, True)])
def test_bad_counts(counts: tuple[Any, ...]) -> None:
    with pytest.raises(InputError, match="whole numbers from 0 up"):
        Confusion(*counts)
