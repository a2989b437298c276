"""Charts of runs against judgments: what `rankscope plot` draws.

Each function takes a truth and runs as `evaluate` does, measures them, and returns a `Chart`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rankscope.align import Judged, Ranked, align
from rankscope.compare import compare
from rankscope.data import Judgments, Run, runs_of
from rankscope.errors import InputError, MeasureError, PolicyError, nearest, printable
from rankscope.evaluate import evaluate, with_rel
from rankscope.measures import CUTOFF, Graded, Measure, parse
from rankscope.plots.bars import bars
from rankscope.plots.box import box
from rankscope.plots.chart import Chart
from rankscope.plots.curves import curves
from rankscope.plots.heatmap import heatmap
from rankscope.plots.look import Mode
from rankscope.plots.roc import roc
from rankscope.plots.scatter import scatter
from rankscope.plots.series import Series
from rankscope.policy import Policy

__all__ = [
    "KINDS",
    "agreement",
    "at_cutoffs",
    "classi_at_cutoffs",
    "differences",
    "distributions",
    "pairs_of_values",
    "plot",
    "precision_recall",
    "roc_curves",
]

CUTOFFS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100)
RECALLS = tuple(level / 10 for level in range(11))

FloatArray = npt.NDArray[np.float64]


def at_cutoffs(
    judgments: Any,
    runs: Any,
    measure: str | Measure = "nDCG",
    *,
    cutoffs: Iterable[int] = CUTOFFS,
    mode: Mode = "light",
    **options: Any,
) -> Chart:
    """Any measure with a cutoff against k, a curve for each run."""
    found = with_rel(parse(measure), options.get("rel"))
    if CUTOFF not in found.params:
        raise MeasureError(
            f"{found} takes no cutoff",
            code="no-cutoff",
            expected="a measure of the first k items, such as nDCG, P or R",
        )
    ks = sorted({int(k) for k in cutoffs})
    wanted = [found @ k for k in ks]
    result = evaluate(judgments, runs, wanted, **options)
    series = [Series(name, ks, [run[m] for m in wanted]) for name, run in result.runs.items()]
    return curves(series, title=f"{found(k=None)}@k", x="k", y=str(found(k=None)), mode=mode)


def classi_at_cutoffs(judgments: Any, runs: Any, *, mode: Mode = "light", **options: Any) -> Chart:
    """ClasSi at every k, between the best and the worst that there could be."""
    ks = [int(k) for k in options.pop("cutoffs", CUTOFFS)]
    wanted = [parse(f"ClasSi@{k}") for k in ks]
    result = evaluate(judgments, runs, wanted, **options)
    series = [Series(name, ks, [run[m] for m in wanted]) for name, run in result.runs.items()]
    ends = [Series(name, ks, [end] * len(ks), reference=name) for name, end in (("best", 1), ("worst", -1))]
    return curves([*series, *ends], title="ClasSi@k", x="k", y="ClasSi", y_range=(-1, 1), mode=mode)


def precision_recall(
    judgments: Any, runs: Any, *, rel: float = 1.0, mode: Mode = "light", **options: Any
) -> Chart:
    """Interpolated precision at eleven levels of recall, averaged over the queries with a relevant item."""
    truth = _graded(judgments)
    series = [Series(run.name, RECALLS, _interpolated(truth, run, rel, options)) for run in runs_of(runs)]
    return curves(series, title="Precision at recall", x="recall", y="precision", y_range=(0, 1), mode=mode)


def _interpolated(truth: Judgments, run: Run, rel: float, options: dict[str, Any]) -> FloatArray:
    graded = Graded.of(align(truth, run, **_of_align(options)), truth)
    relevant = graded.relevant(rel)
    hits = graded.groups(rel)
    sums, counted = np.zeros(len(RECALLS)), 0
    for query in np.flatnonzero(relevant > 0).tolist():
        rows = slice(*hits.offsets[query : query + 2].tolist())
        ranks = hits.first[rows]
        precision = np.arange(1, len(ranks) + 1) / ranks
        # The best precision at this recall or any higher one; none of the rest was found.
        best = np.append(np.maximum.accumulate(precision[::-1])[::-1], 0.0)
        needed = np.floor(np.array(RECALLS) * relevant[query] + 0.9).astype(int)  # as trec_eval rounds
        sums += best[np.minimum(np.maximum(needed, 1) - 1, len(ranks))]
        counted += 1
    if not counted:
        raise InputError("no query has a relevant item", code="chart-empty", expected="relevant items")
    return sums / counted


def roc_curves(judgments: Any, runs: Any, *, rel: float = 1.0, mode: Mode = "light", **options: Any) -> Chart:
    """The ROC curve of each run over all queries; an item without a judgment is not relevant."""
    from rankscope.links import roc as roc_of

    truth = _graded(judgments)
    series = []
    for run in runs_of(runs):
        given = _of_align(options)
        table = align(truth, run, dense=True, **given)
        relevant = _relevant(truth, align(truth, run, **given), table, rel)
        found = roc_of(relevant, table.score, lower_is_better=bool(options.get("lower_is_better")))
        if np.isnan(found.auc):
            raise InputError(
                "no ROC curve can be drawn",
                code="chart-empty",
                where=printable(run.name),
                expected="relevant items and others among those ranked",
            )
        series.append(Series(f"{run.name}, AUC {found.auc:.3f}", found.fpr, found.tpr))
    return roc(series, title="ROC over all queries", mode=mode)


def _relevant(truth: Judgments, judged: Judged, table: Ranked, rel: float) -> npt.NDArray[np.bool_]:
    """Whether each retrieved item is relevant to its query."""
    counts = np.diff(judged.offsets)
    good = truth.grades[np.repeat(truth.offsets[:-1], counts) + judged.item] >= rel
    place = np.repeat(table.offsets[:-1], counts) + judged.rank - 1
    flags = np.zeros(len(table.item), np.bool_)
    flags[place[good]] = True
    return flags


def differences(
    judgments: Any, runs: Any, measure: str | Measure = "nDCG@10", *, mode: Mode = "light", **options: Any
) -> Chart:
    """What the second run gains over the first, query by query, from the most to the least."""
    result = evaluate(judgments, runs, [measure], **options)
    if len(result.runs) != 2:
        raise InputError(
            f"runs given: {len(result.runs)}",
            code="chart-runs",
            expected="two runs to subtract",
        )
    (found,), (first, second) = result.measures, result.runs
    comparison = compare(result, baseline=first, test="sign", interval=None)
    values = {each.query: each.difference for each in comparison.queries(found, second)}
    title = f"{printable(second)} less {printable(first)}"
    return bars(values, title=title, x="queries", y=f"difference in {found}", mode=mode)


def distributions(
    judgments: Any, runs: Any, measure: str | Measure = "nDCG@10", *, mode: Mode = "light", **options: Any
) -> Chart:
    """How the values of a measure are spread over the queries, a box for each run."""
    result = evaluate(judgments, runs, [measure], **options)
    (found,) = result.measures
    values = {name: run.values[str(found)][run.counted] for name, run in result.runs.items()}
    return box(values, title=f"{found} over the queries", y=str(found), mode=mode)


def pairs_of_values(
    judgments: Any,
    runs: Any,
    measures: str | Measure | Sequence[str | Measure] = "nDCG@10",
    *,
    mode: Mode = "light",
    **options: Any,
) -> Chart:
    """Two runs by one measure, or one run by two measures, query by query."""
    result = evaluate(judgments, runs, measures, **options)
    shape = (len(result.runs), len(result.measures))
    if shape not in ((2, 1), (1, 2)):
        raise InputError(
            f"{shape[0]} runs and {shape[1]} measures",
            code="chart-runs",
            expected="two runs and one measure, or one run and two measures",
        )
    names = [*result.runs] if shape[0] == 2 else [str(m) for m in result.measures]
    columns = [run.values[str(m)] for run in result.runs.values() for m in result.measures]
    points = dict(zip(result.shown_queries, zip(*(c.tolist() for c in columns), strict=True), strict=True))
    title = str(result.measures[0]) if shape[0] == 2 else printable(next(iter(result.runs)))
    return scatter(points, title=title, x=names[0], y=names[1], diagonal=shape[0] == 2, mode=mode)


def agreement(
    judgments: Any,
    runs: Any,
    measures: str | Measure | Sequence[str | Measure] = "nDCG@10",
    *,
    mode: Mode = "light",
    **options: Any,
) -> Chart:
    """How alike measures, or runs by one measure, order the queries: Kendall's tau-b between each two."""
    result = evaluate(judgments, runs, measures, **options)
    by_measure = len(result.measures) > 1
    if by_measure:
        columns = {
            name: np.concatenate([run.values[name] for run in result.runs.values()])
            for name in map(str, result.measures)
        }
    else:
        columns = {name: run.values[str(result.measures[0])] for name, run in result.runs.items()}
    if len(columns) < 2:
        raise InputError(
            "one run and one measure", code="chart-runs", expected="at least two runs, or two measures"
        )
    what = "Measures" if by_measure else f"Runs by {result.measures[0]}"
    matrix = [[_tau(one, other) for other in columns.values()] for one in columns.values()]
    title = f"{what}: tau-b over the queries"
    return heatmap(matrix, list(columns), title=title, value_range=(-1, 1), mode=mode)


def _tau(one: FloatArray, other: FloatArray) -> float:
    from rankscope.orders import kendall

    both = np.isfinite(one) & np.isfinite(other)
    return float(kendall(one[both], other[both])) if both.any() else float("nan")


def _graded(given: Any) -> Judgments:
    truth = Judgments.of(given)
    if truth.kind != "judgments":
        raise InputError(f"a truth of the kind {truth.kind}", code="chart-truth", expected="judgments")
    return truth


# Curves over every rank need one order of the items, and have no other use for a policy.
_OF_CURVES = ("ties", "duplicates", "scores")


def _of_align(options: dict[str, Any]) -> dict[str, Any]:
    """What align takes of the options of evaluate."""
    policies = {
        n: v for n, v in options.items() if n not in ("lower_is_better", "progress") and v is not None
    }
    policy = Policy.of(policies)
    for name in policies:
        if name not in _OF_CURVES or (name == "ties" and policy.ties in ("expected", "best", "worst")):
            raise PolicyError(
                f"{name}={policies[name]} cannot be drawn here",
                code="chart-policy",
                expected="ties=docid, docid-asc or given; duplicates; scores",
            )
    return {
        "tie_order": policy.tie_order,
        "duplicates": policy.duplicates,
        "float32": policy.scores == "float32",
        "ascending": bool(options.get("lower_is_better")),
        "progress": options.get("progress"),
    }


KINDS: dict[str, tuple[str, Callable[..., Chart]]] = {
    "curve": ("a measure with a cutoff against k", at_cutoffs),
    "pr": ("interpolated precision at eleven levels of recall", precision_recall),
    "roc": ("ROC curves over the scores of all queries", roc_curves),
    "classi": ("ClasSi at every k; the grades are the classes", classi_at_cutoffs),
    "delta": ("what the second run gains over the first, query by query", differences),
    "box": ("the distribution of a measure over the queries", distributions),
    "scatter": ("two runs by one measure, or one run by two, query by query", pairs_of_values),
    "heatmap": ("how alike measures, or runs, order the queries (tau-b)", agreement),
}
"""What `rankscope plot` draws: what it shows, and the function."""


def plot(kind: str, judgments: Any, runs: Any, **options: Any) -> Chart:
    """A chart of runs: curve, pr, roc, classi, delta, box, scatter or heatmap, as `rankscope plot` draws it.

    `judgments` and `runs` are as for `evaluate`, and so are the policies among the options. Others are
    `measure` (of curve, delta and box), `measures` (of scatter and heatmap), `cutoffs` (of curve and classi),
    `rel` (but not of classi), and `mode`: light or dark.

    >>> judgments = {"q1": {"a": 1}, "q2": {"b": 2}}
    >>> plot("curve", judgments, {"mine": {"q1": ["b", "a"], "q2": ["b"]}}, measure="RR", cutoffs=[1, 2])
    Chart('RR@k')
    """
    if kind not in KINDS:
        close = nearest(str(kind), KINDS, count=1)
        raise InputError(
            f"there is no chart '{printable(str(kind))}'",
            code="chart-kind",
            expected=f"one of {', '.join(KINDS)}",
            hint=f"did you mean {close[0]}?" if close else "",
        )
    return KINDS[kind][1](judgments, runs, **options)
