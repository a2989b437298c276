"""rankscope reproduce: tables, JSON, Markdown, pictures, and bad requests."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rankscope.cli import run
from rankscope.reproduce import SOURCES, VERDICTS

Command = Callable[..., tuple[int, str, str]]

QUICK = ("--no-table4", "--repetitions", "2")


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    def call(*arguments: object) -> tuple[int, str, str]:
        code = run(["reproduce", *map(str, arguments)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def test_a_table_for_people(command: Command) -> None:
    code, out, err = command("rankdcg")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert "figure                   printed  by log2(i + 1)        verdict    by i        verdict" in lines
    assert "DCG of [T1, A3, D0]          2.5          2.8928  different (3)  2.5000          equal" in lines
    assert "(3) the post divides by i here, and not by log2(i + 1)" in lines
    assert lines[-2].split() == ["cells", *" ".join(VERDICTS).split()]
    assert lines[-1].split() == ["rankdcg", "9", "13", "0", "45", "0"]


def test_without_a_name_all_are_shown(command: Command) -> None:
    code, out, _ = command(*QUICK, "--format", "json")
    assert code == 0
    papers = json.loads(out)
    assert [paper["name"] for paper in papers] == [*SOURCES]
    _, everything, _ = command("all", *QUICK, "--format", "json")
    assert everything == out


def test_json_has_all_digits(command: Command) -> None:
    code, out, _ = command("michel", "--format", "json")
    assert code == 0
    [paper] = json.loads(out)
    assert paper["work"].startswith("C. Michel.")
    assert sum(paper["verdicts"].values()) > 100
    examples = paper["experiments"][0]
    row = next(row for row in examples["rows"] if row["answers"] == "ab|c and abc")
    assert row["cells"][0]["computed"] == pytest.approx(7 / 15, rel=1e-12)
    # S1o of one common document is not defined.
    figure = next(experiment for experiment in paper["experiments"] if experiment["name"] == "figure-3")
    row = next(row for row in figure["rows"] if row["measure"].startswith("S1o"))
    assert [cell["computed"] for cell in row["cells"]] == [None, None, "no"]


def test_markdown_for_a_page(command: Command, tmp_path: Path) -> None:
    target = tmp_path / "page.md"
    assert command("rankdcg", "ardoco", "rankdcg", "--format", "markdown", "-o", target) == (0, "", "")
    text = target.read_text()
    assert [line for line in text.splitlines() if line.startswith("## ")] == [
        "## rankdcg",
        "## ardoco",
        "## Verdicts",
    ]
    assert r"DCG of \[T1, A3, D0\]" in text


def test_pictures_of_every_figure(command: Command, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "figures"
    code, _, err = command(*QUICK, "--plot", folder, "--plot-format", "json")
    assert code == 0
    assert f"8 pictures in {folder}" in err
    assert sorted(path.stem for path in folder.iterdir()) == [
        "classi-figure-1a",
        "classi-figure-1b",
        "classi-figure-2",
        "classi-figure-3",
        "huang-ling-table-2",
        "huang-ling-table-3",
        "michel-figure-3",
        "michel-figure-4",
    ]
    for number in ("1a", "1b", "2", "3"):
        panels = json.loads((folder / f"classi-figure-{number}.json").read_text())["vconcat"]
        assert panels[-1]["title"] == "Class distance function"


def test_pictures_are_drawn(command: Command, tmp_path: Path) -> None:
    code, _, _ = command("michel", "--plot", tmp_path)
    assert code == 0
    assert {path.name for path in tmp_path.iterdir()} == {"michel-figure-3.svg", "michel-figure-4.svg"}
    assert (tmp_path / "michel-figure-3.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["clasi"], "there is nothing to reproduce under 'clasi'; did you mean classi?"),
        (["zzz"], "there are classi, rankdcg, ardoco, huang-ling, michel, all"),
        (["rankdcg", "--seed", "-1"], "--seed"),
        (["huang-ling", "--seed", str(2**32)], "--seed"),
        (["rankdcg", "--repetitions", "1"], "--repetitions"),
        (["rankdcg", "--format", "csv"], "--format"),
        (["rankdcg", "--plot-format", "gif"], "--plot-format"),
        (["rankdcg", "-o", "nowhere/at/all.txt"], "there is no folder"),
    ],
)
def test_bad_requests(command: Command, arguments: list[str], message: str) -> None:
    code, out, err = command(*arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_a_file_in_place_of_the_folder(command: Command, tmp_path: Path) -> None:
    (tmp_path / "figures").write_text("")
    code, out, err = command("michel", "--plot", tmp_path / "figures")
    assert (code, out) == (2, "")
    assert "figures: cannot be written: File exists" in err


def test_it_needs_neither_scipy_nor_scikit_learn_without_table_4() -> None:
    script = (
        "import sys\n"
        "from rankscope.cli import run\n"
        f"code = run(['reproduce', *{QUICK!r}, '-o', '-'])\n"
        "heavy = {'scipy', 'sklearn', 'pandas', 'vl_convert', 'rich'} & set(sys.modules)\n"
        "sys.exit(f'{code} {sorted(heavy)}' if code or heavy else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
