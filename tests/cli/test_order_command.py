"""rankscope order: from files to tables, and what it says to files that it cannot use."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

TRUTH = "a\t4\nb\t3\nc\t2\nd\t1\n"
# One swap of the lower two: by hand ED 2, SRN 1, tau 4/6.
SWAPPED = "a\t0.9\nb\t0.8\nd\t0.7\nc\t0.6\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "truth.tsv").write_text(TRUTH)
    (tmp_path / "mine.tsv").write_text(SWAPPED)
    (tmp_path / "list.txt").write_text("a\nb\nd\nc\n")
    (tmp_path / "worst.csv").write_text("item,score\na,1\nb,2\nc,3\nd,4\n")
    (tmp_path / "both.csv").write_text("id,price,model,other\nx,4,0.9,1\ny,3,0.8,2\nz,2,0.6,3\nw,1,0.7,4\n")
    return tmp_path


def values(out: str) -> dict[tuple[str, str], float]:
    return {(r["order"], r["measure"]): float(r["value"]) for r in csv.DictReader(io.StringIO(out))}


def test_the_example_of_the_paper(command: Callable[..., object], examples: Path) -> None:
    """Huang and Ling 2005: ED 76, MD 22, SRN 12, AUC 5/8, accuracy 1/2, OAUC 31/52; rho and tau follow."""
    done = command(
        "order", examples / "order/prices.tsv", examples / "order/appraiser.txt", "--format", "csv"
    )
    found = {measure: value for (_, measure), value in values(done.out).items()}
    wanted = {"ED": 76, "MD": 22, "SRN": 12, "OrderAUC": 5 / 8, "OrderAccuracy": 1 / 2, "OAUC": 31 / 52}
    wanted |= {"Spearman": 2 / 21, "Footrule": 22 / 32, "Gamma": 1 / 7}
    wanted |= {f"Kendall{variant}": 1 / 7 for variant in ("", "(variant=a)", "(variant=c)")}
    wanted |= {f"Somers{direction}": 1 / 7 for direction in ("", "(direction=truth)")}
    assert found.pop("RankDCG") == pytest.approx(0.7011, abs=5e-5)
    assert found == pytest.approx(wanted, rel=1e-12)


def test_scores_and_lists_and_columns_say_the_same(command: Callable[..., object], folder: Path) -> None:
    by_scores = command("order", folder / "truth.tsv", folder / "mine.tsv", "-m", "ED, SRN, Kendall")
    by_list = command("order", folder / "truth.tsv", folder / "list.txt", "-m", "ED", "-m", "SRN,Kendall")
    by_column = command("order", folder / "both.csv", "--columns", "price,model", "-m", "ED,SRN,Kendall")
    tables = [done.out.splitlines()[1:] for done in (by_scores, by_list, by_column)]
    assert [line.split() for line in tables[0]] == [["ED", "2"], ["SRN", "1"], ["Kendall", "0.6667"]]
    assert [[line.split() for line in table] for table in tables] == [
        [line.split() for line in tables[0]]
    ] * 3
    assert (by_scores.code, by_scores.err) == (0, "")


def test_several_orders_side_by_side(command: Callable[..., object], folder: Path) -> None:
    done = command("order", folder / "truth.tsv", folder / "mine.tsv", folder / "worst.csv", "-m", "SRN,OAUC")
    assert done.out.split() == ["measure", "mine", "worst", "SRN", "1*", "6", "OAUC", "1.0000*", "0.0000"]


@pytest.mark.parametrize(("header", "name"), [("", "scores"), ("price,model\n", "model")])
def test_one_file_with_two_columns_of_scores(
    command: Callable[..., object], folder: Path, header: str, name: str
) -> None:
    (folder / "scores.csv").write_text(header + "4,0.9\n3,0.8\n2,0.6\n1,0.7\n")
    done = command("order", folder / "scores.csv", "-m", "ED,SRN", "--format", "csv")
    assert values(done.out) == {(name, "ED"): 2, (name, "SRN"): 1}
    (folder / "scores.csv").write_text(header + "4,0.9\n3\n")
    assert "2 columns: a true and a predicted score" in command("order", folder / "scores.csv").err


def test_two_folders_are_pairs_of_files(command: Callable[..., object], folder: Path) -> None:
    """One swap in the first pair, as above; in the second, which is its own truth, nothing."""
    truths, predicted = folder / "truths", folder / "predicted"
    for side, texts in ((truths, (TRUTH, "x 2\ny 1\n")), (predicted, (SWAPPED, "x\ny\n"))):
        side.mkdir()
        for name, text in zip(("one.tsv", "two.tsv"), texts, strict=True):
            (side / name).write_text(text)
    done = command("order", truths, predicted, "-m", "ED,SRN", "--format", "csv")
    assert values(done.out) == {
        ("one.tsv", "ED"): 2,
        ("one.tsv", "SRN"): 1,
        ("two.tsv", "ED"): 0,
        ("two.tsv", "SRN"): 0,
    }
    assert "*" not in command("order", truths, predicted).out  # no pair is better than another
    (predicted / "three.tsv").write_text("x\n")
    assert "nothing there belongs to 'three.tsv'" in command("order", truths, predicted).err
    (truths / "three.tsv").write_text("x\n")
    (predicted / "two.tsv").unlink()
    refused = command("order", truths, predicted)
    assert (refused.code, refused.out) == (2, "")
    assert "no file 'two.tsv'" in refused.err


def test_files_of_the_same_name_are_told_apart(command: Callable[..., object], folder: Path) -> None:
    mine = folder / "mine.tsv"
    done = command("order", folder / "truth.tsv", mine, mine, "-m", "SRN", "--format", "csv")
    assert values(done.out) == {(str(mine), "SRN"): 1, (f"{mine} (2)", "SRN"): 1}


@pytest.mark.parametrize(
    ("layout", "start"), [("markdown", "| measure"), ("latex", "% needs"), ("tsv", "order\tmeasure\tvalue\n")]
)
def test_formats(command: Callable[..., object], folder: Path, layout: str, start: str) -> None:
    done = command("order", folder / "truth.tsv", folder / "mine.tsv", "--format", layout)
    assert done.out.startswith(start)


def test_json_has_everything(command: Callable[..., object], folder: Path) -> None:
    (folder / "short.tsv").write_text("a 3\nb 3\nx 9\n")
    target = folder / "out.json"
    options = ("-m", "Kendall,OAUC", "--pvalues", "--positives", "1", "--format", "json", "-o", target)
    done = command("order", folder / "truth.tsv", folder / "short.tsv", *options)
    assert (done.out, done.err) == ("", "")
    found = json.loads(target.read_text())
    assert found["measures"][1] == {
        "name": "OAUC(positives=1)",
        "better": "higher",
        "detail": "full",
    }
    (order,) = found["orders"]
    # a is tied with b and above c and d: (1 + 1 + 1/2) / 3; tau-b is 4 / sqrt(6 * 4).
    assert order["values"]["OAUC(positives=1)"] == pytest.approx(2.5 / 3, rel=1e-12)
    assert order["values"]["Kendall"] == pytest.approx(4 / 24**0.5, rel=1e-12)
    assert order["pvalues"].keys() == {"Kendall"}
    assert found["notes"] == [
        "1 item ('x') not in the truth: left out",
        "2 items ('c', 'd') of the truth not predicted: they come last, tied",
        "4 of 4 predicted scores are equal to another: ties=kept",
    ]


def test_items_without_a_prediction(command: Callable[..., object], folder: Path) -> None:
    (folder / "short.tsv").write_text("c 3\na 2\n")
    sides = ("order", folder / "truth.tsv", folder / "short.tsv", "-m", "SRN", "--format", "csv")
    assert values(command(*sides).out) == {("short", "SRN"): 2}  # c before a and b; b and d are tied
    assert values(command(*sides, "--unretrieved", "drop").out) == {("short", "SRN"): 1}
    refused = command(*sides, "--unretrieved", "error")
    assert (refused.code, refused.out) == (2, "")
    assert "2 items ('b', 'd') of the truth not in it" in refused.err


def test_a_rough_truth(command: Callable[..., object], folder: Path) -> None:
    (folder / "rough.tsv").write_text("a 1\nb 1\nc 0\nd 0\n")
    done = command("order", folder / "rough.tsv", folder / "mine.tsv", "--format", "csv")
    measures = {measure for _, measure in values(done.out)}
    assert "OrderAUC" in measures
    assert not measures & {"ED", "MD", "SRN", "OAUC"}
    assert "ED, MD, SRN, OAUC need a true order" in done.err
    refused = command("order", folder / "rough.tsv", folder / "mine.tsv", "-m", "OAUC")
    assert refused.code == 2
    assert "OrderAUC or OrderAccuracy" in refused.err


def test_standard_input(process: Callable[..., object], folder: Path) -> None:
    done = process("order", folder / "truth.tsv", "-", "-m", "SRN", "--format", "csv", given=SWAPPED.encode())
    assert values(done.out) == {("stdin", "SRN"): 1}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "no row in it"),
        ("a 1\nb x\n", ":2: score 'x' is not a number"),
        ("a 1\nb nan\n", ":2: score 'nan' is not finite"),
        ("a 1\nb 1_0\n", ":2: score '1_0' is not a number"),
        ("a 1\nb\n", ":2: 1 columns"),
        ("a 1\nb 2\na 3\n", "item 'a' is listed twice (lines 1 and 3)"),
        ("a\nb\na\n", "item 'a' is listed twice (lines 1 and 3)"),
        ("q1 Q0 a 1 3 tag\n", ":1: 6 columns"),
        ("x 1\ny 2\n", "no item in common with 'truth'"),
        ('a,1\n"b,2\n', "cannot be read"),
    ],
)
def test_files_that_cannot_be_used(
    command: Callable[..., object], folder: Path, content: str, says: str
) -> None:
    (folder / "bad.txt").write_text(content)
    done = command("order", folder / "truth.tsv", folder / "bad.txt")
    assert (done.code, done.out) == (2, "")
    assert says in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["truth.tsv"], "truth.tsv: one file, which is not two columns of scores"),
        (["both.csv"], "try: --columns NAME,NAME"),
        (["truth.tsv", "."], ". is a folder"),
        (["."], ". is a folder"),
        (["truth.tsv", "mine.tsv", "--positives", "1.5"], "a share between 0 and 1"),
        (["truth.tsv", "mine.tsv", "--positives", "0"], "a count from 1 to 3"),
        (["truth.tsv", "nowhere.tsv"], "there is no such file"),
        (["-", "-"], "only one input can be standard input"),
        (["truth.tsv", "mine.tsv", "-m", "AP"], "AP is not measured on an order"),
        (["truth.tsv", "mine.tsv", "-m", "Kendal"], "did you mean"),
        (["truth.tsv", "mine.tsv", "--ties", "docid"], "ties=docid is not a choice"),
        (["truth.tsv", "mine.tsv", "--positives", "4"], "a count from 1 to 3"),
        (["truth.tsv", "mine.tsv", "--positives", "many"], "does not say which items are positive"),
        (["truth.tsv", "mine.tsv", "--columns", "a,b"], "one file has both sides"),
        (["both.csv", "--columns", "price"], "two different names"),
        (["both.csv", "--columns", "price,modell"], "did you mean model"),
        (["both.csv", "--columns", "price,id"], "score 'x' is not a number"),
    ],
)
def test_arguments_that_cannot_be_used(
    command: Callable[..., object],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    says: str,
) -> None:
    monkeypatch.chdir(folder)
    done = command("order", *arguments)
    assert (done.code, done.out) == (2, "")
    assert says in done.err


def test_ids_do_not_reach_the_terminal_raw(command: Callable[..., object], folder: Path) -> None:
    (folder / "bad.txt").write_bytes(b"\x1b[31ma\n\xff\n\x1b[31ma\n")
    done = command("order", folder / "truth.tsv", folder / "bad.txt")
    assert done.code == 2
    assert "\x1b" not in done.err
