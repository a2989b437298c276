"""What `rankscope compare` prints for the example data, in each of its formats, as it is kept in files.

``UPDATE_GOLDEN=1 python -m pytest tests/compare/test_golden.py`` writes them again; look at the difference.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rankscope.cli import run

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
GOLDEN = ROOT / "tests" / "golden" / "compare"
UPDATE = bool(os.environ.get("UPDATE_GOLDEN"))

RUNS = [f"{name}.run" for name in ("bm25", "dense", "hybrid")]
MEASURES = ("-m", "nDCG@10, AP(rel=2)")
FEW = ("--resamples", "1000")

# Ten decimals: beyond that, sums may depend on the machine.
CASES = {
    "table.txt": [*RUNS, *MEASURES, *FEW],
    "baseline.txt": [*RUNS, *MEASURES, "--baseline", "bm25", "--power", "0.8", "--most", "2", *FEW],
    "tukey.txt": [*RUNS, *MEASURES, "--test", "tukey", "--interval", "none", "--resamples", "500"],
    "groups.txt": [*RUNS[:2], "-m", "AP", "--groups", "GROUPS", "--no-pairs", *FEW],
    "comparison.json": [*RUNS, *MEASURES, "--format", "json", "--digits", "10", *FEW],
    "comparison.csv": [*RUNS, *MEASURES, "--format", "csv", "--digits", "10", *FEW],
    "comparison.md": [*RUNS, *MEASURES, "--format", "markdown", *FEW],
    "comparison.tex": [*RUNS, *MEASURES, "--format", "latex", *FEW],
    "comparison.html": [*RUNS, *MEASURES, "--format", "html", *FEW],
}


@pytest.mark.parametrize("name", CASES)
def test_golden_output(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    groups = tmp_path / "groups.tsv"
    groups.write_text("".join(f"q{n:02}\t{'odd' if n % 2 else 'even'}\n" for n in range(1, 51)))
    given = [str(EXAMPLES / a) if a.endswith(".run") else a for a in CASES[name]]
    arguments = [str(groups) if a == "GROUPS" else a for a in given]
    assert run(["compare", str(EXAMPLES / "judgments.qrels"), *arguments]) == 0
    printed, path = capsys.readouterr().out, GOLDEN / name
    if UPDATE:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(printed, encoding="utf-8")
    assert printed == path.read_text(encoding="utf-8")


def test_no_golden_file_is_left_over() -> None:
    assert {path.name for path in GOLDEN.iterdir()} == {*CASES}
