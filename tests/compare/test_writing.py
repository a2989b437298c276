"""A comparison as text, Markdown, LaTeX and HTML: marks, any number of runs, and names that mean harm."""

from __future__ import annotations

import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from compare_support import result_of

import rankscope
from rankscope.compare.comparison import Comparison
from rankscope.compare.tabulate import labels

HOSTILE = ["<script>alert(1)</script>", "a|b_c*d", "\\input{x} $y$ & 100%", "\x1b[31mred", "=1+1", "'\"`"]


def steps(count: int, size: int = 25) -> Comparison:
    """Runs of which each is better than the ones before it, for certain."""
    values = {f"run{n}": {"AP": np.full(size, n / count), "RR": np.full(size, 0.5)} for n in range(count)}
    return rankscope.compare(result_of(values), resamples=50_000, interval="none")


def test_letters_name_the_runs_that_are_beaten() -> None:
    assert steps(3).table().to_text().splitlines() == [
        "   run       AP          RR",
        "a  run0  0.0000      0.5000",
        "b  run1  0.3333  a   0.5000",
        "c  run2  0.6667* ab  0.5000",
    ]


def test_signs_beside_a_baseline() -> None:
    found = rankscope.compare(steps(3).result, baseline="run1", interval="none", resamples=999)
    assert [line.split()[1:] for line in found.table().to_text().splitlines()[1:]] == [
        ["0.0000", "-", "0.5000"],
        ["0.3333", "0.5000"],
        ["0.6667*", "+", "0.5000"],
    ]
    assert found.legend[0] == "marks: + significantly better than run1, - significantly worse"
    assert (
        found.legend[1]
        == "Fisher's randomisation test (999 permutations, seed 0), Holm's correction, alpha 0.05"
    )


@pytest.mark.parametrize("count", [26, 27, 60])
def test_any_number_of_runs(count: int) -> None:
    """Beyond 26 the letters go in twos, and commas keep them apart."""
    assert len(set(labels(800))) == 800
    last = steps(count, size=30).table().to_text().splitlines()[-1].split()
    named = last[3].split(",") if count > 26 else list(last[3])
    assert named == labels(count)[: count - 1]


def test_the_best_is_bold_and_the_marks_are_raised() -> None:
    found = steps(3)
    assert "| c | run2 | **0.6667**<sup>ab</sup> | 0.5000 |" in re.sub(" +", " ", found.to_markdown())
    assert r"c & run2 & \textbf{0.6667}\textsuperscript{ab} & 0.5000 \\" in found.to_latex()
    assert "<td><strong>0.6667</strong><sup>ab</sup></td>" in found.to_html()


def test_pairs_are_listed_where_they_are_wanted() -> None:
    found = steps(3)
    for write in (found.to_markdown, found.to_latex, found.to_html):
        assert "corrected" in write(pairs=True)
        assert "corrected" not in write(pairs=False)


def hostile() -> Comparison:
    rng = np.random.default_rng(1)
    values = {name: {"AP": rng.random(8)} for name in HOSTILE}
    return rankscope.compare(result_of(values), baseline=HOSTILE[0])


class Elements(HTMLParser):
    """The tags of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.add(tag)
        assert not [name for name, _ in attrs if name.startswith("on") or name in ("src", "href")]


def test_names_are_escaped_in_html() -> None:
    page = hostile().to_html()
    elements = Elements()
    elements.feed(page)
    assert "script" not in elements.found
    assert "&lt;script&gt;" in page
    assert "\x1b" not in page


def test_names_are_escaped_everywhere_else() -> None:
    found = hostile()
    for text in (found.to_markdown(pairs=True), found.to_latex(pairs=True), repr(found), found.to_json()):
        assert "\x1b" not in text
    assert r"a\|b\_c\*d" in found.to_markdown()
    assert "<script>" not in found.to_markdown(pairs=True)
    assert r"\textbackslash{}input\{x\} \$y\$ \& 100\%" in found.to_latex()


def test_every_line_of_a_markdown_table_has_the_same_cells() -> None:
    tables = [part for part in hostile().to_markdown(pairs=True).split("\n\n") if part.startswith("|")]
    assert len(tables) == 2
    for table in tables:
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1


def test_the_latex_is_balanced() -> None:
    text = hostile().to_latex(pairs=True).replace(r"\{", "").replace(r"\}", "")
    assert text.count("{") == text.count("}")
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert {len(re.findall(r"(?<!\\)&", row)) for row in rows[: len(HOSTILE) + 1]} == {1}


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="runs where there is pdflatex")
def test_the_latex_compiles(tmp_path: Path) -> None:
    (tmp_path / "t.tex").write_text(
        "\\documentclass{article}\\usepackage{booktabs,textcomp}\\usepackage[T1]{fontenc}\\begin{document}\n"
        f"{hostile().to_latex(pairs=True)}\n{steps(30).to_latex()}\n\\end{{document}}\n"
    )
    call = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    subprocess.run(call, cwd=tmp_path, check=True, capture_output=True, timeout=60)


def test_a_notebook_shows_the_table() -> None:
    shown = steps(3)._repr_html_()
    assert shown.startswith('<div class="wide"><table class="words-2">')
    assert "Holm" in shown
