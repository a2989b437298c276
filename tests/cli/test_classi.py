"""rankscope classi: rankings of labels, runs over labelled items, explanations and curves."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rankscope import Classes, classi, evaluate
from rankscope.classes.example import DISTANCE, QUERY_CLASS, RANKINGS

Command = Callable[..., Any]


@pytest.fixture
def folder(examples: Path) -> Path:
    return examples / "classi"


@pytest.fixture
def given(folder: Path) -> list[object]:
    """Two rankings and what is needed to measure them."""
    distance = ("--query-class", "bonobo", "--distance", folder / "distances.csv")
    return [folder / "r1.txt", folder / "r2.txt", *distance]


def table(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


# ---- the example


def test_the_example_that_is_shipped_is_that_of_the_files(folder: Path) -> None:
    for name, labels in RANKINGS.items():
        assert (folder / f"{name}.txt").read_text().split() == labels
    rows = list(csv.DictReader(io.StringIO((folder / "distances.csv").read_text())))
    assert {row["class"]: int(row["distance"]) for row in rows} == DISTANCE
    assert rows[0]["class"] == QUERY_CLASS


def test_the_example_shows_the_values_of_the_paper(command: Command) -> None:
    """1, 0.95, 0.76 and -1; costs 3, 15 and 126."""
    done = command("classi", "--example")
    values, curves = done.out.split("\n\n")
    header, *lines = table(values)
    assert header == ["ranking", "ClasSi", "p", "cost", "worst", "cost", "n", "items"]
    assert [(line[0], round(float(line[1]), 2), float(line[3])) for line in lines] == [
        ("best", 1.0, 0),
        ("r1", 0.95, 3),
        ("r2", 0.76, 15),
        ("worst", -1.0, 126),
    ]
    names, *positions = table(curves)
    assert names == ["k", "best", "r1", "r2", "worst"]
    assert positions[0] == ["1", "1.0000", "0.8421", "1.0000", "-1.0000"]
    assert [line[3] for line in positions[3:6]] == ["1.0000", "0.7500", "0.7561"]
    assert (done.code, done.err) == (0, "")


def test_the_example_works_away_from_the_project(
    process: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = os.pathsep.join(os.path.abspath(folder) for folder in sys.path)
    monkeypatch.chdir(tmp_path)
    done = process("classi", "--example", "--format", "json", PYTHONPATH=path)
    assert done.code == 0
    assert [ranking["name"] for ranking in json.loads(done.out)["rankings"]] == list(RANKINGS)


# ---- rankings of labels


def test_files_of_labels(command: Command, given: list[object]) -> None:
    found = json.loads(command("classi", *given, "--format", "json", "--curve", "--explain").out)["rankings"]
    expected = classi(RANKINGS["r2"], QUERY_CLASS, DISTANCE)
    assert found[1]["curve"] == expected.curve.tolist()
    assert found[1]["expected"] == expected.expected.tolist()
    assert (found[1]["p_value"], found[1]["p_method"]) == (expected.pvalue().value, "exact")
    pair = {"ahead": "tiger", "behind": "chimpanzee", "count": 3, "each": 5.0, "cost": 15.0}
    assert found[1]["pairs"] == [pair]
    assert found[1]["position_costs"][4] == 15


def test_the_curve_as_csv(command: Command, given: list[object]) -> None:
    rows = list(csv.DictReader(io.StringIO(command("classi", *given, "--curve", "--format", "csv").out)))
    assert len(rows) == 20
    assert rows[14] == {
        "ranking": "r2",
        "k": "5",
        "ClasSi": "0.75",
        "expected": repr(float(classi(RANKINGS["r2"], QUERY_CLASS, DISTANCE).expected[4])),
        "cost": "15.0",
        "worst cost": "120.0",
    }


def test_an_order_a_taxonomy_a_cutoff_and_unit_costs(command: Command, folder: Path) -> None:
    def value(*options: object) -> float:
        done = command("classi", folder / "r2.txt", *options, "--format", "json")
        return float(json.loads(done.out)["rankings"][0]["classi"])

    labels = RANKINGS["r2"]
    order = ["bonobo", "chimpanzee", "tiger"]
    assert value("--order", "bonobo, chimpanzee, tiger") == classi(labels, order=order).value
    joined = [["bonobo", "chimpanzee"], "tiger"]
    assert value("--order", "bonobo=chimpanzee,tiger") == classi(labels, order=joined).value
    assert value("--order", "bonobo,chimpanzee,tiger", "-k", 5) == classi(labels, order=order, k=5).value
    units = classi(labels, order=order, cost="unit").value
    assert value("--order", "bonobo,chimpanzee,tiger", "--cost", "unit") == units
    tree = ("--query-class", "bonobo", "--taxonomy", folder / "taxonomy.csv")
    steps = {"bonobo": 0, "chimpanzee": 2, "tiger": 4}
    assert value(*tree) == classi(labels, distance=steps).value
    upwards = {"bonobo": 0, "chimpanzee": 1, "tiger": 2}
    assert value(*tree, "--steps", "up") == classi(labels, distance=upwards).value


def test_the_first_labels_and_counts(command: Command, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "first.txt").write_text("bonobo\ntiger\n")
    (tmp_path / "counts.csv").write_text("bonobo,3\nchimpanzee,4\ntiger,3\n")
    done = command(
        *("classi", tmp_path / "first.txt", "--counts", tmp_path / "counts.csv"),
        *("--distance", folder / "distances.csv", "--format", "json"),
    )
    (found,) = json.loads(done.out)["rankings"]
    counts = {"bonobo": 3, "chimpanzee": 4, "tiger": 3}
    assert found["classi"] == classi(["bonobo", "tiger"], distance=DISTANCE, counts=counts).value
    assert (found["measured"], found["items"]) == (2, 10)


def test_distances_themselves_from_standard_input(process: Command) -> None:
    done = process("classi", "-", "--format", "json", given=b"3\n6\n8\n1\n4\n2\n5\n7\n")
    (found,) = json.loads(done.out)["rankings"]
    assert found["name"] == "stdin"
    assert found["classi"] == pytest.approx(2 / 21, rel=1e-12)  # Spearman's rho of that order


def test_an_explanation(command: Command, given: list[object]) -> None:
    out = command("classi", *given, "--explain").out
    assert "r2       tiger       chimpanzee      3  5.0000  15.0000  1.0000\n" in out
    assert "r2       tiger              5  15.0000  1.0000\n" in out


def test_p_values_by_every_method(command: Command, given: list[object]) -> None:
    for method in ("exact", "normal", "permutation"):
        done = command("classi", *given, "--p-value", method, "--samples", 200, "--format", "json")
        assert {r["p_method"] for r in json.loads(done.out)["rankings"]} == {method}
    without = command("classi", *given, "--p-value", "none")
    assert table(without.out)[0][:3] == ["ranking", "ClasSi", "cost"]
    assert table(without.out.split("\n\n")[0])[-1][0] == "mean"


# ---- one distance varied


def test_figure_1b(command: Command, given: list[object]) -> None:
    """1 - (2/7)(1 - 1/t) for r_2, while d(b, t) goes from 1 to 50."""
    done = command("classi", *given, "--vary", "bonobo,tiger=1:50", "--format", "json")
    varied = json.loads(done.out)["varied"]
    assert varied["distances"] == list(range(1, 51))
    expected = [1 - 2 / 7 * (1 - 1 / t) for t in range(1, 51)]
    assert varied["classi"]["r2"] == pytest.approx(expected, rel=1e-12)


def test_steps_of_other_sizes(command: Command) -> None:
    out = command("classi", "--example", "--vary", "bonobo,tiger=0:1:0.25").out
    assert [line[0] for line in table(out)[1:]] == ["0.0000", "0.2500", "0.5000", "0.7500", "1.0000"]


@pytest.mark.parametrize(
    "text",
    ["tiger=1:50", "bonobo,tiger", "bonobo,tiger=5:1", "b,t=1:2:0", "b,t=x:2", "b,t=1:inf", "b,t=1:2:3:4"],
)
def test_a_range_that_is_none(command: Command, text: str) -> None:
    done = command("classi", "--example", "--vary", text)
    assert done.code == 2
    assert "b,t=1:50" in done.err


# ---- runs


def test_runs_over_labelled_items(command: Command, folder: Path) -> None:
    """zoo1 found c b b b c of 3 b, 4 c, 3 t: cost 3 of 120, as r_1 at 5.

    Of the whole, 2 c and 3 t are left, whose 6 pairs cost 5 each and stand the wrong way round with chance
    1/2: 3 + 15 of 126 is 5/7. zoo2 found t t b t of the same: cost 6 of 72, and none of what is left differs.
    """
    sides = ("--labels", folder / "items.csv", "--query-classes", folder / "queries.csv")
    distance = ("--distance", folder / "distances-of-all.csv")
    done = command("classi", folder / "search.run", *sides, *distance, "--format", "json")
    first, second = json.loads(done.out)["rankings"]
    assert (first["name"], first["classi_of_measured"], first["cost"]) == ("zoo1", 0.95, 3)
    assert first["classi"] == pytest.approx(5 / 7, rel=1e-12)
    assert (second["name"], second["measured"], second["items"]) == ("zoo2", 4, 10)
    assert "p_value" not in first
    truth = Classes(folder / "items.csv", folder / "queries.csv", folder / "distances-of-all.csv")
    result = evaluate(truth, folder / "search.run", "ClasSi")
    assert [first["classi"], second["classi"]] == pytest.approx(result.run.values["ClasSi"], rel=1e-14)
    assert set(result.notes) == {line.removeprefix("note: ") for line in done.err.splitlines()}


def test_a_cutoff_beyond_what_was_retrieved_is_noted(command: Command, folder: Path) -> None:
    sides = ("--labels", folder / "items.csv", "--query-classes", folder / "queries.csv")
    distance = ("--distance", folder / "distances-of-all.csv", "-k", 5)
    done = command("classi", folder / "search.run", *sides, *distance, "--format", "json")
    assert [ranking["classi"] for ranking in json.loads(done.out)["rankings"]] == [0.95, pytest.approx(5 / 6)]
    assert "fewer than 5 labelled items were retrieved for 1 query ('zoo2')" in done.err


def test_ties_and_distances_of_runs(command: Command, tmp_path: Path) -> None:
    """x and y are tied. x y z, y x z, z x y, z y x are at 0 2 1, 2 0 1, 1 0 2 and 1 2 0: Spearman's rho."""
    (tmp_path / "items").write_text("x b\ny t\nz c\n")
    (tmp_path / "queries").write_text("q b\n")
    (tmp_path / "a.run").write_text("q Q0 x 1 0.5 r\nq Q0 y 2 0.5 r\nq Q0 z 3 0.1 r\n")
    given = ("--labels", tmp_path / "items", "--query-classes", tmp_path / "queries", "--order", "b,c,t")
    for options, value in {
        ("--ties", "docid-asc"): 0.5,
        ("--ties", "docid"): -0.5,
        ("--ties", "docid-asc", "--lower-is-better"): 0.5,
        ("--lower-is-better",): -0.5,
    }.items():
        done = command("classi", tmp_path / "a.run", *given, *options, "--format", "json")
        assert json.loads(done.out)["rankings"][0]["classi"] == value
        assert "note: 2 of 3 retrieved items are tied" in done.err


def test_several_runs_and_items_without_a_label(command: Command, folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.run"
    other.write_text("zoo1 Q0 photo99 1 2 x\nzoo1 Q0 photo01 2 1 x\n")
    sides = ("--labels", folder / "items.csv", "--query-classes", folder / "queries.csv")
    runs = (folder / "search.run", other)
    done = command("classi", *runs, *sides, "--order", "bonobo,chimpanzee,tiger", "--p-value", "auto")
    names = [line.rsplit("  ", 6)[0].split()[:2] for line in done.out.splitlines()[1:]]
    assert names == [["search", "zoo1"], ["search", "zoo2"], ["other", "zoo1"], ["other", "zoo2"]]
    assert "note: other: 1 of 2 retrieved items have no label: left out" in done.err


# ---- pictures


@pytest.mark.parametrize("suffix", ["svg", "png", "html", "json"])
def test_plots(command: Command, tmp_path: Path, suffix: str) -> None:
    pytest.importorskip("vl_convert", reason="pip install vl-convert-python")
    target = tmp_path / f"curves.{suffix}"
    assert command("classi", "--example", "--plot", target).code == 0
    content = target.read_bytes()
    if suffix == "json":
        points = json.loads(content)["data"]["values"]
        names = {point["series"] for point in points}
        assert names == {"best case", "worst case", "expected", *RANKINGS}
    assert len(content) > 1000


def test_a_chart_in_the_terminal(command: Command, given: list[object]) -> None:
    out = command("classi", *given, "--chart").out
    assert "\nClasSi\n" in out
    assert [line.split()[1:] for line in out.splitlines()[-5:]] == [
        ["best", "case"],
        ["worst", "case"],
        ["expected"],
        ["r1"],
        ["r2"],
    ]
    assert "\nClasSi\n" not in command("classi", *given).out


# ---- refusals


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no RANKING is given"),
        (["r1.txt", "--example"], "--example brings its own"),
        (["r1.txt"], "r1.txt:1: 'chimpanzee' is not a distance"),
        (["r1.txt", "--order", "bonobo,tiger"], "no distance to class 'chimpanzee'"),
        (["r1.txt", "--order", "bonobo,,tiger"], "classes with commas"),
        (["r1.txt", "--order", "bonobo", "--distance", "distances.csv"], "--distance and --order"),
        (["r1.txt", "--labels", "items.csv"], "belong together"),
        (["r1.txt", "--labels", "items.csv", "--query-classes", "queries.csv"], "runs need --distance"),
        (["r1.txt", "--vary", "a,b=1:2"], "--vary needs"),
        (["r1.txt", "--distance", "distances.csv", "--vary", "bonobo,lion=1:2"], "no ranking has 'lion'"),
        (["r1.txt", "--taxonomy", "taxonomy.csv"], "class of the query is not given"),
        (["r1.txt", "--taxonomy", "taxonomy.csv", "--query-class", "lion"], "'lion' is not in the taxonomy"),
        (["missing.txt", "--distance", "distances.csv"], "no such file"),
        (["r1.txt", "--distance", "distances.csv", "-k", "11"], "whole number from 1 to 10"),
        (["r1.txt", "r1.txt", "--distance", "distances.csv"], "have the name"),
        (["-", "-"], "only one input"),
        (["--example", "--plot", "curves.bmp"], ".svg"),
        (["r1.txt", "--distance", "distances.csv", "-o", "distances.csv"], "also an input"),
    ],
)
def test_refusals(
    command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(folder)
    done = command("classi", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert "Traceback" not in done.err


def test_control_characters_do_not_reach_the_terminal(command: Command, tmp_path: Path) -> None:
    (tmp_path / "odd.txt").write_text("\x1b[31mred\nblue\n")
    done = command("classi", tmp_path / "odd.txt", "--order", "blue,\x1b[31mred", "--explain")
    assert done.code == 0
    assert "\x1b" not in done.out + done.err
    assert "\\x1b[31mred" in done.out


def test_an_empty_ranking_is_not_defined(command: Command, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("# nothing\n")
    done = command("classi", tmp_path / "empty.txt", "--order", "a,b")
    assert table(done.out)[1] == ["empty", "-", "-", "0.0000", "0.0000", "0", "0"]


def test_only_what_is_needed_is_imported() -> None:
    script = (
        "import sys; from rankscope.cli import run; run(['classi', '--example', '--no-chart']);"
        "heavy = {'scipy', 'pandas', 'narwhals', 'rich', 'vl_convert'};"
        "print(*{m.partition('.')[0] for m in sys.modules} & heavy)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == ""
