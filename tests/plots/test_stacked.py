"""Several charts in one."""

from __future__ import annotations

import pytest

from rankscope import InputError
from rankscope.plots import Chart, Series, curves, heatmap
from rankscope.plots.saving import drawn
from rankscope.plots.stacked import stacked


def charts() -> list[Chart]:
    return [
        heatmap([[1, 0.5], [0.5, 1]], ["a", "b"], title="matrix"),
        curves(Series("line", [1, 2], [3, 4]), title="curve"),
    ]


def test_parts_keep_their_content_and_share_the_look() -> None:
    one, other = charts()
    found = stacked([one, other], title="both").spec
    assert [part["title"] for part in found["vconcat"]] == ["matrix", "curve"]
    assert all("config" not in part and "$schema" not in part for part in found["vconcat"])
    assert found["config"] == one.spec["config"]
    assert found["vconcat"][1]["data"] == other.spec["data"]
    assert found["title"] == "both"


def test_it_can_be_drawn() -> None:
    picture = drawn(stacked(charts()).spec, ".svg").decode()
    assert "matrix" in picture
    assert "curve" in picture


def test_one_chart_is_itself_and_none_is_an_error() -> None:
    one = charts()[0]
    assert stacked([one]) is one
    with pytest.raises(InputError, match="nothing to draw"):
        stacked([])
