"""rankscope similarity: two answers, one reference, a matrix; runs and lists of items; charts; mistakes."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rankscope import answers, evaluate

Command = Callable[..., Any]


@pytest.fixture
def lists(tmp_path: Path) -> Path:
    """A folder with three answers: two total orders and one in groups."""
    (tmp_path / "one.txt").write_text("a\nb\nc\nd\n")
    (tmp_path / "two.txt").write_text("b\na\nc\ne\n")
    (tmp_path / "groups.txt").write_text("a\nb\n\nc\n\nf\n")
    return tmp_path


ONE, TWO, GROUPS = list("abcd"), list("bace"), [["a", "b"], ["c"], ["f"]]


def test_two_lists(command: Command, lists: Path) -> None:
    done = command("similarity", lists / "one.txt", lists / "two.txt")
    assert done.code == 0
    wanted = {"SizeRatio": 1, "Jaccard": 0.6, "Pdelta": answers.pdelta(ONE, TWO)}
    lines = [line.split() for line in done.out.splitlines()]
    assert lines[0] == ["measure", "one"]
    assert {name: float(value) for name, value in lines[1:]} == pytest.approx(wanted, abs=5e-5)


def test_the_first_is_compared_with_the_second(command: Command, lists: Path) -> None:
    (lists / "short.txt").write_text("a\nx\n")
    done = command(
        "similarity",
        lists / "short.txt",
        lists / "one.txt",
        "-m",
        "AnswerRecall,AnswerPrecision",
        "--format",
        "json",
    )
    values = json.loads(done.out)["runs"][0]["aggregate"]
    assert values == {"AnswerRecall": 0.25, "AnswerPrecision": 0.5}


def test_a_reference(command: Command, lists: Path) -> None:
    done = command(
        "similarity",
        "--reference",
        lists / "one.txt",
        lists / "two.txt",
        lists / "groups.txt",
        "--format",
        "json",
    )
    found = {run["name"]: run["aggregate"] for run in json.loads(done.out)["runs"]}
    for name, groups in (("two", TWO), ("groups", GROUPS)):
        assert found[name] == pytest.approx(
            {
                "SizeRatio": 1,
                "Jaccard": answers.jaccard(groups, ONE),
                "Pdelta": answers.pdelta(groups, ONE),
            }
        )
    table = command("similarity", "--reference", lists / "one.txt", lists / "two.txt", lists / "groups.txt")
    assert table.out.splitlines()[0].split() == ["run", "SizeRatio", "Jaccard", "Pdelta"]


def test_a_matrix(command: Command, lists: Path) -> None:
    paths = [lists / name for name in ("one.txt", "two.txt", "groups.txt")]
    done = command("similarity", *paths, "-m", "Pdelta, SizeShare", "--format", "json")
    content = json.loads(done.out)
    assert content["answers"] == ["one", "two", "groups"]
    sides = [ONE, TWO, GROUPS]
    for name, function in (("Pdelta", answers.pdelta), ("SizeShare", answers.cardinal_share)):
        wanted = [[function(row, column) for column in sides] for row in sides]
        assert content["measures"][name] == [pytest.approx(line) for line in wanted]
    rows = list(csv.reader(io.StringIO(command("similarity", *paths, "--format", "csv").out)))
    assert rows[0] == ["measure", "answer", "reference", "value"]
    assert len(rows) == 1 + 3 * 9
    table = command("similarity", *paths, "-m", "Jaccard,Pdelta", "--digits", "2").out
    assert table.splitlines()[0].split() == ["Jaccard", "one", "two", "groups"]
    assert table.splitlines()[1].split() == ["one", "1.00", "0.60", "0.60"]
    assert table.splitlines()[5].split()[0] == "Pdelta"
    for layout in ("markdown", "latex", "tsv"):
        assert "Pdelta" in command("similarity", *paths, "--format", layout).out


def test_two_runs_query_by_query(command: Command, examples: Path) -> None:
    one, other = examples / "bm25.run", examples / "dense.run"
    done = command("similarity", one, other, "-m", "RBO,Jaccard")
    lines = [line.split() for line in done.out.splitlines()]
    assert lines[0] == ["query", "RBO", "Jaccard"]
    result = evaluate(str(other), str(one), "RBO, Jaccard")
    assert len(lines) == 2 + len(result.queries)
    assert float(lines[-1][1]) == pytest.approx(result["RBO"], abs=5e-5)
    assert "lacks 2" in done.err
    mean = command("similarity", one, other, "-m", "RBO", "--mean-only").out
    assert mean.splitlines()[1].split() == ["RBO", lines[-1][1]]


def test_one_query_of_runs(command: Command, examples: Path) -> None:
    one, other = examples / "bm25.run", examples / "dense.run"
    done = command("similarity", one, other, "-m", "RBO", "--query", "q07", "--per-query", "--format", "csv")
    values = {row["query"]: float(row["value"]) for row in csv.DictReader(io.StringIO(done.out))}
    assert values["q07"] == values["all"] == evaluate(str(other), str(one), "RBO").queries["q07"]["RBO"]
    assert command("similarity", one, other, "--query", "nothing").code == 2


def test_an_answer_may_be_compared_with_itself(command: Command, lists: Path, examples: Path) -> None:
    for path in (lists / "groups.txt", examples / "bm25.run"):
        done = command("similarity", path, path, "--mean-only", "--digits", "3")
        assert [line.split()[1] for line in done.out.splitlines()[1:]] == ["1.000"] * 3


def test_sets(command: Command, lists: Path) -> None:
    done = command("similarity", "--unordered", lists / "one.txt", lists / "two.txt")
    assert [line.split()[0] for line in done.out.splitlines()] == ["measure", "SizeRatio", "Jaccard"]
    assert "tied" not in done.err
    refused = command("similarity", "--unordered", lists / "one.txt", lists / "two.txt", "-m", "Jaccard,RBO")
    assert refused.code == 2
    assert refused.out == ""
    assert "RBO compares the order of answers" in refused.err
    assert "SizeRatio" in refused.err
    assert "Jaccard" in refused.err


def test_standard_input_and_output_file(process: Command, lists: Path) -> None:
    target = lists / "out.json"
    done = process("similarity", "-", lists / "one.txt", "--format", "json", "-o", target, given=b"b\na\n")
    assert (done.code, done.out) == (0, "")
    assert json.loads(target.read_text())["runs"][0]["name"] == "stdin"


@pytest.mark.parametrize("count", [2, 3])
def test_charts(command: Command, lists: Path, count: int) -> None:
    """Two answers side by side with their common items joined; more as a heat map."""
    paths = [lists / name for name in ("one.txt", "groups.txt", "two.txt")][:count]
    target = lists / "chart.json"
    assert command("similarity", *paths, "-m", "Jaccard", "--plot", target).code == 0
    spec = json.loads(target.read_text())
    if count == 2:
        joins = next(layer for layer in spec["layer"] if "item" in layer["data"]["values"][0])
        assert {row["item"] for row in joins["data"]["values"]} == {"a", "b", "c"}
    else:
        cells = {(row["row"], row["column"]): row["value"] for row in spec["data"]["values"]}
        assert cells["two", "one"] == pytest.approx(0.6)
    svg = lists / "chart.svg"
    assert command("similarity", *paths, "--plot", svg).code == 0
    assert svg.read_text().startswith("<svg")


def test_charts_of_runs_and_references(command: Command, lists: Path, examples: Path) -> None:
    target = lists / "chart.json"
    runs = [examples / "bm25.run", examples / "dense.run"]
    done = command("similarity", *runs, "-m", "Jaccard", "--plot", target)
    assert "the chart shows query" in done.err
    command("similarity", *runs, "--query", "q07", "--plot", target)
    assert json.loads(target.read_text())["title"] == "Query q07"
    command(
        "similarity",
        "--reference",
        lists / "one.txt",
        lists / "two.txt",
        lists / "groups.txt",
        "--plot",
        target,
    )
    cells = json.loads(target.read_text())["data"]["values"]
    assert {cell["column"] for cell in cells} == {"SizeRatio", "Jaccard", "Pdelta"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["one.txt"], "two answers are needed"),
        (["-", "-"], "only one input"),
        (["one.txt", "none.txt"], "there is no such file"),
        (["one.txt", "empty.txt"], "no item in it"),
        (["one.txt", "twice.txt"], "stands twice"),
        (["one.txt", "a.run"], "is a run, and"),
        (["one.txt", "two.txt", "-m", "AP"], "does not compare answers"),
        (["one.txt", "two.txt", "-m", "Jacard"], "did you mean Jaccard"),
        (["one.txt", "two.txt", "-m", "RBO(p=2)"], "p=2 is not allowed"),
        (["one.txt", "two.txt", "--plot", "x.gif"], "cannot be written as '.gif'"),
        (["one.txt", "two.txt", "-o", "one.txt"], "also an input"),
        (["a.run", "b.run"], "no query in common"),
        (["a.run", "a.run", "--unordered"], "for lists of items"),
        (["one.txt", "two.txt", "--as", "run"], "columns"),
        (["one.txt", "one.txt", "two.txt"], "have the name"),
        (["nan.run", "a.run"], "not finite"),
    ],
)
def test_mistakes(
    command: Command, lists: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(lists)
    Path("empty.txt").write_text("\n")
    Path("twice.txt").write_text("a\na\n")
    Path("a.run").write_text("q1 Q0 d1 1 2 x\n")
    Path("b.run").write_text("q2 Q0 d1 1 2 x\n")
    Path("nan.run").write_text("q1 Q0 d1 1 2 x\nq1 Q0 d2 1 nan x\n")
    done = command("similarity", *arguments)
    assert done.code == 2
    assert message in done.err
    assert "Traceback" not in done.err
    assert Path("one.txt").read_text() == "a\nb\nc\nd\n"


def test_control_characters_do_not_reach_the_terminal(command: Command, lists: Path) -> None:
    (lists / "bad.txt").write_bytes(b"a\x1b[31m\na\x1b[31m\n")
    done = command("similarity", lists / "bad.txt", lists / "one.txt")
    assert "\x1b" not in done.err
    assert done.code == 2


def test_help_has_examples(command: Command) -> None:
    done = command("similarity", "--help")
    assert "rankscope similarity bm25.run dense.run" in done.out
    assert "Pdelta" in done.out
