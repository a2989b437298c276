"""rankscope evaluate: what it prints, in each format.

The values of the small files follow from the definitions: run one has q1: b, a and q2: c; run two has
q1: a and q2: x, d. So RR is 1/2, 1 and 1, 1/2; q3 is in neither run and has no relevant item.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]


def test_one_run_is_a_table_of_measures(command: Command, data: Path) -> None:
    done = command("evaluate", data / "truth.qrels", data / "one.run", "-m", "RR", "--missing", "skip")
    assert (done.code, done.out) == (0, "measure     one\nRR       0.7500\n")


def test_the_default_measures(command: Command, data: Path) -> None:
    done = command("evaluate", data / "truth.qrels", data / "one.run", data / "two.run")
    assert done.out.splitlines()[0].split() == ["run", "nDCG@10", "AP", "RR", "P@10", "R@100"]


def test_measures_are_repeated_or_listed_and_rel_holds_for_those_at_their_default(
    command: Command, data: Path
) -> None:
    options = ("-m", "nDCG@10, P(rel=3)@1", "-m", "P@1 RR", "--rel", 2)
    done = command("evaluate", data / "truth.qrels", data / "one.run", data / "two.run", *options)
    assert done.out.splitlines()[0].split() == ["run", "nDCG@10", "P(rel=3)@1", "P(rel=2)@1", "RR(rel=2)"]


def test_the_best_of_each_column_has_a_star(command: Command, data: Path) -> None:
    done = command("evaluate", data / "truth.qrels", data / "one.run", data / "two.run", "-m", "P@1,R,NumRet")
    # P@1: q2 of one, q1 of two, so alike. R: (1 + 1/2) / 3 both. NumRet: 3 both.
    assert "*" not in done.out
    done = command("evaluate", data / "truth.qrels", data / "one.run", data / "two.run", "-m", "nDCG@1,RR")
    # nDCG@1: q2's first item has grade 2 of 2 in one, so both are 1/3; RR: 1.5/3 both.
    assert "*" not in done.out
    done = command("evaluate", data / "truth.qrels", data / "one.run", data / "two.run", "-m", "P(rel=2)@1")
    assert [line.split() for line in done.out.splitlines()[1:]] == [["one", "0.3333*"], ["two", "0.0000"]]


def test_per_query_the_runs_stand_together(command: Command, data: Path) -> None:
    done = command("evaluate", data / "truth.qrels", data / "one.run", data / "two.run", "-m", "RR", "-q")
    assert [line.split() for line in done.out.splitlines()] == [
        ["query", "run", "RR"],
        ["q1", "one", "0.5000"],
        ["q1", "two", "1.0000*"],
        ["q2", "one", "1.0000*"],
        ["q2", "two", "0.5000"],
        ["q3", "one", "0.0000"],
        ["q3", "two", "0.0000"],
        ["all", "one", "0.5000"],
        ["all", "two", "0.5000"],
    ]


def test_per_query_of_one_run_keeps_a_query_called_all_apart(command: Command, tmp_path: Path) -> None:
    (tmp_path / "t.qrels").write_text("all 0 a 1\nq 0 b 1\n")
    (tmp_path / "r.run").write_text("all Q0 a 1 1 r\nq Q0 x 1 1 r\n")
    done = command("evaluate", tmp_path / "t.qrels", tmp_path / "r.run", "-m", "RR", "-q")
    assert [line.split() for line in done.out.splitlines()[1:]] == [
        ["all", "1.0000"],
        ["q", "0.0000"],
        ["all", "0.5000"],
    ]


def test_what_is_not_defined_is_a_dash_null_empty_or_nan(command: Command, data: Path) -> None:
    call = ("evaluate", data / "truth.qrels", data / "one.run", "-m", "nDCG@5", "-q", "--undefined", "nan")
    assert ["q3", "-"] in [line.split() for line in command(*call).out.splitlines()]
    shown = json.loads(command(*call, "--format", "json").out)
    assert shown["runs"][0]["queries"]["q3"] == {"nDCG@5": None}
    assert "one,q3,nDCG@5,\n" in command(*call, "--format", "csv").out
    assert "nDCG@5                \tq3\tnan\n" in command(*call, "--format", "trec").out


def test_what_is_not_defined_can_be_left_out(command: Command, data: Path) -> None:
    call = ("evaluate", data / "truth.qrels", data / "one.run", "-m", "nDCG", "-q", "--undefined", "skip")
    assert "q3" not in command(*call, "--format", "csv").out
    assert "q3" not in command(*call, "--format", "trec").out


def test_json_has_canonical_names_the_policy_and_the_notes(command: Command, data: Path) -> None:
    done = command(
        *("evaluate", data / "truth.qrels", data / "one.run", data / "two.run"),
        *("-m", "recip_rank", "--ties", "average", "--format", "json"),
    )
    shown = json.loads(done.out)
    assert shown["measures"] == ["RR"]
    assert shown["policy"]["ties"] == "expected"
    assert [(run["name"], run["aggregate"]) for run in shown["runs"]] == [
        ("one", {"RR": 0.5}),
        ("two", {"RR": 0.5}),
    ]
    assert "queries" not in shown["runs"][0]
    assert any("q3" in note for note in shown["runs"][0]["notes"])
    assert done.err == ""


def test_json_per_query_and_rounded(command: Command, data: Path) -> None:
    call = ("evaluate", data / "truth.qrels", data / "one.run", "-m", "R", "-q", "--format", "json")
    (run,) = json.loads(command(*call).out)["runs"]
    assert run["queries"] == {"q1": {"R": 1.0}, "q2": {"R": 0.5}, "q3": {"R": 0.0}}
    assert list(run) == ["name", "aggregate", "queries", "notes"]
    (run,) = json.loads(command(*call, "--digits", 1, "-m", "P@3").out)["runs"]
    assert run["queries"]["q1"]["P@3"] == 0.3


def test_csv_is_long_and_exact(command: Command, data: Path) -> None:
    call = ("evaluate", data / "truth.qrels", data / "one.run", "-m", "P@3, num_ret", "-q", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(command(*call).out)))
    assert rows[0] == {"run": "one", "query": "q1", "measure": "P@3", "value": repr(1 / 3)}
    assert rows[1] == {"run": "one", "query": "q1", "measure": "NumRet", "value": "2"}
    assert [row["query"] for row in rows] == [q for q in ("q1", "q2", "q3", "all") for _ in range(2)]
    assert "one,q1,P@3,0.33\n" in command(*call, "--digits", 2).out


def test_csv_quotes_what_it_must(command: Command, tmp_path: Path) -> None:
    (tmp_path / "t.qrels").write_text('q,"1 0 a 1\n')
    (tmp_path / "r.run").write_text('q,"1 Q0 a 1 1 r\n')
    done = command("evaluate", tmp_path / "t.qrels", tmp_path / "r.run", "-m", "RR", "-q", "--format", "csv")
    rows = list(csv.reader(io.StringIO(done.out)))
    assert rows[1] == ["r", 'q,"1', "RR", "1.0"]


def test_notes_and_policy_are_talk(command: Command, data: Path) -> None:
    for layout in ("table", "csv", "tsv", "markdown", "latex", "trec"):
        done = command("evaluate", data / "truth.qrels", data / "one.run", "--format", layout)
        assert "note:" not in done.out
        assert done.err.startswith("policy: ties=docid missing=empty")
        assert "note: the run lacks 1 judged query ('q3')" in done.err


def test_trec_names_are_as_typed(command: Command, data: Path) -> None:
    call = ("evaluate", data / "truth.qrels", data / "one.run", "-m", "recip_rank RR", "-m", "P( rel=1 )@1")
    assert command(*call, "--format", "trec", "--digits", 2).out.splitlines() == [
        "recip_rank            \tall\t0.50",
        "RR                    \tall\t0.50",
        "P(rel=1)@1            \tall\t0.33",
    ]


def test_trec_with_several_runs_says_whose_values_follow(command: Command, data: Path) -> None:
    call = ("evaluate", data / "truth.qrels", data / "one.run", data / "two.run", "-m", "num_ret", "-q")
    assert command(*call, "--format", "trec").out.splitlines()[:6] == [
        "runid                 \tall\tone",
        "num_ret               \tq1\t2",
        "num_ret               \tq2\t1",
        "num_ret               \tq3\t0",
        "num_ret               \tall\t3",
        "runid                 \tall\ttwo",
    ]


def test_trec_has_the_values_of_trec_eval(command: Command, examples: Path) -> None:
    """Every line that pytrec_eval gives is printed, digit for digit."""
    import pytrec_eval

    names = ["num_ret", "num_rel_ret", "map", "Rprec", "bpref", "recip_rank", "P_5", "recall_100"]
    names += ["ndcg", "ndcg_cut_10", "map_cut_10", "success_1"]
    with (examples / "judgments.qrels").open() as qrels, (examples / "dense.run").open() as run:
        truth, ranking = pytrec_eval.parse_qrel(qrels), pytrec_eval.parse_run(run)
    found = pytrec_eval.RelevanceEvaluator(truth, set(names)).evaluate(ranking)
    expected = [
        f"{name:<22}\t{query}\t{values[name]:.{0 if name.startswith('num_') else 4}f}"
        for query, values in sorted(found.items())
        for name in names
    ]
    call = ("evaluate", examples / "judgments.qrels", examples / "dense.run", "-q", "--missing", "skip")
    done = command(*call, "-m", ",".join(names), "--format", "trec")
    lines = done.out.splitlines()
    assert lines[: len(expected)] == expected
    assert [line.split()[:2] for line in lines[len(expected) :]] == [[name, "all"] for name in names]
    means = {
        name: pytrec_eval.compute_aggregated_measure(name, [v[name] for v in found.values()])
        for name in names
    }
    assert [float(line.split()[2]) for line in lines[len(expected) :]] == pytest.approx(
        [means[name] for name in names], abs=5.1e-5
    )


def test_chosen_queries(command: Command, data: Path) -> None:
    chosen = data / "chosen.txt"
    chosen.write_bytes(b"\xef\xbb\xbf# the easy one\r\n\r\n  q2\tsome text\r\n")
    call = ("evaluate", data / "truth.qrels", data / "one.run", "-m", "RR", "-q", "--format", "csv")
    done = command(*call, "--queries", chosen)
    assert done.out == "run,query,measure,value\none,q2,RR,1.0\none,all,RR,1.0\n"


def test_chosen_queries_keep_their_bytes(command: Command, tmp_path: Path) -> None:
    (tmp_path / "t.qrels").write_bytes(b"q\xff 0 a 1\nq 0 b 1\n")
    (tmp_path / "r.run").write_bytes(b"q\xff Q0 a 1 1 r\n")
    (tmp_path / "chosen").write_bytes(b"q\xff\n")
    call = ("evaluate", tmp_path / "t.qrels", tmp_path / "r.run", "-m", "RR", "-q", "--format", "json")
    done = command(*call, "--queries", tmp_path / "chosen")
    assert json.loads(done.out)["runs"][0]["queries"] == {"q\\xff": {"RR": 1.0}}


@pytest.mark.parametrize("layout", ["table", "json", "csv", "tsv", "markdown", "latex", "trec"])
def test_no_control_character_of_an_id_is_printed(command: Command, tmp_path: Path, layout: str) -> None:
    (tmp_path / "t.qrels").write_bytes(b"\x1b[31mq 0 a 1\n\x1b]0;x 0 a 1\n")
    run = tmp_path / "r\x1b[2J.run"
    run.write_bytes(b"\x1b[31mq Q0 a 1 1 r\n\x1b[5mz Q0 a 1 1 r\n")
    done = command("evaluate", tmp_path / "t.qrels", run, run.parent / run.name, "-q", "--format", layout)
    assert "\x1b" not in done.out + done.err
    done = command("evaluate", tmp_path / "t.qrels", run, "-q", "--format", layout)
    assert done.code == 0
    assert "\x1b" not in done.out + done.err


def test_depth_and_lower_is_better(command: Command, data: Path) -> None:
    call = ("evaluate", data / "truth.qrels", data / "one.run", "-m", "RR", "--format", "csv", "-q")
    assert "one,q1,RR,0.0\n" in command(*call, "--depth", 1).out
    assert "one,q1,RR,1.0\n" in command(*call, "--lower-is-better", "--threads", 1).out


@pytest.mark.parametrize(
    ("option", "line"),
    [
        (("--missing", "skip"), "RR                    \tall\t0.7500"),
        (("--ties", "worst"), "RR                    \tall\t0.5000"),
        (("--unjudged", "drop"), "RR                    \tall\t0.5000"),
        (("--undefined", "zero"), "RR                    \tall\t0.5000"),
        (("--duplicates", "first"), "RR                    \tall\t0.5000"),
        (("--extra", "error"), "RR                    \tall\t0.5000"),
    ],
)
def test_each_policy_is_an_option_and_is_named(
    command: Command, data: Path, option: tuple[str, str], line: str
) -> None:
    done = command(
        "evaluate", data / "truth.qrels", data / "one.run", "-m", "RR", "--format", "trec", *option
    )
    assert done.out.splitlines() == [line]
    assert f"{option[0][2:]}={option[1]}" in done.err
