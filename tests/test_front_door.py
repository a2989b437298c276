"""The front door: a short list of names that stays short, and an import that stays light."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import rankscope

ROOT = Path(__file__).parent.parent


def test_names() -> None:
    assert sorted(rankscope.__all__) == [
        "Answer",
        "CUTOFF",
        "Classes",
        "Comparison",
        "InputError",
        "Judgments",
        "Measure",
        "MeasureError",
        "MissingDependency",
        "Order",
        "Param",
        "Policy",
        "PolicyError",
        "REL",
        "RankscopeError",
        "Result",
        "Run",
        "Taxonomy",
        "__version__",
        "bounds",
        "check",
        "classi",
        "classify",
        "compare",
        "compare_predictions",
        "evaluate",
        "evaluate_scores",
        "measure",
        "measures",
        "parse",
        "pdelta",
        "plot",
        "rank_lists",
        "rankdcg_order",
        "rankdcg_scores",
        "rbo",
        "report",
        "roc",
        "study",
    ]
    assert all(hasattr(rankscope, name) for name in rankscope.__all__)


def test_every_measure_is_an_attribute() -> None:
    for measure in rankscope.measures.registered():
        assert getattr(rankscope, measure.name) is measure
        assert measure.name in dir(rankscope)


@pytest.mark.parametrize("name", ["ndcg", "MAP", "nothing", "_nothing"])
def test_aliases_and_unknown_names_are_not_attributes(name: str) -> None:
    with pytest.raises(AttributeError, match=name):
        getattr(rankscope, name)


def test_version_is_that_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert rankscope.__version__ == project["version"]


def test_import_needs_only_numpy() -> None:
    """In a fresh process, of all that is installed nothing but numpy comes in."""
    script = (
        "import sys; import numpy; before = {m.partition('.')[0] for m in sys.modules};"
        "import rankscope; after = {m.partition('.')[0] for m in sys.modules};"
        "print(*sorted(after - before - set(sys.stdlib_module_names)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert [name for name in done.stdout.split() if not name.startswith("_")] == ["rankscope"]


def test_a_file_is_enough_to_add_a_measure() -> None:
    """Each module of a folder of measures declares at least one, and nothing lists them elsewhere."""
    folder = ROOT / "src" / "rankscope" / "measures" / "relevance"
    files = {f"rankscope.measures.relevance.{path.stem}" for path in folder.glob("[!_]*.py")}
    assert {m.kernel.__module__ for m in rankscope.measures.registered()} >= files
