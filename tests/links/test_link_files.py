"""Lists, relevances and results from files: pairing by name, headers, and where a problem is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rankscope import InputError
from rankscope.links.files import rank_files, read_lines, read_results

Write = Callable[[dict[str, str | bytes]], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def files(contents: dict[str, str | bytes]) -> Path:
        for name, content in contents.items():
            path = tmp_path / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path

    return files


PROJECT: dict[str, str | bytes] = {
    "lists/q1": "A\nB\nC\n",
    "lists/q2": "D\nA\nB\n",
    "truth": "A\nB\n",
    "scores/q2": "0.7\n0.6\n0.5\n",
    "scores/q1": "0.9\n0.8\n0.4\n",
}


def ranked(folder: Path, **options: Any) -> Any:
    return rank_files(str(folder / "lists"), str(folder / "truth"), str(folder / "scores"), **options)


def test_files_are_paired_by_name(write: Write) -> None:
    """The relevances of ArDoCo's documented example: MAP 19/24, LAG 1/2, AUC 3/4."""
    found = ranked(write(PROJECT))
    assert (found.map, found.lag, found.auc) == pytest.approx((19 / 24, 1 / 2, 3 / 4), rel=1e-12)


def test_a_header_may_be_text_everywhere(write: Write) -> None:
    headed = {name: f"heading\n{content!s}" for name, content in PROJECT.items()}
    assert ranked(write(headed), header=True).auc == 0.75
    with pytest.raises(InputError, match="relevance 'heading' is not a number"):
        ranked(write(headed))


def test_blank_lines_carriage_returns_and_a_byte_order_mark(write: Write) -> None:
    folder = write({"items": b"\xef\xbb\xbf\n  \nname\r\nA b\r\n\r\nB \xff\n"})
    lines = read_lines(str(folder / "items"), header=True)
    assert list(lines.texts) == ["A b", "B \udcff"]
    assert list(lines.numbers) == [4, 6]


def test_a_folder_is_a_truth_for_each_query(write: Write) -> None:
    folder = write({**PROJECT, "truths/q1": "A\nZ\n", "truths/q2": ""})
    found = rank_files(str(folder / "lists"), str(folder / "truths"))
    assert [q.ap for q in found.queries] == [0.5, 0]
    assert found.map == 0.25
    assert found.ground_truth_size == 2


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"scores/q3": "1\n"}, r"scores: nothing there belongs to 'q3'"),
        ({"lists/q3": "A\n"}, r"scores: no file 'q3'"),
        ({"scores/q1": "0.9\n"}, "q1: 1 relevances for the 3 items"),
        ({"scores/q1": "0.9\n\nhigh\n0.1\n"}, "q1:3: relevance 'high' is not a number"),
        ({"scores/q1": "0.9\nnan\n0.1\n"}, "q1:2: relevance 'nan' is not finite"),
        ({"scores/q1": "0.9\n1_0\n0.1\n"}, "q1:2: relevance '1_0' is not a number"),
        ({"lists/q1": "A\nB\n\nA\n"}, r"q1:4: item 'A' is ranked twice \(lines 1 and 4\)"),
    ],
)
def test_where_a_problem_is(write: Write, changes: dict[str, str | bytes], words: str) -> None:
    with pytest.raises(InputError, match=words):
        ranked(write({**PROJECT, **changes}))


def test_compat_counts_what_is_ranked_twice(write: Write) -> None:
    folder = write({**PROJECT, "lists/q1": "A\nB\nA\n"})
    assert ranked(folder, compat="ardoco").queries[0].found == 3
    assert ranked(folder, duplicates="allow").queries[0].found == 3


def test_a_folder_that_is_none(write: Write, tmp_path: Path) -> None:
    folder = write(PROJECT)
    (folder / "empty").mkdir()
    for given, words in (
        ("truth", "not a folder"),
        ("none", "no such file"),
        ("empty", "no file in this folder\n.*with a list in each file"),
    ):
        with pytest.raises(InputError, match=words):
            rank_files(str(folder / given), str(folder / "truth"))


CLASSIFIED = {"truePositives": ["a"], "falsePositives": [], "falseNegatives": ["b"], "trueNegatives": None}
RANKED = {"map": 0.5, "lag": 1, "auc": None, "groundTruthSize": 3}


def test_results_of_both_kinds(write: Write) -> None:
    folder = write(
        {
            "results/a.json": json.dumps(CLASSIFIED),
            "results/b.json": json.dumps({**RANKED, "map": "NaN", "lag": None, "auc": 0.7, "more": 1}),
        }
    )
    results = read_results(str(folder / "results"))
    assert list(results) == ["a.json", "b.json"]
    assert results["a.json"].confusion.recall == 0.5
    assert repr(results["b.json"]) == "RankSummary(map=nan, lag=nan, auc=0.7, ground_truth_size=3)"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "neither a rank nor a classification"),
        ('"map"', "neither a rank nor a classification"),
        (json.dumps({**RANKED, "map": "high"}), "map is 'high'"),
        (json.dumps({**RANKED, "lag": True}), "lag is True"),
        (json.dumps({"map": 1, "groundTruthSize": 1}), "no lag"),
        ('{"map": Infinity, "lag": 1, "groundTruthSize": 1}', "map is inf"),
        (json.dumps({**RANKED, "groundTruthSize": -1}), "groundTruthSize is -1"),
        (json.dumps({**RANKED, "groundTruthSize": None}), "no groundTruthSize"),
        (json.dumps({**CLASSIFIED, "falsePositives": "a"}), "falsePositives is no list"),
        (json.dumps({"truePositives": []}), "no falsePositives"),
        (json.dumps({**CLASSIFIED, "truePositives": ["a", "a"]}), "an item twice"),
        (json.dumps({**CLASSIFIED, "truePositives": [None]}), "NoneType"),
        (json.dumps({**CLASSIFIED, "trueNegatives": -4}), "below 0"),
        (json.dumps({**CLASSIFIED, "trueNegatives": 0.5}), "trueNegatives is 0.5"),
    ],
)
def test_results_that_are_none(write: Write, content: str, words: str) -> None:
    folder = write({"results/a.json": content})
    with pytest.raises(InputError, match=words) as caught:
        read_results(str(folder / "results"))
    assert "a.json" in str(caught.value)
