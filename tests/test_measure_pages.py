"""docs/measures: a page for each measure, written from its declaration.

`UPDATE_GOLDEN=1 python -m pytest tests/test_measure_pages.py` writes them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from rankscope import evaluate
from rankscope.measures import Measure
from rankscope.measures.describe import facts, family, parameter_rows, range_text
from rankscope.measures.registry import REGISTRY

FOLDER = Path(__file__).parents[1] / "docs" / "measures"
FAMILIES = {
    "relevance": "Relevance: how good the items at the top are",
    "order": "Order: how near a ranking is to the true order",
    "classes": "Classes: how near the classes of the items are to the query's",
    "similarity": "Similarity: how alike two answers are",
    "sets": "Sets: what was retrieved, whatever its order",
}
TRUTH = {"a": 3, "b": 2, "c": 1, "d": 0, "e": 0}
RUN = {"b": 0.9, "a": 0.7, "x": 0.7, "d": 0.4, "c": 0.1}
BUILT_IN = [m for m in REGISTRY.all() if m.kernel.__module__.startswith("rankscope.measures.")]


def page(measure: Measure) -> str:
    return "\n".join([*_declared(measure), *_parameters(measure), *_example(measure)])


def _declared(measure: Measure) -> Iterator[str]:
    yield f"# {measure.name}\n"
    yield f"{measure.meaning}\n"
    yield f"$${measure.formula}$$\n"
    if measure.idea:
        yield f"{measure.idea}\n"
    yield "| | |\n| --- | --- |"
    for label, text in facts(measure):
        yield f"| {label} | {f'`{text}`' if label == 'example' else text} |"
    yield ""


def _parameters(measure: Measure) -> Iterator[str]:
    if not measure.params:
        return
    yield "## Parameters\n\n| name | meaning | allowed | default |\n| --- | --- | --- | --- |"
    yield from (
        f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in parameter_rows(measure)
    )
    yield ""


def _example(measure: Measure) -> Iterator[str]:
    """Its value on one small ranking with a tie, an unjudged item and a judged one that is not retrieved."""
    kind = "the other answer" if measure.truth == "answer" else "the judgments"
    yield "## On a small ranking\n"
    yield f"With {kind} `{TRUTH}` and the run `{RUN}`:\n"
    yield "| ties | value |\n| --- | --- |"
    for ties in ("docid", "expected", "kept", "best", "worst"):
        value = evaluate({"q": TRUTH}, {"q": RUN}, measure, ties=ties, undefined="nan")[measure]
        yield f"| {ties} | {value:.10g} |"
    yield ""


def index() -> str:
    lines = [
        "# Measures\n",
        "Every measure there is, with a page each. The pages are written from the declarations by "
        "`UPDATE_GOLDEN=1 python -m pytest tests/test_measure_pages.py`, and a test checks that they are "
        "current. `rankscope measures NAME` prints the same.\n",
    ]
    for name, title in FAMILIES.items():
        lines += [f"## {title}\n", "| measure | meaning | range | better |", "| --- | --- | --- | --- |"]
        lines += [
            f"| [{m.name}]({m.name}.md) | {m.meaning} | {range_text(m)} | {m.better} |"
            for m in BUILT_IN
            if family(m) == name
        ]
        lines.append("")
    return "\n".join(lines)


def written() -> dict[str, str]:
    return {"README.md": index(), **{f"{m.name}.md": page(m) for m in BUILT_IN}}


def test_every_family_is_listed() -> None:
    assert {family(m) for m in BUILT_IN} <= set(FAMILIES)


@pytest.mark.skipif("UPDATE_GOLDEN" not in os.environ, reason="writes the pages; runs with UPDATE_GOLDEN=1")
def test_write() -> None:
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.md"):
        old.unlink()
    for name, text in written().items():
        (FOLDER / name).write_text(text)


def test_the_pages_are_what_the_declarations_say() -> None:
    pages = written()
    assert sorted(path.name for path in FOLDER.glob("*.md")) == sorted(pages)
    for name, text in pages.items():
        assert (FOLDER / name).read_text() == text, f"{name} is not current: UPDATE_GOLDEN=1 writes it"
