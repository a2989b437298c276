"""Class distances from everything that says them, and what is wrong with some."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from rankscope import InputError, classi
from rankscope.classes import ClassDistance, Taxonomy

NAMES = ["b", "c", "t"]
MATRIX = [[0, 1, 6], [2, 0, 5], [7, 8, 0]]
LONG = {
    "from": [a for a in NAMES for _ in NAMES],
    "to": NAMES * 3,
    "distance": [float(d) for row in MATRIX for d in row],
}
WIDE = {"class": NAMES, **{name: [float(row[n]) for row in MATRIX] for n, name in enumerate(NAMES)}}

EQUAL: dict[str, Any] = {
    "nested": {a: dict(zip(NAMES, row, strict=True)) for a, row in zip(NAMES, MATRIX, strict=True)},
    "pairs": {(a, b): MATRIX[i][j] for i, a in enumerate(NAMES) for j, b in enumerate(NAMES)},
    "callable": lambda a, b: MATRIX[NAMES.index(a)][NAMES.index(b)],
    "pandas long": pd.DataFrame(LONG),
    "polars long": pl.DataFrame(LONG),
    "arrow long": pa.table(LONG),
    "lazy long": pl.DataFrame(LONG).lazy(),
    "pandas wide": pd.DataFrame(WIDE),
    "pandas index": pd.DataFrame(MATRIX, index=NAMES, columns=NAMES),
    "polars wide": pl.DataFrame(WIDE),
    "arrow wide": pa.table(WIDE),
}

FILES = {
    "matrix.csv": ",b,c,t\nb,0,1,6\nc,2,0,5\nt,7,8,0\n",
    "no-corner.txt": "b c t\nb 0 1 6\nc 2 0 5\nt 7 8 0\n",
    "long.csv": "from,to,distance\nb,c,1\nb,t,6\nc,b,2\nc,t,5\nt,b,7\nt,c,8\n",
    "other-order.csv": "# made by hand\ndistance,from,to\n1,b,c\n6,b,t\n2,c,b\n5,c,t\n7,t,b\n8,t,c\n",
    "bare.tsv": "b\tc\t1\nb\tt\t6\n\nc\tb\t2\r\nc\tt\t5\nt\tb\t7\nt\tc\t8\n",
}


@pytest.mark.parametrize("kind", EQUAL)
@pytest.mark.parametrize("query_class", NAMES)
def test_the_same_distances_however_they_are_given(kind: str, query_class: str) -> None:
    row = ClassDistance.of(EQUAL[kind]).row(query_class, NAMES)
    assert row.tolist() == MATRIX[NAMES.index(query_class)]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("query_class", NAMES)
def test_files(tmp_path: Path, name: str, query_class: str) -> None:
    (tmp_path / name).write_text(FILES[name])
    assert (
        ClassDistance.of(tmp_path / name).row(query_class, NAMES).tolist() == MATRIX[NAMES.index(query_class)]
    )


def test_a_matrix_with_the_names_of_its_classes() -> None:
    assert ClassDistance.of(np.array(MATRIX), classes=NAMES).row("c", NAMES).tolist() == MATRIX[1]
    assert classi(["t", "b"], "b", MATRIX, classes=NAMES).value == -1


def test_a_frame_of_duckdb() -> None:
    found = ClassDistance.of(duckdb.sql("select 'b' as \"from\", 'c' as \"to\", 3 as distance"))
    assert found.row("b", ["b", "c"]).tolist() == [0, 3]


def test_a_frame_whose_names_are_numbers_or_single_letters() -> None:
    matrix = pd.DataFrame([[0, 1, 2], [1, 0, 2], [5, 1, 0]])
    assert ClassDistance.of(matrix).row(2, [0, 1, 2]).tolist() == [5, 1, 0]
    named = pd.DataFrame({"class": [1, 0], "0": [4, 0], "1": [0, 7]})  # the index has other numbers
    assert ClassDistance.of(named).row(0, [0, 1]).tolist() == [0, 7]
    letters = pl.DataFrame({"class": ["a", "b", "d"], "a": [0, 1, 3], "b": [1, 0, 2], "d": [7, 2, 0]})
    assert ClassDistance.of(letters).row("a", ["a", "b", "d"]).tolist() == [0, 1, 7]


def test_the_same_class_twice() -> None:
    twice = pl.DataFrame({"class": ["b", "b", "c"], "b": [0, 1, 5], "c": [1, 0, 1]})
    for given, problem in (
        (twice, "class 'b' stands twice"),
        ({1: 0, "1": 3}, "class '1' has two different distances"),
        ({("b", 1): 0, ("b", "1"): 3}, "class '1' has two different distances"),
    ):
        with pytest.raises(InputError, match=problem):
            ClassDistance.of(given)
    with pytest.raises(InputError, match="counts: class '1' stands twice"):
        classi([1], order=[1], counts={1: 2, "1": 2})


def test_a_query_class_that_is_none_is_answered_with_the_nearest() -> None:
    with pytest.raises(InputError, match=r"from 'bonob' .*\n.*\n  try: did you mean bonobo?"):
        ClassDistance.of({"bonobo": {"tiger": 6}}).row("bonob", ["tiger"])


def test_a_row_needs_no_class_of_the_query(tmp_path: Path) -> None:
    (tmp_path / "row.csv").write_text("class,distance\nb,0\nt,6\n")
    (tmp_path / "bare.txt").write_text("b 0\nt 6\n")
    frame = pd.DataFrame({"label": ["b", "t"], "distance": [0, 6]})
    for given in ({"b": 0, "t": 6}, tmp_path / "row.csv", tmp_path / "bare.txt", frame):
        assert ClassDistance.of(given).row(None, ["t", "b"]).tolist() == [6, 0]


def test_whole_numbers_and_text_name_the_same_class() -> None:
    assert ClassDistance.of({1: {2: 5}}).row("1", [2, "2", np.int64(1)]).tolist() == [5, 5, 0]
    assert ClassDistance.of({b"a": 1}).row(None, ["a"]).tolist() == [1]


def test_only_the_direction_from_the_query_counts() -> None:
    with pytest.raises(InputError, match="there is one from 't' to 'b'"):
        ClassDistance.of({"b": {"c": 1}, "t": {"b": 6}}).row("b", ["t"])


def test_distances_may_be_negative_and_not_0_from_itself() -> None:
    ranking = classi(["b", "c", "t"], "b", {"b": 10, "c": -3, "t": 12})
    assert ranking.value == classi([10, -3, 12]).value


def test_an_order_with_classes_written_together() -> None:
    found = ClassDistance.of_order(["b", ("c", "g"), {"t"}])
    assert found.row(None, ["b", "c", "g", "t"]).tolist() == [0, 1, 1, 2]


def test_another_distance_between_two_classes() -> None:
    varied = ClassDistance.of(EQUAL["nested"]).varied("b", "t", 9)
    assert varied.row("b", NAMES).tolist() == [0, 1, 9]
    assert varied.row("c", NAMES).tolist() == MATRIX[1]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (3, "type int cannot be read as a distance"),
        (MATRIX, "without the names of its classes"),
        ({"b": {"c": math.nan}}, "distance of class 'c' is nan"),
        ({"b": {"c": "far"}}, "distance of class 'c' is far"),
        ({"b": {"c": True}}, "distance of class 'c' is True"),
        ({"b": {"c": None}}, "distance of class 'c' is None"),
        ({"c": 10**400}, "distance of class 'c'"),
        (pd.DataFrame({"from": ["b", "b"], "to": ["c", "c"], "distance": [1, 2]}), "two different distances"),
        (pl.DataFrame({"from": ["b"], "to": ["c"], "distance": [None]}), "distance of class 'c' is None"),
        ("missing.csv", "no such file"),
    ],
)
def test_bad_distances(given: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        ClassDistance.of(given)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no row in it"),
        ("from,to,distance\nb,c,far\n", r"d.csv:2: distance 'far' is not a number"),
        ("from,to,distance\nb,c,inf\n", r"d.csv:2: distance 'inf' is not finite"),
        ("from,to,distance\nb,c\n", r"d.csv:2: 2 columns"),
        ("from,to,distance\nb,c,1\nb,c,2\n", r"d.csv:3: class 'c' has two different distances"),
        (",b,c,t\nb,0,1,2\nc,1,0\n", r"d.csv:3: 3 columns"),
        (",b,c,c\nb,0,1,2\n", r"d.csv:1: class 'c' stands twice"),
        (",b,c,t\nb,0,1,2\nb,0,1,2\n", r"d.csv:3: class 'b' stands twice"),
        (',b,c,t\n"b,0,1,2\n', "unexpected end of data"),
        ("from,to,distance\nb,\x1b[31m,x\n", "is not a number"),
    ],
)
def test_bad_files(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "d.csv").write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        ClassDistance.of(tmp_path / "d.csv")
    assert "\x1b" not in str(caught.value)


def test_a_matrix_of_another_shape() -> None:
    with pytest.raises(InputError, match=r"shape \(3, 3\) for 2 classes"):
        ClassDistance.of(MATRIX, classes=["b", "c"])
    with pytest.raises(InputError, match="'b' stands twice"):
        ClassDistance.of(MATRIX, classes=["b", "c", "b"])
    with pytest.raises(InputError, match="distance of class 'b' is nan"):
        ClassDistance.of([[math.nan]], classes=["b"])
    with pytest.raises(InputError, match="not an array of numbers"):
        ClassDistance.of([["x"]], classes=["b"])


def test_what_is_lacking_is_named() -> None:
    with pytest.raises(InputError, match="class of the query is not given"):
        ClassDistance.of(EQUAL["nested"]).row(None, ["c"])
    with pytest.raises(InputError, match="no distance from 'b' to class 'cc'") as caught:
        ClassDistance.of(EQUAL["nested"]).row("b", ["cc"])
    assert "did you mean c?" in str(caught.value)
    with pytest.raises(InputError, match="class 'b' stands twice"):
        ClassDistance.of_order(["b", ["c", "b"]])


# ---- taxonomies

TREE = {
    "bonobo": "ape",
    "chimpanzee": "ape",
    "ape": "mammal",
    "tiger": "cat",
    "cat": "mammal",
    "carp": "fish",
}
WHOLE = {**TREE, "mammal": "animal", "fish": "animal"}


@pytest.mark.parametrize(
    ("a", "b", "path", "up"),
    [
        ("bonobo", "bonobo", 0, 0),
        ("bonobo", "chimpanzee", 2, 1),
        ("bonobo", "ape", 1, 1),
        ("ape", "bonobo", 1, 0),
        ("bonobo", "tiger", 4, 2),
        ("bonobo", "carp", 5, 3),
        ("carp", "bonobo", 5, 2),
        ("animal", "carp", 2, 0),
    ],
)
def test_steps_counted_by_hand(a: str, b: str, path: int, up: int) -> None:
    assert (Taxonomy(WHOLE)(a, b), Taxonomy(WHOLE, steps="up")(a, b)) == (path, up)


def test_paths_are_those_of_a_graph_search() -> None:
    """Against breadth-first search in the tree without its directions, for a random tree."""
    rng = np.random.default_rng(3)
    parents = {n: int(rng.integers(0, n)) for n in range(1, 60)}
    tree = Taxonomy(parents)
    near: dict[int, set[int]] = {n: set() for n in range(60)}
    for child, parent in parents.items():
        near[child].add(parent)
        near[parent].add(child)
    for start in range(0, 60, 7):
        steps, frontier, distance = {start}, {start}, 0
        while frontier:
            assert {tree(start, n) for n in frontier} == {distance}
            frontier = {m for n in frontier for m in near[n]} - steps
            steps |= frontier
            distance += 1


def test_a_taxonomy_is_a_class_distance(tmp_path: Path) -> None:
    (tmp_path / "tree.csv").write_text("child,parent\n" + "".join(f"{c},{p}\n" for c, p in WHOLE.items()))
    (tmp_path / "tree.txt").write_text("animal\n" + "".join(f"{c} {p}\n" for c, p in WHOLE.items()))
    frame = pd.DataFrame({"child": [*WHOLE, "animal"], "parent": [*WHOLE.values(), None]})
    labels = ["tiger", "bonobo", "chimpanzee"]
    given = (WHOLE, list(WHOLE.items()), tmp_path / "tree.csv", str(tmp_path / "tree.txt"), frame)
    values = {classi(labels, "bonobo", Taxonomy(each)).value for each in given}
    assert values == {classi([4, 0, 2]).value}
    assert Taxonomy(WHOLE).root == "animal"
    assert "tiger" in Taxonomy(WHOLE)


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        (TREE, "2 classes have no parent: 'mammal', 'fish'"),
        ({"a": "b", "b": "c", "c": "a"}, "'a' -> 'b' -> 'c' -> 'a'"),
        ({"a": "a"}, "'a' is its own parent"),
        ({"x": "root", "a": "b", "b": "a"}, "round in a circle"),
        ([("a", "b"), ("a", "c")], "class 'a' has two parents: 'b' and 'c'"),
        ({}, "taxonomy is empty"),
        (3, "type int cannot be read as a taxonomy"),
        ([("a", "b", "c")], "cannot be read as a taxonomy"),
        (pd.DataFrame({"child": ["a"], "up": ["b"]}), "no column for parent"),
    ],
)
def test_bad_taxonomies(tree: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Taxonomy(tree)


def test_an_unknown_label() -> None:
    with pytest.raises(InputError, match="'tigre' is not in the taxonomy") as caught:
        classi(["tigre", "bonobo"], "bonobo", Taxonomy(WHOLE))
    assert "did you mean tiger" in str(caught.value)
    with pytest.raises(InputError, match="class of the query is not given"):
        classi(["tiger", "bonobo"], distance=Taxonomy(WHOLE))


def test_a_deep_taxonomy() -> None:
    deep = Taxonomy({n: n + 1 for n in range(50_000)})
    assert deep(0, 50_000) == 50_000
