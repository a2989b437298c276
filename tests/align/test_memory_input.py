"""Mappings, columns and Arrow streams: the same rows as text, the same answers; and what is refused."""

from __future__ import annotations

import decimal
from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from align_support import OPTIONS, align_mapping, align_text, ids_of, index_of, outcome, rows_of

from rankscope.errors import InputError

JUDGED = {"q1": {"a": 2, "b": 0, "c": 1}, "2": {"7": 1}}
TRIPLES = [("q1", "x", 1.0), ("2", "7", 2.0), ("q1", "b", 3.0), ("zz", "a", 0.0), ("q1", "a", 1.0)]


def texts(values: list[str]) -> tuple[Any, Any]:
    raw = [value.encode() for value in values]
    return np.frombuffer(b"".join(raw), np.uint8), np.cumsum([0, *map(len, raw)], dtype=np.int64)


def by_text(core: ModuleType) -> dict[str, Any]:
    return outcome(
        lambda: align_text(
            core, b"".join(b"%s Q0 %s 0 %r t\n" % (q.encode(), i.encode(), s) for q, i, s in TRIPLES), JUDGED
        )
    )


def test_columns_of_text_are_like_text(core: ModuleType) -> None:
    query, item, score = zip(*TRIPLES, strict=True)
    columns = outcome(
        lambda: core.align_columns(
            index_of(core, JUDGED),
            texts(list(query)),
            texts(list(item)),
            np.array(score),
            name="run",
            **OPTIONS,
        )
    )
    assert columns == by_text(core)


@pytest.mark.parametrize(
    "kind",
    [
        *(pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary()),
        *(pa.dictionary(pa.int8(), pa.string()), pa.dictionary(pa.uint32(), pa.large_string())),
    ],
    ids=str,
)
@pytest.mark.parametrize("number", [pa.float64(), pa.float32(), pa.int8(), pa.int64(), pa.uint64()], ids=str)
def test_arrow_of_every_type_is_like_text(core: ModuleType, kind: Any, number: Any) -> None:
    query, item, score = zip(*TRIPLES, strict=True)
    plain_type = kind.value_type if pa.types.is_dictionary(kind) else kind
    as_type = [pa.array(values, pa.string()).cast(plain_type) for values in (query, item)]
    ids = [
        array.dictionary_encode().cast(kind) if pa.types.is_dictionary(kind) else array for array in as_type
    ]
    whole = pa.table({"more": ["-"] * 5, "s": pa.array(score).cast(number), "i": ids[1], "q": ids[0]})
    in_pieces = pa.concat_tables([whole.slice(0, 2), whole.slice(2, 0), whole.slice(2)])
    for table in (whole, in_pieces):
        aligned = outcome(
            lambda table=table: core.align_arrow(
                index_of(core, JUDGED), table, [3, 2, 1], name="run", **OPTIONS
            )
        )
        assert aligned == by_text(core)


@pytest.mark.parametrize("kind", [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)])
def test_whole_numbers_as_ids(core: ModuleType, kind: str) -> None:
    judged = {1: {10: 1, "9": 0}, "2": {9: 1}}
    index = index_of(core, judged)
    query, item, score = np.array([1, 1, 2]), np.array([9, 10, 9]), np.array([1.0, 2.0, 3.0])
    expected = outcome(lambda: core.align_columns(index, query, item, score, name="run", **OPTIONS))
    assert expected["integer_queries"] is expected["integer_items"] is True
    assert expected["rank"] == ("int32", [1, 2, 1])
    table = pa.table({"q": pa.array(query.astype(kind)), "i": pa.array(item.astype(kind)), "s": score})
    assert outcome(lambda: core.align_arrow(index, table, [0, 1, 2], name="run", **OPTIONS)) == expected


def test_arrow_names_and_capsules(core: ModuleType) -> None:
    table = pa.table({"q": ["q1"], "ü": ["a"], "s": [1.0]})
    assert core.arrow_names(table) == ["q", "ü", "s"]
    index = index_of(core, JUDGED)
    by_object = outcome(lambda: core.align_arrow(index, table, [0, 1, 2], name="run", **OPTIONS))
    capsule = table.__arrow_c_stream__()
    assert outcome(lambda: core.align_arrow(index, capsule, [0, 1, 2], name="run", **OPTIONS)) == by_object


def test_judgments_in_memory_are_like_text(core: ModuleType) -> None:
    by_text = outcome(lambda: core.judge_text(b"q1 0 a 2\n7 0 b 1\nq1 0 c 0\nq1 0 a 2\n", name="j"))
    query, item, grade = ["q1", "7", "q1", "q1"], ["a", "b", "c", "a"], np.array([2.0, 1.0, 0.0, 2.0])
    assert outcome(lambda: core.judge_columns(texts(query), texts(item), grade, name="j")) == by_text
    table = pa.table({"q": query, "i": item, "g": grade})
    assert outcome(lambda: core.judge_arrow(table, [0, 1, 2], name="j")) == by_text
    merged_before = {"q1": {"a": 2, "c": 0}, "7": {"b": 1}}
    assert outcome(lambda: core.judge_mapping(merged_before, name="j")) == {**by_text, "merged": 0}


def test_forms_of_judgments_as_mappings(core: ModuleType) -> None:
    judged = core.judge_mapping(
        {"q": ["b", "a"], 5: {"x"}, "t": ("y",), "e": {}, "f": {3: True, b"\xff": 0.5}}, name="j"
    )
    assert ids_of(judged["query_data"], judged["query_offsets"]) == [b"q", b"5", b"t", b"e", b"f"]
    assert judged["row_offsets"].tolist() == [0, 2, 3, 4, 4, 6]
    assert ids_of(judged["item_data"], judged["item_offsets"]) == [b"b", b"a", b"x", b"y", b"3", b"\xff"]
    assert judged["grades"].tolist() == [1, 1, 1, 1, 1, 0.5]
    assert (judged["integer_queries"], judged["integer_items"]) == (True, True)


@pytest.mark.parametrize("ascending", [False, True])
def test_a_list_is_best_first_whatever_the_direction(core: ModuleType, ascending: bool) -> None:
    aligned = align_mapping(core, {"q1": ["b", "x", "a"]}, JUDGED, ascending=ascending)
    assert rows_of(aligned, "item", "rank", "score") == [
        (1, 1, 1.0 if ascending else 3.0),
        (0, 3, 3.0 if ascending else 1.0),
    ]


@pytest.mark.parametrize(
    "value",
    [1, 1.0, np.float32(1), np.int64(1), np.uint8(1), True, np.True_, Fraction(1), decimal.Decimal(1)],
)
def test_any_number_is_a_score(core: ModuleType, value: Any) -> None:
    assert align_mapping(core, {"q1": {"a": value}})["score"].tolist() == [1.0]


def test_keys_that_are_the_same_id_are_one_query(core: ModuleType) -> None:
    aligned = align_mapping(core, {1: ["a", "x"], "1": ["b"], b"1": {}}, {"1": {"a": 1, "b": 1}})
    assert rows_of(aligned, "item", "score", "position") == [(0, 2.0, 1), (1, 1.0, 3)]
    assert (aligned["rows"], aligned["integer_queries"], aligned["integer_items"]) == (3, True, False)


RUN_ERRORS: list[tuple[Any, str, str]] = [
    ({}, "no-rows-in-memory", "run"),
    ({"q1": {}, "q2": []}, "no-rows-in-memory", "run"),
    ({"q1": 3}, "ranking-type", "run"),
    ({"q1": "abc"}, "ranking-type", "run"),
    ({"q1": {"a", "b"}}, "ranking-type", "run"),
    ({1.5: ["a"]}, "id-type", "run"),
    ({True: ["a"]}, "id-type", "run"),
    ({None: ["a"]}, "id-type", "run"),
    ({"q1": [("a", 1.0)]}, "id-type", "run"),
    ({"q1": {np.True_: 1}}, "id-type", "run"),
    ({"q1": ["\ud800"]}, "id-type", "run"),
    ({"q1": {"a": "1"}}, "value-type", "run, query 'q1'"),
    ({"zz": {"a": None}}, "value-type", "run, query 'zz'"),
    ({"q1": {"a": b"1"}}, "value-type", "run, query 'q1'"),
    ({"q1": {"a": [1]}}, "value-type", "run, query 'q1'"),
    ({"q1": {"a": float("nan")}}, "not-finite", "run, query 'q1', item 'a'"),
    ({"zz": {7: -np.inf}}, "not-finite", "run, query 'zz', item '7'"),
    ({"q1": {"a": 10**400}}, "overflow", "run, query 'q1', item 'a'"),
    ({"q1": {"a": 10**5000}}, "overflow", "run, query 'q1', item 'a'"),
    ({"q1": {1: 1, "1": 1}}, "duplicate-item", "run"),
    ({"q1": ["a", "x", "a"]}, "duplicate-item", "run"),
]


@pytest.mark.parametrize(("run", "code", "where"), RUN_ERRORS)
def test_what_a_run_in_memory_may_not_be(core: ModuleType, run: Any, code: str, where: str) -> None:
    with pytest.raises(InputError) as caught:
        align_mapping(core, run)
    assert (caught.value.code, caught.value.where) == (code, where)


JUDGMENT_ERRORS: list[tuple[Any, str, str]] = [
    ({}, "no-rows-in-memory", "j"),
    ({"q1": {}}, "no-rows-in-memory", "j"),
    ({"q1": "abc"}, "judged-items-type", "j"),
    ({"q1": 1}, "judged-items-type", "j"),
    ({"q1": {"a": "relevant"}}, "value-type", "j, query 'q1'"),
    ({"q1": {"a": 2**53 + 2}}, "grade-too-large", "j, query 'q1', item 'a'"),
    ({"q1": {"a": float("inf")}}, "not-finite", "j, query 'q1', item 'a'"),
    ({"q1": {1: 0, "x": 0, "1": 2}}, "conflicting-grades", "j"),
]


@pytest.mark.parametrize(("judged", "code", "where"), JUDGMENT_ERRORS)
def test_what_judgments_in_memory_may_not_be(core: ModuleType, judged: Any, code: str, where: str) -> None:
    with pytest.raises(InputError) as caught:
        core.judge_mapping(judged, name="j")
    assert (caught.value.code, caught.value.where) == (code, where)


def test_errors_name_both_rows(core: ModuleType) -> None:
    with pytest.raises(InputError, match=r"ranks item '1' twice \(rows 2 and 3\)"):
        align_mapping(core, {"zz": ["a"], "q1": ["a", 1, "1"]})
    with pytest.raises(InputError, match=r"0 and 2 \(rows 1 and 3\)"):
        core.judge_mapping({"p": ["a"], "q1": {1: 0, "x": 0, "1": 2}}, name="j")
    columns = np.array([3, 4, 3]), np.array([5, 5, 5])
    with pytest.raises(InputError, match=r"query '3' ranks item '5' twice \(rows 1 and 3\)"):
        core.align_columns(index_of(core, {3: [1]}), *columns, np.zeros(3), name="run", **OPTIONS)
    with pytest.raises(InputError, match=r"0 and 2\.5 \(rows 1 and 3\)"):
        core.judge_columns(*columns, np.array([0, 0, 2.5]), name="j")


def test_columns_say_in_which_row_a_number_is_wrong(core: ModuleType) -> None:
    ids = np.array([1, 2])
    with pytest.raises(InputError, match="run, row 2: score 'nan' is not finite"):
        core.align_columns(index_of(core, JUDGED), ids, ids, np.array([1, np.nan]), name="run", **OPTIONS)
    with pytest.raises(InputError, match="j, row 2: grade '-inf' is not finite"):
        core.judge_columns(ids, ids, np.array([1, -np.inf]), name="j")
    with pytest.raises(InputError, match=r"j, row 1: grade '1e\+16' is beyond"):
        core.judge_columns(ids, ids, np.array([1e16, 0]), name="j")
    with pytest.raises(InputError, match="a run without any row"):
        core.align_columns(index_of(core, JUDGED), ids[:0], ids[:0], np.zeros(0), name="run", **OPTIONS)


@pytest.mark.parametrize(("column", "field"), [(0, "query id"), (1, "item id"), (2, "score")])
def test_nulls_are_errors_with_their_row(core: ModuleType, column: int, field: str) -> None:
    values: list[list[Any]] = [["q1", "q2", "q3", "q4"], ["a", "b", "c", "d"], [1.0, 2.0, 3.0, 4.0]]
    values[column][2] = None
    table = pa.table(dict(zip("qis", values, strict=True)))
    table = pa.concat_tables([table.slice(0, 1), table.slice(1)])
    with pytest.raises(InputError, match=rf"run, row 3: {field} is missing"):
        core.align_arrow(index_of(core, JUDGED), table, [0, 1, 2], name="run", **OPTIONS)


@pytest.mark.parametrize(
    ("column", "values", "word"),
    [
        (0, pa.array([1.0]), "float"),
        (1, pa.array([True]), "bool"),
        (1, pa.array([["a"]]), "nested"),
        (2, pa.array([True]), "bool"),
        (2, pa.array(["1"]), "text"),
        (2, pa.array([decimal.Decimal("0.5")]), "decimal"),
        (2, pa.array([np.float16(1)]), "half float"),
        (2, pa.array([0], pa.timestamp("s")), "date or time"),
        (2, pa.nulls(1), "null"),
        (2, pa.array([1.0]).dictionary_encode(), "category"),
    ],
)
def test_types_that_are_no_ids_or_numbers(core: ModuleType, column: int, values: Any, word: str) -> None:
    columns: list[Any] = [pa.array(["q1"]), pa.array(["a"]), pa.array([1.0])]
    columns[column] = values
    table = pa.table(columns, names=["q", "i", "s"])
    with pytest.raises(InputError) as caught:
        core.align_arrow(index_of(core, JUDGED), table, [0, 1, 2], name="run", **OPTIONS)
    assert (caught.value.code, caught.value.what) == (
        "column-type",
        f"column '{'qis'[column]}' has type {word}",
    )


def test_encode_ids(core: ModuleType) -> None:
    values = np.array(["é", 12, b"\xff", np.int8(-3), "", 10**30], object)
    data, offsets, integers = core.encode_ids(values, field="item id", name="run")
    assert ids_of(data, offsets) == ["é".encode(), b"12", b"\xff", b"-3", b"", b"1" + b"0" * 30]
    assert integers is True
    assert core.encode_ids(["a"], field="item id", name="run")[2] is False
    with pytest.raises(InputError, match=r"run, row 2: item id 1\.5 is float, which cannot be an id"):
        core.encode_ids(["a", 1.5], field="item id", name="run")
