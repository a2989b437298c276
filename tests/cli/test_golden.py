"""What the command prints for the example data, and its reference page, as they are kept in files.

``UPDATE_GOLDEN=1 python -m pytest tests/cli/test_golden.py`` writes the files again; look at the difference.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from rankscope.cli import rankscope

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden" / "cli"
UPDATE = bool(os.environ.get("UPDATE_GOLDEN"))

# Ten decimals: beyond that, sums may depend on the machine.
CASES = {
    "table.txt": ["bm25.run", "dense.run", "hybrid.run"],
    "one-run.txt": ["bm25.run", "-m", "nDCG@10, AP(rel=2), RR, bpref, num_ret"],
    "per-query.txt": ["bm25.run", "dense.run", "-q", "-m", "nDCG(gain=exp)@10, AP", "--missing", "skip"],
    "undefined.txt": ["hybrid.run", "-q", "-m", "AP, Rprec", "--undefined", "nan"],
    "expected-ties.json": [
        *("bm25.run", "hybrid.run", "-m", "nDCG@10, P@10, RR, AP, RBP(p=0.95)"),
        *("--ties", "expected", "--format", "json", "--digits", "10"),
    ],
    "per-query.json": ["hybrid.run", "-q", "-m", "RR", "--format", "json", "--digits", "10"],
    "long.csv": ["bm25.run", "dense.run", "-m", "map, P_5, num_rel_ret", "--format", "csv", "--digits", "10"],
    "markdown.md": [
        "bm25.run",
        "dense.run",
        "hybrid.run",
        "-m",
        "nDCG@10, AP(rel=2), NumRet",
        "--format",
        "markdown",
    ],
    "latex.tex": [
        "bm25.run",
        "dense.run",
        "hybrid.run",
        "-m",
        "nDCG@10, AP(rel=2), NumRet",
        "--format",
        "latex",
    ],
    "aggregates.txt": [
        "bm25.run",
        "dense.run",
        "-m",
        "AP, NumRet",
        "--aggregate",
        "mean,median,gmean,min,max,std,ci",
    ],
    "groups.txt": ["bm25.run", "dense.run", "-m", "nDCG@10, AP, NumRet", "--groups", "GROUPS"],
    "groups.json": [
        *("bm25.run", "-m", "AP, NumRet", "--groups", "GROUPS", "--aggregate", "mean,ci"),
        *("--format", "json", "--digits", "10"),
    ],
    "groups.tsv": [
        *("bm25.run", "-m", "AP, NumRet", "--groups", "GROUPS", "--aggregate", "mean,std"),
        *("--format", "tsv", "--digits", "10"),
    ],
    "trec.txt": ["bm25.run", "-q", "-m", "num_ret, map, P_5, ndcg_cut_10, recip_rank", "--format", "trec"],
}


def compare(path: Path, text: str) -> None:
    if UPDATE:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", CASES)
def test_golden_output(command: Callable[..., Any], examples: Path, tmp_path: Path, name: str) -> None:
    groups = tmp_path / "groups.tsv"
    groups.write_text(
        "".join(f"q{n:02}\t{'tenth' if n % 10 == 0 else 'odd' if n % 2 else 'even'}\n" for n in range(1, 49))
    )
    files = {"GROUPS": str(groups)}
    arguments = [str(examples / a) if a.endswith(".run") else files.get(a, a) for a in CASES[name]]
    done = command("evaluate", examples / "judgments.qrels", *arguments)
    assert done.code == 0
    talk = f"--- standard error\n{done.err}" if done.err else ""
    compare(GOLDEN / name, done.out + (talk if name.endswith(".txt") else ""))


def test_no_golden_file_is_left_over() -> None:
    assert {path.name for path in GOLDEN.iterdir()} == {*CASES, "README.md"}


def test_the_reference_page_is_what_help_says() -> None:
    compare(ROOT / "docs" / "cli.md", reference())


def reference() -> str:
    """docs/cli.md: the help of every command."""
    parent = click.Context(rankscope, info_name="rankscope", terminal_width=100)
    contexts = [parent]
    for name in rankscope.list_commands(parent):
        command = rankscope.get_command(parent, name)
        if command is not None and not command.hidden:
            contexts.append(click.Context(command, info_name=name, parent=parent, terminal_width=100))
    for context in contexts:
        context.help_option_names = ["-h", "--help"]
    sections = [f"## {context.command_path}\n\n```text\n{context.get_help()}\n```\n" for context in contexts]
    introduction = (
        "# The command line\n\n"
        "This page is what `--help` says. It is written by "
        "`UPDATE_GOLDEN=1 python -m pytest tests/cli/test_golden.py`, and a test checks that it is current.\n"
    )
    return "\n".join([introduction, *sections])
