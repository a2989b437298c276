"""rankscope.study over lists: exact, weighted and sampled, against all pairs of values by evaluate."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest
from study_support import (
    KINDS,
    PAPER,
    all_orders,
    brute_force,
    brute_force_matrix,
    measures,
    order_measures,
    values_by_evaluate,
)

import rankscope
from rankscope import Judgments, Order
from rankscope.measures import Measure
from rankscope.study import (
    ClassSizes,
    Mallows,
    PairCounts,
    Permutations,
    Rankings,
    Sampler,
    Swaps,
    front,
)


def kinds(counts: PairCounts) -> dict[str, float]:
    return {kind: getattr(counts, kind) for kind in KINDS}


# ---- exact


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_every_order_measure_against_all_pairs(n: int) -> None:
    chosen = order_measures()
    assert len(chosen) >= 11
    values = values_by_evaluate(chosen, all_orders(n), Order)
    degrees = rankscope.study(chosen, over=n)
    for (f, a), (g, b) in combinations(enumerate(chosen), 2):
        if np.isnan(values[[f, g]]).any():
            assert any(str(m) in note for m in (a, b) for note in degrees.notes)
        else:
            expected = brute_force_matrix(values[f], values[g])
            assert kinds(degrees.counts[str(a), str(b)]) == expected, (a, b)
            assert degrees.counts[str(b), str(a)] == degrees.counts[str(a), str(b)].turned()


def graded_measures() -> list[Measure]:
    """Every registered measure of grades, and those of an order, which grades can stand for."""
    known = [m for m in rankscope.measures.registered() if m.kernel.__module__.startswith("rankscope.")]
    return [m for m in known if m.truth != "answer" and m.product != "ranked"]


@pytest.mark.parametrize("sizes", [(2, 3), (1, 2, 2), (3, 1)])
def test_every_measure_of_grades_against_all_pairs(sizes: tuple[int, ...]) -> None:
    chosen = graded_measures()
    assert {"AP", "nDCG", "RBP", "RankDCG", "ClasSi", "Kendall"} <= {m.name for m in chosen}
    population = ClassSizes(*sizes)
    labels = [grade for grade, size in population.sizes.items() for _ in range(size)]
    lists = sorted(set(permutations(labels)))
    values = values_by_evaluate(chosen, lists, Judgments)
    degrees = rankscope.study(chosen, over=population)
    assert degrees.lists == len(lists) == population.size
    for (f, a), (g, b) in combinations(enumerate(chosen), 2):
        defined = ~np.isnan(values[[f, g]]).any(axis=0)
        expected = brute_force_matrix(values[f][defined], values[g][defined])
        assert kinds(degrees.counts[str(a), str(b)]) == expected, (a, b)


def test_sparse_histograms_where_nearly_every_list_has_its_own_value() -> None:
    """nDCG of seven different grades: 5040 lists, and more cells than a table would have."""
    population = ClassSizes(dict.fromkeys(range(7), 1))
    degrees = rankscope.study("nDCG, nDCG(gain=exp)", over=population)
    assert degrees.distinct["nDCG"] * degrees.distinct["nDCG(gain=exp)"] > 2**21
    f, g = values_by_evaluate(measures("nDCG nDCG(gain=exp)"), list(permutations(range(7))), Judgments)
    assert kinds(degrees.counts["nDCG", "nDCG(gain=exp)"]) == brute_force_matrix(f, g)


def test_the_numbers_of_a_hand_made_example() -> None:
    """Lists of 2 items of which one is relevant: 10 and 01. RR 1 and 1/2, P@2 1/2 for both: R = S = Q = 0."""
    degrees = rankscope.study("RR, P@2", over=ClassSizes(1, 1))
    assert degrees.counts["RR", "P@2"] == PairCounts(0, 0, 1, 0, 0)
    assert degrees.distinct == {"RR": 2, "P@2": 1}
    assert degrees.notes == ("P@2 has the same value for all lists",)
    assert math.isnan(degrees.consistency[0, 1])
    assert degrees.discriminancy[0, 1] == math.inf


def test_the_number_of_threads_and_blocks_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    one = rankscope.study([*PAPER.values()], over=7, threads=1)
    told = []
    monkeypatch.setattr(front, "CELLS", 700)
    two = rankscope.study([*PAPER.values()], over=7, threads=3, progress=lambda *done: told.append(done))
    assert two.to_dict() == one.to_dict()
    assert told[-1] == (5040, 5040)
    assert len(told) > 40


# ---- weights


@pytest.mark.parametrize("population", [Swaps(4, 2), Mallows(4, 0.6), Swaps(5, 1)], ids=str)
def test_weighted_lists_against_all_pairs(population: Permutations) -> None:
    chosen = measures("ED MD SRN OAUC")
    blocks = list(population.blocks())
    lists = [tuple(row) for block in blocks for row in block.labels.tolist()]
    weights = np.concatenate([block.weights for block in blocks])
    values = values_by_evaluate(chosen, lists, Order)
    degrees = rankscope.study(chosen, over=population)
    assert degrees.kind == "weighted"
    assert degrees.lists == np.count_nonzero(weights)
    for f, g in combinations(range(len(chosen)), 2):
        expected = brute_force(values[f], values[g], weights)
        found = degrees.counts[str(chosen[f]), str(chosen[g])]
        for kind in KINDS[:4]:
            assert getattr(found, kind) == pytest.approx(2 * expected[kind], rel=1e-11, abs=1e-15)


def test_values_of_impossible_lists_do_not_count() -> None:
    """One swap of five items: SRN is 1, 3, 5 or 7, the places between the two being 0 to 3."""
    assert rankscope.study("SRN, ED", over=Swaps(5, 1)).distinct["SRN"] == 4


def test_rankings_with_whole_weights_are_copies() -> None:
    lists = [(4, 3, 2, 1), (3, 4, 2, 1), (1, 2, 3, 4), (2, 4, 1, 3)]
    weighted = rankscope.study("ED, MD", over=Rankings(lists, [2, 1, 3, 1]))
    copies = rankscope.study(
        "ED, MD", over=[row for row, n in zip(lists, [2, 1, 3, 1], strict=True) for _ in range(n)]
    )
    assert weighted.counts == copies.counts
    assert all(isinstance(getattr(weighted.counts["ED", "MD"], kind), int) for kind in KINDS)


@pytest.mark.parametrize("scale", [10**12, 1e-300, 1e307])
def test_huge_and_tiny_weights_become_shares(scale: float) -> None:
    lists = [(4, 3, 2, 1), (3, 4, 2, 1), (1, 2, 3, 4), (2, 4, 1, 3)]
    small = rankscope.study("ED, SRN", over=Rankings(lists, [1, 2, 3, 4]))
    scaled = Rankings(lists, [scale * n for n in (1, 2, 3, 4)])
    shares = rankscope.study("ED, SRN", over=scaled)
    assert shares.consistency == pytest.approx(small.consistency, rel=1e-12)
    assert shares.discriminancy == pytest.approx(small.discriminancy, rel=1e-12)
    drawn = scaled.draw(np.random.default_rng(0), 4000)
    assert np.mean((drawn == lists[3]).all(axis=1)) == pytest.approx(0.4, abs=0.05)


def test_mallows_with_theta_0_is_uniform() -> None:
    uniform, flat = (rankscope.study("ED, OAUC", over=p) for p in (5, Mallows(5, 0)))
    assert flat.consistency == pytest.approx(uniform.consistency, rel=1e-12)
    assert flat.discriminancy == pytest.approx(uniform.discriminancy, rel=1e-12)


# ---- samples


def test_a_sample_depends_on_the_seed_alone() -> None:
    options = {"over": Permutations(12), "sample": 50_000}
    one = rankscope.study("ED, MD", **options, seed=5, threads=1)
    same = rankscope.study("ED, MD", **options, seed=5, threads=4)
    other = rankscope.study("ED, MD", **options, seed=6)
    assert one.to_dict() == same.to_dict()
    assert one.counts != other.counts
    assert one.lists == 50_000
    assert one.kind == "sample"


@pytest.mark.parametrize("population", [Permutations(5), Mallows(5, 0.5), ClassSizes(2, 3)], ids=str)
def test_intervals_cover_the_exact_degrees_at_the_stated_rate(population: Permutations | ClassSizes) -> None:
    """Of 300 samples of 200 lists, 95 % have the exact value in their interval: give or take 3.8 %.

    That is three times the standard error of such a share.
    """
    chosen = "nDCG, RR, P@2" if isinstance(population, ClassSizes) else "ED, OAUC, OrderAccuracy"
    exact = rankscope.study(chosen, over=population)
    pairs = [(f, g) for f, g in combinations(exact.distinct, 2)]
    covered = {(pair, what): 0 for pair in pairs for what in ("C", "log D")}
    samples = 300
    for seed in range(samples):
        found = rankscope.study(chosen, over=population, sample=200, seed=seed, threads=1)
        for pair in pairs:
            degree, around = exact.counts[pair], found.intervals[pair]
            log_d = math.log(degree.discriminancy) if 0 < degree.discriminancy < math.inf else None
            covered[pair, "C"] += degree.consistency in around.consistency
            if log_d is None:  # one that can never be seen: the interval is open on that side
                covered[pair, "log D"] += math.inf in (
                    around.log_discriminancy.high,
                    -around.log_discriminancy.low,
                )
            else:
                covered[pair, "log D"] += log_d in around.log_discriminancy
    for key, count in covered.items():
        share = count / samples
        pair, what = key
        certain = exact.counts[pair].disagree == 0 if what == "C" else not exact.counts[pair].only_g
        assert share >= 0.95 - 0.038, key
        assert share <= 0.95 + 0.038 or certain, key


def test_another_confidence_is_a_wider_interval() -> None:
    widths = []
    for confidence in (0.5, 0.95, 0.999):
        found = rankscope.study("ED, MD", over=7, sample=1000, confidence=confidence)
        interval = found.intervals["ED", "MD"].consistency
        widths.append(interval.high - interval.low)
        assert found.counts["ED", "MD"].consistency in interval
        turned = found.intervals["MD", "ED"].log_discriminancy
        assert -turned.high == found.intervals["ED", "MD"].log_discriminancy.low
    assert widths == sorted(widths)


def test_a_sampler_of_ones_own() -> None:
    def shuffled(rng: np.random.Generator, count: int) -> np.ndarray:
        return rng.permuted(np.tile(np.arange(1, 5), (count, 1)), axis=1)

    found = rankscope.study("ED, SRN", over=Sampler(4, shuffled), sample=20_000)
    exact = rankscope.study("ED, SRN", over=4)
    assert found.consistency == pytest.approx(exact.consistency, abs=0.01)
    assert "shuffled" in found.over


# ---- the columns that kernels read


def test_a_kernel_that_miscounts_is_named() -> None:
    short = replace(rankscope.ED, name="Short", kernel=lambda ordered, **_: np.zeros(1))
    with pytest.raises(rankscope.MeasureError, match="kernel of Short returned 1 values for 6 lists"):
        rankscope.study([short, rankscope.MD], over=3)


def test_a_measure_that_is_not_defined_has_no_pairs() -> None:
    degrees = rankscope.study("AP(rel=5), RR", over=ClassSizes(1, 2))
    assert degrees.counts["AP(rel=5)", "RR"] == PairCounts(0, 0, 0, 0, 0)
    assert degrees.notes == ("AP(rel=5) is not defined for 3 of 3 lists: left out of its pairs",)
    assert degrees.distinct == {"AP(rel=5)": 0, "RR": 3}


# ---- what is shown


def test_everything_can_be_shown() -> None:
    degrees = rankscope.study("ED, MD, OAUC", over=5, sample=500)
    text = repr(degrees)
    assert "preference: " in text
    assert "95% confidence intervals" in text
    assert "<table" in degrees._repr_html_()
    content = degrees.to_dict()
    assert content["kind"] == "sample"
    assert {"C_low", "C_high", "log_D_low", "log_D_high", "R", "S", "P", "Q"} <= content["pairs"][0].keys()
    assert degrees.to_json().startswith("{")
    assert sorted(degrees.charts()) == ["degrees-consistency", "degrees-discriminancy"]


def test_infinite_and_undefined_degrees_in_json() -> None:
    content = rankscope.study("RR, P@2", over=ClassSizes(1, 1)).to_dict()
    assert [pair["consistency"] for pair in content["pairs"]] == [None, None]
    assert [pair["discriminancy"] for pair in content["pairs"]] == ["inf", 0.0]
    assert content["smallest_gap"] == {"RR": 0.5, "P@2": None}
