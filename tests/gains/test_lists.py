"""DCG, nDCG, the raw ratio and agreement by position, of one list."""

from __future__ import annotations

import math
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import dcg_score, ndcg_score

import rankscope
from rankscope.errors import InputError, MeasureError
from rankscope.gains import dcg, dcg_ratio, ndcg, positional_average_precision, positional_precision

LISTS = st.lists(st.integers(0, 5), min_size=2, max_size=20)


@given(LISTS, st.sampled_from([2.0, math.e, 10.0]), st.none() | st.integers(1, 25))
def test_dcg_and_ndcg_are_those_of_scikit_learn(values: list[int], base: float, k: int | None) -> None:
    scores = [list(range(len(values), 0, -1))]
    assert dcg(values, base=base, k=k) == pytest.approx(dcg_score([values], scores, k=k, log_base=base))
    if any(values):
        assert ndcg(values, base=base, k=k) == pytest.approx(ndcg_score([values], scores, k=k))


@given(
    LISTS, st.sampled_from(["linear", "exp"]), st.sampled_from(["log", "rank"]), st.none() | st.integers(1, 9)
)
def test_the_functions_agree_with_the_measures(
    values: list[int], gain: str, discount: str, k: int | None
) -> None:
    grades = {f"d{n}": value for n, value in enumerate(values)}
    chosen = {"gain": gain, "discount": discount, "k": k}
    measures = [rankscope.DCG(**chosen), rankscope.nDCG(**chosen)]
    result = rankscope.evaluate({"q": grades}, {"q": list(grades)}, measures, undefined="nan")
    assert result[measures[0]] == pytest.approx(dcg(values, **chosen), rel=1e-13)
    assert result[measures[1]] == pytest.approx(ndcg(values, **chosen), rel=1e-13, nan_ok=True)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(-1, 3), min_size=1, max_size=5), st.sampled_from([None, 2]))
def test_the_scale_is_that_of_all_orders(values: list[int], k: int | None) -> None:
    for function in (dcg, ndcg):
        tried = [function(order, k=k) for order in permutations(values)]
        low, high = min(tried), max(tried)
        share = (function(values, k=k) - low) / (high - low) if high > low else math.nan
        found = [function(values, k=k, scale=scale) for scale in ("lowest", "highest", "minmax")]
        assert found == pytest.approx([low, high, share], rel=1e-9, abs=1e-12, nan_ok=True)


def test_the_natural_logarithm_is_that_of_the_author() -> None:
    """The program that came with RankDCG divides by ln(i + 1): log2's DCG divided by ln 2."""
    assert dcg([3, 1, 0], discount="ln") == pytest.approx(dcg([3, 1, 0]) / math.log(2), rel=1e-14)
    result = rankscope.evaluate(
        {"q": {"a": 3, "b": 1}}, {"q": ["a", "b"]}, "DCG(discount=ln), nDCG(discount=ln)"
    )
    assert result["DCG(discount=ln)"] == pytest.approx(dcg([3, 1], discount="ln"), rel=1e-14)
    assert result["nDCG(discount=ln)"] == 1


def test_a_sum_beyond_all_floats_is_an_error() -> None:
    for call in (lambda: dcg([1e308] * 4), lambda: dcg([2000, 1], gain="exp")):
        with pytest.raises(InputError, match="the sum of the gains 'inf' is too large"):
            call()


def test_the_base_scales_dcg_and_leaves_ndcg() -> None:
    values = [0, 1, 3, 2]
    assert dcg(values, base=math.e) == pytest.approx(dcg(values) / math.log(2))
    assert ndcg(values, base=math.e) == pytest.approx(ndcg(values))


def test_without_gain_ndcg_is_undefined_and_dcg_zero() -> None:
    assert math.isnan(ndcg([0, 0]))
    assert math.isnan(ndcg([]))
    assert dcg([]) == dcg([0]) == 0


def test_the_names_of_the_measures_stay_what_they_were() -> None:
    assert str(rankscope.nDCG(gain="exp") @ 10) == "nDCG(gain=exp)@10"
    assert str(rankscope.DCG(base=3)) == "DCG(base=3)"
    assert str(rankscope.parse("DCG(discount=rank)@5")) == "DCG(discount=rank)@5"


def test_a_ratio_above_one_is_noted() -> None:
    assert dcg_ratio([3, 1, 0], [3, 1, 0]).note == ""
    assert dcg_ratio([3, 1, 0], [3, 1, 0]).value == 1
    assert "above 1" in dcg_ratio([3, 1, 0], [4, 1, 0]).note
    nothing = dcg_ratio([0, 0], [1, 1])
    assert math.isnan(nothing.value)
    assert nothing.note == ""


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=12))
def test_agreement_by_position_is_counted(pairs: list[tuple[int, int]]) -> None:
    first, second = [p[0] for p in pairs], [p[1] for p in pairs]
    shares = [sum(a == b for a, b in pairs[:k]) / k for k in range(1, len(pairs) + 1)]
    for k, share in enumerate(shares, 1):
        assert positional_precision(first, second, k) == pytest.approx(share)
    wanted = math.fsum(shares) / len(shares) if shares else math.nan
    assert positional_average_precision(first, second) == pytest.approx(wanted, nan_ok=True)


def test_positions_may_hold_anything_that_can_be_equal() -> None:
    assert positional_precision(["a", "b"], np.array(["a", "c"])) == 0.5
    assert positional_precision([1.0, 2], [1, 2.0]) == 1


@pytest.mark.parametrize(
    "call",
    [
        lambda: positional_precision([1], [1, 2]),
        lambda: positional_precision([1, math.nan], [1, 2]),
        lambda: positional_precision([1], [None]),
        lambda: positional_precision("ab", "ab"),
        lambda: positional_precision([1], [1], 2),
        lambda: positional_precision([1], [1], 0),
        lambda: positional_precision([1], [1], True),
        lambda: positional_average_precision([1], []),
        lambda: dcg([1, math.nan]),
        lambda: dcg_ratio([1], [1, 2]),
    ],
)
def test_bad_lists_are_errors(call: Any) -> None:
    with pytest.raises(InputError):
        call()


@pytest.mark.parametrize(
    "options", [{"gain": "cubic"}, {"discount": "none"}, {"base": 1}, {"base": 0}, {"k": 0}]
)
def test_bad_parameters_are_errors(options: dict[str, Any]) -> None:
    with pytest.raises(MeasureError):
        dcg([1, 2], **options)
