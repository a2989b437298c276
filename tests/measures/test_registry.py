"""Measures as values, and how they are declared, found and replaced."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rankscope
from rankscope import CUTOFF, REL, MeasureError, Param, measure
from rankscope.measures import Graded, binary, registered
from rankscope.measures.registry import REGISTRY


@pytest.fixture(autouse=True)
def _own_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    registered()
    monkeypatch.setattr(REGISTRY, "_by_name", dict(REGISTRY._by_name))
    monkeypatch.setattr(REGISTRY, "_by_alias", dict(REGISTRY._by_alias))


JUDGMENTS = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"x": 1}}
RUN = {"q1": {"b": 3.0, "a": 2.5, "u": 2.0, "c": 1.0}, "q2": {"y": 1.0}}


def declare_half(divisor: float):
    @measure("Half", aliases=("halved",), params=[REL, CUTOFF], empty=0, undefined=None)
    def half(graded: Graded, *, rel: float, k: int | None) -> np.ndarray:
        """Half the number of relevant items. It is a test."""
        return graded.total(binary(rel), lambda rank: np.full_like(rank, 1 / divisor), k)

    return half


def test_a_measure_of_ones_own() -> None:
    half = declare_half(2)
    assert rankscope.evaluate(JUDGMENTS, RUN, [half, half @ 2, "halved(rel=2)"]).aggregate == {
        "Half": 0.5,
        "Half@2": 0.25,
        "Half(rel=2)": 0.25,
    }
    assert half in registered()
    assert rankscope.Half is half


def test_the_same_module_may_define_it_anew() -> None:
    first, second = declare_half(2), declare_half(4)
    assert first != second
    assert rankscope.parse("half") == rankscope.parse("halved") == second


@pytest.mark.parametrize(("name", "aliases"), [("AP", ()), ("ap", ()), ("MAP", ()), ("Mine", ("ndcg",))])
def test_names_of_others_are_taken(name: str, aliases: tuple[str, ...]) -> None:
    with pytest.raises(MeasureError, match="belongs to"):
        measure(name, aliases=aliases)(lambda graded: np.zeros(len(graded)))
    assert rankscope.parse("AP").kernel.__module__ == "rankscope.measures.relevance.ap"
    assert REGISTRY.get("Mine") is None


@pytest.mark.parametrize("name", ["run", "Query"])
def test_names_of_columns_are_reserved(name: str) -> None:
    with pytest.raises(MeasureError, match="reserved"):
        measure(name)(lambda graded: np.zeros(len(graded)))


def test_declared_parameters_are_those_of_the_kernel() -> None:
    def kernel(graded: Graded, *, beta: float) -> np.ndarray:
        return np.zeros(len(graded))

    with pytest.raises(MeasureError, match=r"takes \['beta'\], but \['k'\] are declared"):
        measure("Mine", params=[CUTOFF])(kernel)


@pytest.mark.parametrize("bounds", ["", "0, 1", "(1, 0)", "(a, b)"])
def test_bounds_are_an_interval(bounds: str) -> None:
    with pytest.raises(MeasureError):
        Param("x", float, default=0.5, bounds=bounds)


def test_a_default_out_of_bounds_is_an_error() -> None:
    with pytest.raises(MeasureError):
        Param("x", float, default=2.0, bounds="(0, 1)")


def test_words_need_choices() -> None:
    with pytest.raises(MeasureError):
        Param("x", str, default="a")


def test_a_measure_that_reads_every_retrieved_item() -> None:
    @measure("Unjudged", product="ranked", undefined=None, aggregate="sum", range=(0, math.inf))
    def unjudged(ranked, judgments) -> np.ndarray:  # type: ignore[no-untyped-def]
        known = set(judgments.items)
        new = np.array([ranked.dictionary[code] not in known for code in ranked.item.tolist()])
        return np.array([new[a:b].sum() for a, b in zip(ranked.offsets, ranked.offsets[1:], strict=False)])

    result = rankscope.evaluate(JUDGMENTS, RUN, [unjudged, "NumRet"])
    assert result.run.values["Unjudged"].tolist() == [1, 1]
    assert result["Unjudged"] == 2
    assert result["NumRet"] == 5
    assert rankscope.evaluate(JUDGMENTS, RUN, unjudged)["Unjudged"] == 2


def test_aggregates() -> None:
    def declare(name: str, aggregate: str, weighted: bool = False):
        @measure(name, aggregate=aggregate)  # type: ignore[arg-type]
        def kernel(graded: Graded):
            values = np.array([0.5, np.nan])[: len(graded)] if name != "Geo" else np.array([0.5, 0.0])
            return (np.array([0.5, 1.0]), np.array([3.0, 1.0])) if weighted else values

        return kernel

    mean, total = declare("Mean", "mean"), declare("Total", "sum")
    geo, ratio = declare("Geo", "gmean"), declare("Ratio", "ratio", weighted=True)
    found = rankscope.evaluate(JUDGMENTS, RUN, [mean, total, geo, ratio]).aggregate
    assert found["Mean"] == 0.5
    assert found["Total"] == 0.5
    assert found["Geo"] == pytest.approx(math.sqrt(0.5 * 1e-5))  # trec_eval's floor of a geometric mean
    assert found["Ratio"] == 2.5 / 4


@pytest.mark.parametrize("returned", [np.zeros(1), np.zeros((2, 1)), 0.5, (np.zeros(2), np.zeros(3))])
def test_a_kernel_must_return_a_value_per_query(returned: object) -> None:
    bad = measure("Bad")(lambda graded: returned)
    with pytest.raises(MeasureError) as caught:
        rankscope.evaluate(JUDGMENTS, RUN, bad)
    assert caught.value.code == "bad-kernel"


def test_parameters_in_python() -> None:
    ndcg = rankscope.nDCG
    assert str(ndcg @ 10) == "nDCG@10"
    assert str(ndcg(gain="exp") @ 10) == "nDCG(gain=exp)@10"
    assert ndcg @ np.int64(10) == ndcg(k=10) == ndcg @ 10
    assert (ndcg @ 10)(k=None) == ndcg
    assert len({ndcg, ndcg(), ndcg(gain="linear"), ndcg @ 5}) == 2
    assert rankscope.AP(rel=-0.0) == rankscope.AP(rel=0)
    for bad in (0, -1, 2.5, "10", True, 2**31):
        with pytest.raises(MeasureError):
            ndcg @ bad  # type: ignore[operator]


def test_a_measure_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        rankscope.AP.name = "MAP"
