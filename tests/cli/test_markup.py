"""--format tsv, markdown and latex: what they show, and that no id can break out of its cell."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from rankscope.errors import printable
from rankscope.tables import Table

Command = Callable[..., Any]

# Cells as they come to a table: printable, on one line, and without white space at their ends.
cells = st.text(min_size=1, max_size=12).map(printable).map(str.strip).filter(bool)
ACTIVE = r"\`*_[x](y)<b>|~~&amp;$1$ http://a_b.c www.d_e.f -- ,, {} # % ^ ' \" ![]"


def rendered(markdown: str) -> list[list[tuple[str, bool]]]:
    """The text of each cell, and whether it is bold, as a Markdown renderer sees it."""
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(markdown)
    rows: list[list[tuple[str, bool]]] = []
    for before, token in pairwise(tokens):
        if token.type == "tr_open":
            rows.append([])
        if before.type in ("th_open", "td_open"):
            children = token.children or []
            assert {child.type for child in children} <= {
                "text",
                "text_special",
                "strong_open",
                "strong_close",
            }
            bold = any(child.type == "strong_open" for child in children)
            rows[-1].append(("".join(child.content for child in children), bold))
    return rows


def plain_latex(cell: str) -> str:
    """What LaTeX prints for a cell; anything that is not a known escape is a failure."""
    words = {"textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textless": "<"}
    words |= {
        "textgreater": ">",
        "textbar": "|",
        "textasciigrave": "`",
        "textquotesingle": "'",
        "char34": '"',
    }
    token = re.compile(
        r"\\(?P<word>[a-z]+(?:34)?)\{\}|\\(?P<mark>[{}$&#_%])|\{(?P<held>[\[*]?)\}|(?P<text>[^\\{}$&#_%~^])"
    )
    shown, at = "", 0
    while at < len(cell):
        found = token.match(cell, at)
        assert found is not None, cell[at:]
        parts = found.groupdict()
        shown += (
            words[parts["word"]] if parts["word"] else parts["mark"] or parts["held"] or parts["text"] or ""
        )
        at = found.end()
    return shown


def latex_lines(latex: str) -> list[list[str]]:
    lines = latex.splitlines()
    assert lines[0] == r"% needs \usepackage{booktabs}"
    assert re.fullmatch(r"\\begin\{tabular\}\{l+r*\}", lines[1])
    assert (lines[2], lines[4], lines[-2:]) == (r"\toprule", r"\midrule", [r"\bottomrule", r"\end{tabular}"])
    rows = [lines[3], *lines[5:-2]]
    assert all(row.endswith(r" \\") for row in rows)
    return [re.split(r"(?<!\\) ?& ?", row.removesuffix(r" \\")) for row in rows]


@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=4))
def test_any_cell_survives(lines: list[tuple[str, str]]) -> None:
    table = Table(("a", "b"), lines, words=2)
    assert rendered(table.to_markdown()) == [
        [(cell, False) for cell in line] for line in (("a", "b"), *lines)
    ]
    _, *body = latex_lines(table.to_latex())
    assert [[plain_latex(cell) for cell in line] for line in body] == [[*line] for line in lines]


def test_everything_that_means_something_is_escaped() -> None:
    table = Table((ACTIVE, "x"), [(ACTIVE, "1")])
    assert [line[0] for line in rendered(table.to_markdown())] == [(ACTIVE, False)] * 2
    assert [plain_latex(line[0]) for line in latex_lines(table.to_latex())] == [ACTIVE] * 2
    # A renderer that makes links of bare addresses finds none.
    assert not re.search(r"http://|www\.", table.to_markdown())
    assert not re.search(r"--|,,", table.to_latex())


def test_best_cells_are_bold() -> None:
    table = Table(
        ("run", "AP", "MD"), [("a", "0.5", "-0.25"), ("b", "0.4", "-")], best=frozenset({(0, 1), (0, 2)})
    )
    assert table.to_markdown().splitlines() == [
        "| run |      AP |        MD |",
        "| :-- | ------: | --------: |",
        "| a   | **0.5** | **-0.25** |",
        "| b   |     0.4 |         - |",
    ]
    assert table.to_latex().splitlines() == [
        r"% needs \usepackage{booktabs}",
        r"\begin{tabular}{lrr}",
        r"\toprule",
        r"run & AP & MD \\",
        r"\midrule",
        r"a & \textbf{0.5} & \textbf{$-$0.25} \\",
        r"b & 0.4 & - \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="runs where there is pdflatex")
def test_latex_compiles(tmp_path: Path) -> None:
    ascii_letters = "".join(map(chr, range(33, 127)))
    table = Table((ACTIVE, "x"), [(ascii_letters, "-1"), ("*", "1"), ("[1]", "2")], best=frozenset({(1, 1)}))
    preamble = r"\documentclass{article}\usepackage{booktabs}\begin{document}"
    (tmp_path / "t.tex").write_text("\n".join([preamble, table.to_latex(), r"\end{document}"]))
    call = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout[-2000:]


def test_tsv_is_csv_with_tabs(command: Command, data: Path) -> None:
    (data / "groups").write_text("q1 a, b\nq2 c\nq3 c\n")
    call = ("evaluate", data / "truth.qrels", data / "one.run", "-q", "-m", "RR", "--groups", data / "groups")
    done = command(*call, "--format", "tsv")
    assert done.out.splitlines() == [
        "run\tgroup\tquery\tmeasure\tvalue",
        "one\ta, b\tq1\tRR\t0.5",
        "one\tc\tq2\tRR\t1.0",
        "one\tc\tq3\tRR\t0.0",
        "one\ta, b\tall\tRR\t0.5",
        "one\tc\tall\tRR\t0.5",
        "one\tall\tall\tRR\t0.5",
    ]
    assert command(*call, "--format", "csv").out.splitlines()[1] == 'one,"a, b",q1,RR,0.5'


def test_long_formats_name_the_aggregate(command: Command, data: Path) -> None:
    call = ("evaluate", data / "truth.qrels", data / "one.run", "-q", "-m", "RR", "--aggregate", "max,min")
    assert command(*call, "--format", "csv").out.splitlines() == [
        "run,query,measure,aggregate,value",
        "one,q1,RR,,0.5",
        "one,q2,RR,,1.0",
        "one,q3,RR,,0.0",
        "one,all,RR,max,1.0",
        "one,all,RR,min,0.0",
    ]


def test_trec_has_groups_in_place_of_queries(command: Command, data: Path) -> None:
    """Also where a query is called all."""
    (data / "t.qrels").write_text("all 0 a 1\nq 0 b 1\n")
    (data / "r.run").write_text("all Q0 a 1 1 r\nq Q0 x 1 1 r\n")
    (data / "groups").write_text("all x\nq y\n")
    call = ("evaluate", data / "t.qrels", data / "r.run", "-q", "-m", "recip_rank", "--format", "trec")
    done = command(*call, "--groups", data / "groups", "--aggregate", "max")
    assert [line.split() for line in done.out.splitlines()] == [
        ["recip_rank", "all", "1.0000"],
        ["recip_rank", "q", "0.0000"],
        ["recip_rank_max", "x", "1.0000"],
        ["recip_rank_max", "y", "0.0000"],
        ["recip_rank_max", "all", "1.0000"],
    ]


def test_one_run_with_several_aggregates_is_a_table_of_measures(command: Command, data: Path) -> None:
    call = ("evaluate", data / "truth.qrels", data / "one.run", "-m", "RR,NumRet", "--aggregate", "mean,std")
    # RR 1/2, 1, 0 and 2, 1, 0 items: deviations 1/2 and 1.
    assert command(*call).out == "measure    mean     std\nRR       0.5000  0.5000\nNumRet        1       1\n"


def test_weights_from_a_file_or_standard_input(command: Command, process: Command, data: Path) -> None:
    (data / "w").write_text("q1 1\nq2 3\nq3 0\n")
    call = ("evaluate", data / "truth.qrels", data / "one.run", "-m", "RR", "--format", "csv")
    done = command(*call, "--weights", data / "w")
    # (1/2 + 3) / 4
    assert done.out.endswith("one,all,RR,0.875\n")
    assert "note: queries have weights, from 0 to 3" in done.err
    assert process(*call, "--weights", "-", given=(data / "w").read_bytes()).out == done.out


def test_json_is_rounded_everywhere(command: Command, data: Path) -> None:
    (data / "g").write_text("q1 a\nq2 a\nq3 a\n")
    options = ("--format", "json", "--digits", "2", "--aggregate", "mean,ci", "--groups", data / "g")
    done = command("evaluate", data / "truth.qrels", data / "one.run", "-m", "P@3", *options)
    # P@3 is 1/3, 1/3 and 0: mean 2/9, standard error 1/9, t of 2 degrees at 0.975 is 4.303 (printed tables).
    shown = {"mean": {"P@3": 0.22}, "ci95_low": {"P@3": -0.26}, "ci95_high": {"P@3": 0.7}}
    assert f'"aggregates": {shown}'.replace("'", '"') in " ".join(done.out.split()).replace(
        "{ ", "{"
    ).replace(" }", "}")
    assert '"size": 3' in done.out


@pytest.mark.parametrize("layout", ["table", "json", "csv", "tsv", "markdown", "latex", "trec"])
def test_no_control_character_of_a_group_or_weight_is_printed(
    command: Command, data: Path, layout: str
) -> None:
    (data / "g").write_bytes(b"q1 \x1b[31mred\nq2 \xc2\x9b31m\nzz\x07 \xe2\x80\xae\n")
    call = ("evaluate", data / "truth.qrels", data / "one.run", "-q", "--format", layout)
    done = command(*call, "--groups", data / "g")
    assert done.code == 0
    assert not [c for c in done.out + done.err if not c.isprintable() and c not in "\n\t"]
    (data / "w").write_bytes(b"q1 \x1b[31m\n")
    done = command(*call, "--weights", data / "w")
    assert (done.code, done.out) == (2, "")
    assert "weight '\\x1b[31m' is not a weight" in done.err
