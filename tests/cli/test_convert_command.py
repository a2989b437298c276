"""rankscope convert and rankscope formats, and evaluate with files of every format."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rankscope.data.formats import FORMATS

Command = Callable[..., Any]


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.json", "a.jsonl.zst", "a.parquet", "a.arrow", "a.gz"])
def test_there_and_back(command: Command, data: Path, name: str) -> None:
    first = command("convert", data / "one.run", data / name)
    assert (first.code, first.out, first.err) == (0, "", "")
    back = command("convert", data / name, data / "one.trec", "--as", "run")
    assert back.code == 0
    assert (data / "one.trec").read_text() == ("q1 Q0 b 1 2.0 a\nq1 Q0 a 2 1.0 a\nq2 Q0 c 1 9.0 a\n")


def test_judgments_are_told_and_their_grades_stay_whole(command: Command, data: Path) -> None:
    assert command("convert", data / "truth.qrels", data / "j.csv").code == 0
    assert (data / "j.csv").read_text().splitlines()[:3] == ["query,item,grade", "q1,a,1", "q1,b,0"]
    done = command("evaluate", data / "j.csv", data / "one.run", "-m", "RR", "--format", "trec")
    assert done.out.split() == ["RR", "all", "0.5000"]


def test_through_pipes(process: Callable[..., Any], data: Path) -> None:
    run = gzip.compress((data / "one.run").read_bytes())
    done = process("convert", "-", "-", "--output-format", "json", given=run)
    assert json.loads(done.out) == {"q1": {"b": 2.0, "a": 1.0}, "q2": {"c": 9.0}}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["top.tsv", "x.run"], ["does not tell", "--as run or --as judgments"]),
        (["top.tsv", "x.run", "--as", "run"], ["top.tsv:1:7: rank '0.5'", "--input-format scores"]),
        (["one.run", "x.run", "--output-format", "ranks"], ["the format ranks is not written"]),
        (
            ["one.run", "x.run", "--input-format", "treck"],
            ["there is no format 'treck'", "did you mean trec"],
        ),
        (["one.run", "x.run", "--columns", "query"], ["as in query=qid"]),
        (["one.run", "x.run", "--columns", "side.query=a"], ["the side is run or judgments, not 'side'"]),
        (["one.run", "nowhere/x.run"], ["there is no folder"]),
        (["one.run", "one.run"], ["it is also an input"]),
        (["none.run", "x.run"], ["there is no such file", "did you mean"]),
    ],
)
def test_what_cannot_be_converted(
    command: Command, data: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], words: list[str]
) -> None:
    monkeypatch.chdir(data)
    (data / "top.tsv").write_text("q1\ta\t 0.5\nq1\tb\t 0.7\n")
    before = sorted(path.name for path in data.iterdir())
    done = command("convert", *arguments)
    assert (done.code, done.out) == (2, "")
    assert all(word in done.err for word in words)
    assert sorted(path.name for path in data.iterdir()) == before


def test_the_old_file_stays_when_something_is_wrong(command: Command, data: Path) -> None:
    (data / "bad.csv").write_text("query,item,score\nq 1,a,1\n")
    (data / "out.run").write_text("old")
    done = command("convert", data / "bad.csv", data / "out.run")
    assert (done.code, "white space" in done.err) == (2, True)
    assert (data / "out.run").read_text() == "old"


def test_empty_rankings_that_a_format_cannot_hold_are_noted(command: Command, data: Path) -> None:
    (data / "a.jsonl").write_text('{"query": "q", "retrieved": ["a"]}\n{"query": "p", "retrieved": []}\n')
    done = command("convert", data / "a.jsonl", data / "a.run")
    assert done.err == "note: 1 query without any item is left out: trec cannot hold it\n"


def test_formats_are_listed_with_an_example_each(command: Command) -> None:
    told = json.loads(command("formats", "--format", "json").out)
    assert [format["name"] for format in told] == [format.name for format in FORMATS]
    assert all(format["examples"] for format in told)
    table = command("formats").out
    assert all(f"{format.name}: {format.meaning}\n" in table for format in FORMATS)
    assert command("formats", "ranks").out.startswith("ranks: ")
    assert command("formats", "rankz").code == 2


@pytest.mark.parametrize("format", [f for f in FORMATS if f.name not in ("parquet", "arrow")])
def test_the_examples_are_of_their_format(command: Command, tmp_path: Path, format: Any) -> None:
    for role, example in format.examples.items():
        (tmp_path / "it").write_text(example)
        options = ["--as", role, "--input-format", format.name]
        assert command("convert", tmp_path / "it", tmp_path / "out.csv", *options).code == 0


def test_both_sides_in_one_file(command: Command, process: Callable[..., Any], tmp_path: Path) -> None:
    lines = [
        {"query": "1", "retrieved": ["a", "b"], "relevant": ["b"]},
        {"query": "2", "retrieved": {"c": 1.5, "d": 2.5}, "relevant": {"d": 2, "c": 0}},
    ]
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    (tmp_path / "rag.jsonl").write_text(text)
    expected = "measure     rag\nRR       0.7500\n"
    assert command("evaluate", tmp_path / "rag.jsonl", "-m", "RR").out == expected
    assert process("evaluate", "-", "-m", "RR", given=text.encode()).out == expected.replace("  rag", "stdin")


def test_a_folder_of_runs_with_a_format_and_columns(command: Command, data: Path) -> None:
    (data / "runs").mkdir()
    (data / "runs" / "x").write_text("q1 a 0.5\nq1 b 0.7\n")
    (data / "runs" / "y").write_text("q1 a 0.9\nq1 b 0.7\n")
    options = ["-m", "RR", "--input-format", "scores", "--format", "csv"]
    done = command("evaluate", data / "truth.qrels", data / "runs", *options)
    assert done.out.splitlines()[1:] == ["x,all,RR,0.16666666666666666", "y,all,RR,0.3333333333333333"]
    (data / "odd.csv").write_text("a,b,c\nq1,b,2\nq1,a,1\n")
    columns = ["--columns", "run.query=a,run.item=b", "--columns", "run.score=c"]
    done = command(
        "evaluate", data / "truth.qrels", data / "odd.csv", "-m", "RR", "--format", "csv", *columns
    )
    assert done.out.splitlines()[1:] == ["odd,all,RR,0.16666666666666666"]
