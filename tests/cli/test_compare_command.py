"""rankscope compare: its formats, its gate, and what it says to bad input."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rankscope

Command = Callable[..., Any]
NAMES = ("bm25", "dense", "hybrid")
FAST = ("--resamples", "500")


@pytest.fixture
def files(examples: Path) -> list[Path]:
    return [examples / "judgments.qrels", *(examples / f"{name}.run" for name in NAMES)]


def test_the_table_has_means_pairs_and_method(command: Command, files: list[Path]) -> None:
    done = command("compare", *files, "-m", "nDCG@10,AP")
    assert done.code == 0
    means, pairs, method = done.out.split("\n\n")
    assert means.splitlines()[0].split() == ["run", "nDCG@10", "AP"]
    assert [line.split()[:2] for line in means.splitlines()[1:]] == [
        ["a", "bm25"],
        ["b", "dense"],
        ["c", "hybrid"],
    ]
    assert len(pairs.splitlines()) == 1 + 2 * 3
    assert "Fisher's randomisation test (100,000 permutations, seed 0), Holm's correction" in method
    assert "95 % interval of the difference: BCa bootstrap" in method
    assert "policy: ties=docid" in done.err


def test_json_is_what_python_gives(command: Command, files: list[Path]) -> None:
    options = ("--baseline", "bm25", "--seed", "3", "--format", "json", *FAST)
    done = command("compare", *files, "-m", "AP", *options)
    found = rankscope.compare(files[0], files[1:], "AP", baseline="bm25", seed=3, resamples=500)
    assert json.loads(done.out) == found.to_dict()
    assert done.err == ""


def test_csv_has_a_line_for_each_pair(command: Command, files: list[Path]) -> None:
    done = command("compare", *files, "-m", "AP, RR", "--format", "csv", "--digits", "3", *FAST)
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [(row["measure"], row["run"], row["baseline"]) for row in rows] == [
        (measure, run, base)
        for measure in ("AP", "RR")
        for base, run in (("bm25", "dense"), ("bm25", "hybrid"), ("dense", "hybrid"))
    ]
    assert all(len(row["p"]) <= 5 for row in rows)


@pytest.mark.parametrize(
    ("format", "starts"), [("markdown", "|"), ("latex", "% needs"), ("html", "<!doctype html>")]
)
def test_other_formats(command: Command, files: list[Path], tmp_path: Path, format: str, starts: str) -> None:
    target = tmp_path / "comparison"
    done = command("compare", *files, "-m", "AP", "--format", format, "-o", target, *FAST)
    assert (done.code, done.out) == (0, "")
    assert target.read_text().startswith(starts)
    assert "hybrid" in target.read_text()


def test_pairs_are_listed_where_there_are_few(command: Command, files: list[Path], tmp_path: Path) -> None:
    without = command("compare", *files, "-m", "AP", "--no-pairs", *FAST)
    assert "corrected" not in without.out
    many = []
    for number in range(6):
        many.append(tmp_path / f"copy{number}.run")
        many[-1].write_bytes(files[1].read_bytes())
    found = command("compare", files[0], *many, "-m", "AP", *FAST)
    assert "corrected" not in found.out
    assert "corrected" in command("compare", files[0], *many, "-m", "AP", "--pairs", *FAST).out


def test_most_lists_queries(command: Command, files: list[Path]) -> None:
    done = command("compare", *files[:3], "-m", "AP", "--most", "2", "--format", "json", *FAST)
    (pair,) = json.loads(done.out)["pairs"]
    assert [q["query"] for q in pair["helped"]] == ["q44", "q19"]
    assert [q["query"] for q in pair["harmed"]] == ["q28", "q32"]
    assert "q44" in command("compare", *files[:3], "-m", "AP", "--most", "2", *FAST).out


def test_groups_have_lines_of_their_own(command: Command, files: list[Path], tmp_path: Path) -> None:
    (tmp_path / "kinds.tsv").write_text(
        "".join(f"q{n:02} {'odd' if n % 2 else 'even'}\n" for n in range(1, 51))
    )
    done = command("compare", *files[:3], "-m", "AP", "--groups", tmp_path / "kinds.tsv", *FAST)
    assert [line.split()[0] for line in done.out.splitlines()[1:7]] == [
        "odd",
        "odd",
        "even",
        "even",
        "all",
        "all",
    ]


class TestGate:
    """`--fail-if-worse-by`: 0 or 1, and one line that says why."""

    def test_worse(self, command: Command, files: list[Path]) -> None:
        done = command("compare", *files[:3], "-m", "nDCG@10", "--fail-if-worse-by", "0.01", *FAST)
        assert done.code == 1
        last = done.err.splitlines()[-1]
        assert last.startswith(
            "rankscope: worse by more than 0.01: nDCG@10 -0.0632 (dense 0.5182, bm25 0.5815"
        )

    def test_not_by_so_much(self, command: Command, files: list[Path]) -> None:
        done = command("compare", *files[:3], "-m", "nDCG@10", "--fail-if-worse-by", "0.1", *FAST)
        assert done.code == 0
        assert "worse by" not in done.err

    def test_not_significantly(self, command: Command, files: list[Path]) -> None:
        gate = ("-m", "nDCG@10", "--fail-if-worse-by", "0.01", "--significant")
        assert command("compare", *files[:3], *gate).code == 0
        # hybrid is significantly better than dense (p 0.0001), so dense is worse than hybrid.
        assert command("compare", *files, *gate, "--baseline", "hybrid").code == 1

    def test_better(self, command: Command, files: list[Path]) -> None:
        done = command("compare", files[0], files[1], files[3], "-m", "AP", "--fail-if-worse-by", "0", *FAST)
        assert done.code == 0

    def test_equal(self, command: Command, files: list[Path], tmp_path: Path) -> None:
        (tmp_path / "same.run").write_bytes(files[1].read_bytes())
        done = command("compare", *files[:2], tmp_path / "same.run", "--fail-if-worse-by", "0", *FAST)
        assert done.code == 0

    def test_several_are_told_in_one_line(self, command: Command, files: list[Path]) -> None:
        done = command("compare", *files[:3], "-m", "nDCG@10,RR", "--fail-if-worse-by", "0.01", *FAST)
        (line,) = [line for line in done.err.splitlines() if "worse by" in line]
        assert "nDCG@10 -0.0632" in line
        assert "RR -0.1116" in line


def test_the_baseline_may_be_given_as_a_file(command: Command, files: list[Path]) -> None:
    by_name, by_file = (
        command("compare", *files, "-m", "AP", "--baseline", baseline, *FAST)
        for baseline in ("dense", files[2])
    )
    assert by_name.code == 0
    assert by_name.out == by_file.out


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--baseline", "bm52"], "did you mean bm25?"),
        (["--test", "ttest2"], "test= one of fisher, t, wilcoxon"),
        (["--correction", "x"], "correction= one of holm"),
        (["--interval", "x"], "interval= one of bca"),
        (["--alpha", "1.5"], "alpha= a number between 0 and 1"),
        (["--alpha", "nan"], "alpha= a number between 0 and 1"),
        (["--seed", "-1"], "seed= a whole number"),
        (["--resamples", "0"], "resamples= a whole number from 1 up"),
        (["--power", "0"], "power= a number between 0 and 1"),
        (["--fail-if-worse-by", "-1"], "--fail-if-worse-by"),
        (["--fail-if-worse-by", "nan"], "limit= a number from 0 up"),
        (["--significant"], "--significant needs --fail-if-worse-by"),
        (["--format", "pdf"], "--format"),
        (["-m", "nope"], "nope"),
        (["--ties", "nope"], "ties="),
    ],
)
def test_bad_usage(command: Command, files: list[Path], options: list[str], says: str) -> None:
    done = command("compare", *files[:3], *FAST, *options)
    assert done.code == 2
    assert says in done.err
    assert "Traceback" not in done.err


def test_files_that_cannot_be_compared(command: Command, files: list[Path], tmp_path: Path) -> None:
    assert "at least two runs" in command("compare", *files[:2]).err
    assert "no-such.run" in command("compare", *files[:2], tmp_path / "no-such.run").err
    assert command("compare", files[0]).code == 2
    assert "2 runs have the name" in command("compare", files[0], files[1], files[1]).err
    assert "standard input" in command("compare", "-", files[1], "-").err


def test_control_characters_never_reach_the_terminal(command: Command, data: Path) -> None:
    """Of the name of a run, of a query and of a group, in every format."""
    wicked = data / "wick\x1b[31med.run"
    (data / "truth.qrels").write_text("q\x1b1 0 a 1\nq2 0 c 2\n")
    wicked.write_text("q\x1b1 Q0 a 1 2 x\nq2 Q0 c 1 9 x\n")
    (data / "one.run").write_text("q\x1b1 Q0 b 1 2 x\nq2 Q0 c 1 9 x\n")
    (data / "groups").write_text("q\x1b1 g\x1b1\nq2 g2\n")
    for format in ("table", "json", "csv", "markdown", "latex", "html"):
        done = command(
            *("compare", data / "truth.qrels", data / "one.run", wicked, "-m", "RR", "--format", format),
            *("--groups", data / "groups", "--most", "2", "--fail-if-worse-by", "0"),
        )
        assert done.code == 0, done.err
        assert "\x1b" not in done.out + done.err


PREDICTIONS = {
    "fold": [1, 1, 1, 2, 2, 2],
    "y": [3, 1, 2, 9, 7, 8],
    "ann": [0.9, 0.1, 0.4, 0.8, 0.5, 0.6],
    "ibl": [0.2, 0.3, 0.4, 0.8, 0.9, 0.1],
}
COLUMNS = ("--truth", "y", "--systems", "ann,ibl", "--by", "fold", "-m", "Spearman, Kendall")


@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet"])
def test_a_table_of_predictions(command: Command, tmp_path: Path, suffix: str) -> None:
    import pandas as pd

    path, frame = tmp_path / f"table.{suffix}", pd.DataFrame(PREDICTIONS)
    if suffix == "parquet":
        frame.to_parquet(path)
    else:
        frame.to_csv(path, index=False, sep="," if suffix == "csv" else "\t")
    done = command("compare", path, *COLUMNS, "--format", "json", "--test", "t")
    options = {"truth": "y", "systems": ["ann", "ibl"], "by": "fold", "measures": "Spearman, Kendall"}
    assert json.loads(done.out) == rankscope.compare_predictions(PREDICTIONS, test="t", **options).to_dict()
    # By hand: rho of (3, 1, 2) and (0.2, 0.3, 0.4) is -1/2, and so is that of the second fold.
    assert json.loads(done.out)["pairs"][0]["mean"] == pytest.approx(-0.5)


@pytest.mark.parametrize(
    ("content", "options", "says"),
    [
        ("y,a,b\n1,2\n", ["--truth", "y", "--systems", "a,b"], "Expected 3 columns, got 2"),
        ("", ["--truth", "y", "--systems", "a,b"], "no table can be read"),
        ("y,a,b\n1,2,3\n", ["--truth", "y", "--systems", "a,c"], "no column 'c'"),
        ("y,a,b\n1,2,3\n", ["--truth", "y"], "need each other"),
        ("y,a,b\n1,2,3\n", ["--by", "y"], "need each other"),
        ("y,a,b\n1,2,3\n", ["x.run", "--truth", "y", "--systems", "a,b"], "there is no RUN then"),
        ("y,a,b\n1,2,3\n", [], "a RUN is missing"),
    ],
)
def test_bad_tables(command: Command, tmp_path: Path, content: str, options: list[str], says: str) -> None:
    (tmp_path / "table.csv").write_text(content)
    done = command("compare", tmp_path / "table.csv", *options)
    assert done.code == 2
    assert says in done.err


def test_one_run_from_a_pipe(process: Command, files: list[Path]) -> None:
    done = process("compare", files[0], files[1], "-", "-m", "AP", *FAST, given=files[2].read_bytes())
    assert done.code == 0
    assert "stdin" in done.out


def test_help_has_examples(command: Command) -> None:
    done = command("compare", "--help")
    assert done.code == 0
    assert "--fail-if-worse-by 0.01" in done.out
    assert "randomised Tukey HSD" in done.out


def test_the_page_shows_what_the_command_prints(command: Command, files: list[Path]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "compare.md").read_text()
    assert page.split("```")[1].strip("\n") == command("compare", *files, "-m", "nDCG@10").out.strip("\n")
