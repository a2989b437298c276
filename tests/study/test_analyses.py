"""The analyses of systems, each against a slow one written out here, and against scipy where it has one."""

from __future__ import annotations

import math
from itertools import combinations, pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from study_support import KINDS, brute_force, collection

import rankscope
from rankscope import InputError, Judgments, Result
from rankscope.study import (
    agreement,
    correlation,
    power,
    sensitivity,
    stability,
    swap_rate,
    tau_ap,
    tau_b,
)
from rankscope.study.removal import _part
from rankscope.study.work import generator

MEASURES = "AP, nDCG@5, RR, P@3"
TRUTH, RUNS = collection(1)


@pytest.fixture(scope="module")
def result() -> Result:
    return rankscope.evaluate(TRUTH, RUNS, MEASURES)


def table(result: Result, measure: str) -> np.ndarray:
    """System x query."""
    return np.array([run.values[measure] for run in result.runs.values()])


# ---- consistency and discriminancy over systems


def test_degrees_over_systems_on_each_query(result: Result) -> None:
    degrees = rankscope.study(over=result)
    for f, g in combinations(["AP", "nDCG@5", "RR", "P@3"], 2):
        expected = dict.fromkeys(KINDS, 0)
        for query in range(len(TRUTH)):
            found = brute_force(table(result, f)[:, query], table(result, g)[:, query])
            expected = {kind: expected[kind] + found[kind] for kind in KINDS}
        assert {kind: getattr(degrees.counts[f, g], kind) for kind in KINDS} == expected
        assert expected["only_f"] + expected["only_g"] > 0


def test_degrees_over_systems_by_their_means(result: Result) -> None:
    degrees = rankscope.study("AP, RR", over=result, by="mean")
    means = [np.array([run[name] for run in result.runs.values()]) for name in ("AP", "RR")]
    found = degrees.counts["AP", "RR"]
    assert {kind: getattr(found, kind) for kind in KINDS} == brute_force(*means)
    assert [str(m) for m in degrees.measures] == ["AP", "RR"]


def test_portions_of_queries_change_nothing(result: Result, monkeypatch: pytest.MonkeyPatch) -> None:
    from rankscope.study import systems

    whole = rankscope.study(over=result)
    monkeypatch.setattr(systems, "CELLS", 100)
    assert rankscope.study(over=result).counts == whole.counts


def test_measures_where_lower_is_better_are_turned() -> None:
    """Kendall's tau of a strict order is 1 - 4 SRN / (n (n - 1)): the two never disagree."""
    rng = np.random.default_rng(0)
    items = [f"d{i}" for i in range(6)]
    runs = {f"s{s}": {f"q{q}": rng.permutation(items).tolist() for q in range(5)} for s in range(4)}
    found = rankscope.evaluate(rankscope.Order.of({f"q{q}": items for q in range(5)}), runs, "SRN, Kendall")
    counts = rankscope.study(over=found).counts["SRN", "Kendall"]
    assert counts.agree > 20
    assert counts.disagree == counts.only_f == counts.only_g == 0


def test_undefined_values_are_in_no_pair_of_systems() -> None:
    truth = {"q1": {"a": 1}, "q2": {"b": 0}, "q3": {"c": 1}}
    runs = {
        "one": {"q1": ["a"], "q2": ["b"], "q3": ["x", "c"]},
        "two": {"q1": ["x"], "q2": ["x"], "q3": ["c"]},
    }
    found = rankscope.evaluate(truth, runs, "AP, NumRet", undefined="nan")
    degrees = rankscope.study(over=found)
    counts = degrees.counts["AP", "NumRet"]
    assert (counts.agree, counts.disagree, counts.only_f) == (0, 1, 1)
    assert degrees.notes == ("AP is not defined for 1 query of some run: left out of its pairs",)


# ---- agreement


def slow_tau_ap(reference: list[float], scores: list[float]) -> float:
    """The mean of the definition for strict orders, over all orders of what is tied on either side."""
    n = len(scores)
    found = []
    for order in _orders(scores):
        for true_order in _orders(reference):
            above = {item: place for place, item in enumerate(true_order)}
            shares = [
                sum(above[other] < above[item] for other in order[:place]) / place
                for place, item in enumerate(order)
                if place
            ]
            found.append(2 * sum(shares) / (n - 1) - 1)
    return math.fsum(found) / len(found)


def _orders(scores: list[float]) -> list[tuple[int, ...]]:
    """Every order of the items, best first, that the scores allow."""
    items = range(len(scores))
    return [o for o in permutations(items) if all(scores[a] >= scores[b] for a, b in pairwise(o))]


scores = st.integers(2, 5).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 4), min_size=n, max_size=n)] * 2)
)


@given(scores)
@settings(deadline=None, max_examples=80)
def test_tau_ap_is_the_mean_over_all_orders_of_ties(both: tuple[list[int], list[int]]) -> None:
    assert tau_ap(*both) == pytest.approx(slow_tau_ap(*both), abs=1e-12)


@pytest.mark.parametrize("ties", [1, 50, 10**5])
def test_correlations_of_long_lists(ties: int) -> None:
    """Without a matrix of all pairs, which would take gigabytes; the reverse order has the opposite value."""
    scores = np.random.default_rng(3).permutation(10**5) // ties
    other = np.random.default_rng(4).permutation(10**5)
    expected = stats.kendalltau(scores, other).statistic
    assert tau_b(scores, other) == pytest.approx(expected, abs=1e-12, nan_ok=True)
    assert tau_ap(scores, other) == pytest.approx(-tau_ap(-scores, other), abs=1e-9)
    assert tau_ap(other, scores) == pytest.approx(-tau_ap(-other, scores), abs=1e-9)


def test_tau_ap_of_equal_and_opposite_orders() -> None:
    order = [5.0, 3, 2, 1, 0]
    assert tau_ap(order, order) == 1
    assert tau_ap(order, order[::-1]) == -1
    assert math.isnan(tau_ap([1], [1]))
    assert math.isnan(tau_ap([1, math.nan], [1, 2]))


@given(scores)
@settings(deadline=None, max_examples=80)
def test_tau_b_is_that_of_scipy(both: tuple[list[int], list[int]]) -> None:
    expected = stats.kendalltau(*both).statistic if all(len(set(one)) > 1 for one in both) else math.nan
    assert tau_b(*both) == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("tau", [tau_b, tau_ap])
@pytest.mark.parametrize("bad", [([1, 2], [1, 2, 3]), ([[1, 2]], [[1, 2]]), (["a", "b"], [1, 2])])
def test_scores_that_cannot_be_correlated(tau: object, bad: tuple[list, list]) -> None:
    with pytest.raises(InputError, match="scores"):
        tau(*bad)  # type: ignore[operator]


def test_agreement(result: Result) -> None:
    found = agreement(result)
    means = [[run[name] for run in result.runs.values()] for name in found.names]
    for row, reference in enumerate(means):
        for column, other in enumerate(means):
            assert found.tau_b[row, column] == pytest.approx(
                stats.kendalltau(reference, other).statistic, abs=1e-12
            )
            assert found.tau_ap[row, column] == pytest.approx(slow_tau_ap(reference, other), abs=1e-12)
    expected = [stats.rankdata([-mean for mean in row]) for row in means]
    assert found.ranks.tolist() == [row.tolist() for row in expected]


# ---- correlation over queries


@pytest.mark.parametrize(
    ("method", "oracle"),
    [("pearson", stats.pearsonr), ("spearman", stats.spearmanr), ("kendall", stats.kendalltau)],
)
def test_correlation_is_that_of_scipy(result: Result, method: str, oracle: object) -> None:
    found = correlation(result, method=method)
    for row, f in enumerate(found.names):
        for column, g in enumerate(found.names):
            each = [
                oracle(*both).statistic  # type: ignore[operator]
                for both in zip(table(result, f), table(result, g), strict=True)
            ]
            assert found.by_system[:, row, column] == pytest.approx(each, abs=1e-12)
            assert found.matrix[row, column] == pytest.approx(np.mean(each), abs=1e-12)


def test_a_measure_that_never_changes_has_no_correlation() -> None:
    found = correlation(rankscope.evaluate(TRUTH, RUNS, "AP, NumRet"))
    assert np.isnan(found.matrix[0, 1])
    assert found.matrix[0, 0] == pytest.approx(1)


# ---- discriminative power


def test_tukey_against_a_slow_one(result: Result) -> None:
    """The share of 4000 random deals whose largest difference of means is that of a pair, or more."""
    found = power(result, resamples=4000, seed=2)
    rng = np.random.default_rng(11)
    for number, name in enumerate(found.names):
        values = table(result, name)
        means = values.mean(axis=1)
        largest = []
        for _ in range(4000):
            dealt = rng.permuted(values, axis=0).mean(axis=1)
            largest.append(dealt.max() - dealt.min())
        for pair, p in zip(combinations(range(len(RUNS)), 2), found.p_values[number], strict=True):
            expected = np.mean(np.array(largest) >= abs(means[pair[0]] - means[pair[1]]) - 1e-12)
            assert p == pytest.approx(expected, abs=4 * math.sqrt(0.25 / 4000) * math.sqrt(2))


def test_bootstrap_against_a_slow_one(result: Result) -> None:
    """The share of 4000 samples of queries in which the shifted difference is as large as that seen."""
    found = power(result, test="bootstrap", resamples=4000, seed=2)
    rng = np.random.default_rng(12)
    values = table(result, "AP")
    for place, (a, b) in enumerate(combinations(range(len(RUNS)), 2)):
        difference = values[a] - values[b]
        seen = difference.mean()
        drawn = rng.integers(len(difference), size=(4000, len(difference)))
        expected = np.mean(abs(difference[drawn].mean(axis=1) - seen) >= abs(seen) - 1e-12)
        assert found.p_values[0, place] == pytest.approx(expected, abs=0.045)


def test_power_is_the_share_of_pairs_below_alpha(result: Result) -> None:
    found = power(result, resamples=500, alpha=0.2)
    assert found.shares.tolist() == [np.mean(row < 0.2) for row in found.p_values]
    assert (np.diff(found.curves, axis=1) <= 0).all()
    assert sorted(found.curves[0]) == sorted(found.p_values[0])
    assert len(found.pairs) == 15


@pytest.mark.parametrize("test", ["tukey", "bootstrap"])
def test_power_depends_on_the_seed_alone(result: Result, test: str) -> None:
    options = {"test": test, "resamples": 3000}
    one, same, other = (power(result, **options, seed=s, threads=t) for s, t in ((3, 1), (3, 4), (4, 1)))
    assert (one.p_values == same.p_values).all()
    assert (one.p_values != other.p_values).any()


# ---- swap rate


def test_swap_rate_against_a_slow_one(result: Result) -> None:
    found = swap_rate(result, sizes=[2, 7], trials=40, seed=9)
    for step, size in enumerate((2, 7)):
        rng = generator(9, size, 0)
        drawn = rng.permuted(np.tile(np.arange(len(TRUTH)), (40, 1)), axis=1)
        for number, name in enumerate(found.names):
            values = table(result, name)
            swaps = 0
            for order in drawn:
                one, other = (values[:, part].mean(axis=1) for part in (order[:size], order[size : 2 * size]))
                for a, b in combinations(range(len(RUNS)), 2):
                    swaps += round(one[a] - one[b], 12) * round(other[a] - other[b], 12) < 0
            assert found.values[number, step] == pytest.approx(swaps / 40 / 15, abs=1e-12)


def test_swap_rate_depends_on_the_seed_alone(result: Result) -> None:
    options = {"trials": 250, "sizes": [1, 5, 10]}
    one, same, other = (swap_rate(result, **options, seed=s, threads=t) for s, t in ((3, 1), (3, 3), (4, 2)))
    assert (one.values == same.values).all()
    assert (one.values != other.values).any()
    assert one.steps == (1, 5, 10)


def test_swap_rate_leaves_undefined_values_out() -> None:
    truth = {f"q{n}": {"a": 1 if n % 2 else 0} for n in range(12)}
    runs = {"good": {q: ["a"] for q in truth}, "bad": {q: ["x", "a"] for q in truth}}
    found = swap_rate(rankscope.evaluate(truth, runs, "AP", undefined="nan"), trials=50)
    assert found.values.max() == 0


def test_default_sizes_go_up_to_half_of_the_queries(result: Result) -> None:
    assert swap_rate(result, trials=2).steps == tuple(range(1, 11))


# ---- fewer judgments


def test_stability_against_a_slow_one() -> None:
    found = stability(TRUTH, RUNS, MEASURES, shares=[0.3, 0.8], trials=3, seed=4)
    prepared = Judgments.of(TRUTH)
    full = rankscope.evaluate(TRUTH, RUNS, MEASURES)
    for step, share in enumerate((0.3, 0.8)):
        taus = []
        for trial in range(3):
            fewer = kept(_part(prepared, share, generator(4, trial)))
            result = rankscope.evaluate(fewer, RUNS, MEASURES)
            taus.append(
                [
                    stats.kendalltau(
                        *(np.round([r[name] for r in one.runs.values()], 12) for one in (full, result))
                    )[0]
                    for name in found.names
                ]
            )
        assert found.values[:, step] == pytest.approx(np.mean(taus, axis=0), abs=1e-12)
        assert found.deviations[:, step] == pytest.approx(np.std(taus, axis=0), abs=1e-12)


def kept(judgments: Judgments) -> dict[str, dict[str, float]]:
    rows = judgments.rows()
    found: dict[str, dict[str, float]] = {}
    for query, item, grade in zip(rows.query, rows.item, rows.value, strict=True):
        found.setdefault(query, {})[item] = float(grade)
    return found


def test_parts_of_judgments_have_their_size_and_lie_in_each_other() -> None:
    prepared = Judgments.of(TRUTH)
    parts = [kept(_part(prepared, share, generator(1, 1))) for share in (0.1, 0.5, 0.9)]
    for query, judged in TRUTH.items():
        for share, part in zip((0.1, 0.5, 0.9), parts, strict=True):
            assert len(part[query]) == math.ceil(round(share * len(judged), 9))
            assert part[query].items() <= judged.items()
        assert parts[0][query].items() <= parts[1][query].items() <= parts[2][query].items()


def test_stability_depends_on_the_seed_alone() -> None:
    options = {"shares": [0.2, 0.5], "trials": 4}
    one, same, other = (
        stability(TRUTH, RUNS, MEASURES, **options, seed=s, threads=t) for s, t in ((3, 1), (3, 3), (4, 2))
    )
    assert (one.values == same.values).all()
    assert (one.values != other.values).any()


# ---- sensitivity


def test_sensitivity_is_the_t_test_of_scipy(result: Result) -> None:
    found = sensitivity(result, ("s0", "s4"))
    expected = {
        name: stats.ttest_rel(result["s0"].values[name], result["s4"].values[name]).pvalue
        for name in found.names
    }
    assert dict(zip(found.names, found.p_values, strict=True)) == pytest.approx(expected, rel=1e-9)
    assert list(found.p_values) == sorted(found.p_values)
    order = [name for step in rankscope.study(over=result).preference.steps for name in step]
    places = [next(n for n, step in enumerate(found.order) if name in step) for name in found.names]
    assert found.tau_b == pytest.approx(stats.kendalltau(found.p_values, places).statistic)
    assert [name for step in found.order for name in step] == order


def test_sensitivity_against_an_order_of_ones_own(result: Result) -> None:
    two = rankscope.evaluate(TRUTH, {name: RUNS[name] for name in ("s0", "s5")}, MEASURES)
    by_p = sensitivity(two).names
    assert sensitivity(two, order=by_p).tau_b == 1
    assert sensitivity(two, order=by_p[::-1]).tau_b == -1


def test_everything_can_be_shown(result: Result) -> None:
    found = [
        agreement(result),
        correlation(result),
        power(result, resamples=200),
        swap_rate(result, trials=5),
        stability(TRUTH, RUNS, "AP, RR", shares=[0.5], trials=2),
        sensitivity(result, ("s0", "s1")),
    ]
    names = ["agreement", "correlation", "power", "swaps", "stability", "sensitivity"]
    assert [one.analysis for one in found] == names
    for one in found:
        assert one.to_dict()["analysis"] == one.analysis
        assert one.to_json()
        assert list(one.records())
        assert all(sheet.table.to_text() for sheet in one.sheets())
        assert "<table" in one._repr_html_()
        assert repr(one)
        assert bool(one.charts()) == (one.analysis != "sensitivity")
