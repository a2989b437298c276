"""Plugins: packages that are really installed, in a folder of their own, and how they fail."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).with_name("rankscope_example_plugin")

VALUE = (
    "import rankscope; "
    "print(rankscope.evaluate({'q': {'a': 3, 'b': 1}}, {'q': ['a', 'x']}, 'average_grade@2')['MeanGrade@2'])"
)


@dataclass(frozen=True)
class Site:
    """A folder with installed packages."""

    folder: Path

    def python(self, *arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
        path = [
            str(self.folder),
            *map(os.path.abspath, filter(None, os.environ.get("PYTHONPATH", "").split(":"))),
        ]
        return subprocess.run(
            [sys.executable, *map(str, arguments)],
            capture_output=True,
            text=True,
            timeout=60,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path), **environment},
        )

    def command(self, *arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
        return self.python("-m", "rankscope", *arguments, **environment)

    def add(self, name: str, source: str) -> None:
        """Put a package there as an installer leaves it: a module and the metadata with its entry point."""
        (self.folder / f"{name}.py").write_text(source)
        info = self.folder / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[rankscope.measures]\n{name} = {name}\n")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example plugin as pip installs it from its source."""
    folder = tmp_path_factory.mktemp("plugin")
    shutil.copytree(EXAMPLE, folder / "source")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"),
            *(
                "--no-index",
                "--no-deps",
                "--no-build-isolation",
                "--target",
                folder / "site",
                folder / "source",
            ),
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return folder / "site"


@pytest.fixture
def site(installed: Path, tmp_path: Path) -> Site:
    """The example plugin is there, and others may be added."""
    shutil.copytree(installed, tmp_path / "site")
    return Site(tmp_path / "site")


@pytest.fixture
def data(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "t.qrels").write_text("q 0 a 3\nq 0 b 1\n")
    (tmp_path / "r.run").write_text("q Q0 a 1 2 r\nq Q0 x 2 1 r\n")
    return tmp_path / "t.qrels", tmp_path / "r.run"


def test_a_measure_of_a_plugin_is_there_like_any_other(site: Site, data: tuple[Path, Path]) -> None:
    """Grades 3 and 0 of the first two items: 1.5."""
    assert site.python("-c", VALUE).stdout == "1.5\n"
    assert site.python("-c", "import rankscope; print(rankscope.MeanGrade @ 2)").stdout == "MeanGrade@2\n"
    done = site.command("evaluate", *data, "-m", "meangrade@2")
    assert done.stdout == "measure           r\nMeanGrade@2  1.5000\n"
    assert "plugin" not in done.stderr
    assert "MeanGrade " in site.command("measures").stdout
    assert site.command("measures", "MeanGrade").stdout.startswith("MeanGrade: The mean grade of the first k")


def test_a_plugin_keeps_all_laws(site: Site) -> None:
    program = (
        "from rankscope.testing import check_measure; import rankscope; check_measure(rankscope.MeanGrade)"
    )
    assert site.python("-W", "error", "-c", program).returncode == 0


def test_a_plugin_may_be_imported_by_itself(site: Site) -> None:
    for program in (
        "import rankscope_example_plugin as p, rankscope",
        "import rankscope_example_plugin as p",
    ):
        done = site.python(
            "-W", "error", "-c", f"{program}; import rankscope; assert rankscope.MeanGrade == p.mean_grade"
        )
        assert (done.returncode, done.stderr) == (0, "")


def test_a_plugin_may_use_other_measures(site: Site) -> None:
    """It asks the registry while the registry is asking for it."""
    site.add("asking", "from rankscope import nDCG, parse\nparse('AP')\nUSED = nDCG @ 10\n")
    done = site.python("-W", "error", "-c", VALUE)
    assert (done.stdout, done.stderr) == ("1.5\n", "")


BROKEN: dict[str, tuple[str, str]] = {
    "does_not_import": (
        "import nothing_of_this_name",
        "ModuleNotFoundError: No module named 'nothing_of_this_name'",
    ),
    "fails": ("raise RuntimeError('first line\\nsecond')", "RuntimeError: first line second"),
    "leaves": ("raise SystemExit(3)", "SystemExit: 3"),
    "is_no_python": ("def", "SyntaxError: "),
    "clashes": (
        "import numpy, rankscope\n"
        "rankscope.measure('Mine')(lambda graded: numpy.zeros(len(graded)))\n"
        "rankscope.measure('map')(lambda graded: numpy.zeros(len(graded)))\n",
        "MeasureError: the name 'map' belongs to AP",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_plugin_that_fails_is_reported_and_harms_nobody(
    site: Site, data: tuple[Path, Path], name: str
) -> None:
    source, reason = BROKEN[name]
    site.add(name, source)
    said = f"the plugin '{name}' of {name} 1.0 ({name}) was left out: {reason}"
    done = site.python("-c", VALUE)
    assert done.stdout == "1.5\n"
    assert done.stderr.count("PluginWarning: the plugin") == 1
    assert f"PluginWarning: {said}" in done.stderr
    done = site.command("evaluate", *data, "-m", "MeanGrade@2")
    assert (done.returncode, done.stdout) == (0, "measure           r\nMeanGrade@2  1.5000\n")
    assert done.stderr.count(f"note: {said}") == 1
    assert "Warning" not in done.stderr
    done = site.command("measures")
    assert done.returncode == 0
    assert done.stderr.startswith(f"note: {said}")
    assert "MeanGrade " in done.stdout
    assert "Mine " not in done.stdout  # all of a plugin, or nothing


def test_metadata_that_nobody_can_read_is_reported(site: Site, data: tuple[Path, Path]) -> None:
    site.add("unreadable", "")
    (site.folder / "unreadable-1.0.dist-info" / "entry_points.txt").write_bytes(
        b"[rankscope.measures]\n\xff = x\n"
    )
    done = site.command("measures")
    assert done.returncode == 0
    assert done.stderr.startswith("note: plugins could not be looked for: UnicodeDecodeError: ")
    assert "nDCG " in done.stdout


def test_a_built_in_measure_is_never_replaced(site: Site) -> None:
    site.add("clashes", BROKEN["clashes"][0])
    program = "import rankscope; rankscope.measures.registered(); print(rankscope.AP.kernel.__module__)"
    assert site.python("-c", program).stdout == "rankscope.measures.relevance.ap\n"


def test_where_no_plugin_is_needed_none_is_looked_for(site: Site, data: tuple[Path, Path]) -> None:
    """To look for them costs more than most evaluations take."""
    site.add("fails", BROKEN["fails"][0])
    done = site.command("evaluate", *data, "-m", "AP, ndcg_cut_10, recip_rank")
    assert done.returncode == 0
    assert "plugin" not in done.stderr
    program = (
        "import sys, rankscope; rankscope.parse('nDCG@10'); rankscope.AP; "
        "print('importlib.metadata' in sys.modules, 'fails' in sys.modules)"
    )
    assert site.python("-c", program).stdout == "False False\n"


def test_an_unknown_measure_is_still_the_error(site: Site, data: tuple[Path, Path]) -> None:
    site.add("fails", BROKEN["fails"][0])
    done = site.command("evaluate", *data, "-m", "MeanGrad")
    assert done.returncode == 2
    assert done.stderr.count("note: the plugin 'fails'") == 1
    assert "there is no measure 'MeanGrad'" in done.stderr
    assert "did you mean MeanGrade" in done.stderr


def test_warnings_as_errors_leave_the_registry_whole(site: Site) -> None:
    site.add("fails", BROKEN["fails"][0])
    program = (
        "import rankscope\n"
        "try: rankscope.parse('MeanGrade')\n"
        "except Warning as w: print(type(w).__name__)\n"
        "print(rankscope.parse('MeanGrade'))"
    )
    assert site.python("-W", "error", "-c", program).stdout == "PluginWarning\nMeanGrade\n"


def test_the_tab_key_knows_measures_of_plugins_and_keeps_quiet_about_broken_ones(site: Site) -> None:
    site.add("fails", BROKEN["fails"][0])
    words = {"COMP_WORDS": "rankscope evaluate -m Mean", "COMP_CWORD": "3"}
    done = site.command(_RANKSCOPE_COMPLETE="bash_complete", **words)
    assert "MeanGrade" in done.stdout
    assert done.stderr == ""
