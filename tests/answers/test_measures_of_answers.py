"""The measures of answers on runs: query by query what the functions give of two answers."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import rankscope
from rankscope import answers
from rankscope.answers.matched import Matched
from rankscope.data import Answer
from rankscope.measures.similarity import UNORDERED

Table = dict[str, dict[str, float]]

FUNCTIONS: dict[str, Callable[..., float]] = {
    "SizeRatio": answers.cardinal_ratio,
    "SizeShare": answers.cardinal_share,
    "SizeShare(of=answer)": partial(answers.cardinal_share, of="answer"),
    "Jaccard": answers.jaccard,
    "Dice": answers.dice,
    "Cosine": answers.cosine,
    "Overlap": answers.overlap,
    "AnswerRecall": answers.recall,
    "AnswerPrecision": answers.precision,
    "TagueR": answers.tague_r,
    "TagueR(absent=literal)": partial(answers.tague_r, absent="literal"),
    "S1o": answers.s1o,
    "S1o(d0=positive, nominal=dice)": partial(answers.s1o, d0="positive", nominal="dice"),
    "S2o(alpha=eq8, ranks=first)": partial(answers.s2o, alpha="eq8", ranks="first"),
    "S2o(alpha=eq9, over=all)": partial(answers.s2o, alpha="eq9", over="all"),
    "S3o(mu=eq14, sets=eq25)": partial(answers.s3o, mu="eq14", sets="eq25"),
    "S4o": answers.s4o,
    "S4o(alpha=eq27, mu=eq15, over=all)": partial(answers.s4o, alpha="eq27", mu="eq15", over="all"),
    "S5o(norm=self, ranks=class)": partial(answers.s5o, norm="self", ranks="class"),
    "S6o(mu=eq11)": partial(answers.s6o, mu="eq11"),
    "S7o(ranks=eq30)": partial(answers.s7o, ranks="eq30"),
    "GroupSimilarity(nominal=cosine)": partial(answers.sum_over_groups, nominal="cosine"),
    "Pdelta": answers.pdelta,
    "Pdelta(nominal=overlap)": partial(answers.pdelta, nominal="overlap"),
    "RBO": answers.rbo,
    "RBO(p=0.5, variant=w)": partial(answers.rbo, p=0.5, variant="w"),
    "RBO(variant=b)": partial(answers.rbo, variant="b"),
}


def random_run(seed: int, queries: int = 30) -> Table:
    """Answers of 0 to 9 of the same 14 items to each query, with many ties."""
    rng = random.Random(seed)
    pool = [f"d{n}" for n in range(14)]
    return {
        f"q{q}": {item: float(rng.randrange(5)) for item in rng.sample(pool, rng.randrange(10))}
        for q in range(queries)
    }


def test_every_measure_of_answers_is_here() -> None:
    known = {m.name for m in rankscope.measures.registered() if m.truth == "answer"}
    assert {rankscope.parse(name).name for name in FUNCTIONS} == known


@pytest.mark.parametrize("ties", ["docid", "given", "expected", "best", "worst", "kept"])
def test_a_run_is_measured_query_by_query(core: ModuleType, ties: str) -> None:
    """Tied scores are groups whatever the policy on ties."""
    run, other = random_run(1), random_run(2)
    result = rankscope.evaluate(other, run, list(FUNCTIONS), ties=ties)
    for name, function in FUNCTIONS.items():
        found = result.run.values[str(rankscope.parse(name))]
        wanted = [function(run[query], other[query]) for query in other]
        np.testing.assert_allclose(found, wanted, rtol=1e-13, atol=1e-15, err_msg=name)


def test_depth_cuts_the_run_and_leaves_the_groups_above_it(core: ModuleType) -> None:
    run, other = {"q": {"a": 3, "b": 2, "c": 2, "d": 2}}, {"q": ["a", "b", "c"]}
    found = rankscope.evaluate(other, run, "SizeRatio, Pdelta", depth=2, ties="given")
    assert found["SizeRatio"] == pytest.approx(2 / 3)
    assert found["Pdelta"] == pytest.approx(answers.pdelta(["a", "b"], ["a", "b", "c"]))


def test_queries_that_only_one_side_has(core: ModuleType) -> None:
    run, other = {"q1": ["a"], "q3": ["c"]}, {"q1": ["a", "b"], "q2": ["b"]}
    result = rankscope.evaluate(other, run, "Jaccard, TagueR")
    assert result.queries["q1"]["Jaccard"] == 0.5
    assert result.queries["q2"]["Jaccard"] == 0
    assert list(result.queries) == ["q1", "q2"]
    assert any("'q3'" in note for note in result.notes)


def test_both_answers_empty_is_undefined(core: ModuleType) -> None:
    result = rankscope.evaluate({"q1": {}, "q2": ["a"]}, {"q1": {}, "q2": ["a"]}, "Jaccard, RBO, Pdelta, S5o")
    assert all(math.isnan(value) for value in result.queries["q1"].values())
    assert result["Jaccard"] == result["RBO"] == result["Pdelta"] == 1


def test_items_of_one_query_are_not_those_of_another(core: ModuleType) -> None:
    """The same item is in the answers to different queries, and items that only the run has come between."""
    run = {"q1": ["z", "y", "b"], "q2": ["x", "a"], "q3": ["b"]}
    other = {"q1": ["a"], "q2": ["b"], "q3": ["a", "b"]}
    result = rankscope.evaluate(other, run, "Jaccard")
    assert [values["Jaccard"] for values in result.queries.values()] == [0, 0, 0.5]


def test_an_ordered_measure_needs_an_answer_and_not_judgments() -> None:
    with pytest.raises(rankscope.MeasureError, match="another answer"):
        rankscope.evaluate({"q": {"a": 1}}, {"q": ["a"]}, "Jaccard, AP")


def test_those_named_unordered_are_just_those_that_do_not_see_the_order() -> None:
    one, other = {"q": ["a", "b", "c", "d"]}, {"q": ["d", "e", "b", "a"]}
    known = [m for m in rankscope.measures.registered() if m.truth == "answer"]
    before, tied = (
        rankscope.evaluate(truth, one, known).run.aggregate
        for truth in (other, {"q": [["d", "e", "b", "a"]]})
    )
    assert {name for name in before if before[name] == tied[name]} == set(UNORDERED)


def test_measures_of_a_call_match_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from rankscope.answers import matched

    calls: list[Any] = []
    original = matched._match
    monkeypatch.setattr(matched, "_match", lambda *sides: calls.append(1) or original(*sides))
    rankscope.evaluate(random_run(3), random_run(4), "Jaccard, Pdelta, RBO")
    assert len(calls) == 1
    rankscope.evaluate(random_run(3), random_run(4), "Jaccard")
    assert len(calls) == 2


def test_a_match_is_not_kept_longer_than_its_tables() -> None:
    from rankscope.answers import matched

    rankscope.evaluate(random_run(3), random_run(4), "Jaccard")
    assert matched._LATEST._held is None


def test_two_hundred_thousand_items() -> None:
    """Linear: a quadratic step would not end."""
    n = 200_000
    one = [str(i) for i in range(n)]
    other = one[::-1]
    assert answers.jaccard(one, other) == 1
    assert answers.tague_r(one, other) == pytest.approx(-1)
    # Eq 6 over a reversal of n, n even: 1 - (n^2 / 2) / n^2.
    assert answers.s2o(one, other) == pytest.approx(0.5)
    assert 0 < answers.pdelta(one, other) < 1
    assert 0 <= answers.rbo(one, other) < 1e-12
    assert answers.mean_alpha(one, one, over="all") == pytest.approx(1 - (n * n - 1) / (3 * n * n), rel=1e-12)
    harmonic = 1 + sum(2 * (n - d) / n / (d + 1) for d in range(1, n))
    assert answers.mean_alpha(one, one, alpha="eq9", over="all") == pytest.approx(harmonic / n, rel=1e-11)


def test_sides_of_a_pair() -> None:
    matched = Matched.of(answers.Ranking.of([["a", "b"], "c"]), answers.Ranking.of(["c", ["x", "b"]]))
    assert matched.left.number.tolist() == [1, 2]
    assert matched.right.before.tolist() == [0, 1]
    assert matched.common.tolist() == [2]
    assert [matched.cells.count.tolist(), matched.cells.i.tolist(), matched.cells.j.tolist()] == [
        [1, 1],
        [0, 1],
        [1, 0],
    ]


def test_another_answer_may_be_a_run() -> None:
    prepared = Answer.of({"q": {"a": 2.0, "b": 1.0}})
    assert rankscope.evaluate(prepared, {"q": ["a", "b"]}, "RBO, Pdelta").aggregate == {
        "RBO": 1.0,
        "Pdelta": 1.0,
    }
