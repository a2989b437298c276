"""compare as a whole: what it takes, what it gives, and what it does where there is little to compare."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from compare_support import flip_p, result_of
from scipy import stats

import rankscope
from rankscope.compare.comparison import Comparison
from rankscope.compare.settings import TESTS

EXAMPLES = Path(__file__).parents[2] / "examples"
QRELS = EXAMPLES / "judgments.qrels"
RUNS = [EXAMPLES / f"{name}.run" for name in ("bm25", "dense", "hybrid")]
RNG = np.random.default_rng(11)
PLAIN = result_of({name: {"AP": RNG.random(30), "RR": RNG.random(30)} for name in ("a", "b", "c")})


def compared(**options: Any) -> Comparison:
    return rankscope.compare(PLAIN, **{"resamples": 500, **options})


@pytest.mark.parametrize("test", TESTS)
def test_example_runs_on_both_cores(core: ModuleType, test: str) -> None:
    """The numbers are those of values that `evaluate` gives, whichever core reads them."""
    found = rankscope.compare(QRELS, RUNS, "nDCG@10, AP", test=test, resamples=200, baseline="bm25")
    assert [(p.measure, p.run, p.baseline) for p in found.pairs] == [
        (measure, run, "bm25") for measure in ("nDCG@10", "AP") for run in ("dense", "hybrid")
    ]
    result = rankscope.evaluate(QRELS, RUNS, "nDCG@10, AP")
    for pair in found.pairs:
        here, there = (result[name].values[pair.measure] for name in (pair.run, pair.baseline))
        assert pair.queries == 50
        assert pair.difference == pytest.approx(np.mean(here - there), rel=1e-12)
        assert pair.mean == result[pair.run][pair.measure]
        assert pair.relative == pytest.approx(pair.difference / there.mean(), rel=1e-12)
        assert pair.effect == pytest.approx(np.mean(here - there) / np.std(here - there, ddof=1), rel=1e-12)
        assert (pair.won, pair.lost) == (np.sum(here > there), np.sum(here < there))
        assert pair.won + pair.tied + pair.lost == 50
        assert 0 <= pair.p <= pair.corrected <= 1
        assert pair.low < pair.difference < pair.high


def test_all_pairs_without_a_baseline() -> None:
    found = compared()
    assert [(p.baseline, p.run) for p in found.by("AP")] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert found.pair("RR", "c", "b") is found.by("RR")[2]
    with pytest.raises(KeyError, match="was not compared with"):
        found.pair("RR", "b", "c")


@pytest.mark.parametrize(
    ("test", "oracle"),
    [
        ("t", lambda a, b: stats.ttest_rel(b, a).pvalue),
        ("wilcoxon", lambda a, b: stats.wilcoxon(b - a).pvalue),
        ("sign", lambda a, b: stats.binomtest(int(np.sum(b > a)), len(a)).pvalue),
    ],
)
def test_p_values_are_scipys(test: str, oracle: Any) -> None:
    for pair in compared(test=test, correction="none").pairs:
        values = [PLAIN[name].values[pair.measure] for name in (pair.baseline, pair.run)]
        assert pair.p == pytest.approx(oracle(*values), rel=1e-9)
        assert pair.corrected == pair.p


@pytest.mark.parametrize("test", ["fisher", "bootstrap", "tukey"])
def test_measures_and_groups_share_draws_and_get_the_numbers_they_would_get_alone(test: str) -> None:
    """Values of very different sizes, one measure with gaps, groups of equal and of other sizes."""
    rng = np.random.default_rng(21)
    values = {n: {"AP": rng.random(40), "RR": rng.random(40), "DCG": 1e9 * rng.random(40)} for n in "abc"}
    values["b"]["RR"][3] = math.nan
    options: dict[str, Any] = {"test": test, "resamples": 300, "seed": 9}
    together = rankscope.compare(result_of(values), **options)
    for measure in ("AP", "RR", "DCG"):
        alone = rankscope.compare(result_of({n: {measure: v[measure]} for n, v in values.items()}), **options)
        assert alone.pairs == together.by(measure)
    assert {pair.queries for pair in together.by("RR")} == ({39} if test == "tukey" else {39, 40})


def test_progress_goes_forward_to_its_end() -> None:
    gaps = {n: {"AP": RNG.random(30), "RR": np.where(RNG.random(30) < 0.1, math.nan, 0.5)} for n in "abcd"}
    for test in ("fisher", "tukey", "t"):
        told: list[tuple[int, int]] = []
        rankscope.compare(
            result_of(gaps),
            test=test,
            resamples=2000,
            progress=lambda *step: told.append(step),  # noqa: B023
        )
        assert told == sorted(told)
        assert told[-1][0] == told[-1][1]


def test_a_family_is_the_comparisons_by_one_measure() -> None:
    for measure in ("AP", "RR"):
        pairs = compared(test="t", correction="bonferroni").by(measure)
        assert [p.corrected for p in pairs] == pytest.approx([min(1, 3 * p.p) for p in pairs])


def test_few_queries_are_compared_exactly() -> None:
    few = result_of({"a": {"AP": [0.1, 0.5, 0.2, 0.9, 0.4]}, "b": {"AP": [0.3, 0.6, 0.2, 0.7, 0.8]}})
    found = rankscope.compare(few)
    (pair,) = found.pairs
    assert pair.p == flip_p([0.2, 0.1, 0.0, -0.2, 0.4])
    assert pair.draws == 16
    assert found.method == "Fisher's randomisation test (exact), Holm's correction, alpha 0.05"
    gaps = {"c": {"AP": [math.nan] * 15 + [0.5] * 15}, **{n: PLAIN[n].values for n in ("a", "b")}}
    mixed = rankscope.compare(result_of({n: {"AP": v["AP"]} for n, v in gaps.items()}), resamples=1024)
    assert "(exact up to 20 queries, else 1,024 permutations, seed 0)" in mixed.method
    assert "(1,024 permutations, seed 0)" in compared(resamples=1024).method


def test_the_same_seed_the_same_numbers() -> None:
    one, other, third = (compared(seed=seed, threads=n).to_dict() for seed, n in ((3, 1), (3, 4), (4, 1)))
    assert one == other
    assert one["pairs"] != third["pairs"]


def test_lower_may_be_better() -> None:
    """A run with less of a measure of errors wins."""

    @rankscope.measure("Misses9", params=[], range=(0, math.inf), better="lower", undefined=None, formula="x")
    def misses(graded: Any) -> Any:
        """How many items were retrieved."""
        return graded.retrieved

    judgments = {str(q): {"a": 1} for q in range(12)}
    runs = {"long": {q: ["a", "b", "c"] for q in judgments}, "short": {q: ["a"] for q in judgments}}
    (pair,) = rankscope.compare(judgments, runs, "Misses9", baseline="long").pairs
    assert (pair.difference, pair.won, pair.lost, pair.verdict) == (-2.0, 12, 0, "better")
    assert (pair.robustness, pair.urisk) == (1.0, 2.0)


@pytest.mark.parametrize("test", TESTS)
def test_identical_runs(test: str) -> None:
    for values in ([0.5] * 30, list(RNG.random(30)), [0.0] * 30, [0.25, 0.75]):
        same = result_of({name: {"AP": values} for name in ("a", "b", "c")})
        for pair in rankscope.compare(same, test=test, resamples=99).pairs:
            assert (pair.difference, pair.p, pair.verdict) == (0.0, 1.0, "undecided")
            assert (pair.low, pair.high) == (0.0, 0.0)
            assert (pair.won, pair.tied, pair.lost) == (0, len(values), 0)


@pytest.mark.parametrize("test", TESTS)
def test_one_query(test: str) -> None:
    found = rankscope.compare(result_of({"a": {"AP": [0.2]}, "b": {"AP": [0.7]}}), test=test, resamples=99)
    (pair,) = found.pairs
    assert pair.difference == pytest.approx(0.5)
    assert math.isnan(pair.effect)
    assert math.isnan(pair.low)
    if test in ("fisher", "wilcoxon", "sign"):
        assert pair.p == 1.0
    else:
        assert math.isnan(pair.p)
        assert any("no p-value where fewer than 2 queries" in note for note in found.notes)
    json.loads(found.to_json())


def test_a_column_of_zeros() -> None:
    zero = result_of({"a": {"AP": [0.0] * 25}, "b": {"AP": [0.5] * 25}})
    (pair,) = rankscope.compare(zero).pairs
    assert math.isnan(pair.relative)
    assert pair.verdict == "better"


def test_undefined_values_are_dropped_pair_by_pair() -> None:
    nan = math.nan
    gaps = result_of(
        {
            "a": {"AP": [0.1, 0.2, 0.3, 0.4, nan]},
            "b": {"AP": [0.2, nan, 0.4, 0.6, 0.5]},
            "c": {"AP": [nan, 0.1, 0.2, 0.9, math.inf]},
        }
    )
    found = rankscope.compare(gaps)
    assert [(p.run, p.baseline, p.queries) for p in found.pairs] == [
        ("b", "a", 3),
        ("c", "a", 3),
        ("c", "b", 2),
    ]
    assert found.pair("AP", "b", "a").p == flip_p([0.1, 0.1, 0.2])
    assert found.means["b"]["AP"] == pytest.approx(0.425)
    assert "AP: up to 3 of 5 queries are left out because one of two runs has no value" in found.notes
    joint = rankscope.compare(gaps, test="tukey", resamples=99)
    assert {p.queries for p in joint.pairs} == {2}
    assert any("3 of 5 queries are left out because one of the runs" in note for note in joint.notes)


def test_runs_with_different_queries() -> None:
    judgments = {q: {"a": 1} for q in ("1", "2", "3")}
    runs = {"one": {"1": ["a"], "2": ["a"]}, "two": {"3": ["a"], "2": ["b", "a"]}}
    (pair,) = rankscope.compare(judgments, runs, "RR", missing="skip").pairs
    assert (pair.queries, pair.difference) == (1, -0.5)
    (whole,) = rankscope.compare(judgments, runs, "RR").pairs
    assert (whole.queries, whole.won, whole.lost) == (3, 1, 2)


def test_no_query_in_common() -> None:
    judgments = {q: {"a": 1} for q in ("1", "2")}
    found = rankscope.compare(judgments, {"one": {"1": ["a"]}, "two": {"2": ["a"]}}, "RR", missing="skip")
    (pair,) = found.pairs
    assert pair.queries == 0
    assert math.isnan(pair.difference)
    assert math.isnan(pair.p)
    with pytest.raises(rankscope.InputError, match="no value for any query that both"):
        found.worse_by(0.0)


def test_joint_tests_need_no_correction() -> None:
    found = compared(test="anova", correction="holm")
    assert all(pair.p == pair.corrected for pair in found.pairs)
    assert [row.source for row in found.anova["AP"].rows] == ["runs", "queries", "error"]
    assert "family-wise over all pairs" in found.method
    baseline = compared(test="anova", baseline="b")
    assert baseline.pair("AP", "c").p == found.pair("AP", "c", "b").p


def test_queries_helped_and_harmed_most() -> None:
    found = rankscope.compare(
        result_of({"a": {"AP": [0.5, 0.5, 0.5, 0.5]}, "b": {"AP": [0.6, 0.1, 0.5, 0.9]}}), baseline="a"
    )
    assert [(q.query, round(q.difference, 3)) for q in found.queries("AP", "b")] == [
        ("q4", 0.4),
        ("q1", 0.1),
        ("q3", 0.0),
        ("q2", -0.4),
    ]
    assert [q.query for q in found.helped("AP", "b", most=5)] == ["q4", "q1"]
    assert [q.query for q in found.harmed("AP", "b", most=5)] == ["q2"]


def test_groups() -> None:
    groups = {f"q{n:02}": "early" if n <= 20 else "late" for n in range(1, 51)}
    found = rankscope.compare(QRELS, RUNS[:2], "AP", groups=groups, resamples=500)
    assert {name: group.pairs[0].queries for name, group in found.groups.items()} == {"early": 20, "late": 30}
    numbers = [n for n, q in enumerate(found.result["bm25"].query_ids) if groups[q] == "early"]
    values = found.values("AP")[:, numbers]
    assert found.groups["early"].pairs[0].difference == pytest.approx(np.mean(values[1] - values[0]))
    assert found.columns()["group"] == ["all", "early", "late"]
    assert set(found.to_dict()["groups"]) == {"early", "late"}


def test_power_tells_how_many_queries() -> None:
    from statsmodels.stats.power import TTestPower

    assert all(pair.needed is None for pair in compared().pairs)
    for pair in compared(power=0.8).pairs:
        wanted = math.ceil(TTestPower().solve_power(abs(pair.effect), alpha=0.05, power=0.8))
        assert pair.needed is not None
        assert abs(pair.needed - wanted) <= 1


def test_frames_have_a_row_for_each_pair() -> None:
    found = compared()
    expected = ["AP"] * 3 + ["RR"] * 3
    assert found.to_pandas()["measure"].tolist() == expected
    assert found.to_polars()["measure"].to_list() == expected
    assert found.to_arrow()["measure"].to_pylist() == expected
    assert json.loads(found.to_json())["pairs"][0]["run"] == "b"


def test_worse_by() -> None:
    found = rankscope.compare(
        result_of({"a": {"AP": [0.5] * 25}, "b": {"AP": [0.4] * 25}, "c": {"AP": [0.6] * 25}}), baseline="a"
    )
    assert [pair.run for pair in found.worse_by(0.05)] == ["b"]
    assert [pair.run for pair in found.worse_by(0.05, significant=True)] == ["b"]
    assert found.worse_by(0.1) == ()  # worse by 0.1 exactly, and by no more
    with pytest.raises(rankscope.InputError, match="from 0 up"):
        found.worse_by(-1)


def test_too_few_draws_are_noted() -> None:
    assert any("10 draws cannot show" in note for note in compared(resamples=10).notes)
    assert not any("draws" in note for note in compared(resamples=100).notes)


def test_other_aggregates_are_noted() -> None:
    found = rankscope.compare(QRELS, RUNS[:2], "NumRelRet", resamples=100)
    assert "NumRelRet: means of the queries' values are compared, not its sum" in found.notes


def test_any_truth() -> None:
    order = rankscope.Order.of({"1": ["a", "b", "c"], "2": ["c", "b", "a"]})
    runs = {
        "good": {"1": ["a", "b", "c"], "2": ["c", "b", "a"]},
        "bad": {"1": ["c", "b", "a"], "2": ["a", "b", "c"]},
    }
    measure = next(m for m in rankscope.measures.registered() if m.truth == "order" and m.better == "higher")
    (pair,) = rankscope.compare(order, runs, measure, baseline="good").pairs
    assert pair.difference < 0
    assert pair.lost == 2


PREDICTIONS = {
    "fold": [1] * 4 + [2] * 4 + [3] * 4,
    "y": [1.0, 2.0, 3.0, -4.0] * 3,
    "ann": [1.1, 2.5, 2.9, 0.4, 1.0, 2.0, 3.0, -1.0, 5.0, 6.0, 7.0, 0.0],
    "ibl": [3.0, 2.5, 1.0, 5.0, 1.0, 3.0, 2.0, 4.0, 1.0, 0.0, 2.0, 4.0],
}


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow", "dict"])
def test_predictions_fold_by_fold(library: str) -> None:
    measure = next(m for m in rankscope.measures.registered() if m.truth == "order" and m.better == "higher")
    table: Any = PREDICTIONS
    if library == "pyarrow":
        table = __import__(library).table(PREDICTIONS)
    elif library != "dict":
        table = __import__(library).DataFrame(PREDICTIONS)
    found = rankscope.compare_predictions(
        table, truth="y", systems=["ann", "ibl"], by="fold", measures=[measure], baseline="ibl"
    )
    (pair,) = found.pairs
    assert (pair.run, pair.queries, pair.won) == ("ann", 3, 3)
    # ann orders every fold as the truth does, the negative true value included.
    assert pair.mean == measure.range[1]


def test_predictions_by_the_papers_procedure() -> None:
    """Ten folds, ordered by what two systems predicted; paired t-tests over the folds, as scipy has them."""
    rng = np.random.default_rng(5)
    truth = rng.permutation(200).astype(float)
    fold = np.arange(200) % 10
    ann, ibl = (truth + rng.normal(0, spread, 200) for spread in (20, 40))
    table = {"fold": fold, "y": truth, "ann": ann, "ibl": ibl}
    found = rankscope.compare_predictions(
        table, truth="y", systems=["ann", "ibl"], by="fold", measures=["OAUC", "Spearman"], test="t"
    )
    rho = [
        [stats.spearmanr(truth[fold == n], scores[fold == n]).statistic for n in range(10)]
        for scores in (ann, ibl)
    ]
    pair = found.pair("Spearman", "ibl", "ann")
    assert (pair.queries, found.notes) == (10, ())
    assert pair.difference == pytest.approx(np.mean(rho[1]) - np.mean(rho[0]), rel=1e-12)
    assert pair.p == pytest.approx(stats.ttest_rel(*rho).pvalue, rel=1e-9)
    assert found.pair("OAUC", "ibl", "ann").difference < 0


def test_predictions_of_one_fold_against_grades() -> None:
    found = rankscope.compare_predictions(
        {**PREDICTIONS, "y": [1, 2, 3, 0] * 3}, truth="y", systems=["ann", "ibl"], measures="nDCG@5, P@1"
    )
    assert {pair.queries for pair in found.pairs} == {1}


@pytest.mark.parametrize(
    ("table", "change", "says"),
    [
        (PREDICTIONS, {"truth": "Y"}, "no column 'Y'"),
        (PREDICTIONS, {"systems": ["ann", "ib1"]}, "did you mean ibl"),
        ({**PREDICTIONS, "ann": [math.nan] * 12}, {}, "not finite|missing"),
        ({**PREDICTIONS, "ann": [1.0]}, {}, "equal length"),
        ({**PREDICTIONS, "ann": ["x"] * 12}, {}, "has type"),
        ([1, 2], {}, "no table"),
        (PREDICTIONS, {"systems": ["ann"]}, "at least two runs"),
    ],
)
def test_tables_that_cannot_be_used(table: Any, change: dict[str, Any], says: str) -> None:
    options = {"truth": "y", "systems": ["ann", "ibl"], "by": "fold", "measures": "P@1", **change}
    with pytest.raises(rankscope.InputError, match=says):
        rankscope.compare_predictions(table, **options)


@pytest.mark.parametrize(
    ("options", "kind", "says"),
    [
        ({"test": "chi"}, rankscope.PolicyError, "test= one of"),
        ({"test": "wilcoxen"}, rankscope.PolicyError, "did you mean wilcoxon"),
        ({"correction": "hollm"}, rankscope.PolicyError, "did you mean holm"),
        ({"interval": "z"}, rankscope.PolicyError, "interval= one of"),
        ({"alpha": 0}, rankscope.InputError, "between 0 and 1"),
        ({"alpha": math.nan}, rankscope.InputError, "between 0 and 1"),
        ({"alpha": "x"}, rankscope.InputError, "between 0 and 1"),
        ({"seed": -1}, rankscope.InputError, "seed="),
        ({"seed": 0.5}, rankscope.InputError, "seed="),
        ({"resamples": 0}, rankscope.InputError, "resamples="),
        ({"resamples": True}, rankscope.InputError, "resamples="),
        ({"power": 2}, rankscope.InputError, "power="),
        ({"risk": -2}, rankscope.InputError, "risk="),
        ({"threads": 0}, rankscope.InputError, "threads="),
        ({"baseline": "A"}, rankscope.InputError, "did you mean a"),
        ({"baseline": 1}, rankscope.InputError, "is none of the runs"),
        ({"weights": {}}, rankscope.InputError, "count alike"),
        ({"ties": "best"}, rankscope.InputError, "beside a result"),
        ({"groups": {}}, rankscope.InputError, "beside a result"),
    ],
)
def test_bad_options(options: dict[str, Any], kind: type[Exception], says: str) -> None:
    with pytest.raises(kind, match=says):
        rankscope.compare(PLAIN, **options)


def test_one_run_cannot_be_compared() -> None:
    with pytest.raises(rankscope.InputError, match="at least two runs"):
        rankscope.compare({"q": {"a": 1}}, {"q": ["a"]}, "RR")


def test_a_mean_that_points_the_other_way_leaves_it_undecided() -> None:
    """Thirty small losses and one large gain: the sign test is sure, but of something else than the mean."""
    odd = result_of({"a": {"AP": [0.5] * 31}, "b": {"AP": [0.499] * 30 + [1.0]}})
    (pair,) = rankscope.compare(odd, test="sign").pairs
    assert pair.p < 0.001
    assert (pair.difference > 0, pair.verdict) == (True, "undecided")


def test_what_needs_scipy_and_what_does_not() -> None:
    """In a process where scipy cannot be imported."""
    program = (
        "import sys; sys.modules['scipy'] = None; import rankscope\n"
        "judgments = {str(q): {'a': 1} for q in range(25)}\n"
        "runs = {'x': {q: ['a'] for q in judgments}, 'y': {q: ['b', 'a'] for q in judgments}}\n"
        "for test in ('fisher', 'bootstrap', 'sign', 'tukey'):\n"
        "    rankscope.compare(judgments, runs, 'RR', test=test, resamples=100)\n"
        "for test in ('t', 'wilcoxon', 'anova'):\n"
        "    try:\n"
        "        rankscope.compare(judgments, {**runs, 'z': {'1': ['a']}}, 'RR', test=test)\n"
        "    except rankscope.MissingDependency as error:\n"
        "        print(error.hint)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["pip install scipy"] * 3


def test_measures_by_any_of_their_names() -> None:
    found = rankscope.compare(QRELS, RUNS[:2], "map, ndcg_cut_10", resamples=100)
    assert found.by("map") == found.by("AP") == found.by(rankscope.AP)
    with pytest.raises(rankscope.InputError, match="was not compared"):
        found.by("RR")
