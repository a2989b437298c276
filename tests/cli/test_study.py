"""rankscope study on the command line."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import rankscope

Call = Callable[..., Any]

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.fixture
def runs(examples: Path) -> list[Path]:
    return [examples / "judgments.qrels", *(examples / f"{name}.run" for name in ("bm25", "dense", "hybrid"))]


def test_permutations(command: Call) -> None:
    done = command("study", "--permutations", 6)
    assert done.code == 0
    assert done.err == ""
    assert done.out.endswith("preference: OAUC > ED > SRN > OrderAUC > MD > OrderAccuracy\n")
    assert done.out.startswith("C, consistency (permutations of 6)\n")
    exact = json.loads((GOLDEN / "golden.json").read_text())["huangling.n6.consistency.AUC.OAUC"]["exact"]
    row = next(line.split() for line in done.out.splitlines() if line.startswith("OrderAUC"))
    assert row[1] == f"{float(Fraction(exact)):.4f}"


def test_what_the_page_shows_is_what_comes_out(command: Call) -> None:
    page = (GOLDEN.parents[1] / "docs" / "study.md").read_text()
    line, shown = re.search(r"    rankscope (study [^\n]*)\n\n```\n(.*?)```", page, re.DOTALL).groups()  # type: ignore[union-attr]
    assert command(*line.split()).out == shown


def test_the_same_numbers_in_every_format(command: Call) -> None:
    arguments = ["study", "--permutations", 5, "-m", "ED,MD", "-m", "SRN"]
    exact = rankscope.study("ED, MD, SRN", over=5)
    (content,) = json.loads(command(*arguments, "--format", "json").out)
    assert content == json.loads(exact.to_json())
    rows = list(csv.DictReader(io.StringIO(command(*arguments, "--format", "csv").out)))
    assert len(rows) == 6
    for row in rows:
        counts = exact.counts[row["f"], row["g"]]
        assert float(row["consistency"]) == counts.consistency
        assert int(row["R"]) == counts.agree
    for layout, sign in (("markdown", "| C   |"), ("latex", r"\toprule")):
        assert sign in command(*arguments, "--format", layout).out


@pytest.mark.parametrize(
    ("arguments", "over"),
    [
        (["--labels", "2,3", "-m", "AP,RR"], "lists of 2 of grade 1, 3 of grade 0"),
        (["--labels", "3:1,1:1,0:2"], "lists of 1 of grade 3, 1 of grade 1, 2 of grade 0"),
        (["--permutations", "5", "--swaps", "2"], "permutations of 5 after 2 random swaps"),
        (["--permutations", "5", "--mallows", "0.5"], "permutations of 5, Mallows with theta = 0.5"),
        (["--permutations", "30", "--sample", "500", "--seed", "3"], "permutations of 30"),
    ],
)
def test_populations(command: Call, arguments: list[str], over: str) -> None:
    done = command("study", *arguments, "--format", "json")
    assert done.code == 0
    (content,) = json.loads(done.out)
    assert content["over"] == over
    assert all(pair["consistency"] > 0.5 for pair in content["pairs"])
    assert ("confidence" in content) == ("--sample" in arguments)


def test_rankings_from_a_file_and_from_a_pipe(command: Call, process: Call, tmp_path: Path) -> None:
    path = tmp_path / "lists.txt"
    path.write_text("4 3 2 1 : 2\n1 2 3 4\n2 1 4 3\n")
    whole = command("study", "--rankings", path, "-m", "ED,MD", "--format", "json")
    assert json.loads(whole.out)[0]["over"] == "3 rankings of 4, weighted"
    piped = process("study", "--rankings", "-", "-m", "ED,MD", "--format", "json", given=path.read_bytes())
    assert json.loads(piped.out) == json.loads(whole.out)


def test_runs(command: Call, runs: list[Path]) -> None:
    done = command("study", *runs, "-m", "AP,RR,nDCG@10", "--format", "json")
    assert [found["analysis"] for found in json.loads(done.out)] == [
        "degrees",
        "degrees-of-means",
        "agreement",
    ]
    result = rankscope.evaluate(str(runs[0]), [str(run) for run in runs[1:]], "AP, RR, nDCG@10")
    assert json.loads(done.out)[0] == json.loads(rankscope.study(over=result).to_json())


def test_every_analysis(command: Call, runs: list[Path]) -> None:
    names = "degrees,agreement,power,swaps,stability,correlation,sensitivity"
    options = ["--trials", 3, "--resamples", 200, "--pair", "bm25,dense", "-m", "AP,RR"]
    done = command("study", *runs, "--analysis", names, *options)
    assert done.code == 0
    for words in (
        "C, consistency (pairs of 3 systems by each of 50 queries)",
        "Kendall's tau-b of the orders of systems",
        "discriminative power at alpha = 0.05",
        "swap rate against the number of queries",
        "tau-b with the order of systems by all judgments",
        "Pearson correlation over queries",
        "paired t-test of bm25 and dense",
    ):
        assert words in done.out
    assert "sensitivity: Kendall's tau-b of the two orders" in done.out


def test_policies_reach_every_evaluation(command: Call, runs: list[Path]) -> None:
    options = ["-m", "AP,RR", "--analysis", "agreement", "--format", "json"]
    usual, other = (
        command("study", *runs, *options, *more).out for more in ([], ["--rel", "3", "--depth", "3"])
    )
    assert json.loads(usual)[0]["ranks"] != json.loads(other)[0]["ranks"]


def test_notes_are_talk(command: Call, runs: list[Path]) -> None:
    done = command("study", *runs, "-m", "AP,RR", "--undefined", "nan")
    assert done.err == "note: AP is not defined for 1 query of some run: left out of its pairs\n"


@pytest.mark.parametrize("suffix", ["svg", "png", "html", "json"])
def test_plots(command: Call, runs: list[Path], tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"study.{suffix}"
    options = ["--analysis", "degrees,power", "--resamples", 100, "-m", "AP,RR", "--plot", path]
    assert command("study", *runs, *options).code == 0
    start = {"svg": b"<svg", "png": b"\x89PNG", "html": b"<!DOCTYPE html>", "json": b"{"}
    assert path.read_bytes().startswith(start[suffix])
    if suffix == "json":
        assert len(json.loads(path.read_text())["vconcat"]) == 5


def test_what_has_no_chart_says_so(command: Call, runs: list[Path], tmp_path: Path) -> None:
    path = tmp_path / "none.svg"
    done = command("study", *runs[:3], "--analysis", "sensitivity", "--plot", path)
    assert done.code == 0
    assert "nothing to draw" in done.err
    assert not path.exists()


def test_names_of_systems_never_reach_the_terminal_raw(command: Call, data: Path) -> None:
    odd = data / "odd\x1b[31m.run"
    odd.write_text((data / "one.run").read_text())
    done = command("study", data / "truth.qrels", odd, data / "two.run", "-m", "AP,RR")
    assert done.code == 0
    assert "\x1b" not in done.out
    assert r"odd\x1b[31m" in done.out


def test_output_goes_to_a_file(command: Call, tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    done = command("study", "--permutations", 4, "-m", "ED,MD", "--format", "csv", "-o", path)
    assert (done.code, done.out) == (0, "")
    assert path.read_text().startswith("analysis,f,g,consistency,discriminancy,R,S,P,Q,both_tie\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "one of QRELS with RUNs, --permutations, --labels and --rankings is needed"),
        (["--permutations", "4", "--labels", "1,2"], "and only one"),
        (["--permutations", "11"], "39,916,800 lists of 11 items are too many"),
        (["--permutations", "4", "-m", "ED"], "1 measure, where measures are compared"),
        (["--permutations", "4", "-m", "AP,RR"], "AP is measured against judgments"),
        (["--permutations", "4", "--swaps", "1", "--mallows", "1"], "not both"),
        (["--labels", "2,3", "--swaps", "1"], "go with --permutations"),
        (["--labels", "2,x"], "--labels 2,x: sizes such as 3,5"),
        (["--labels", "1:2,1:3"], "different grades"),
        (["--labels", "1:2,3"], "--labels 1:2,3"),
        (["--permutations", "4", "--analysis", "power"], "--analysis is for runs"),
        (["--permutations", "4", "--plot", "x.gif"], "a chart cannot be written as '.gif'"),
        (["--permutations", "4", "--plot", "x"], "no suffix"),
        (["--rankings", "nowhere.txt"], "there is no such file"),
        (["--permutations", "4", "-m", "ED,Nothing"], "there is no measure 'Nothing'"),
        (["RUNS", "--sample", "10"], "--sample is for lists"),
        (["RUNS", "--analysis", "pwer"], "did you mean power?"),
        (["RUNS", "--analysis", "power,swaps", "--format", "csv"], "csv has one table only"),
        (["RUNS", "--analysis", "sensitivity"], "--pair bm25,dense"),
        (["RUNS", "--analysis", "power", "--test", "t"], "tukey, bootstrap"),
        (["RUNS", "--ties", "random"], "ties=random is not a policy"),
    ],
)
def test_bad_requests(command: Call, runs: list[Path], arguments: list[str], words: str) -> None:
    given = [each for one in arguments for each in (runs if one == "RUNS" else [one])]
    done = command("study", *given)
    assert done.code == 2
    assert done.out == ""
    assert words in done.err
    assert "Traceback" not in done.err
