"""rankscope rankdcg: rankings of relevances and of categories, and predicted relevances."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]


@pytest.fixture
def genres(examples: Path) -> list[object]:
    """The two rankings of the page, and the relevance of its genres."""
    folder = examples / "gains"
    return [folder / "first.txt", folder / "second.txt", "--relevance", folder / "genres.csv"]


def test_categories_by_their_relevance(command: Command, genres: list[object]) -> None:
    """[D0, T1, A3] and [T1, A3, D0]: sums 3 and 2 + 3/2 + 1/3, of 3 to 3 + 2/2 + 1/3."""
    done = command("rankdcg", *genres, "--format", "json")
    first, second = json.loads(done.out)["rankings"]
    assert (first["name"], first["rankdcg"], second["rankdcg"]) == ("first", 0.0, 0.625)
    assert [first["sum"], second["sum"], second["highest"]] == pytest.approx([3, 23 / 6, 13 / 3], rel=1e-14)
    assert (second["relevances"], second["discounts"]) == ([2, 3, 1], [1, 2, 3])
    assert [first["ndcg"], second["ndcg"]] == pytest.approx([0.586883, 0.796708], abs=5e-7)
    assert (first["ndcg_lowest"], first["ndcg_scaled"]) == (first["ndcg"], 0)


def test_discount_by_rank(command: Command, genres: list[object]) -> None:
    """With discount i: DCG 3/2 and 5/2, nDCG 3/7 and 5/7."""
    done = command("rankdcg", *genres, "--discount", "rank", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [float(row["DCG"]) for row in rows] == [1.5, 2.5]
    assert [float(row["nDCG"]) for row in rows] == pytest.approx([3 / 7, 5 / 7], rel=1e-14)


def test_what_is_added_up(command: Command, genres: list[object]) -> None:
    done = command("rankdcg", *genres, "--explain", "--format", "csv")
    rows = [row for row in csv.DictReader(io.StringIO(done.out)) if row["ranking"] == "second"]
    assert [(row["item"], row["relevance"], row["discount"]) for row in rows] == [
        ("thriller", "2", "1"),
        ("action", "3", "2"),
        ("drama", "1", "3"),
    ]
    assert len(command("rankdcg", *genres, "--explain").out.splitlines()) == 3 + 1 + 7


def test_relevances_from_standard_input(process: Command) -> None:
    done = process("rankdcg", "-", "--format", "json", given=b"1\n3\n0\n")
    (found,) = json.loads(done.out)["rankings"]
    assert (found["name"], found["rankdcg"]) == ("stdin", 0.625)


def test_predictions_beside_a_reference(command: Command, tmp_path: Path) -> None:
    """([9, 3, 1], [5, 1, 7]) has 1/8, as the author's page says; equal predictions are worst by default."""
    for name, values in {"true": "9 3 1", "some": "5 1 7", "equal": "10 10 10", "same": "9 3 2"}.items():
        (tmp_path / name).write_text(values.replace(" ", "\n") + "\n")
    predicted = [tmp_path / name for name in ("some", "equal", "same")]
    done = command("rankdcg", *predicted, "--reference", tmp_path / "true", "--format", "csv")
    some, equal, same = csv.DictReader(io.StringIO(done.out))
    assert [float(row["RankDCG"]) for row in (some, equal, same)] == [0.125, 0, 1]
    assert float(same["positional P"]) == pytest.approx(2 / 3, rel=1e-14)
    assert float(same["positional AP"]) == pytest.approx((1 + 1 + 2 / 3) / 3, rel=1e-14)
    sums = [sum(v / math.log2(i + 2) for i, v in enumerate(values)) for values in ((10, 10, 10), (9, 3, 1))]
    assert float(equal["DCG ratio"]) == pytest.approx(sums[0] / sums[1], rel=1e-14)
    assert "note: equal: DCG ratio above 1" in done.err
    best = command(
        "rankdcg", *predicted, "--reference", tmp_path / "true", "--ties", "best", "--format", "json"
    )
    assert json.loads(best.out)["predictions"][1]["rankdcg"] == 1
    assert "above 1" in json.loads(best.out)["notes"][0]


@pytest.mark.parametrize(
    ("files", "arguments", "message"),
    [
        ({"a": "x\n"}, ["a"], "a:1: relevance 'x' is not a number"),
        ({"a": "3,5\n"}, ["a"], "a:1: relevance '3 5' is not a number"),
        ({"a": "1\nnan\n"}, ["a"], "a:2: relevance 'nan' is not finite"),
        ({"a": "x\n", "r": "y 1\n"}, ["a", "--relevance", "r"], "no relevance for 'x'"),
        ({"a": "1\n", "r": "1\n2\n"}, ["a", "--reference", "r"], "a: 1 values, where r has 2"),
        ({"a": "1\n"}, ["a", "--ties", "best"], "--ties belongs to --reference"),
        ({"a": "1\n"}, ["a", "--reference", "a", "--explain"], "without --reference"),
        ({"a": "1\n"}, ["a", "--base", "1"], "base=1"),
        ({}, ["a"], "there is no such file"),
        ({}, [], "RANKING"),
        ({}, ["-", "--reference", "-"], "only one input can be standard input"),
    ],
)
def test_refusals(
    command: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    files: dict[str, str],
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    done = command("rankdcg", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_without_two_different_relevances_there_is_no_value(command: Command, tmp_path: Path) -> None:
    (tmp_path / "equal").write_text("2\n2\n")
    done = command("rankdcg", tmp_path / "equal", "--format", "json")
    (found,) = json.loads(done.out)["rankings"]
    assert (done.code, found["rankdcg"], found["sum"], found["ndcg"]) == (0, None, 2, 1)
