"""The two cores, side by side on random input: the same rows, the same types, the same errors."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from align_support import index_of, outcome
from hypothesis import given, settings
from hypothesis import strategies as st

from rankscope.align import engine, plain

pytestmark = pytest.mark.skipif(
    os.environ.get(engine.VARIABLE) == "plain",
    reason="there is nothing to compare with when only the plain core is asked for; "
    f"runs when {engine.VARIABLE} is not set",
)

QUERIES = st.sampled_from([b"q1", b"q2", b"q10", b"3", b"\xff\xfe", b"a-query-with-a-long-name-" * 4])
ITEMS = st.sampled_from(
    [b"a", b"b", b"ab", b"10", b"9", b"\xc3\xa9", b"\xe9", b"x" * 70, b"x" * 69 + b"y"]
) | st.integers(0, 40).map(lambda number: b"d%d" % number)
SCORES = st.sampled_from([0.0, -0.0, 1.0, 2.0, -1.0, 1e8, 1e8 + 1, 5e-324, 1e300]) | st.floats(
    allow_nan=False, allow_infinity=False
)
ROWS = st.lists(st.tuples(QUERIES, ITEMS, SCORES), min_size=1, max_size=60)
JUDGED = st.dictionaries(
    QUERIES, st.dictionaries(ITEMS, st.integers(-1, 3), max_size=12), min_size=1, max_size=4
).filter(lambda judged: any(judged.values()))
OPTIONS = st.fixed_dictionaries(
    {
        "tie_order": st.sampled_from(["docid", "docid-asc", "given"]),
        "duplicates": st.sampled_from(["error", "first", "best"]),
        "depth": st.sampled_from([0, 0, 1, 2, 5, 100]),
        "float32": st.booleans(),
        "ascending": st.booleans(),
        "dense": st.booleans(),
        "threads": st.integers(1, 3),
        "progress": st.none(),
    }
)
ARRANGEMENTS = st.sampled_from(["as drawn", "grouped", "best first"])


def arranged(rows: list[tuple[bytes, bytes, float]], how: str) -> list[tuple[bytes, bytes, float]]:
    """Rows scattered, grouped by query, or in the order that needs no sorting."""
    if how == "as drawn":
        return rows
    order = {query: number for number, query in enumerate(dict.fromkeys(row[0] for row in rows))}
    if how == "grouped":
        return sorted(rows, key=lambda row: order[row[0]])
    return sorted(
        sorted(rows, key=lambda row: row[1], reverse=True), key=lambda row: (order[row[0]], -row[2])
    )


def assert_twins(call: Callable[[ModuleType], Any]) -> None:
    native = engine.core()
    assert native is not plain
    assert outcome(lambda: call(native)) == outcome(lambda: call(plain))


def columns(rows: list[tuple[bytes, bytes, float]]) -> tuple[Any, Any, Any]:
    query, item, value = zip(*rows, strict=True)
    encoded = [plain.encode_ids(ids, field="id", name="ids")[:2] for ids in (query, item)]
    return encoded[0], encoded[1], np.array(value)


@settings(deadline=None, max_examples=300)
@given(judged=JUDGED, rows=ROWS, how=ARRANGEMENTS, options=OPTIONS, data=st.data())
def test_text(judged: Any, rows: Any, how: str, options: Any, data: st.DataObject) -> None:
    blank = st.sampled_from([b" ", b"\t", b"  ", b" \t "])
    pieces = [data.draw(st.sampled_from([b"", b"\xef\xbb\xbf"]))]
    gap, end = data.draw(blank), data.draw(st.sampled_from([b"\n", b"\r\n", b" \n", b"\n\n", b"\n# note\n"]))
    for query, item, score in arranged(rows, how):
        pieces.append(gap.join([query, b"Q0", item, b"1", repr(score).encode(), b"tag"]) + end)
    text = b"".join(pieces)
    assert_twins(lambda core: core.align_text(index_of(core, judged), text, name="my.run", **options))


@settings(deadline=None, max_examples=100)
@given(
    rows=st.lists(st.tuples(QUERIES, ITEMS, st.sampled_from([0.0, 1.0, 2.5, -1.0])), min_size=1, max_size=25)
)
def test_judgments(rows: Any) -> None:
    text = b"".join(b"%s 0 %s %r\n" % row for row in rows)
    assert_twins(lambda core: core.judge_text(text, name="qrels"))
    assert_twins(lambda core: core.judge_columns(*columns(rows), name="j"))


@settings(deadline=None, max_examples=150)
@given(judged=JUDGED, rows=ROWS, how=ARRANGEMENTS, options=OPTIONS, ranks=st.booleans(), data=st.data())
def test_text_of_three_columns(
    judged: Any, rows: Any, how: str, options: Any, ranks: bool, data: st.DataObject
) -> None:
    layout = data.draw(st.sampled_from(["scores", "ranks"]))
    whole = st.integers(1, 9).map(str) | st.sampled_from(["0", "-1", "1.5", "1e2", "2.0", "1e17", "nan"])
    pieces = [
        b"%s\t%s %s\n" % (q, i, data.draw(whole).encode() if ranks else repr(score).encode())
        for q, i, score in arranged(rows, how)
    ]
    text = b"".join(pieces)
    assert_twins(
        lambda core: core.align_text(index_of(core, judged), text, name="my.run", layout=layout, **options)
    )
    assert_twins(lambda core: core.judge_text(text, name="qrels", layout="grades"))


@settings(deadline=None, max_examples=100)
@given(rows=ROWS, grades=st.booleans())
def test_rows_as_they_are_listed(rows: Any, grades: bool) -> None:
    layouts = {"run": b"%s Q0 %s 1 %r t\n", "scores": b"%s %s %r\n", "ranks": b"%s %s %.0f\n"}
    layouts |= {"judgments": b"%s 0 %s %r\n", "grades": b"%s %s %r\n"}
    for layout, line in layouts.items():
        text = b"".join(line % row for row in rows)
        assert_twins(lambda core: core.list_text(text, name="it", layout=layout, progress=None))  # noqa: B023
    assert_twins(lambda core: core.list_columns(*columns(rows), name="it", grades=grades))
    query, item, value = zip(*rows, strict=True)
    table = pa.table({"q": pa.array(query, pa.binary()), "i": pa.array(item, pa.binary()), "v": value})
    assert_twins(lambda core: core.list_arrow(table, [0, 1, 2], name="it", grades=grades))


KEYS = st.sampled_from(["q1", "q2", 3, "3", b"q2", "\udcff", "é"])
ITEM_KEYS = st.sampled_from(["a", b"a", 9, "9", "10", np.int64(10), "é"]) | st.integers(-5, 40)
VALUES = (
    SCORES
    | st.integers(-5, 5)
    | st.booleans()
    | st.floats(width=32, allow_nan=False, allow_infinity=False).map(np.float32)
)
INNER = st.dictionaries(ITEM_KEYS, VALUES, max_size=15) | st.lists(ITEM_KEYS, max_size=15)
ODD_VALUES = st.sampled_from([float("nan"), float("inf"), "1", None, b"1", 10**400, [], object])
ODD_INNER = st.sampled_from([None, 3, "abc", 1.5]) | st.dictionaries(
    ITEM_KEYS, VALUES | ODD_VALUES, max_size=3
)
ODD_KEYS = st.sampled_from([None, 1.5, True, "\ud800", (1, 2), 10**5000])


@settings(deadline=None, max_examples=300)
@given(judged=JUDGED, run=st.dictionaries(KEYS, INNER, max_size=6), options=OPTIONS)
def test_mappings(judged: Any, run: Any, options: Any) -> None:
    assert_twins(lambda core: core.align_mapping(index_of(core, judged), run, name="run", **options))
    assert_twins(lambda core: core.judge_mapping(run, name="j"))


@settings(deadline=None, max_examples=200)
@given(
    run=st.dictionaries(KEYS, INNER, max_size=2),
    odd=st.dictionaries(KEYS | ODD_KEYS, INNER | ODD_INNER, max_size=1),
)
def test_mappings_that_are_wrong_somewhere(run: Any, odd: Any) -> None:
    options = {
        **dict.fromkeys(("float32", "ascending", "dense"), False),
        "depth": 0,
        "threads": 1,
        "progress": None,
    }
    both = {**run, **odd}
    judged = {"q1": ["a"], "3": ["9"]}
    assert_twins(
        lambda core: core.align_mapping(
            index_of(core, judged), both, name="run", tie_order="docid", duplicates="first", **options
        )
    )


@settings(deadline=None, max_examples=150)
@given(judged=JUDGED, rows=ROWS, how=ARRANGEMENTS, options=OPTIONS)
def test_columns_and_arrow(judged: Any, rows: Any, how: str, options: Any) -> None:
    rows = arranged(rows, how)
    query, item, score = zip(*rows, strict=True)
    assert_twins(
        lambda core: core.align_columns(index_of(core, judged), *columns(rows), name="run", **options)
    )
    table = pa.table(
        {"s": score, "i": pa.array(item, pa.binary()), "q": pa.array(query, pa.binary()).dictionary_encode()}
    )
    table = pa.concat_tables([table.slice(0, len(rows) // 3), table.slice(len(rows) // 3)])
    assert_twins(
        lambda core: core.align_arrow(index_of(core, judged), table, [2, 1, 0], name="run", **options)
    )


@settings(deadline=None, max_examples=100)
@given(
    ids=st.lists(
        st.tuples(st.integers(0, 4), st.integers(-(2**63), 2**63 - 1) | st.integers(0, 9)),
        min_size=1,
        max_size=40,
    ),
    options=OPTIONS,
    data=st.data(),
)
def test_columns_of_whole_numbers(ids: Any, options: Any, data: st.DataObject) -> None:
    query, item = (np.array(column, np.int64) for column in zip(*ids, strict=True))
    score = np.array(data.draw(st.lists(SCORES, min_size=len(ids), max_size=len(ids))))
    judged = {1: [0, 1, 2, 3], 2: [int(item[0])], "0": ["5"]}
    assert_twins(
        lambda core: core.align_columns(index_of(core, judged), query, item, score, name="run", **options)
    )


ROW_BITS = [
    b"q1 Q0 a 1 0 t\n",
    b"q1 Q0 a 1 1 t\n",
    b"q1 0 a 1\n",
    b"q2 0 b 0\n",
    b"q1 Q0 b 1 ",
    b" t\n",
    b"q1 0 c ",
]
SMALL_BITS = [
    b" ",
    b"\t",
    b"\n",
    b"\r",
    b"#",
    b"\xef\xbb\xbf",
    b"\x00",
    b"\xff",
    b"q1",
    b"x",
    b"1",
    b"-",
    b"+",
    b".",
    b"e",
]
NUMBER_BITS = [b"1e999", b"1e-999", b"nan", b"INF"]
NOISE = st.lists(
    st.sampled_from([*ROW_BITS, *SMALL_BITS, *NUMBER_BITS]) | st.binary(max_size=3), max_size=14
).map(b"".join)


@settings(deadline=None, max_examples=600)
@given(text=NOISE, options=OPTIONS, start=st.sampled_from([b"", b"q1 Q0 z 1 1 t\n", b"q1 0 z 1\n"]))
def test_noise(text: bytes, options: Any, start: bytes) -> None:
    # Whether a duplicate or a later error of another kind is reported is left open: no duplicates=error.
    options = {**options, "duplicates": "best"} if options["duplicates"] == "error" else options
    judged = {"q1": {"a": 1, "b": 1}, "x": {"1": 1}}
    assert_twins(lambda core: core.align_text(index_of(core, judged), start + text, name="my.run", **options))
    assert_twins(lambda core: core.judge_text(start + text, name="qrels"))
    assert_twins(lambda core: core.judge_text(start + text, name="qrels", layout="grades"))
    for layout in ("run", "ranks"):
        assert_twins(lambda core: core.list_text(text, name="it", layout=layout, progress=None))  # noqa: B023


NUMBERS = st.from_regex(
    rb"[+-]?([0-9]{1,25}(\.[0-9]{0,25})?|\.[0-9]{1,25})([eE][+-]?[0-9]{1,4})?", fullmatch=True
)


@settings(deadline=None, max_examples=500)
@given(numbers=st.lists(NUMBERS | st.floats().map(lambda x: repr(x).encode()), min_size=1, max_size=8))
def test_numbers(numbers: list[bytes]) -> None:
    options = {"tie_order": "given", "duplicates": "error", "depth": 0, "float32": False, "ascending": False}
    text = b"".join(b"q Q0 %d 0 %s t\n" % (row, number) for row, number in enumerate(numbers))
    judged = {"q": list(range(len(numbers)))}
    assert_twins(
        lambda core: core.align_text(
            index_of(core, judged), text, name="my.run", dense=False, threads=1, progress=None, **options
        )
    )


@pytest.mark.parametrize("how", ["grouped", "as drawn"])
@pytest.mark.parametrize("error_line", [None, 1, 40_000, 99_999])
def test_a_file_large_enough_for_threads(how: str, error_line: int | None) -> None:
    random = np.random.default_rng(20)
    drawn = [
        (b"q%d" % q, b"d%d" % i, float(s))
        for q, i, s in zip(
            random.integers(0, 150, 100_000),
            random.permutation(100_000),
            random.integers(0, 5000, 100_000) / 8,
            strict=True,
        )
    ]
    lines = [b"%s Q0 %s 1 %r tag\n" % row for row in arranged(drawn, how)]
    if error_line is not None:
        lines[error_line] = b"q3 Q0 d 1 1.2.3 tag\n"
    judged = {f"q{q}": {f"d{i}": 1 for i in random.integers(0, 100_000, 60)} for q in range(100)}
    options = {"tie_order": "docid", "duplicates": "error", "depth": 0, "float32": False, "ascending": False}
    with tempfile.TemporaryFile() as file:
        file.writelines(lines)
        file.flush()
        assert_twins(
            lambda core: core.align_text(
                index_of(core, judged),
                file.fileno(),
                name="my.run",
                dense=False,
                threads=3,
                progress=None,
                **options,
            )
        )
