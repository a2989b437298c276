"""What the documents say is what happens: their code runs, their output is what comes out."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import rankscope

ROOT = Path(__file__).parents[1]
RUNS = ("bm25", "dense", "hybrid")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
WITH_EXAMPLES = [str(page.relative_to(ROOT)) for page in PAGES if ">>> " in page.read_text()]


def modules() -> list[str]:
    found = [m.name for m in pkgutil.walk_packages(rankscope.__path__, "rankscope.")]
    return ["rankscope", *(name for name in found if not name.endswith(("._core", ".__main__")))]


@pytest.mark.parametrize("name", modules())
def test_the_examples_of_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def in_a_new_process(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )


@pytest.mark.parametrize("page", WITH_EXAMPLES)
def test_the_examples_of_a_page(page: str) -> None:
    """In a process of their own, for they define measures."""
    done = in_a_new_process("-m", "doctest", "-v", "-o", "ELLIPSIS", page)
    passed = re.search(r"^(\d+) passed", done.stdout, re.MULTILINE)
    assert passed is not None
    assert int(passed[1]) > 0


def test_the_main_pages_have_examples() -> None:
    assert {"README.md", "docs/compat.md", "docs/plugins.md"} <= set(WITH_EXAMPLES)


def test_what_the_readme_says_that_the_demo_prints() -> None:
    runs = [f"examples/{name}.run" for name in RUNS]
    done = in_a_new_process("-m", "rankscope", "evaluate", "examples/judgments.qrels", *runs)
    printed = (done.stdout + done.stderr).splitlines()
    shown = re.search(r"prints:\n\n```\n(.*?)\n\.\.\.\n```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert shown is not None
    assert printed[: len(shown[1].splitlines())] == shown[1].splitlines()


def test_the_measure_that_contributing_adds(tmp_path: Path) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    code = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert code is not None
    (tmp_path / "meangrade.py").write_text(code[1])
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import meangrade, rankscope; "
        "judgments, run = {'q': {'a': 3, 'b': 1}}, {'q': {'a': 1, 'b': 1, 'c': 1}}; "
        "values = (rankscope.evaluate(judgments, run, 'average_grade@2', ties=t)['MeanGrade@2'] "
        "for t in ('best', 'expected', 'worst')); print(*values)"
    )
    # Two of the grades 3, 1 and 0 (unjudged) come first: (3+1)/2, the mean over all orders, (0+1)/2.
    assert in_a_new_process("-c", program).stdout.split() == ["2.0", "1.3333333333333333", "0.5"]


def test_the_example_data_is_what_its_script_makes() -> None:
    made: dict[str, str] = runpy.run_path(str(ROOT / "examples" / "make.py"))["build"]()
    assert len(made) >= 5
    for name, content in made.items():
        assert (ROOT / "examples" / name).read_bytes() == content.encode(), name


def test_the_table_of_decisions_lists_them_all() -> None:
    folder = ROOT / "docs" / "decisions"
    listed = re.findall(r"\((\d{4}-[^)]*\.md)\)", (folder / "README.md").read_text())
    assert listed == sorted(path.name for path in folder.glob("0*.md"))
