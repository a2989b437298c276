"""Types 1 and 2 and Tague's R: exact brute force, Spearman's rho of scipy, and what the equations imply."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from answer_support import Groups, flat, groupings, lists, mean
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

from rankscope import InputError, MeasureError, answers

ALPHA: dict[str, Callable[[Fraction, int, int], Fraction]] = {
    "eq6": lambda gap, m, n: 1 - gap / max(m, n),
    "eq7": lambda gap, m, n: 1 - gap / (m * n),
    "eq8": lambda gap, m, n: 1 - gap / (m + n),
    "eq9": lambda gap, m, n: 1 / (gap + 1),
}
MU: dict[str, Callable[[Fraction, int, int], Fraction]] = {
    "eq10": lambda ij, m, n: 1 - ij / max(m, n) ** 2,
    "eq11": lambda ij, m, n: max(m, n) ** 2 / ij,
    "eq12": lambda ij, m, n: 1 - ij / (m * n),
    "eq13": lambda ij, m, n: m * n / ij,
    "eq14": lambda ij, m, n: 1 - ij / (m + n),
    "eq15": lambda ij, m, n: (m + n) / ij,
}
CONVENTIONS = ("class", "first", "last", "mean", "eq30")

alphas, mus = st.sampled_from([*ALPHA, "eq27"]), st.sampled_from([*MU])
conventions = st.sampled_from(CONVENTIONS)


def ranks_of(groups: Groups, convention: str) -> dict[str, Fraction]:
    """The rank of each item, counted by hand."""
    ranks: dict[str, Fraction] = {}
    for number, group in enumerate(groups, 1):
        before, size = len(ranks), len(group)
        rank = {
            "class": Fraction(number),
            "first": Fraction(before + 1),
            "last": Fraction(before + size),
            "mean": mean([Fraction(before + n) for n in range(1, size + 1)]),
            "eq30": before + Fraction(size, 2),
        }[convention]
        ranks |= dict.fromkeys(group, rank)
    return ranks


def pair_value(
    one: Groups, other: Groups, alpha: str | None, mu: str | None, convention: str
) -> Callable[[str, str], Any]:
    """alpha mu of an item of the one answer and an item of the other, exact."""
    i, j = ranks_of(one, convention), ranks_of(other, convention)
    classes = len(one), len(other)
    lengths = classes if convention == "class" else (len(i), len(j))

    def value(x: str, y: str) -> Fraction:
        product, gap = i[x] * j[y], abs(i[x] - j[y])
        found = Fraction(1)
        if alpha == "eq27":
            found *= 1 - gap / max(classes)
        elif alpha:
            found *= ALPHA[alpha](gap, *lengths)
        return found * MU[mu](product, *lengths) if mu else found

    return value


def common(one: Groups, other: Groups) -> list[str]:
    return [item for item in flat(one) if item in flat(other)]


# ---- delays


@pytest.mark.parametrize(
    ("convention", "wanted"),
    [
        # Sizes 2, 1, 3, counted by hand with Eq 26, 28, 29, the middle, and Eq 30 as printed.
        ("class", [1, 2, 3]),
        ("first", [1, 3, 4]),
        ("last", [2, 3, 6]),
        ("mean", [1.5, 3, 5]),
        ("eq30", [1, 2.5, 4.5]),
    ],
)
def test_ranks_of_groups(convention: str, wanted: list[float]) -> None:
    assert answers.class_ranks([2, 1, 3], convention) == wanted


@settings(deadline=None, max_examples=50)
@given(st.lists(st.integers(1, 5), min_size=1, max_size=6))
def test_equation_30_is_half_a_rank_short(sizes: list[int]) -> None:
    pairs = zip(answers.class_ranks(sizes), answers.class_ranks(sizes, "eq30"), strict=True)
    assert all(middle - printed == 0.5 for middle, printed in pairs)


@given(one=groupings(), other=groupings(), alpha=alphas, mu=mus, ranks=conventions)
@settings(max_examples=40, deadline=None)
def test_means_over_all_pairs_of_items(one: Groups, other: Groups, alpha: str, mu: str, ranks: str) -> None:
    """Eq 17 and 18, and the mean of the product, pair by pair in exact arithmetic."""
    for a, m in ((alpha, None), (None, mu), (alpha, mu)):
        value = pair_value(one, other, a, m, ranks)
        wanted = float(
            mean(value(x, y) for x in flat(one) for y in flat(other)) * Fraction(answers.jaccard(one, other))
        )
        found = measure(a, m, (answers.s2o, answers.s3o, answers.s4o))(one, other, over="all", ranks=ranks)
        if common(one, other):
            assert found == pytest.approx(wanted, rel=1e-11, abs=1e-12)
        else:
            assert found == 0


def measure(
    alpha: str | None, mu: str | None, functions: tuple[Callable[..., float], ...]
) -> Callable[..., float]:
    """The one of three functions that takes alpha, mu or both, with these."""
    options = {name: value for name, value in (("alpha", alpha), ("mu", mu)) if value}
    function = functions[2] if alpha and mu else functions[0] if alpha else functions[1]
    return lambda *sides, **more: function(*sides, **options, **more)


@given(one=groupings(), other=groupings(), alpha=alphas, mu=mus, ranks=conventions)
@settings(max_examples=40, deadline=None)
def test_type_2_is_a_sum_over_common_items(
    one: Groups, other: Groups, alpha: str, mu: str, ranks: str
) -> None:
    """Eq 22 to 24 on partial orders: alpha(r_i, r'_j) times the items that the groups i and j share."""
    for a, m in ((alpha, None), (None, mu), (alpha, mu)):
        value = pair_value(one, other, a, m, ranks)
        wanted = sum(value(x, x) for x in common(one, other))
        found = measure(a, m, (answers.s5o, answers.s6o, answers.s7o))(one, other, ranks=ranks)
        assert found == pytest.approx(float(wanted), rel=1e-12, abs=1e-13)


@given(one=groupings(), other=groupings(), alpha=alphas, mu=mus, ranks=conventions)
@settings(max_examples=40, deadline=None)
def test_type_1_is_the_mean_over_common_items_times_s(
    one: Groups, other: Groups, alpha: str, mu: str, ranks: str
) -> None:
    for a, m in ((alpha, None), (None, mu), (alpha, mu)):
        value = pair_value(one, other, a, m, ranks)
        function = measure(a, m, (answers.s2o, answers.s3o, answers.s4o))
        for sets, s in (
            ("flat", answers.dice(one, other)),
            ("eq25", answers.sum_over_groups(one, other, nominal="dice")),
        ):
            shared = common(one, other)
            wanted = float(mean(value(x, x) for x in shared)) * s if shared else 0
            found = function(one, other, ranks=ranks, sets=sets, nominal="dice")
            assert found == pytest.approx(wanted, rel=1e-12, abs=1e-13)


@settings(deadline=None, max_examples=50)
@given(
    one=lists(),
    other=lists(),
    alpha=st.sampled_from([*ALPHA]),
    mu=mus,
    ranks=st.sampled_from(CONVENTIONS[:-1]),
)
def test_groups_of_one_are_a_total_order(
    one: list[str], other: list[str], alpha: str, mu: str, ranks: str
) -> None:
    """With the ranks that are meant, a total order is the partial order whose groups have one item each."""
    singles = [[x] for x in one], [[x] for x in other]
    for total, partial in (
        (answers.s4o(one, other, alpha=alpha, mu=mu), answers.s4o(*singles, alpha=alpha, mu=mu, ranks=ranks)),
        (answers.s7o(one, other, alpha=alpha, mu=mu), answers.s7o(*singles, alpha=alpha, mu=mu, ranks=ranks)),
        (answers.pdelta(one, other), answers.pdelta(*singles)),
        (answers.rbo(one, other), answers.rbo(*singles)),
    ):
        assert total == partial
    exact = sum(
        ALPHA[alpha](Fraction(abs(one.index(x) - other.index(x))), len(one), len(other))
        for x in one
        if x in other
    )
    assert answers.s5o(one, other, alpha=alpha) == pytest.approx(float(exact), rel=1e-13)


@settings(deadline=None, max_examples=50)
@given(one=lists(least=2), other=lists(least=2), seed=st.randoms(use_true_random=False))
def test_as_printed_types_1_are_blind_to_order(one: list[str], other: list[str], seed: Any) -> None:
    shuffled = seed.sample(other, len(other))
    for function in (answers.s2o, answers.s3o, answers.s4o):
        assert function(one, other, over="all") == function(one, shuffled, over="all")


@pytest.mark.parametrize("n", range(1, 9))
def test_means_over_all_pairs_in_closed_form(n: int) -> None:
    """1 - (n^2 - 1) / (3 n^2) for Eq 6 and 1 - (n + 1)^2 / (4 n^2) for Eq 10: below 1 even for C itself."""
    same = [str(i) for i in range(n)]
    wanted = [1 - Fraction(n * n - 1, 3 * n * n), 1 - Fraction((n + 1) ** 2, 4 * n * n)]
    found = [answers.mean_alpha(same, same, over="all"), answers.mean_mu(same, same, over="all")]
    assert found == pytest.approx(list(map(float, wanted)), rel=1e-13)
    assert found[0] < 1 or n == 1
    assert answers.s2o(same, same) == 1


@settings(deadline=None, max_examples=50)
@given(one=lists(), other=lists())
def test_ranges_and_signs_of_delays(one: list[str], other: list[str]) -> None:
    """Eq 6 to 9 are weights, 1 for equal ranks alone; so are Eq 10 and 12; Eq 11 and 13 are at least 1."""
    if not set(one) & set(other):
        return
    aligned = all(one.index(x) == other.index(x) for x in one if x in other)
    for alpha in ALPHA:
        found = answers.mean_alpha(one, other, alpha=alpha)
        assert 0 < found <= 1
        assert (found == 1) == aligned
        assert (answers.s2o(one, other, alpha=alpha) == answers.jaccard(one, other)) == aligned
    for mu in ("eq10", "eq12"):
        assert 0 <= answers.mean_mu(one, other, mu=mu) < 1
    for mu in ("eq11", "eq13"):
        assert answers.mean_mu(one, other, mu=mu) >= 1


def test_what_is_odd_about_the_printed_delays() -> None:
    last = ["a", "b", "c", "d"]
    assert answers.mean_mu(["x", "d"], ["y", "d"]) == 0  # the common item stands last in both
    assert answers.s6o(last, last, mu="eq14") == 4 - (1 + 4 + 9 + 16) / 8
    assert answers.s6o(["x", "y", "z", "d"], ["u", "v", "w", "d"], mu="eq14") < 0  # i j > m + m'
    assert answers.mean_mu(["x", "y", "z", "d"], ["u", "v", "w", "d"], mu="eq15") == 8 / 16
    assert answers.mean_mu(["d"], ["d"], mu="eq15") == 2
    # Ranks of items, lengths in groups, as Eq 27 may be read: 1 - |1.5 - 5| / 2.
    assert answers.mean_alpha([["a", "b"]], [["c", "d", "e", "f"], ["a"]], alpha="eq27") == -0.75


# ---- Tague's R


@settings(deadline=None, max_examples=50)
@given(one=groupings(least=2), other=groupings(least=2))
def test_r_is_spearmans_rho_of_the_common_items(one: Groups, other: Groups) -> None:
    shared = common(one, other)
    i, j = ([ranks_of(side, "class")[x] for x in shared] for side in (one, other))
    found = answers.tague_r(one, other)
    if len(set(i)) < 2 or len(set(j)) < 2:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(
            spearmanr(list(map(float, i)), list(map(float, j))).statistic, abs=1e-12
        )


@pytest.mark.parametrize("other", list(permutations("abcd")))
def test_r_as_printed_is_rho_of_a_permutation(other: tuple[str, ...]) -> None:
    printed = answers.tague_r(list("abcd"), list(other), absent="literal")
    assert printed == pytest.approx(answers.tague_r(list("abcd"), list(other)), abs=1e-12)


def test_r_as_printed_with_absent_items_is_no_correlation() -> None:
    """m = 2, r = (3, 4): (11 - 4.5) / sqrt(0.5 * (25 - 4.5)) is above 1; r = (1) has no real root."""
    found = answers.tague_r(["a", "b"], ["x", "y", "a", "b"], absent="literal")
    assert found == pytest.approx(6.5 / math.sqrt(0.5 * 20.5))
    assert found > 1
    assert math.isnan(answers.tague_r(["a", "b"], ["a"], absent="literal"))


def test_r_needs_two_common_items() -> None:
    assert math.isnan(answers.tague_r(["a", "b"], ["a", "c"]))
    assert math.isnan(answers.tague_r(["a"], ["b"]))
    assert math.isnan(answers.tague_r([["a", "b"]], ["a", "b"]))


@settings(deadline=None, max_examples=50)
@given(one=lists(), other=lists())
def test_weights_made_of_r(one: list[str], other: list[str]) -> None:
    r, s = answers.tague_r(one, other), answers.jaccard(one, other)
    if not set(one) & set(other):
        assert answers.s1o(one, other) == answers.s1o(one, other, d0=lambda r: 1 / 0) == 0
    elif math.isnan(r):
        assert math.isnan(answers.s1o(one, other))
    else:
        assert answers.s1o(one, other) == pytest.approx((1 + r) / 2 * s)
        assert answers.s1o(one, other, d0="positive") == pytest.approx(max(r, 0) * s)
        assert answers.s1o(one, other, d0=lambda r: r * r) == pytest.approx(r * r * s)
        assert 0 <= answers.s1o(one, other) <= 1


# ---- type 2 and Eq 25


@settings(deadline=None, max_examples=50)
@given(one=groupings(), other=groupings())
def test_bounds_of_type_2(one: Groups, other: Groups) -> None:
    for alpha in ("eq6", "eq7", "eq8"):
        assert 0 <= answers.s5o(one, other, alpha=alpha) <= min(len(flat(one)), len(flat(other))) + 1e-12
        assert answers.s5o(one, one, alpha=alpha) == len(flat(one))
        assert 0 <= answers.s5o(one, other, alpha=alpha, norm="self") <= 1 + 1e-12
    for function in (answers.s5o, answers.s6o, answers.s7o):
        own = [function(side, side) for side in (one, other)]
        found = function(one, other, norm="self")
        if not common(one, other):
            assert found == 0
        elif min(own) > 0:
            assert found == pytest.approx(function(one, other) / math.sqrt(own[0] * own[1]), rel=1e-12)
        else:
            assert math.isnan(found)
        if own[0] > 0:
            assert function(one, one, norm="self") == pytest.approx(1, rel=1e-12)


@settings(deadline=None, max_examples=50)
@given(one=groupings(), other=groupings())
def test_sum_over_groups(one: Groups, other: Groups) -> None:
    """Eq 25: S(C, C) is the number of groups, and with Jaccard no more than the smaller number of groups."""
    wanted = sum(answers.jaccard(set(x), set(y)) for x in one for y in other)
    found = answers.sum_over_groups(one, other)
    assert found == pytest.approx(wanted, rel=1e-12)
    assert found == pytest.approx(answers.sum_over_groups(one[::-1], other), rel=1e-12)
    assert found <= min(len(one), len(other)) + 1e-12
    assert answers.sum_over_groups(one, one) == len(one)


# ---- what all of them do with empty answers, sets and words they do not know

ORDERED = [answers.s1o, answers.s2o, answers.s3o, answers.s4o, answers.s5o, answers.s6o, answers.s7o]
ORDERED += [answers.sum_over_groups, answers.type3, answers.pdelta, answers.rbo]


@pytest.mark.parametrize("function", ORDERED, ids=lambda f: f.__name__)
def test_empty_answers(function: Callable[..., float]) -> None:
    assert math.isnan(function([], []))
    assert function(["a"], []) == function([], [["a", "b"]]) == 0
    assert function(["a", "b"], ["c"]) == 0


@pytest.mark.parametrize(
    "function", [*ORDERED, answers.tague_r, answers.mean_alpha], ids=lambda f: f.__name__
)
def test_sets_have_no_order(function: Callable[..., float]) -> None:
    with pytest.raises(InputError, match="second answer is a set") as caught:
        function(["a"], {"a", "b"})
    assert caught.value.code == "unordered"
    assert {"cardinal_ratio", "jaccard"} <= set(caught.value.hint.removeprefix("for sets: ").split(", "))


@pytest.mark.parametrize(
    ("function", "options"),
    [
        (answers.s2o, {"alpha": "eq5"}),
        (answers.s3o, {"mu": "eq9"}),
        (answers.s4o, {"over": "both"}),
        (answers.s5o, {"ranks": "middle"}),
        (answers.s6o, {"norm": "cosine"}),
        (answers.s1o, {"d0": "delay"}),
        (answers.s1o, {"absent": None}),
        (answers.pdelta, {"nominal": "tversky"}),
        (answers.s2o, {"sets": "eq24"}),
        (answers.rbo, {"variant": "c"}),
        (answers.rbo, {"p": 1}),
        (answers.rbo, {"p": math.nan}),
        (answers.rbo, {"p": "high"}),
    ],
)
def test_unknown_words(function: Callable[..., float], options: dict[str, Any]) -> None:
    with pytest.raises(MeasureError, match=next(iter(options))) as caught:
        function(["a"], ["a"], **options)
    assert caught.value.expected


def test_functions_that_give_no_number() -> None:
    with pytest.raises(MeasureError, match=r"d0\(1\.0\) is None"):
        answers.s1o(["a", "b"], ["a", "b"], d0=lambda r: None)  # type: ignore[arg-type, return-value]


@pytest.mark.parametrize("sizes", [[2, 0], [1.5], [True], ["2"], None])
def test_groups_of_no_size(sizes: Any) -> None:
    with pytest.raises(InputError, match="a group of"):
        answers.class_ranks(sizes)


def test_a_function_of_r_is_not_asked_where_there_is_no_r() -> None:
    asked: list[float] = []
    assert math.isnan(answers.s1o(["a", "b"], ["a"], d0=lambda r: asked.append(r) or 1.0))
    assert not asked


@settings(deadline=None, max_examples=50)
@given(one=groupings(), other=groupings())
def test_type_1_takes_any_nominal_measure(one: Groups, other: Groups) -> None:
    """Written as a function, Dice's coefficient gives what its name gives."""

    def dice(common: int, a: int, b: int) -> Fraction:
        return Fraction(2 * common, a + b)

    for sets in ("flat", "eq25"):
        for measure in (answers.s1o, answers.s2o, answers.s3o, answers.s4o):
            named = measure(one, other, nominal="dice", sets=sets)
            assert measure(one, other, nominal=dice, sets=sets) == pytest.approx(named, nan_ok=True)
