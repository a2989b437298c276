"""Ranks, ties, duplicates and depth, against a ranking that compares everything with everything."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from align_support import OPTIONS, align_mapping, align_text, brute_force, ids_of, index_of, rows_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

JUDGED = {b"q1": [b"a", b"b", b"c"], b"q2": [b"a", b"z"]}
ROWS = st.lists(
    st.tuples(
        st.sampled_from([b"q1", b"q2", b"q3"]),
        st.sampled_from([b"a", b"b", b"c", b"d", b"e", b"z", b"aa"]),
        st.sampled_from([-1.0, -0.0, 0.0, 1.0, 1e8, 1e8 + 1, 1e300]) | st.floats(-2, 2),
    ),
    min_size=1,
    max_size=25,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
@given(
    rows=ROWS,
    tie_order=st.sampled_from(["docid", "docid-asc", "given"]),
    duplicates=st.sampled_from(["first", "best"]),
    depth=st.integers(0, 6),
    float32=st.booleans(),
    ascending=st.booleans(),
)
def test_ranks_are_those_of_counting(core: ModuleType, rows: Any, **options: Any) -> None:
    text = b"".join(b"%s Q0 %s 0 %r t\n" % (query, item, score) for query, item, score in rows)
    judged = {query: dict.fromkeys(items, 1) for query, items in JUDGED.items()}
    aligned = align_text(core, text, judged, **options)
    queries = [
        q
        for q, size in zip(JUDGED, aligned["offsets"][1:] - aligned["offsets"][:-1], strict=True)
        for _ in range(size)
    ]
    columns = rows_of(aligned, "item", "rank", "group_first", "group_size", "score", "position")
    found = [(q, JUDGED[q][row[0]], *row[1:]) for q, row in zip(queries, columns, strict=True)]
    assert found == brute_force(JUDGED, rows, **options)


def test_tie_orders(core: ModuleType) -> None:
    run = {"q1": {"b": 1, "c": 1, "a": 1}}
    judged = {"q1": {"a": 1, "b": 1, "c": 1}}
    orders = {
        order: [item for (item,) in rows_of(align_mapping(core, run, judged, tie_order=order), "item")]
        for order in ("docid", "docid-asc", "given")
    }
    assert orders == {"docid": [2, 1, 0], "docid-asc": [0, 1, 2], "given": [1, 2, 0]}


def test_ids_are_ordered_by_bytes_not_as_numbers(core: ModuleType) -> None:
    aligned = align_mapping(
        core, {"q1": {10: 1, 9: 1, "é": 1, "z": 1}}, {"q1": {10: 1, 9: 1, "é": 1, "z": 1}}
    )
    assert aligned["item"].tolist() == [2, 3, 1, 0]


def test_float32_makes_near_ties_ties(core: ModuleType) -> None:
    # 1e8 and 1e8 + 1 are one number in single precision (trec_eval 9 and before).
    judged, run = {"q": {"a": 1, "b": 1}}, {"q": {"a": 1e8 + 1, "b": 1e8}}
    assert align_mapping(core, run, judged)["item"].tolist() == [0, 1]
    single = align_mapping(core, run, judged, float32=True)
    assert single["item"].tolist() == [1, 0]
    assert single["group_size"].tolist() == [2, 2]
    assert single["score"].tolist() == [1e8, 1e8]


def test_depth_keeps_the_tie_group_that_it_cuts(core: ModuleType) -> None:
    judged = {"q": dict.fromkeys("abcde", 1)}
    run = {"q": {"a": 3, "b": 2, "c": 2, "d": 2, "e": 1}}
    aligned = align_mapping(core, run, judged, depth=2)
    assert aligned["rank"].tolist() == [1, 2, 3, 4]
    assert aligned["group_first"].tolist() == [1, 2, 2, 2]
    assert (aligned["retrieved"].tolist(), aligned["tied_rows"].tolist()) == ([2], [3])


@pytest.mark.parametrize(("policy", "kept"), [("first", (1.0, 1)), ("best", (3.0, 2))])
def test_duplicates_are_dropped_and_counted(core: ModuleType, policy: str, kept: tuple[float, int]) -> None:
    text = b"q Q0 a 1 1 t\nq Q0 a 2 3 t\nq Q0 a 3 3 t\nq Q0 b 4 2 t\n"
    aligned = align_text(core, text, {"q": {"a": 1}}, duplicates=policy)
    assert rows_of(aligned, "score", "position") == [kept]
    assert (aligned["dropped_duplicates"], aligned["retrieved"].tolist(), aligned["rows"]) == (2, [2], 4)


def test_best_is_the_lowest_where_lower_is_better(core: ModuleType) -> None:
    text = b"q Q0 a 1 2 t\nq Q0 a 2 1 t\n"
    aligned = align_text(core, text, {"q": {"a": 1}}, duplicates="best", ascending=True)
    assert rows_of(aligned, "score", "position") == [(1.0, 2)]


def test_dense_codes_start_with_the_items_of_the_truth(core: ModuleType) -> None:
    judged = {"q2": {"n": 1, "m": 1}, "q1": {"m": 1, "k": 0}}
    aligned = align_mapping(core, {"q1": ["y", "m"], "q2": ["x", "n", "y"], "q9": ["w"]}, judged, dense=True)
    dictionary = ids_of(aligned["dictionary_data"], aligned["dictionary_offsets"])
    assert dictionary == [b"n", b"m", b"k", b"x", b"y"]
    assert aligned["offsets"].tolist() == [0, 3, 5]
    assert [dictionary[code] for code in aligned["item"]] == [b"x", b"n", b"y", b"y", b"m"]


def test_queries_without_rows(core: ModuleType) -> None:
    judged = {"q1": {"a": 1}, "empty": {}, "missing": {"a": 1}, "none": {"b": 1}}
    aligned = align_mapping(core, {"none": {}, "q1": ["a"], "empty": ["x"]}, judged)
    assert aligned["in_run"].tolist() == [True, True, False, True]
    assert aligned["retrieved"].tolist() == [1, 1, 0, 0]
    assert aligned["offsets"].tolist() == [0, 1, 1, 1, 1]


def test_types_of_the_columns(core: ModuleType) -> None:
    aligned = align_mapping(core, {"q1": ["a"]}, dense=True)
    kinds = {name: str(aligned[name].dtype) for name in ("offsets", "retrieved", "tied_rows")}
    assert kinds == dict.fromkeys(("offsets", "retrieved", "tied_rows"), "int64")
    kinds = {
        name: str(aligned[name].dtype) for name in ("item", "rank", "group_first", "group_size", "position")
    }
    assert set(kinds.values()) == {"int32"}
    assert (str(aligned["score"].dtype), str(aligned["in_run"].dtype)) == ("float64", "bool")


def test_one_index_serves_many_runs(core: ModuleType) -> None:
    index = index_of(core, {"q": {"a": 1}})
    ranks = [
        core.align_mapping(index, {"q": ["x"] * n + ["a"]}, name="r", **{**OPTIONS, "duplicates": "first"})[
            "rank"
        ].tolist()
        for n in range(3)
    ]
    assert ranks == [[1], [2], [2]]
