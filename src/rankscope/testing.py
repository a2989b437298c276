"""Laws that hold for every measure, for the author of a new one.

>>> import rankscope
>>> from rankscope.testing import check_measure
>>> check_measure(rankscope.nDCG)

Each law of `LAWS` is checked on the measure and on variants of it with other parameters, on small random
rankings that are the same in every run.
"""

from __future__ import annotations

import math
import pickle
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt

from rankscope.data import Judgments
from rankscope.errors import MeasureError, nearest
from rankscope.evaluate import evaluate
from rankscope.measures import CUTOFF, Measure, Param, parse
from rankscope.measures.scale import SCALE
from rankscope.policy import CHOICES

__all__ = ["LAWS", "LawBroken", "check_measure", "random_data", "variants"]

Table = dict[str, dict[str, float]]
Values = dict[str, npt.NDArray[np.float64]]
Law = Callable[[Measure], None]

ROUNDING = 1e-12
TIES = tuple(CHOICES["ties"])
LAWS: dict[str, Law] = {}
"""Every law by its name; called with a measure, it raises LawBroken or does nothing."""


class LawBroken(AssertionError):
    """A measure does not keep a law; the message names both, and the data and values that show it."""


def check_measure(measure: Measure, *, exceptions: Mapping[str, str] | None = None) -> None:
    """Check every law on a measure and its variants; the first that is broken is raised as `LawBroken`.

    `exceptions` maps the names of laws that do not hold for the measure by its nature to the reasons.
    """
    excepted = exceptions or {}
    for name in excepted:
        if name not in LAWS:
            close = nearest(name, LAWS)
            raise MeasureError(
                f"there is no law '{name}'",
                code="unknown-law",
                expected=f"one of {', '.join(LAWS)}",
                hint=f"did you mean {' or '.join(close)}?" if close else "",
            )
    for name, check in LAWS.items():
        if name not in excepted:
            check(measure)


def variants(measure: Measure) -> list[Measure]:
    """The measure with each parameter changed alone, and all at once."""
    one = [measure(**{p.name: v}) for p in measure.params for v in _examples(p)]
    all_at_once = measure(**{p.name: found[-1] for p in measure.params if (found := _examples(p))})
    return list(dict.fromkeys([measure, *one, all_at_once]))


def _examples(param: Param) -> Sequence[object]:
    """A few values that a parameter takes, its default left out."""
    if param.is_cutoff:
        return [1, 3, 1000]
    if param is SCALE:  # another quantity than the measure itself, with laws of its own
        return []
    if param.kind is str:
        return [c for c in param.choices if c != param.default]
    return [v for v in (0, 0.3, 0.5, 1.5, 2, 3, 10) if v != param.default and param.takes(v)][:3]


def random_data(seed: int, *, tied: bool, queries: int = 25, items: int = 12) -> tuple[Table, Table]:
    """Judgments with grades from -1 to 3.5, and a run; some of each other's items are not in both."""
    rng = random.Random(seed)
    judgments: Table = {}
    run: Table = {}
    for q in range(queries):
        pool = [f"d{i}" for i in range(2 * items)]
        graded = rng.sample(pool, rng.randint(1, items))
        judgments[f"q{q}"] = {item: rng.choice([-1, 0, 0, 1, 1, 2, 3.5]) for item in graded}
        ranked = rng.sample(pool, rng.randint(0, items))
        scores = [rng.randrange(4) for _ in ranked] if tied else rng.sample(range(100), len(ranked))
        run[f"q{q}"] = dict(zip(ranked, map(float, scores), strict=True))
    return judgments, run


# ---- how a law is written


def _law(check: Law) -> Law:
    LAWS[check.__name__] = check
    return check


def _values(judgments: Table | Judgments, run: Table, measures: list[Measure], **options: Any) -> Values:
    return evaluate(judgments, run, measures, undefined="nan", **options).run.values


def _broken(law: Law, measure: Measure, query: str, sides: tuple[Table, Table], what: str) -> LawBroken:
    judgments, run = (side.get(query, {}) for side in sides)
    return LawBroken(
        f"{measure} breaks the law {law.__name__}: {(law.__doc__ or '').strip()}\n"
        f"  found:     {what}\n"
        f"  query:     {query}\n"
        f"  judgments: {judgments}\n"
        f"  run:       {run}"
    )


def _hold_everywhere(
    law: Law,
    measures: list[Measure],
    sides: tuple[Table, Table],
    holds: Callable[[Measure], Any],
    what: str,
    *found: Values,
) -> None:
    """`holds` gives one truth value per query; `what` says what is wrong with the values `found`."""
    for measure in measures:
        bad = np.flatnonzero(~np.asarray(holds(measure), np.bool_))
        if len(bad):
            first = int(bad[0])
            shown = ", ".join(repr(float(values[str(measure)][first])) for values in found)
            raise _broken(law, measure, list(sides[0])[first], sides, f"{shown}: {what}")


def _equal(law: Law, measures: list[Measure], sides: tuple[Table, Table], one: Values, other: Values) -> None:
    """The two give the same values to the last bit."""
    for measure in measures:
        first, second = one[str(measure)], other[str(measure)]
        for query, a, b in zip(sides[0], first, second, strict=True):
            if a.tobytes() != b.tobytes():
                raise _broken(law, measure, query, sides, f"{float(a)!r} became {float(b)!r}")


def _sign(measure: Measure) -> int:
    return 1 if measure.better == "higher" else -1


def _policies() -> Iterator[dict[str, Any]]:
    for unjudged in ("irrelevant", "drop"):
        yield from ({"ties": ties, "unjudged": unjudged} for ties in ("docid", "expected", "best", "worst"))


# ---- the laws


@_law
def is_declared_whole(measure: Measure) -> None:
    """It says what it means in one sentence, its formula, and what each parameter is for."""
    faults = {
        "no sentence that ends with a full stop says what it means": not measure.meaning.endswith("."),
        "it has no formula": not measure.formula,
        "its range is empty": not measure.range[0] < measure.range[1],
        "a parameter has no help": not all(p.help for p in measure.params),
    }
    for fault, found in faults.items():
        if found:
            raise LawBroken(f"{measure} breaks the law is_declared_whole: {fault}")


@_law
def name_reads_back(measure: Measure) -> None:
    """Its name, in any case, and its pickle give the same measure again."""
    for variant in variants(measure):
        for again in (parse(str(variant)), parse(str(variant).upper()), pickle.loads(pickle.dumps(variant))):
            if again != variant or hash(again) != hash(variant):
                raise LawBroken(f"{variant} breaks the law name_reads_back: it came back as {again}")


@_law
def stays_in_range(measure: Measure) -> None:
    """No value is outside its range, whatever the ties and the unjudged items."""
    sides = random_data(1, tied=True)
    for options in _policies():
        found = _values(*sides, variants(measure), **options)

        def inside(variant: Measure, found: Values = found) -> Any:
            column = found[str(variant)]
            return np.isnan(column) | ((column >= variant.range[0]) & (column <= variant.range[1]))

        what = f"outside its range, with ties={options['ties']} unjudged={options['unjudged']}"
        _hold_everywhere(stays_in_range, variants(measure), sides, inside, what, found)


@_law
def is_undefined_only_as_declared(measure: Measure) -> None:
    """A measure that does not declare what stands where it is undefined has a value for every query."""
    if measure.undefined is not None:
        return
    sides = random_data(2, tied=True, queries=60)
    chosen = variants(measure)
    found = _values(*sides, chosen)

    def is_defined(variant: Measure) -> Any:
        return ~np.isnan(found[str(variant)])

    _hold_everywhere(is_undefined_only_as_declared, chosen, sides, is_defined, "not defined", found)


@_law
def empty_ranking_is_as_declared(measure: Measure) -> None:
    """An empty ranking, and a query that the run lacks, have the value that it declares."""
    if measure.empty is None:
        return
    judgments: Table = {"empty": {"a": 2, "b": 0, "c": 1, "x": 3.5}, "other": {"a": 1}}
    for run in ({"empty": {}, "other": {"a": 1.0}}, {"other": {"a": 1.0}}):
        found = _values(judgments, run, variants(measure))
        for variant in variants(measure):
            value = float(found[str(variant)][0])
            if value != measure.empty:
                what = f"{value!r} instead of {measure.empty!r}"
                raise _broken(empty_ranking_is_as_declared, variant, "empty", (judgments, run), what)


@_law
def ids_are_only_names(measure: Measure) -> None:
    """Other names for queries and items change nothing."""
    sides = judgments, run = random_data(3, tied=False)
    pool = sorted({i for side in sides for items in side.values() for i in items})
    shuffled = random.Random(0).sample([f"x{n}" for n in range(len(pool))], len(pool))
    new = dict(zip(pool, shuffled, strict=True))

    def renamed(side: Table) -> Table:
        return {f"Q{q}": {new[i]: v for i, v in items.items()} for q, items in side.items()}

    chosen = variants(measure)
    after = _values(renamed(judgments), renamed(run), chosen)
    _equal(ids_are_only_names, chosen, sides, _values(*sides, chosen), after)


@_law
def only_the_order_of_scores_matters(measure: Measure) -> None:
    """Other scores in the same order, with the same ties, change nothing."""
    sides = judgments, run = random_data(4, tied=True)
    moved = {q: {i: math.exp(s / 7) - 20 for i, s in items.items()} for q, items in run.items()}
    chosen = variants(measure)
    for ties in ("docid", "expected", "worst"):
        before = _values(judgments, run, chosen, ties=ties)
        after = _values(judgments, moved, chosen, ties=ties)
        _equal(only_the_order_of_scores_matters, chosen, sides, before, after)


@_law
def what_is_beyond_the_cutoff_does_not_matter(measure: Measure) -> None:
    """With a cutoff of 3, the items from rank 4 on may be gone or in another order."""
    chosen = [m for m in variants(measure) if m.parameters.get(CUTOFF.name) in (1, 2, 3)]
    if not chosen:
        return
    judgments, run = random_data(5, tied=False, items=30)
    long = {q: items for q, items in run.items() if len(items) >= 4}
    kept = {q: judgments[q] for q in long}
    order = {q: sorted(items, key=items.__getitem__, reverse=True) for q, items in long.items()}
    gone = {q: {i: long[q][i] for i in items[:3]} for q, items in order.items()}
    turned = {q: _by_falling_score(items[:3] + items[:2:-1]) for q, items in order.items()}
    before = _values(kept, long, chosen)
    for other in (gone, turned):
        after = _values(kept, other, chosen)
        _equal(what_is_beyond_the_cutoff_does_not_matter, chosen, (kept, long), before, after)


@_law
def a_better_grade_further_up_never_hurts(measure: Measure) -> None:
    """Two neighbours in the wrong order of their grades, put right, do not make the value worse."""
    sides = judgments, run = random_data(6, tied=False, queries=60)
    better = {q: _one_pair_put_right(items, judgments[q]) for q, items in run.items()}
    chosen = variants(measure)
    before, after = _values(judgments, run, chosen), _values(judgments, better, chosen)

    def no_worse(variant: Measure) -> Any:
        gain = _sign(variant) * (after[str(variant)] - before[str(variant)])
        return np.isnan(gain) | (gain >= -ROUNDING)

    what = "worse once the first wrong pair of neighbours is put right"
    _hold_everywhere(a_better_grade_further_up_never_hurts, chosen, sides, no_worse, what, before, after)


def _one_pair_put_right(items: dict[str, float], grades: dict[str, float]) -> dict[str, float]:
    order = sorted(items, key=items.__getitem__, reverse=True)
    for n in range(len(order) - 1):
        high, low = grades.get(order[n]), grades.get(order[n + 1])
        if high is not None and low is not None and high < low:
            order[n], order[n + 1] = order[n + 1], order[n]
            break
    return _by_falling_score(order)


@_law
def a_query_is_measured_by_itself(measure: Measure) -> None:
    """A query alone has the same value as among others, to the last bit."""
    judgments, run = random_data(7, tied=True, queries=12, items=20)
    run |= {"q0": dict(list(run["q0"].items())[:1])}  # one query without any tie among others with ties
    chosen = variants(measure)
    for options in _policies():
        together = _values(judgments, run, chosen, **options)
        for number, query in enumerate(judgments):
            sides = {query: judgments[query]}, {query: run[query]}
            among = {name: column[number : number + 1] for name, column in together.items()}
            _equal(a_query_is_measured_by_itself, chosen, sides, among, _values(*sides, chosen, **options))


@_law
def expected_lies_between_worst_and_best(measure: Measure) -> None:
    """Over the orders of tied items, the mean is not better than the best value nor worse than the worst."""
    sides = random_data(8, tied=True, queries=60)
    chosen = variants(measure)
    worst, mean, best = (_values(*sides, chosen, ties=t) for t in ("worst", "expected", "best"))

    def between(variant: Measure) -> Any:
        low, middle, high = (_sign(variant) * side[str(variant)] for side in (worst, mean, best))
        return np.isnan(middle) | ((low <= middle + ROUNDING) & (middle <= high + ROUNDING))

    what = "worst, mean and best over the orders of the ties are not in this order"
    _hold_everywhere(expected_lies_between_worst_and_best, chosen, sides, between, what, worst, mean, best)


@_law
def ties_matter_only_where_there_are_some(measure: Measure) -> None:
    """Without ties all policies on ties give the same value, to the last bit."""
    sides = random_data(9, tied=False)
    chosen = variants(measure)
    # Judged items that were not retrieved are tied among themselves, so they stay out of this.
    given = _values(*sides, chosen, unretrieved="drop")
    for ties in TIES:
        after = _values(*sides, chosen, ties=ties, unretrieved="drop")
        _equal(ties_matter_only_where_there_are_some, chosen, sides, given, after)


@_law
def ties_are_all_their_orders(measure: Measure) -> None:
    """The mean, best and worst over ties are those of all orders of the tied items, tried one by one."""
    judgments: Table = {"q": {"a": 3.5, "b": 1, "c": 0, "d": -1, "e": 1, "x": 2}}
    run: Table = {"q": {"f": 2.0, "a": 1.0, "b": 1.0, "c": 1.0, "u": 1.0, "e": 0.5, "d": 0.5}}
    orders = [["f", *upper, *lower] for upper in permutations("abcu") for lower in permutations("de")]
    chosen = variants(measure)
    truth = Judgments.of(judgments)
    tried = [_values(truth, {"q": _by_falling_score(order)}, chosen) for order in orders]
    for ties, summary in (("expected", np.mean), ("best", np.max), ("worst", np.min)):
        found = _values(truth, run, chosen, ties=ties)
        for variant in chosen:
            signed = _sign(variant) * np.array([values[str(variant)][0] for values in tried])
            wanted, value = _sign(variant) * float(summary(signed)), float(found[str(variant)][0])
            if not (math.isnan(wanted) and math.isnan(value)) and not abs(value - wanted) <= ROUNDING:
                what = f"{value!r} with ties={ties}, where trying all orders gives {wanted!r}"
                raise _broken(ties_are_all_their_orders, variant, "q", (judgments, run), what)


def _by_falling_score(order: list[str]) -> dict[str, float]:
    return {item: -float(n) for n, item in enumerate(order)}
