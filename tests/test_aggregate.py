"""Aggregates by name, and weights.

Expected numbers are those of scipy, numpy.cov and the statistics module, which share no code with ours, or
arithmetic in the comments beside them.
"""

from __future__ import annotations

import math
import statistics
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import rankscope
from rankscope import InputError, MissingDependency, Result, evaluate
from rankscope.aggregate import GMEAN_FLOOR, Sample, statistics_of
from rankscope.measures.registry import REGISTRY

# RR of the four queries is 1, 1/2, 1/4 and 0; 1, 2, 4 and 1 items are retrieved.
JUDGMENTS = {q: {"a": 1} for q in ("q1", "q2", "q3", "q4")}
RUN = {"q1": ["a"], "q2": ["x", "a"], "q3": ["x", "y", "z", "a"], "q4": ["x"]}
RR = [1.0, 0.5, 0.25, 0.0]

values = st.lists(st.floats(0, 1), min_size=2, max_size=30)


def by_name(names: str, **options: Any) -> dict[str, float]:
    aggregates = evaluate(JUDGMENTS, RUN, "RR", aggregate=names, **options).run.aggregates
    return {name: measures["RR"] for name, measures in aggregates.items()}


def test_each_aggregate() -> None:
    found = by_name("mean,median,gmean,min,max,std,ci")
    floored = [max(value, 1e-5) for value in RR]
    low, high = stats.t.interval(0.95, df=3, loc=np.mean(RR), scale=stats.sem(RR))
    assert found == pytest.approx(
        {
            "mean": 1.75 / 4,
            "median": 0.375,
            "gmean": statistics.geometric_mean(floored),
            "min": 0.0,
            "max": 1.0,
            "std": statistics.stdev(RR),
            "ci95_low": low,
            "ci95_high": high,
        },
        rel=1e-12,
    )


@pytest.mark.parametrize("level", ["90", "99", "99.9"])
def test_intervals_of_another_level(level: str) -> None:
    low, high = stats.t.interval(float(level) / 100, df=3, loc=np.mean(RR), scale=stats.sem(RR))
    expected = {"mean": 0.4375, f"ci{level}_low": low, f"ci{level}_high": high}
    assert by_name(f"ci{level}") == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ("median", ["median"]),
        ("ci", ["mean", "ci95_low", "ci95_high"]),
        ("median, ci mean", ["median", "mean", "ci95_low", "ci95_high"]),
        (["MAX", "geometric_mean", "sd", "max"], ["max", "gmean", "std"]),
    ],
)
def test_names_are_listed_in_text_or_in_a_list(asked: Any, names: list[str]) -> None:
    assert [s.name for s in statistics_of(asked)] == names


@pytest.mark.parametrize("asked", ["modus", "ci0", "ci100", "ci101", "", [], [3], "mean,,modus"])
def test_unknown_names_are_errors(asked: Any) -> None:
    with pytest.raises(InputError, match=r"expected: mean, median"):
        evaluate(JUDGMENTS, RUN, "RR", aggregate=asked)


def test_a_misspelt_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(InputError, match=r"there is no aggregate 'medain'(.|\n)*did you mean median\?"):
        evaluate(JUDGMENTS, RUN, "RR", aggregate="medain")


def test_the_first_one_is_the_value_of_the_run() -> None:
    result = evaluate(JUDGMENTS, RUN, "RR", aggregate="median,mean")
    assert result["RR"] == result.aggregate["RR"] == 0.375


def test_a_count_is_a_sum_unless_another_aggregate_is_asked_for() -> None:
    assert evaluate(JUDGMENTS, RUN, "NumRet")["NumRet"] == 8
    for name, expected in (("mean", 2), ("median", 1.5), ("max", 4)):
        assert evaluate(JUDGMENTS, RUN, "NumRet", aggregate=name)["NumRet"] == expected


def test_one_value_has_no_deviation_and_no_interval() -> None:
    found = by_name("mean,std,ci", queries="q2")
    assert found["mean"] == 0.5
    assert all(math.isnan(found[name]) for name in ("std", "ci95_low", "ci95_high"))


def test_undefined_values_are_in_no_aggregate() -> None:
    judgments = {**JUDGMENTS, "q5": {"a": 0}}
    found = evaluate(judgments, RUN, "AP", undefined="nan", aggregate="median,min,std").run.aggregates
    # With one relevant item AP is RR.
    assert found["median"]["AP"] == 0.375
    assert found["std"]["AP"] == pytest.approx(statistics.stdev(RR), rel=1e-12)
    none = evaluate({"q": {"a": 0}}, {"q": ["a"]}, "AP", undefined="nan", aggregate="max,median,std,ci")
    assert all(math.isnan(v["AP"]) for v in none.run.aggregates.values())


def test_negative_values_have_no_geometric_mean() -> None:
    assert math.isnan(Sample(np.array([0.5, -0.5])).gmean())
    assert Sample(np.zeros(3)).gmean() == pytest.approx(GMEAN_FLOOR)


def test_an_interval_needs_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    with pytest.raises(MissingDependency, match="pip install scipy"):
        by_name("ci")
    assert by_name("mean,std")["mean"] == 0.4375


@given(values)
def test_equal_weights_change_nothing(found: list[float]) -> None:
    plain = Sample(np.array(found))
    weighted = Sample(np.array(found), np.full(len(found), 0.1))
    for statistic in statistics_of("mean,median,gmean,min,max,std,ci"):
        assert statistic(weighted) == pytest.approx(statistic(plain), rel=1e-9, abs=1e-9), statistic.name


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(1, 5)), min_size=1, max_size=20))
def test_a_weight_repeats_a_query(found: list[tuple[float, int]]) -> None:
    weighted = Sample(np.array([v for v, _ in found]), np.array([float(w) for _, w in found]))
    repeated = Sample(np.array([v for v, w in found for _ in range(w)]))
    for statistic in statistics_of("mean,median,gmean,min,max"):
        assert statistic(weighted) == pytest.approx(statistic(repeated), rel=1e-9, abs=1e-12), statistic.name


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0.01, 100)), min_size=2, max_size=20))
def test_the_weighted_deviation_is_that_of_numpy_cov(found: list[tuple[float, float]]) -> None:
    """numpy.cov with aweights has the same divisor."""
    data, weights = (np.array(column) for column in zip(*found, strict=True))
    variance = float(np.cov(data, aweights=weights))
    assert Sample(data, weights).std() ** 2 == pytest.approx(variance, rel=1e-6, abs=1e-12)


def test_weighted_interval() -> None:
    # Weights 3 and 1: effective size 16 / 10, mean 0.75, variance (3/16 + 9/16) / (4 - 10/4) = 0.5.
    found = by_name("ci", queries=["q1", "q4"], weights={"q1": 3, "q4": 1})
    half = stats.t.ppf(0.975, 0.6) * math.sqrt(0.5 / 1.6)
    expected = {"mean": 0.75, "ci95_low": 0.75 - half, "ci95_high": 0.75 + half}
    assert found == pytest.approx(expected, rel=1e-12)


WEIGHTS = {"q1": 1, "q2": 0, "q3": 2.0, "q4": 1}


def test_weights_of_own_aggregates() -> None:
    result = evaluate(JUDGMENTS, RUN, "RR, NumRet", weights=WEIGHTS)
    # (1 + 2/4 + 0) / 4, and 1 + 2*4 + 1 retrieved.
    assert result.aggregate == {"RR": 0.375, "NumRet": 10}
    assert result.queries["q2"]["RR"] == 0.5
    assert result.notes[1:] == (
        "queries have weights, from 0 to 2",
        "weight 0 leaves 1 query ('q2') out of the aggregates",
    )


def test_a_query_of_weight_0_is_in_no_aggregate() -> None:
    weights = {"q1": 1, "q2": 1, "q3": 1, "q4": 0}
    assert by_name("min,mean", weights=weights) == {"min": 0.25, "mean": pytest.approx(1.75 / 3)}


def test_huge_and_tiny_weights() -> None:
    for scale in (1e300, 1e-300):
        found = by_name("mean,std,ci", weights={q: w * scale for q, w in WEIGHTS.items()})
        assert found == pytest.approx(by_name("mean,std,ci", weights=WEIGHTS), rel=1e-12)


def test_weights_of_a_ratio_are_multiplied() -> None:
    @rankscope.measure("MicroShare", params=[], undefined=None, aggregate="ratio", formula="x")
    def share(graded: Any) -> Any:
        """A share of the retrieved items, weighted by their number."""
        return 1 / graded.retrieved, graded.retrieved

    try:
        # Each query's share times its number is 1: 4 / 8, and (1 + 2 + 1) / (1 + 2*4 + 1) with weights.
        assert evaluate(JUDGMENTS, RUN, share)["MicroShare"] == 0.5
        assert evaluate(JUDGMENTS, RUN, share, weights=WEIGHTS)["MicroShare"] == pytest.approx(0.4)
        assert evaluate(JUDGMENTS, RUN, share, aggregate="mean")["MicroShare"] == 2.75 / 4
    finally:
        REGISTRY._by_name.pop("microshare")


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ({"q1": -1, "q2": 1, "q3": 1, "q4": 1}, "query 'q1': weight '-1' is not a weight"),
        ({"q1": math.nan, "q2": 1, "q3": 1, "q4": 1}, "'nan' is not a weight"),
        ({"q1": math.inf, "q2": 1, "q3": 1, "q4": 1}, "'inf' is not a weight"),
        ({"q1": True, "q2": 1, "q3": 1, "q4": 1}, "'True' is not a weight"),
        ({"q1": None, "q2": 1, "q3": 1, "q4": 1}, "'None' is not a weight"),
        (dict.fromkeys(JUDGMENTS, 0), "all weights are 0"),
        ({"q1": 1, "q4": 1}, r"no weight for 2 judged queries \('q2', 'q3'\)"),
        ({1.5: 1}, "query id 1.5 is float"),
        (3, "int cannot be read as a weight for each query"),
    ],
)
def test_bad_weights(weights: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        evaluate(JUDGMENTS, RUN, "RR", weights=weights)


def test_only_chosen_queries_need_a_weight_and_others_are_noted() -> None:
    result = evaluate(JUDGMENTS, RUN, "RR", weights={"q1": 1, "other": 1}, queries=["q1"])
    assert result["RR"] == 1
    assert result.notes[-1] == "1 unjudged query ('other') with a weight: left out"


def test_integer_ids_are_text() -> None:
    assert evaluate({1: {"a": 1}}, {"1": ["a"]}, "RR", weights={1: 2})["RR"] == 1


@pytest.fixture
def several() -> Result:
    return evaluate(JUDGMENTS, {"one": RUN, "two": {"q1": ["a"]}}, "RR, NumRet", aggregate="mean,std")


def test_dict_of_several_aggregates(several: Result) -> None:
    run = several.to_dict()["runs"][1]
    assert list(run) == ["name", "aggregate", "aggregates", "notes"]
    assert run["aggregate"] == {"RR": 0.25, "NumRet": 0.25}
    assert run["aggregates"] == {
        "mean": {"RR": 0.25, "NumRet": 0.25},
        "std": {"RR": 0.5, "NumRet": 0.5},
    }


def test_table_of_several_aggregates_marks_the_best_of_averages_only(several: Result) -> None:
    assert several.table().to_text().splitlines() == [
        "aggregate  run      RR   NumRet",
        "mean       one  0.4375*       2*",
        "mean       two  0.2500   0.2500",
        "std        one  0.4270   1.4142",
        "std        two  0.5000   0.5000",
    ]


def test_frame_of_several_aggregates(several: Result) -> None:
    frame = several.to_pandas(per_query=False)
    assert list(frame.columns) == ["run", "aggregate", "RR", "NumRet"]
    assert frame["aggregate"].tolist() == ["mean", "std", "mean", "std"]
    assert frame["NumRet"].tolist()[0] == 2
