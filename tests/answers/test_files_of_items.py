"""Answers in files: items on lines, groups by empty lines or a column, and what is wrong with a file."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from rankscope import InputError
from rankscope.answers.files import holds_run, read_items
from rankscope.data.files import InputFile

EXAMPLES = Path(__file__).parents[2] / "examples"


def groups_in(path: Path, content: str | bytes, **options: bool) -> tuple[tuple[str, ...], ...]:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_items(InputFile(str(path)), **options).ranking.groups


@pytest.mark.parametrize(
    ("name", "content", "groups"),
    [
        ("a.txt", "x\ny\nz\n", (("x",), ("y",), ("z",))),
        ("a.txt", "x\r\ny", (("x",), ("y",))),
        ("a.txt", "\ufeffx\ny\n", (("x",), ("y",))),
        ("a.txt", "\n\nx\ny\n\n", (("x",), ("y",))),
        ("a.txt", "x\ny\n\nz\n", (("x", "y"), ("z",))),
        ("a.txt", "x\n \n\n\ny\nz\n\n", (("x",), ("y", "z"))),
        ("a.txt", "x\t1\ny\t1\nz\t2\n", (("x", "y"), ("z",))),
        ("a.txt", "x\tgood\n\ny\tgood\nz\tbad\n", (("x", "y"), ("z",))),
        ("a.csv", "item,group\nx,1\ny,1\n", (("x", "y"),)),
        ("a.csv", "item\nx\ny\n", (("x",), ("y",))),
        ("a.csv", "\nitem\n\nx\ny\n\nz\n", (("x", "y"), ("z",))),
        ("a.txt", "item\nx\n", (("item",), ("x",))),
        ("a.csv", "doc_id,Score\nx,0.5\ny,2\nz,0.5\n", (("y",), ("x", "z"))),
        ("a.txt", "item\tscore\nx\t-1\ny\t1e3\n", (("y",), ("x",))),
        ("a.csv", '"x, the first",1\ny,2\n', (("x, the first",), ("y",))),
        ("a.txt", "two words\n, comma\n", (("two words",), (", comma",))),
        ("a.txt.gz", gzip.compress(b"x\n\ny\n", mtime=0), (("x",), ("y",))),
        ("a.txt", b"\xff\xfe\n", (("\udcff\udcfe",),)),
    ],
)
def test_groups(tmp_path: Path, name: str, content: str | bytes, groups: tuple[tuple[str, ...], ...]) -> None:
    assert groups_in(tmp_path / name, content) == groups


@pytest.mark.parametrize(
    ("name", "content", "where", "message"),
    [
        ("a.txt", "", "a.txt", "no item"),
        ("a.txt", "\n \n", "a.txt", "no item"),
        ("a.txt", "x\ny\n\nx\n", "a.txt", r"'x' stands twice \(lines 1 and 4\)"),
        ("a.txt", "x\t1\ny\n", "a.txt:2", "no group"),
        ("a.txt", "x\ny\t1\n", "a.txt:2", "a group, where the lines before have none"),
        ("a.txt", "x\t1\ny\t2\nz\t1\n", "a.txt:3", "group '1' goes on after another"),
        ("a.csv", "item,score\nx,1\ny,high\n", "a.csv:3", "score 'high' is not a finite number"),
        ("a.csv", "item,score\nx,nan\n", "a.csv:2", "score 'nan'"),
        ("a.csv", "item,score\nx,1\nx,2\n", "a.csv", "'x' stands twice"),
        ("a.csv", "item,score\n", "a.csv", "no item"),
        ("a.txt", "x\t1\t3\n", "a.txt:1", "3 columns"),
        ("a.txt", "x\n\t1\n", "a.txt:2", "without an item"),
        ("a.csv", 'x\n"y\n', "a.csv:2", "CSV"),
    ],
)
def test_what_is_wrong_with_a_file(tmp_path: Path, name: str, content: str, where: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        groups_in(tmp_path / name, content)
    assert caught.value.where.endswith(where)


def test_a_set_forgives_repeats_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "set.txt"
    path.write_text("x\ny\n\nx\n")
    found = read_items(InputFile(str(path)), unordered=True)
    assert set(found.ranking.items) == {"x", "y"}
    assert not found.ranking.ordered
    assert found.notes == ("1 of 3 lines repeat an item: it counts once",)


@pytest.mark.parametrize(
    ("name", "content", "is_run"),
    [
        ("a.run", "q1 Q0 d1 1 0.5 tag\n", True),
        ("a.txt", "q1 d1 1\n", True),
        ("a.csv", "query,item,score\nq1,d1,0.5\n", True),
        ("a.json", '{"q1": {"d1": 0.5}}', True),
        ("a.txt", "d1\nd2\n", False),
        ("a.txt", "six words that are one item\n", False),
        ("a.txt", "three words here\n", False),
        ("a.txt", "d1\t2\n", False),
        ("a.csv", "d1,2\n", False),
        ("a.csv", "item,group\nd1,2\n", False),
        ("a.txt", "", False),
    ],
)
def test_runs_are_told_from_lists_of_items(tmp_path: Path, name: str, content: str, is_run: bool) -> None:
    path = tmp_path / name
    path.write_text(content)
    with InputFile(str(path)).opened() as opened:
        assert holds_run(opened) is is_run


def test_the_examples_are_what_they_seem() -> None:
    for path in EXAMPLES.glob("*.run"):
        with InputFile(str(path)).opened() as content:
            assert holds_run(content)
    found = sorted((EXAMPLES / "answers").glob("*.[tc]*"))
    assert len(found) == 4
    for path in found:
        with InputFile(str(path)).opened() as content:
            assert not holds_run(content)
        assert len(read_items(InputFile(str(path))).ranking) > 4
