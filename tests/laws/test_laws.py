"""Laws: what holds for every measure, written once and run over the registry."""

from __future__ import annotations

import math
import pickle
import random
from dataclasses import replace

import numpy as np
import pytest

import rankscope
from rankscope import CUTOFF, Measure, Param, parse
from rankscope.measures import registered
from rankscope.measures.bibliography import BIBLIOGRAPHY

BUILT_IN = [m for m in registered() if m.kernel.__module__.startswith("rankscope.")]

Judgments = dict[str, dict[str, float]]
Run = dict[str, dict[str, float]]


def examples(param: Param) -> list[object]:
    """A few values that a parameter takes, its default left out."""
    if param.is_cutoff:
        return [1, 3, 1000]
    if param.kind is str:
        return [c for c in param.choices if c != param.default]
    tried = [0, 0.3, 0.5, 1.5, 2, 3, 10]
    return [v for v in tried if v != param.default and param._number(v) is not None][:3]


def variants(measure: Measure) -> list[Measure]:
    """The measure with each parameter changed alone, and all at once."""
    one = [measure(**{p.name: v}) for p in measure.params for v in examples(p)]
    all_at_once = measure(**{p.name: examples(p)[-1] for p in measure.params})
    return list(dict.fromkeys([measure, *one, all_at_once]))


VARIANTS = [v for m in BUILT_IN for v in variants(m)]
each_variant = pytest.mark.parametrize("measure", VARIANTS, ids=str)
each_measure = pytest.mark.parametrize("measure", BUILT_IN, ids=str)


def data(seed: int, *, tied: bool, queries: int = 25, items: int = 12) -> tuple[Judgments, Run]:
    rng = random.Random(seed)
    judgments: Judgments = {}
    run: Run = {}
    for q in range(queries):
        pool = [f"d{i}" for i in range(2 * items)]
        graded = rng.sample(pool, rng.randint(1, items))
        judgments[f"q{q}"] = {item: rng.choice([-1, 0, 0, 1, 1, 2, 3.5]) for item in graded}
        ranked = rng.sample(pool, rng.randint(0, items))
        scores = [rng.randrange(4) for _ in ranked] if tied else rng.sample(range(100), len(ranked))
        run[f"q{q}"] = dict(zip(ranked, map(float, scores), strict=True))
    return judgments, run


def values(judgments: Judgments, run: Run, measures: list[Measure], **options: str) -> dict[str, np.ndarray]:
    options = {"undefined": "nan", **options}
    return rankscope.evaluate(judgments, run, measures, **options).run.values


def assert_same_bytes(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> None:
    for name in one:
        assert one[name].tobytes() == other[name].tobytes(), name


@each_measure
def test_declaration_is_complete(measure: Measure) -> None:
    assert measure.meaning.endswith("."), "one sentence says what it means"
    assert "\n" not in measure.meaning
    assert measure.formula
    assert measure.reference in BIBLIOGRAPHY
    assert measure.better in ("higher", "lower")
    assert measure.range[0] < measure.range[1]
    assert all(p.help for p in measure.params)
    assert measure.truth == "judgments"


def test_every_reference_is_used() -> None:
    assert {m.reference for m in BUILT_IN} == set(BIBLIOGRAPHY)


@each_variant
def test_name_reads_back_as_the_measure(measure: Measure) -> None:
    assert parse(str(measure)) == measure
    assert parse(str(measure).upper()) == measure
    assert pickle.loads(pickle.dumps(measure)) == measure
    assert hash(parse(str(measure))) == hash(measure)


@pytest.mark.parametrize("ties", ["docid", "expected", "best", "worst"])
@pytest.mark.parametrize("unjudged", ["irrelevant", "drop"])
def test_bounds(ties: str, unjudged: str) -> None:
    found = values(*data(1, tied=True), VARIANTS, ties=ties, unjudged=unjudged)
    for measure in VARIANTS:
        low, high = measure.range
        column = found[str(measure)]
        defined = column[~np.isnan(column)]
        assert len(defined)
        assert np.all((defined >= low) & (defined <= high)), measure


def test_only_measures_that_say_so_are_ever_undefined() -> None:
    found = values(*data(2, tied=True, queries=60), VARIANTS)
    for measure in VARIANTS:
        if measure.undefined is None:
            assert not np.isnan(found[str(measure)]).any(), measure
    undefined = {m.name for m in VARIANTS if np.isnan(found[str(m)]).any()}
    assert undefined == {m.name for m in BUILT_IN if m.undefined is not None}


def test_empty_ranking_has_the_declared_value() -> None:
    judgments: Judgments = {"empty": {"a": 2, "b": 0, "c": 1, "x": 3.5}, "other": {"a": 1}}
    for run in ({"empty": {}, "other": {"a": 1.0}}, {"other": {"a": 1.0}}):
        found = values(judgments, run, VARIANTS)
        for measure in VARIANTS:
            if measure.empty is not None:
                assert found[str(measure)][0] == measure.empty, measure


def test_only_numrel_has_no_fixed_value_of_an_empty_ranking() -> None:
    assert [m.name for m in BUILT_IN if m.empty is None] == ["NumRel"]  # it counts what the judgments have


def test_ids_are_only_names() -> None:
    judgments, run = data(3, tied=False)
    pool = sorted({i for side in (judgments, run) for items in side.values() for i in items})
    new = dict(
        zip(pool, random.Random(0).sample([f"x{n}" for n in range(len(pool))], len(pool)), strict=True)
    )
    renamed = [
        {f"Q{q}": {new[i]: v for i, v in items.items()} for q, items in side.items()}
        for side in (judgments, run)
    ]
    assert_same_bytes(values(judgments, run, VARIANTS), values(*renamed, VARIANTS))


@pytest.mark.parametrize("ties", ["docid", "expected", "worst"])
def test_only_the_order_of_scores_matters(ties: str) -> None:
    judgments, run = data(4, tied=True)
    moved = {q: {i: math.exp(s / 7) - 20 for i, s in items.items()} for q, items in run.items()}
    assert_same_bytes(
        values(judgments, run, VARIANTS, ties=ties), values(judgments, moved, VARIANTS, ties=ties)
    )


def test_what_stands_beyond_the_cutoff_does_not_matter() -> None:
    judgments, run = data(5, tied=False, items=30)
    long = {q: items for q, items in run.items() if len(items) >= 4}
    cut = [m for m in VARIANTS if (m.parameters.get("k") or 99) <= 3]
    assert {m.name for m in cut} == {m.name for m in BUILT_IN if CUTOFF in m.params}
    best = {q: sorted(items, key=items.__getitem__, reverse=True) for q, items in long.items()}
    tail_gone = {q: {i: long[q][i] for i in items[:3]} for q, items in best.items()}
    tail_turned = {
        q: {i: -float(n) for n, i in enumerate(items[:3] + items[:2:-1])} for q, items in best.items()
    }
    kept = {q: judgments[q] for q in long}
    assert_same_bytes(values(kept, long, cut), values(kept, tail_gone, cut))
    assert_same_bytes(values(kept, long, cut), values(kept, tail_turned, cut))


def test_a_better_grade_further_up_never_hurts() -> None:
    judgments, run = data(6, tied=False, queries=60)
    better: Run = {}
    for q, items in run.items():
        order = sorted(items, key=items.__getitem__, reverse=True)
        grades = [judgments[q].get(item) for item in order]
        for n in range(len(order) - 1):
            high, low = grades[n], grades[n + 1]
            if high is not None and low is not None and high < low:
                order[n], order[n + 1] = order[n + 1], order[n]
                break
        better[q] = {item: -float(n) for n, item in enumerate(order)}
    before, after = values(judgments, run, VARIANTS), values(judgments, better, VARIANTS)
    moved = 0
    for measure in VARIANTS:
        sign = 1 if measure.better == "higher" else -1
        gain = sign * (after[str(measure)] - before[str(measure)])
        assert np.all(np.isnan(gain) | (gain >= -1e-12)), measure
        moved += int(np.nansum(gain > 1e-12))
    assert moved > 100


@pytest.mark.parametrize("ties", ["docid", "expected", "best", "worst"])
@pytest.mark.parametrize("unjudged", ["irrelevant", "drop"])
def test_a_query_alone_has_the_same_value_to_the_last_bit(ties: str, unjudged: str) -> None:
    judgments, run = data(7, tied=True, queries=12, items=20)
    run |= {"q0": dict(list(run["q0"].items())[:1])}  # one query without any tie among others with ties
    together = values(judgments, run, VARIANTS, ties=ties, unjudged=unjudged)
    for number, query in enumerate(judgments):
        alone = values({query: judgments[query]}, {query: run[query]}, VARIANTS, ties=ties, unjudged=unjudged)
        for name, column in together.items():
            assert column[number : number + 1].tobytes() == alone[name].tobytes(), (name, query)


def test_expected_lies_between_worst_and_best() -> None:
    judgments, run = data(8, tied=True, queries=60)
    worst, mean, best = (values(judgments, run, VARIANTS, ties=t) for t in ("worst", "expected", "best"))
    apart = 0
    for measure in VARIANTS:
        sign = 1 if measure.better == "higher" else -1
        low, middle, high = (sign * side[str(measure)] for side in (worst, mean, best))
        defined = ~np.isnan(middle)
        assert np.all(low[defined] <= middle[defined] + 1e-12), measure
        assert np.all(middle[defined] <= high[defined] + 1e-12), measure
        apart += int(np.count_nonzero(low[defined] < high[defined]))
    assert apart > 100


def test_without_ties_all_tie_policies_agree_to_the_last_bit() -> None:
    judgments, run = data(9, tied=False)
    given = values(judgments, run, VARIANTS)
    for ties in ("docid-asc", "given", "expected", "best", "worst"):
        assert_same_bytes(given, values(judgments, run, VARIANTS, ties=ties))


def test_a_lower_is_better_measure_takes_its_best_value_from_the_other_end() -> None:
    """The same kernel with the orientation turned: its best value is then the lowest."""
    judgments, run = data(10, tied=True)
    turned = replace(parse("RR"), better="lower")
    assert values(judgments, run, [turned], ties="best")["RR"].tobytes() == (
        values(judgments, run, [parse("RR")], ties="worst")["RR"].tobytes()
    )
