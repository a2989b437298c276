"""Charts of runs: what they draw is what the measures and the peers say."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pytrec_eval
from sklearn.metrics import roc_auc_score

import rankscope
from rankscope import InputError, MeasureError, PolicyError
from rankscope.cli import run as command
from rankscope.plots import of_runs

ROOT = Path(__file__).parents[2]
QRELS = str(ROOT / "examples" / "judgments.qrels")
RUNS = [str(ROOT / "examples" / f"{name}.run") for name in ("bm25", "dense", "hybrid")]


def random_sides(seed: int) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    rng = random.Random(seed)
    pool = [f"d{n}" for n in range(30)]
    judgments = {
        f"q{q}": {i: rng.choice([0, 0, 1, 2]) for i in rng.sample(pool, rng.randint(2, 20))}
        for q in range(40)
    }
    scored = {
        q: dict(zip(rng.sample(pool, 25), rng.sample([n / 7 for n in range(100)], 25), strict=True))
        for q in judgments
    }
    return judgments, scored


def points(chart: Any, series: str) -> list[tuple[float, float]]:
    return [(p["x"], p["y"]) for p in chart.spec["data"]["values"] if p["series"] == series]


def test_precision_at_recall_is_that_of_trec_eval() -> None:
    judgments, run = random_sides(1)
    levels = "iprec_at_recall"
    theirs = pytrec_eval.RelevanceEvaluator(judgments, {levels}).evaluate(run)
    counted = [q for q, grades in judgments.items() if any(g > 0 for g in grades.values())]
    chart = of_runs.precision_recall(judgments, {"mine": run})
    for recall, precision in points(chart, "mine"):
        mean = np.mean([theirs[q][f"{levels}_{recall:.2f}"] for q in counted])
        assert precision == pytest.approx(mean, abs=1e-12)
    assert len(points(chart, "mine")) == 11


def test_the_area_under_the_roc_curve_is_that_of_scikit_learn() -> None:
    judgments, run = random_sides(2)
    rows = [(judgments[q].get(i, 0) >= 1, score) for q, items in run.items() for i, score in items.items()]
    area = roc_auc_score(*zip(*rows, strict=True))
    chart = of_runs.roc_curves(judgments, {"mine": run})
    names = {point["series"] for point in chart.spec["data"]["values"]}
    assert f"mine, AUC {area:.3f}" in names


def test_a_curve_has_the_measure_at_each_cutoff() -> None:
    chart = of_runs.at_cutoffs(QRELS, RUNS, "P", cutoffs=[1, 5, 20])
    result = rankscope.evaluate(QRELS, RUNS, "P@1, P@5, P@20")
    for name in ("bm25", "dense", "hybrid"):
        assert points(chart, name) == [(k, result[name][f"P@{k}"]) for k in (1, 5, 20)]
    with pytest.raises(MeasureError, match="takes no cutoff"):
        of_runs.at_cutoffs(QRELS, RUNS, "bpref")


def test_differences_are_second_less_first() -> None:
    chart = of_runs.differences(QRELS, RUNS[:2], "AP")
    result = rankscope.evaluate(QRELS, RUNS[:2], "AP")
    drawn = {row["name"]: row["value"] for row in chart.spec["data"]["values"]}
    for query, value in drawn.items():
        gap = result["dense"].queries[query]["AP"] - result["bm25"].queries[query]["AP"]
        assert value == pytest.approx(gap, abs=1e-12)
    assert list(drawn.values()) == sorted(drawn.values(), reverse=True)
    with pytest.raises(InputError, match="runs given: 3"):
        of_runs.differences(QRELS, RUNS, "AP")


def test_a_box_is_made_of_quartiles() -> None:
    chart = of_runs.distributions(QRELS, RUNS[:1], "AP")
    values = rankscope.evaluate(QRELS, RUNS[:1], "AP").run.values["AP"]
    (drawn,) = chart.spec["data"]["values"]
    assert [drawn["q1"], drawn["median"], drawn["q3"]] == np.quantile(values, [0.25, 0.5, 0.75]).tolist()


def test_scatter_takes_two_runs_or_two_measures() -> None:
    by_runs = of_runs.pairs_of_values(QRELS, RUNS[:2], "AP")
    by_measures = of_runs.pairs_of_values(QRELS, RUNS[:1], ["AP", "RR"])
    result = rankscope.evaluate(QRELS, RUNS[:2], "AP, RR")
    for chart, sides in (
        (by_runs, [("bm25", "AP"), ("dense", "AP")]),
        (by_measures, [("bm25", "AP"), ("bm25", "RR")]),
    ):
        drawn = {row["name"]: (row["x"], row["y"]) for row in chart.spec["layer"][-1]["data"]["values"]}
        for query, pair in drawn.items():
            assert pair == tuple(result[run].queries[query][measure] for run, measure in sides)
    with pytest.raises(InputError, match="2 runs and 2 measures"):
        of_runs.pairs_of_values(QRELS, RUNS[:2], ["AP", "RR"])


@pytest.mark.parametrize("kind", of_runs.KINDS)
def test_a_kind_is_drawn_by_its_name(kind: str) -> None:
    drawn = rankscope.plot(kind, QRELS, RUNS[:2], mode="dark")
    assert drawn.spec == of_runs.KINDS[kind][1](QRELS, RUNS[:2], mode="dark").spec


def test_a_kind_that_there_is_not() -> None:
    with pytest.raises(InputError, match="did you mean curve"):
        rankscope.plot("curves", QRELS, RUNS)


def test_other_grades_may_be_relevant_and_other_systems_meant() -> None:
    result = rankscope.evaluate(QRELS, RUNS[:1], "P(rel=2)@5, AP(rel=2)")
    curve = rankscope.plot("curve", QRELS, RUNS[:1], measure="P", cutoffs=[5], rel=2)
    assert points(curve, "bm25") == [(5, result["P(rel=2)@5"])]
    box = rankscope.plot("box", QRELS, RUNS[:1], measure="AP", rel=2)
    assert box.spec["data"]["values"][0]["median"] == np.median(result.run.values["AP(rel=2)"])
    assert rankscope.plot("delta", QRELS, RUNS[:2], measure="AP", compat="trec_eval-9").spec["data"]["values"]


@pytest.mark.parametrize("kind", ["pr", "roc"])
def test_what_cannot_be_drawn_is_not_drawn_otherwise(kind: str) -> None:
    """A curve over ranks has one order of tied items: a mean over orders would be another curve."""
    with pytest.raises(PolicyError, match="ties=expected cannot be drawn"):
        rankscope.plot(kind, QRELS, RUNS, ties="expected")
    with pytest.raises(PolicyError, match="unjudged=drop cannot be drawn"):
        rankscope.plot(kind, QRELS, RUNS, unjudged="drop")
    with pytest.raises(InputError, match="expected: judgments"):
        rankscope.plot(kind, rankscope.Order.of({"q01": ["a", "b"]}), RUNS)


def test_classes_may_be_the_truth_of_classi() -> None:
    classes = rankscope.Classes({"x": "b", "y": "t", "z": "c"}, {"q1": "b"}, {"c": 1, "t": 6})
    drawn = rankscope.plot("classi", classes, {"mine": {"q1": ["x", "y", "z"]}}, cutoffs=[1, 3])
    values = rankscope.evaluate(classes, {"q1": ["x", "y", "z"]}, "ClasSi@1, ClasSi@3")
    assert points(drawn, "mine") == [(k, values[f"ClasSi@{k}"]) for k in (1, 3)]


@pytest.mark.parametrize("kind", of_runs.KINDS)
def test_the_command_draws_every_kind(kind: str, tmp_path: Path) -> None:
    target = tmp_path / "chart.json"
    assert command(["plot", kind, QRELS, *RUNS[:2], "-o", str(target)]) == 0
    spec = json.loads(target.read_text())
    assert spec["$schema"].endswith("vega-lite/v5.json")
    assert command(["plot", kind, QRELS, *RUNS[:2], "-o", str(tmp_path / "chart.svg"), "--dark"]) == 0
    assert (tmp_path / "chart.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["curve", QRELS, RUNS[0], "-o", "x.gif"], "a chart cannot be written as '.gif'"),
        (["pr", QRELS, RUNS[0], "-m", "AP", "-o", "x.svg"], "pr takes no measure"),
        (["box", QRELS, RUNS[0], "-m", "AP", "-m", "RR", "-o", "x.svg"], "box takes one measure"),
        (["box", QRELS, RUNS[0], "--cutoffs", "1", "-o", "x.svg"], "box has no cutoffs"),
        (["curve", QRELS, RUNS[0], "--cutoffs", "1,a", "-o", "x.svg"], "'a' is not a cutoff"),
        (["heatmap", QRELS, RUNS[0], "-o", "x.svg"], "one run and one measure"),
    ],
)
def test_mistakes_are_answered(
    arguments: list[str],
    words: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert command(["plot", *arguments]) == 2
    assert words in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
