"""rankscope.testing: a measure that breaks a law is found, law by law, and the message says how."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import count, pairwise

import numpy as np
import pytest

import rankscope
from rankscope import CUTOFF, MeasureError, measure
from rankscope.measures import Graded, Measure, binary, linear, registered
from rankscope.measures.registry import REGISTRY
from rankscope.testing import LAWS, LawBroken, check_measure


@pytest.fixture(autouse=True)
def _own_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    registered()
    monkeypatch.setattr(REGISTRY, "_by_name", dict(REGISTRY._by_name))
    monkeypatch.setattr(REGISTRY, "_by_alias", dict(REGISTRY._by_alias))


Kernel = Callable[..., np.ndarray]


def declared(kernel: Kernel, **options: object) -> Measure:
    kernel.__doc__ = "Something for a test."
    defaults = {"undefined": None, "formula": "x", "range": (-math.inf, math.inf)}
    return measure("Mine", **{**defaults, **options})(kernel)  # type: ignore[arg-type]


def no_formula() -> Measure:
    return declared(hits_of_all, formula="")


def hits_of_all(graded: Graded) -> np.ndarray:
    return graded.hits(1.0)


def of_another_name() -> Measure:
    return replace(declared(hits_of_all), name="AP")


def beyond_one() -> Measure:
    return declared(hits_of_all, range=(0, 1))


def sometimes_nan() -> Measure:
    return declared(lambda graded: np.where(graded.hits(1.0) > 1, np.nan, 0.0))


def one_when_empty() -> Measure:
    return declared(lambda graded: 1.0 + graded.hits(1.0))


def by_the_name_of_the_query() -> Measure:
    return declared(lambda graded: np.array([float(ord(q[0])) for q in graded.judgments.queries]), empty=None)


def by_the_score() -> Measure:
    def kernel(ranked: object, judgments: object) -> np.ndarray:
        score, offsets = ranked.score, ranked.offsets  # type: ignore[attr-defined]
        return np.array([score[a:b].sum() for a, b in pairwise(offsets)])

    return declared(kernel, product="ranked")


def beyond_the_cutoff() -> Measure:
    def kernel(graded: Graded, *, k: int | None) -> np.ndarray:
        return graded.hits(1.0)

    return declared(kernel, params=[CUTOFF])


def better_when_worse() -> Measure:
    return declared(hits_by_rank, better="lower")


def hits_by_rank(graded: Graded) -> np.ndarray:
    return graded.total(linear, np.reciprocal)


def by_the_neighbours() -> Measure:
    return declared(lambda graded: graded.hits(1.0) / max(graded.hits(1.0).max(), 1.0))


def above_its_best() -> Measure:
    return declared(
        lambda graded: graded.hits(1.0, 2) + (0.5 if graded.tied else 0.0) * (graded.retrieved > 0)
    )


def by_the_call() -> Measure:
    calls = count()
    return declared(lambda graded: graded.hits(1.0) + next(calls) * (graded.retrieved > 0))


def first_of_a_group() -> Measure:
    """Right for strict orders, and no mean where items are tied."""
    return declared(lambda graded: graded.sum(binary(1.0)(graded.grade) / graded.first))


BREAKS = {
    "is_declared_whole": no_formula,
    "name_reads_back": of_another_name,
    "stays_in_range": beyond_one,
    "is_undefined_only_as_declared": sometimes_nan,
    "empty_ranking_is_as_declared": one_when_empty,
    "ids_are_only_names": by_the_name_of_the_query,
    "only_the_order_of_scores_matters": by_the_score,
    "what_is_beyond_the_cutoff_does_not_matter": beyond_the_cutoff,
    "a_better_grade_further_up_never_hurts": better_when_worse,
    "a_query_is_measured_by_itself": by_the_neighbours,
    "expected_lies_between_worst_and_best": above_its_best,
    "ties_matter_only_where_there_are_some": by_the_call,
    "ties_are_all_their_orders": first_of_a_group,
}


def test_every_law_is_broken_by_some_measure() -> None:
    assert BREAKS.keys() == LAWS.keys()


@pytest.mark.parametrize("law", BREAKS)
def test_a_broken_law_is_found_and_named(law: str) -> None:
    bad = BREAKS[law]()
    with pytest.raises(LawBroken, match=f"^(Mine|AP).* breaks the law {law}: "):
        LAWS[law](bad)


def test_the_message_shows_the_data_and_the_values() -> None:
    with pytest.raises(AssertionError) as caught:
        check_measure(one_when_empty())
    assert str(caught.value).splitlines() == [
        "Mine breaks the law empty_ranking_is_as_declared: An empty ranking, and a query that the run lacks, "
        "have the value that it declares.",
        "  found:     1.0 instead of 0.0",
        "  query:     empty",
        "  judgments: {'a': 2, 'b': 0, 'c': 1, 'x': 3.5}",
        "  run:       {}",
    ]


def test_a_law_may_be_excepted_by_name() -> None:
    bad = one_when_empty()
    check_measure(bad, exceptions={"empty_ranking_is_as_declared": "it counts from one"})
    with pytest.raises(MeasureError, match="did you mean empty_ranking_is_as_declared"):
        check_measure(bad, exceptions={"empty_ranking_as_declared": "it counts from one"})


def test_a_good_measure_passes() -> None:
    check_measure(declared(hits_of_all, range=(0, math.inf)))
    check_measure(rankscope.AP(rel=2) @ 5)
