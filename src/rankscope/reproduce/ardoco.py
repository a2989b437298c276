"""ArDoCo's metrics: the documented examples, their averages, and the values that its tests assert."""

from __future__ import annotations

from dataclasses import dataclass

from rankscope.links.aggregation import average_classifications, average_ranks
from rankscope.links.classification import classify
from rankscope.links.confusion import Confusion, f_measure
from rankscope.links.rank import RankResult, rank_lists
from rankscope.reproduce.cells import Cell, Experiment, Reproduction, Row, Settings, figure, rows_of

__all__ = ["reproduction"]

METRICS = ("map", "lag", "auc")
ILLUSTRATION = (
    "the documented response illustrates its form and does not answer the request: lists of three items "
    "cannot have a LAG of 13"
)


@dataclass(frozen=True)
class _Example:
    """A documented request, and the response printed beside it if there is one."""

    ranked: tuple[str, str]
    truth: str
    relevances: tuple[tuple[float, ...], ...]
    lower_is_better: bool
    printed: tuple[str, ...] = ("", "", "")

    def measured(self, **variant: str) -> RankResult:
        return rank_lists(
            [list(items) for items in self.ranked],
            set(self.truth),
            self.relevances,
            lower_is_better=self.lower_is_better,
            **variant,  # type: ignore[arg-type]
        )


EXAMPLES = {
    "REST, first": _Example(
        ("ABC", "BAD"), "AB", ((0.9, 0.8, 0.4), (0.7, 0.6, 0.5)), False, ("0.85", "13", "0.92")
    ),
    "REST, second": _Example(
        ("DEF", "BAD"), "DE", ((0.4, 0.8, 0.9), (0.5, 0.6, 0.7)), True, ("0.55", "25", "0.52")
    ),
    "library, with relevances": _Example(("ABC", "DAB"), "AB", ((0.9, 0.8, 0.4), (0.7, 0.6, 0.5)), False),
}
WEIGHTS = (2, 1)

# Metric -> (true positives, false positives, false negatives, true negatives) -> the asserted value.
ASSERTED: dict[str, dict[tuple[int, int, int, int], str]] = {
    "precision": {
        (10, 10, 0, 0): "0.5",
        (6, 1, 0, 0): "0.857",
        (10, 55, 0, 0): "0.154",
        (210, 22, 0, 0): "0.905",
    },
    "recall": {
        (10, 0, 10, 0): "0.5",
        (6, 0, 2, 0): "0.75",
        (10, 0, 55, 0): "0.154",
        (210, 0, 31, 0): "0.871",
    },
    "accuracy": {
        (10, 10, 10, 10): "0.5",
        (6, 1, 2, 3): "0.75",
        (10, 55, 55, 20): "0.214",
        (210, 22, 31, 1337): "0.967",
    },
    "phi": {
        (10, 10, 10, 10): "0",
        (6, 1, 2, 3): "0.478",
        (10, 55, 55, 20): "-0.579",
        (210, 22, 31, 1337): "0.869",
        (0, 0, 11, 11): "0",
        (11, 0, 11, 0): "0",
    },
    "specificity": {
        (0, 1, 0, 1): "0.5",
        (0, 420, 0, 1337): "0.76",
        (0, 20, 0, 0): "0",
        (0, 0, 0, 20): "1",
        (0, 0, 0, 0): "1",
        (0, 5, 0, 3): "0.375",
    },
}
ASSERTED_F1 = {
    (1.0, 1.0): "1",
    (0.0, 1.0): "0",
    (1.0, 0.0): "0",
    (0.9, 0.1): "0.18",
    (0.6, 0.4): "0.48",
    (0.3, 0.7): "0.42",
    (0.9, 0.9): "0.9",
    (0.4, 0.6): "0.48",
}
"""Of precision and recall."""


def reproduction(settings: Settings) -> Reproduction:
    """What the documentation and the tests of ArDoCo's metrics print, computed."""
    return Reproduction(
        "ardoco",
        "the wiki of ArDoCo/Metrics (2024; Rank Metrics, Usage via Library, Usage via REST API) and its "
        "ClassificationMetricsTest",
        "ArDoCo's metrics of traceability link recovery",
        (_ranks(), _averages(), _classification(), _asserted()),
    )


def _ranks() -> Experiment:
    rows = []
    for name, example in EXAMPLES.items():
        program = example.measured(compat="ardoco")
        documented = example.measured(mean_over="all_queries", lag="macro")
        for metric, printed in zip(METRICS, example.printed, strict=True):
            ours = (getattr(result, metric) for result in (program, documented))
            cells = tuple(figure(value, printed, otherwise=ILLUSTRATION) for value in ours)
            rows.append(Row((name, metric.upper()), cells))
    notes = (
        "The program takes LAG as the mean over all relevant items, and the documentation as the mean over "
        "queries; the program leaves queries without a relevant item out of MAP, and the documentation "
        "counts them.",
        "Equal relevances: the program decides by the order of the list, which is not documented; none of "
        "these examples has any.",
    )
    columns = ("as programmed", "as documented")
    return Experiment(
        "rank", "The documented examples of ranks", ("example", "metric"), columns, tuple(rows), notes
    )


def _averages() -> Experiment:
    results = [EXAMPLES[name].measured(compat="ardoco") for name in ("REST, first", "REST, second")]
    macro, weighted = average_ranks(results, WEIGHTS)
    undivided = sum(
        weight * result.auc for weight, result in zip(WEIGHTS, results, strict=True) if result.auc is not None
    )
    printed = {"map": "0.8", "lag": "12", "auc": "0.48"}
    rows = [
        Row((average.type, metric.upper()), (_average_cell(average[metric], text),))
        for average, texts in ((weighted, printed), (macro, dict.fromkeys(METRICS, "")))
        for metric, text in texts.items()
    ]
    rows.append(Row((weighted.type, "AUC as programmed"), (figure(undivided),)))
    note = (
        "The program adds up the weighted AUCs without dividing by the weights, so that its average can be "
        "above 1."
    )
    title = "The documented averages of ranks, weights 2 and 1"
    return Experiment("averages", title, ("average", "metric"), ("ours",), tuple(rows), (note,))


def _average_cell(value: float | None, printed: str) -> Cell:
    return figure(float("nan") if value is None else value, printed, otherwise=ILLUSTRATION)


def _classification() -> Experiment:
    whole = classify([*"ABC"], [*"ACD"])
    parts = [classify([*"AB"], [*"AC"]), classify([*"BC"], [*"CD"])]
    averages = {found.type: found.values for found in average_classifications(parts, WEIGHTS)}
    rows = {
        "library: ABC against ACD": whole.metrics(),
        **{f"REST: {name}, weights 2 and 1": values for name, values in averages.items()},
    }
    names = ("precision", "recall", "f1")
    cells = {
        label: [figure(value) for name in names if (value := values[name]) is not None]
        for label, values in rows.items()
    }
    note = "The documentation prints no numbers for these: its responses have 0 in every place."
    title = "The documented examples of classifications"
    return Experiment("classification", title, ("example",), names, rows_of(cells), (note,))


def _asserted() -> Experiment:
    rows = [
        Row(
            (metric, "tp {}, fp {}, fn {}, tn {}".format(*counts)),
            (figure(_metric(metric, counts), printed),),
        )
        for metric, cases in ASSERTED.items()
        for counts, printed in cases.items()
    ]
    rows += [
        Row(("f1", "precision {:g}, recall {:g}".format(*pair)), (figure(f_measure(*pair), printed),))
        for pair, printed in ASSERTED_F1.items()
    ]
    title = "The values that the tests of the program assert"
    return Experiment("asserted", title, ("metric", "of"), ("ours",), tuple(rows))


def _metric(name: str, counts: tuple[int, int, int, int]) -> float:
    return float(getattr(Confusion(*counts), name))
