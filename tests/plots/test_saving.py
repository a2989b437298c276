"""Charts as files: whole or not at all, by suffix, without a network."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from rankscope import errors, plots
from rankscope.errors import InputError, MissingDependency, RankscopeError

CHART = plots.curves(plots.Series("system", [1, 2], [0.5, 0.7]), title="P@k")
SIGNATURES = {
    ".svg": b"<svg",
    ".png": b"\x89PNG",
    ".pdf": b"%PDF",
    ".html": b"<!DOCTYPE html>",
    ".json": b"{",
}


@pytest.mark.parametrize("suffix", SIGNATURES)
def test_the_suffix_says_what_is_written(suffix: str, tmp_path: Path) -> None:
    CHART.save(tmp_path / f"chart{suffix.upper()}")
    assert (tmp_path / f"chart{suffix.upper()}").read_bytes().startswith(SIGNATURES[suffix])
    assert [path.name for path in tmp_path.iterdir()] == [f"chart{suffix.upper()}"]


def test_json_is_the_specification(tmp_path: Path) -> None:
    plots.save(CHART.spec, str(tmp_path / "chart.json"))
    assert json.loads((tmp_path / "chart.json").read_text()) == CHART.spec == json.loads(CHART.to_json())


def test_a_page_asks_nothing_of_the_network(tmp_path: Path) -> None:
    CHART.save(tmp_path / "chart.html")
    page = (tmp_path / "chart.html").read_text()
    assert "default-src &#x27;none&#x27;" in page
    assert "<script src" not in page
    assert "<link" not in page


@pytest.mark.parametrize("name", ["chart", "chart.gif", "chart.sgv", ".svg"])
def test_other_suffixes_are_an_error_that_names_those_that_work(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.svg, \.png, \.pdf, \.html, \.json"):
        CHART.save(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RankscopeError, match="cannot be written"):
        CHART.save(tmp_path / "nowhere" / "chart.json")


def test_what_fails_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "chart.svg"
    target.write_text("before")
    with pytest.raises(InputError, match="Vega-Lite cannot draw this"):
        plots.save({"mark": "nonsense"}, target)
    with pytest.raises(InputError, match="not allowed"):
        plots.save({"data": {"url": "https://example.com/a.json"}, "mark": "point"}, target)
    assert target.read_text() == "before"


def test_a_notebook_gets_the_specification_and_a_picture() -> None:
    bundle = CHART._repr_mimebundle_()
    assert bundle["application/vnd.vegalite.v5+json"] == CHART.spec
    assert bundle["image/svg+xml"].startswith("<svg")
    assert bundle["text/plain"] == "Chart('P@k')"


def test_without_vl_convert_the_error_has_the_name_for_pip() -> None:
    with pytest.raises(MissingDependency, match="pip install vl-convert-python") as caught:
        errors.package("vl_convert_that_is_not_there", "vl-convert-python")
    assert caught.value.code == "missing-package"


def test_specifications_and_json_need_no_other_package(tmp_path: Path) -> None:
    script = (
        "import sys; from rankscope import plots;"
        "plots.curves(plots.Series('a', [1, 2], [1, 2])).save(sys.argv[1]);"
        "print('vl_convert' in sys.modules)"
    )
    target = tmp_path / "chart.json"
    done = subprocess.run(
        [sys.executable, "-c", script, str(target)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"
    assert target.exists()
