"""Laws: what holds for every measure, written once in rankscope.testing and run over the registry."""

from __future__ import annotations

import numpy as np
import pytest

from rankscope import CUTOFF, Measure, evaluate
from rankscope.measures import registered
from rankscope.measures.bibliography import BIBLIOGRAPHY
from rankscope.testing import LAWS, random_data, variants

BUILT_IN = [m for m in registered() if m.kernel.__module__.startswith("rankscope.")]
VARIANTS = [v for m in BUILT_IN for v in variants(m)]

# (measure, law) -> why the law does not hold for it by its nature.
EXCEPTIONS: dict[tuple[str, str], str] = {
    ("ED", "ties_are_all_their_orders"): "of its root there is only the root of the mean",
    ("ClasSi", "what_is_beyond_the_cutoff_does_not_matter"): "the cutoff counts items that have a class",
    ("PooledAUC", "a_query_is_measured_by_itself"): "it compares the scores of all queries",
    ("PooledAUC", "a_better_grade_further_up_never_hurts"): "the law gives all items of a query new scores",
    ("PooledAUC", "ties_are_all_their_orders"): "what equal scores mean is its own parameter",
}
EXCEPTIONS |= {
    (name, "ties_are_all_their_orders"): "equal scores are a group, as the measure's own definition has it"
    for name in ("GroupSimilarity", "Pdelta", "RBO", *(f"S{n}o" for n in range(1, 8)), "TagueR")
}
EXCEPTIONS |= {
    (name, "a_better_grade_further_up_never_hurts"): "what counts is where items stand in the other answer"
    for name in ("Pdelta", *(f"S{n}o" for n in range(2, 8)))
}


@pytest.mark.parametrize("measure", BUILT_IN, ids=str)
@pytest.mark.parametrize("law", LAWS)
def test_law(law: str, measure: Measure) -> None:
    if (measure.name, law) in EXCEPTIONS:
        with pytest.raises(AssertionError):
            LAWS[law](measure)
    else:
        LAWS[law](measure)


@pytest.mark.parametrize("measure", BUILT_IN, ids=str)
def test_declaration_of_what_is_built_in(measure: Measure) -> None:
    assert "\n" not in measure.meaning
    assert measure.reference in BIBLIOGRAPHY
    assert measure.better in ("higher", "lower")
    assert measure.truth in ("judgments", "order", "classes", "answer")


def test_a_built_in_measure_is_in_a_file_of_its_name() -> None:
    """So that the registry finds it without importing all others."""
    for measure in BUILT_IN:
        assert measure.kernel.__module__.rpartition(".")[2] == measure.name.casefold()


def test_every_reference_is_used() -> None:
    assert {m.reference for m in BUILT_IN} == set(BIBLIOGRAPHY)


# ---- the data of the laws has what they are about


def values(seed: int, *, tied: bool, queries: int = 25, **options: str) -> dict[str, np.ndarray]:
    judgments, run = random_data(seed, tied=tied, queries=queries)
    found: dict[str, np.ndarray] = {}
    for compares_answers in (False, True):
        chosen = [m for m in VARIANTS if (m.truth == "answer") == compares_answers]
        # Most measures of answers are undefined only where there is nothing to compare.
        nothing: dict[str, dict[str, float]] = {"nothing": {}} if compares_answers else {}
        if chosen:
            sides = {**judgments, **nothing}, {**run, **nothing}
            found |= evaluate(*sides, chosen, undefined="nan", **options).run.values
    return found


def test_every_measure_that_may_be_undefined_is_so_for_some_query() -> None:
    found = values(2, tied=True, queries=60)
    undefined = {m.name for m in VARIANTS if np.isnan(found[str(m)]).any()}
    assert undefined == {m.name for m in BUILT_IN if m.undefined is not None}


def test_every_measure_is_defined_for_some_query() -> None:
    """But for totals of 2 or 3 items, and for a threshold that all grades reach."""
    undefined = {name for name, column in values(1, tied=True).items() if np.isnan(column).all()}
    assert not {name for name in undefined if "total=" not in name and "threshold=0" not in name}


def test_every_measure_with_a_cutoff_has_a_variant_with_a_low_one() -> None:
    cut = {m.name for m in VARIANTS if (m.parameters.get("k") or 99) <= 3}
    assert cut == {m.name for m in BUILT_IN if CUTOFF in m.params}


def test_the_order_of_ties_often_matters() -> None:
    worst, best = (values(8, tied=True, queries=60, ties=ties) for ties in ("worst", "best"))
    for name in ("RR", "AP", "nDCG", "P@3", "bpref", "RBP(gain=scaled)"):
        assert (worst[name] < best[name]).sum() > 5, name
