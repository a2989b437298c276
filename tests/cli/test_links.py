"""rankscope rank, classify and aggregate: what they print, and the names that ArDoCo's users know."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]


@pytest.fixture
def links(examples: Path) -> Path:
    return examples / "links"


def test_rank_for_people(command: Command, links: Path) -> None:
    """AP: 1, (1/2 + 2/3)/2 and 1/2; lags 0, 0, 1, 1 and 1."""
    done = command("rank", "-r", links / "ranked", "-g", links / "truth.txt")
    assert done.code == 0
    assert done.out.splitlines() == [
        "metric         value",
        "MAP           0.6944",
        "LAG           0.6000",
        "AUC                -",
        "ground truth       6",
    ]
    assert done.err.startswith("variant: denominator=retrieved mean_over=with_relevant lag=micro")


def test_rank_with_a_truth_for_each_query(command: Command, links: Path) -> None:
    done = command("rank", "-r", links / "ranked", "-g", links / "truths", "-q", "--format", "csv")
    header, *rows = (line.split(",") for line in done.out.splitlines())
    assert header == ["query", "AP", "LAG", "AUC", "retrieved", "found", "relevant"]
    assert [row[:1] + row[2:] for row in rows] == [
        ["UC1.txt", "0.0", "", "4", "2", "2"],
        ["UC2.txt", "1.0", "", "4", "2", "2"],
        ["UC3.txt", "1.0", "", "4", "1", "2"],
        ["all", "0.6", "", "12", "5", "6"],
    ]
    assert [float(row[1]) for row in rows] == pytest.approx([1, 7 / 12, 1 / 4, 11 / 18], rel=1e-12)
    assert "denominator=gold mean_over=all_queries" in done.err


def test_rank_by_the_long_names_of_ardoco(command: Command, links: Path, tmp_path: Path) -> None:
    """Of 35 pairs 29 are in the right order, and one is tied, which the order of the files decides."""
    done = command(
        *("rank", "--ranked-list-directory", links / "ranked", "--ground-truth", links / "truth.txt"),
        *("--ranked-relevance-list-directory", links / "relevances", "--bigger-is-more-similar", "true"),
        *("--compat", "ardoco", "-o", tmp_path / "result.json"),
    )
    assert (done.code, done.out) == (0, "")
    content = json.loads((tmp_path / "result.json").read_text())
    assert list(content) == ["map", "lag", "auc", "groundTruthSize"]
    assert content["auc"] == pytest.approx(30 / 35, rel=1e-12)
    assert "compat=ardoco" in done.err


def test_rank_by_its_short_names(command: Command, links: Path) -> None:
    given = ("-r", links / "ranked", "-g", links / "truth.txt", "-rrl", links / "relevances")
    better, worse = (command("rank", *given, "-b", b, "--format", "json") for b in ("true", "false"))
    assert (better.code, worse.code, better.err) == (0, 0, "")
    areas = [json.loads(done.out)["auc"] for done in (better, worse)]
    assert areas == pytest.approx([29.5 / 35, 5.5 / 35], rel=1e-12)
    assert json.loads(better.out)["variant"]["ties"] == "half"


def test_rank_writes_the_curve(command: Command, links: Path, tmp_path: Path) -> None:
    given = ("-r", links / "ranked", "-g", links / "truth.txt", "-rrl", links / "relevances")
    targets = ("--roc", tmp_path / "roc.csv", "--plot", tmp_path / "roc.svg")
    assert command("rank", *given, *targets).code == 0
    points = (tmp_path / "roc.csv").read_text().splitlines()
    assert points[:2] == ["threshold,tp,fp,fn,tn,tpr,fpr", "inf,0,0,5,7,0.0,0.0"]
    assert points[-1].endswith(",5,7,0,0,1.0,1.0")
    assert (tmp_path / "roc.svg").read_text().startswith("<svg")
    assert command("rank", *given, "--roc", tmp_path / "roc.json").code == 0
    assert len(json.loads((tmp_path / "roc.json").read_text())["points"]) == len(points) - 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-g", "truth.txt"], "ranked-list-directory"),
        (["-r", "ranked"], "ground-truth"),
        (["-r", "ranked", "-g", "none.txt"], "there is no such file"),
        (["-r", "none", "-g", "truth.txt"], "there is no such file"),
        (["-r", "truth.txt", "-g", "truth.txt"], "not a folder"),
        (["-r", "ranked", "-g", "truth.txt", "-b", "true"], "needs relevances"),
        (["-r", "ranked", "-g", "truth.txt", "--plot", "roc.svg"], "needs relevances"),
        (["-r", "ranked", "-g", "truth.txt", "-rrl", "relevances", "-b", "yes"], "yes"),
        (
            ["-r", "ranked", "-g", "truth.txt", "-rrl", "relevances", "--roc", "roc.txt"],
            "ends in .csv or .json",
        ),
        (["-r", "ranked", "-g", "truth.txt", "-rrl", "relevances", "--plot", "roc.txt"], ".svg"),
        (["-r", "ranked", "-g", "truth.txt", "-rrl", "truths"], "2 relevances for the 4 items"),
        (["-r", "ranked", "-g", "truth.txt", "--denominator", "gold"], "one ground truth for all queries"),
        (["-r", "ranked", "-g", "truth.txt", "-o", "truth.txt"], "also an input"),
    ],
)
def test_rank_refuses(command: Command, links: Path, arguments: list[str], words: str) -> None:
    names = {path.name for path in links.iterdir()} | {"none", "none.txt"}
    done = command("rank", *(links / a if a in names else a for a in arguments))
    assert (done.code, done.out) == (2, "")
    assert words in done.err
    assert "Traceback" not in done.err


def test_compat_refuses_lists_of_unequal_length(command: Command, tmp_path: Path) -> None:
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / "one").write_text("a\n")
    (tmp_path / "lists" / "two").write_text("a\nb\n")
    (tmp_path / "truth").write_text("a\n")
    given = ("rank", "-r", tmp_path / "lists", "-g", tmp_path / "truth")
    assert command(*given).code == 0
    done = command(*given, "--compat", "ardoco")
    assert done.code == 2
    assert "lists of equal length" in done.err


def test_classify_for_people(command: Command, links: Path) -> None:
    done = command("classify", "-c", links / "found.txt", "-g", links / "truth.txt", "--sum", "18")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "metric            value",
        "true positives        4",
        "false positives       1",
        "false negatives       2",
        "true negatives       11",
        "precision        0.8000",
        "recall           0.6667",
        "F1               0.7273",
        "accuracy         0.8333",
        "specificity      0.9167",
        "phi              0.6139",
        "phi max          0.8771",
        "phi / phi max    0.7000",
    ]


def test_classification_is_the_same_command(command: Command, links: Path) -> None:
    """A sum of -1 is none, as ArDoCo's own default."""
    given = ("--classification", links / "found.txt", "--ground-truth", links / "truth.txt", "-s", "-1")
    done = command("classification", *given, "--format", "json")
    content = json.loads(done.out)
    assert content["falsePositives"] == ["UC2->Mailer"]
    assert content["falseNegatives"] == ["UC2->Order", "UC3->Tax"]
    assert content["trueNegatives"] is content["phiCoefficient"] is None
    assert content["f1"] == pytest.approx(8 / 11, rel=1e-12)


def test_classify_lists_items_and_takes_a_pipe(process: Command, tmp_path: Path) -> None:
    (tmp_path / "truth").write_text("link\na\nb\n")
    done = process(
        *("classify", "-c", "-", "-g", tmp_path / "truth", "--header", "--items", "--format", "csv"),
        given=b"link\na\n\x1b[31mx\n",
    )
    assert done.out.splitlines() == [
        "item,outcome",
        "a,true positive",
        r"\x1b[31mx,false positive",
        "b,false negative",
    ]


def test_classify_with_another_beta(command: Command, links: Path) -> None:
    """P = 4/5, R = 2/3: F2 = 5 P R / (4 P + R) = 20/29."""
    done = command("classify", "-c", links / "found.txt", "-g", links / "truth.txt", "--beta", "2")
    assert f"F2               {20 / 29:.4f}" in done.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-c", "-", "-g", "-"], "only one input"),
        (["-c", "found.txt"], "ground-truth"),
        (["-c", "found.txt", "-g", "truth.txt", "--sum", "3"], "sum 3, but 7 items"),
        (["-c", "found.txt", "-g", "truth.txt", "--sum", "many"], "many"),
        (["-c", "found.txt", "-g", "truth.txt", "--beta", "0"], "beta"),
        (["-c", "found.txt", "-g", "truth.txt", "-o", "found.txt"], "also an input"),
    ],
)
def test_classify_refuses(command: Command, links: Path, arguments: list[str], words: str) -> None:
    done = command("classify", *(links / a if a.endswith(".txt") else a for a in arguments))
    assert (done.code, done.out) == (2, "")
    assert words in done.err


def test_aggregate_for_people(command: Command, links: Path) -> None:
    """Precision 4/5 and 2/3, ground truths of 6 and 4: weighted 0.7467, pooled 6/8."""
    done = command("aggregate", links / "results")
    assert done.out.splitlines()[:3] == [
        "metric              macro  weighted   micro",
        "precision          0.7333    0.7467  0.7500",
        "recall             0.5833    0.6000  0.6000",
    ]
    assert done.err == "note: weights of the 2 results: shop 6, transit 4\n"


def test_aggregate_by_the_names_of_ardoco(command: Command, links: Path) -> None:
    done = command("aggCl", "-d", links / "results", "--format", "json")
    averages = json.loads(done.out)
    assert [average["type"] for average in averages] == [
        "MACRO_AVERAGE",
        "WEIGHTED_AVERAGE",
        "MICRO_AVERAGE",
    ]
    assert averages[1]["weights"] == [6, 4]
    assert averages[2]["weights"] is None
    assert len(averages[0]["originalSingleClassificationResults"]) == 2
    refused = command("aggRnk", "-d", links / "results")
    assert refused.code == 2
    assert "a classification result among rank results" in refused.err


def test_results_of_rank_are_what_aggregate_reads(command: Command, links: Path, tmp_path: Path) -> None:
    """MAP 25/36 of the shop with weight 2, and 1 with weight 1."""
    (tmp_path / "results").mkdir()
    rank = ("rank", "-g", links / "truth.txt", "-r")
    assert command(*rank, links / "ranked", "-o", tmp_path / "results" / "a.json").code == 0
    (tmp_path / "ranked").mkdir()
    (tmp_path / "ranked" / "UC1").write_text("UC1->Login\n")
    assert command(*rank, tmp_path / "ranked", "-o", tmp_path / "results" / "b.json").code == 0
    (tmp_path / "weights").write_text("b.json 1\na.json\t2\n")
    for weights in ("2,1", tmp_path / "weights"):
        done = command("aggRnk", "-d", tmp_path / "results", "--weights", weights, "--format", "json")
        macro, weighted = json.loads(done.out)
        assert weighted["map"] == pytest.approx((2 * 25 / 36 + 1) / 3, rel=1e-12)
        assert (weighted["weights"], macro["auc"]) == ([2, 1], None)
        assert "2 of 2 results have no AUC" in done.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "one folder with results is needed"),
        (["results", "-d", "results"], "one folder with results is needed"),
        (["truth.txt"], "not a folder"),
        (["truths"], "not JSON"),
        (["results", "--weights", "1"], "1 weights for 2 results"),
        (["results", "--weights", "1,-1"], "not a weight"),
        (["results", "--weights", "1,nan"], "not a weight"),
        (["results", "--weights", "none.txt"], "there is no such file"),
        (["results", "--weights", "truth.txt"], "a file name, white space and a number"),
    ],
)
def test_aggregate_refuses(command: Command, links: Path, arguments: list[str], words: str) -> None:
    names = {path.name for path in links.iterdir()} | {"none.txt"}
    done = command("aggregate", *(links / a if a in names else a for a in arguments))
    assert (done.code, done.out) == (2, "")
    assert words in done.err


def test_other_names_are_not_listed(command: Command) -> None:
    listed = command("--help").out
    assert "aggregate" in listed
    assert "aggCl" not in listed
    assert "aggRnk" not in listed
    for name in ("rank", "classify", "classification", "aggregate", "aggCl", "aggRnk"):
        assert "Examples:" in command(name, "--help").out


@pytest.mark.parametrize("layout", ["markdown", "latex"])
def test_tables_for_pages_and_papers(command: Command, links: Path, layout: str) -> None:
    done = command("aggregate", links / "results", "--format", layout)
    assert done.code == 0
    assert "0.7467" in done.out
