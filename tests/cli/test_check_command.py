"""rankscope check: what it prints, and its exit codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

from rankscope.data.formats import FORMATS

Command = Callable[..., Any]


def test_what_a_person_sees(command: Command, data: Path) -> None:
    (data / "bad.run").write_text("q1 Q0 a 1 2 t\nq1 Q0 b 2 high t\nq2 Q0 c 1 nan t\nq3 Q0 e 1 1 t\n")
    done = command("check", data / "truth.qrels", data / "bad.run")
    assert (done.code, done.err) == (1, "")
    lines = done.out.splitlines()
    assert lines[:3] == [
        f"{data / 'truth.qrels'}: 5 usable rows, 3 queries",
        "  nothing to remark",
        "",
    ]
    assert lines[3] == f"{data / 'bad.run'}: 2 usable rows, 2 queries"
    assert lines[4:7] == [
        "  problem  1 line in which the score is not a number [number]",
        "           - line 2: score 'high'",
        "           try: write a decimal number such as 12, -0.5 or 3.1e-4, or remove the row",
    ]
    assert "  warning  1 query judged, but not in the run [missing-queries]" in lines
    assert lines[-1] == "2 problems, 1 warning, 0 remarks"


def test_warnings_fail_only_when_strict(command: Command, data: Path) -> None:
    given = ("check", data / "truth.qrels", data / "one.run")  # q3 is missing
    assert command(*given).code == 0
    assert command(*given, "--strict").code == 1


def test_json(command: Command, data: Path) -> None:
    done = command("check", data / "truth.qrels", data / "one.run", data / "two.run", "--format", "json")
    content = json.loads(done.out)
    assert content["ok"] is True
    assert [Path(one["source"]).name for one in content["inputs"]] == ["truth.qrels", "one.run", "two.run"]
    assert content["inputs"][1]["findings"][0]["code"] == "missing-queries"


def test_a_file_for_the_report(command: Command, data: Path) -> None:
    target = data / "report.txt"
    done = command("check", data / "truth.qrels", data / "one.run", "-o", target)
    assert (done.code, done.out) == (0, "")
    assert target.read_text().endswith("0 problems, 1 warning, 1 remark\n")
    assert command("check", data / "truth.qrels", data / "one.run", "-o", data / "one.run").code == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["truth.qrels"], "RUN"),
        (["truth.qrels", "none.run"], "there is no such file"),
        (["-", "-"], "only one input can be standard input"),
        (["truth.qrels", "one.run", "--format", "xml"], "xml"),
    ],
)
def test_bad_usage(command: Command, data: Path, arguments: list[str], words: str) -> None:
    done = command("check", *(data / a if "." in a else a for a in arguments))
    assert (done.code, done.out) == (2, "")
    assert words in done.err
    assert "Traceback" not in done.err


def test_standard_input(process: Command, data: Path) -> None:
    done = process("check", data / "truth.qrels", "-", given=b"q1 Q0 a 1 2 t\nq1 Q0 b 2 x t\n")
    assert done.code == 1
    assert "stdin: 1 usable row, 1 query" in done.out
    assert "- line 2: score 'x'" in done.out


EVERY_FORMAT = {
    "trec": ("q1 Q0 a 1 2 t\nq1 Q0 x 2 1 t\n", "q1 0 a 1\nq1 0 b 0\n"),
    "ranks": ("q1 a 1\nq1 x 2\n", None),
    "scores": ("q1 a 0.7\nq1 x 0.3\n", None),
    "grades": (None, "q1 a 1\nq1 b 0\n"),
    "csv": ("q,i,v\nq1,a,2\nq1,x,1\n", "q,i,v\nq1,a,1\nq1,b,0\n"),
    "tsv": ("q\ti\tv\nq1\ta\t2\nq1\tx\t1\n", "q\ti\tv\nq1\ta\t1\nq1\tb\t0\n"),
    "json": ('{"q1": {"a": 2, "x": 1}}', '{"q1": {"a": 1, "b": 0}}'),
    "jsonl": ('{"q": "q1", "retrieved": {"a": 2, "x": 1}}', '{"q": "q1", "relevant": {"a": 1, "b": 0}}'),
}


@pytest.mark.parametrize(("format", "side"), [(f.name, side) for f in FORMATS for side in f.examples])
def test_every_format_and_columns_of_any_name(
    command: Command, data: Path, format: str, side: Literal["run", "judgments"]
) -> None:
    """Names say nothing and columns are called anything: what the options say is all there is to go by."""
    (data / "a.qrels").write_text("q1 0 a 1\nq1 0 b 0\n")
    (data / "a.run").write_text("q1 Q0 a 1 2 t\nq1 Q0 x 2 1 t\n")
    expected = command("check", data / "a.qrels", data / "a.run", "--format", "json")
    if format in EVERY_FORMAT:
        (data / "it").write_text(EVERY_FORMAT[format][side == "judgments"] or "")
    else:
        table = pa.table({"q": ["q1", "q1"], "i": ["a", "x" if side == "run" else "b"], "v": [2, 1]})
        if side == "judgments":
            table = table.set_column(2, "v", pa.array([1, 0]))
        (pq.write_table if format == "parquet" else feather.write_feather)(table, data / "it")
    inputs = [data / "a.qrels", data / "it"] if side == "run" else [data / "it", data / "a.run"]
    columns = f"{side}.query=q,{side}.item=i,{side}.{'score' if side == 'run' else 'grade'}=v"
    options = ["--input-format", f"{side}={format}", "--columns", columns]
    done = command("check", *inputs, *options, "--format", "json")
    assert (done.code, done.err) == (0, "")
    assert _findings(done.out) == _findings(expected.out)


def _findings(out: str) -> list[Any]:
    return [[(f["code"], f["count"]) for f in one["findings"]] for one in json.loads(out)["inputs"]]


def test_every_bad_row_of_a_format_that_is_forced(command: Command, data: Path) -> None:
    (data / "it").write_text("q1 a 0.7\nq1 b high\nq1 c\nq2 d nan\n")
    done = command("check", data / "truth.qrels", data / "it", "--input-format", "run=scores")
    assert done.code == 1
    assert "- line 2: score 'high'" in done.out
    assert "- line 3: 2 columns: 'q1 c'" in done.out
    assert "- line 4: score 'nan'" in done.out
    (data / "it").write_text("q1 a 1\nq1 b x\nq2 c\n")
    done = command("check", data / "it", data / "one.run", "--input-format", "judgments=grades")
    assert done.code == 1
    assert "- line 2: grade 'x'" in done.out
    assert "- line 3: 2 columns: 'q2 c'" in done.out


def test_what_is_wrong_with_the_options(command: Command, data: Path) -> None:
    given = ("check", data / "truth.qrels", data / "one.run")
    for options, words in {
        ("--input-format", "treck"): "did you mean trec",
        ("--input-format", "run=grades"): "holds judgments only",
        ("--columns", "query"): "as in query=qid",
        ("--columns", "quary=q"): "did you mean query?",
    }.items():
        done = command(*given, *options)
        assert (done.code, done.out) == (2, "")
        assert words in done.err


def test_both_sides_in_one_file(command: Command, tmp_path: Path) -> None:
    (tmp_path / "rag.jsonl").write_text('{"query": "1", "retrieved": ["a", "b"], "relevant": ["b"]}\n')
    done = command("check", tmp_path / "rag.jsonl")
    assert (done.code, done.err) == (0, "")
    assert f"{tmp_path / 'rag.jsonl'}: 1 usable row, 1 query" in done.out
    assert f"{tmp_path / 'rag.jsonl'} (run): 2 usable rows, 1 query" in done.out
