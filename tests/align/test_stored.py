"""Arrow and Parquet files that the core reads itself: the same as pyarrow's reading, or left to pyarrow."""

from __future__ import annotations

import io
import itertools
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from align_support import JUDGED, OPTIONS, index_of, outcome
from hypothesis import given, settings
from hypothesis import strategies as st

from rankscope.align import plain
from rankscope.data import Judgments, Run
from rankscope.errors import InputError

TEXTS = [pa.string(), pa.large_string(), pa.binary(), pa.large_binary()]
CODED = [pa.dictionary(pa.int8(), pa.string()), pa.dictionary(pa.uint32(), pa.large_string())]
WHOLE = [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()]
NUMBERS = [pa.float64(), pa.float32(), *WHOLE]


def ipc_file(table: pa.Table, **options: Any) -> bytes:
    sink = io.BytesIO()
    with pa.ipc.new_file(sink, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        writer.write_table(table)
    return sink.getvalue()


def ipc_stream(table: pa.Table, **options: Any) -> bytes:
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        writer.write_table(table)
    return sink.getvalue()


def parquet(table: pa.Table, **options: Any) -> bytes:
    sink = io.BytesIO()
    pq.write_table(table, sink, **options)
    return sink.getvalue()


def aligned(core: ModuleType, content: bytes, columns: list[int] | None = None, **options: Any) -> Any:
    """What the core makes of a file; None if it leaves it to others."""
    index, places = index_of(core, options.pop("judged", JUDGED)), columns or [0, 1, 2]
    call = core.align_stored(index, content, places, name="run", **{**OPTIONS, **options})
    return None if call is None else outcome(lambda: call)


def by_pyarrow(core: ModuleType, table: pa.Table, columns: list[int] | None = None, **options: Any) -> Any:
    index, places = index_of(core, options.pop("judged", JUDGED)), columns or [0, 1, 2]
    return outcome(lambda: core.align_arrow(index, table, places, name="run", **{**OPTIONS, **options}))


def run_table(kind: Any = None, number: Any = None, *, whole: bool = False) -> pa.Table:
    """Rows of judged and other queries, with ties, in the order of nothing."""
    query = ["1", "1", "2", "1", "2", "9"] if whole else ["q1", "q1", "q2", "q1", "q2", "q9"]
    item = ["7", "3", "7", "5", "100", "3"] if whole else ["a", "xyz", "d", "c", "a" * 20, ""]
    score = [1.0, 2.0, 3.0, 2.0, 1.0, 9.0]
    ids = [pa.array(values).cast(pa.int64()) if whole else pa.array(values) for values in (query, item)]
    if kind is not None and pa.types.is_dictionary(kind):
        ids = [one.cast(kind.value_type).dictionary_encode().cast(kind) for one in ids]
    elif kind is not None:
        ids = [one.cast(kind) for one in ids]
    return pa.table({"q": ids[0], "i": ids[1], "s": pa.array(score).cast(number or pa.float64())})


WHOLE_JUDGED = {1: {7: 1, 5: 2}, "2": {100: 1}}


@pytest.mark.parametrize("write", [ipc_file, ipc_stream, parquet])
@pytest.mark.parametrize("kind", [*TEXTS, *CODED], ids=str)
def test_ids_of_every_kind_of_text(core: ModuleType, write: Any, kind: Any) -> None:
    table = run_table(kind)
    found = aligned(core, write(table))
    assert found == (None if core is plain else by_pyarrow(core, table))


@pytest.mark.parametrize("write", [ipc_file, ipc_stream, parquet])
@pytest.mark.parametrize("kind", WHOLE, ids=str)
def test_ids_that_are_whole_numbers(core: ModuleType, write: Any, kind: Any) -> None:
    table = run_table(kind, whole=True)
    found = aligned(core, write(table), judged=WHOLE_JUDGED)
    assert found == (None if core is plain else by_pyarrow(core, table, judged=WHOLE_JUDGED))
    if found is not None:
        assert found["integer_queries"] is found["integer_items"] is True


@pytest.mark.parametrize("write", [ipc_file, ipc_stream, parquet])
@pytest.mark.parametrize("number", NUMBERS, ids=str)
def test_scores_of_every_kind(core: ModuleType, write: Any, number: Any) -> None:
    table = run_table(None, number)
    found = aligned(core, write(table))
    assert found == (None if core is plain else by_pyarrow(core, table))


@pytest.mark.parametrize("write", [ipc_file, ipc_stream, parquet])
def test_columns_anywhere_and_names_of_any_bytes(core: ModuleType, write: Any) -> None:
    table = run_table()
    more = {"note": ["-"] * 6, "ü": table["s"], "flag": [True] * 6, "i": table["i"], "q": table["q"]}
    content = write(pa.table(more))
    assert core.stored_names(content, name="run") == (None if core is plain else list(more))
    found = aligned(core, content, [4, 3, 1])
    assert found == (None if core is plain else by_pyarrow(core, table))


WAYS = {
    "use_dictionary": [True, False, ["q"]],
    "compression": ["snappy", "none"],
    "data_page_version": ["1.0", "2.0"],
    "data_page_size": [64, 1 << 20],
    "row_group_size": [3, 50, 1 << 20],
    "dictionary_pagesize_limit": [64, 1 << 20],
    "write_statistics": [True, False],
}


@settings(deadline=None, max_examples=150)
@given(data=st.data())
def test_parquet_in_every_way_pyarrow_writes_it(data: st.DataObject) -> None:
    """Pages and row groups of any size, plain or by dictionary, compressed or not, with levels or without."""
    core = pytest.importorskip("rankscope._core", reason="runs where the native core is built")
    size = data.draw(st.integers(1, 200))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    query = np.sort(rng.integers(0, 5, size))
    if data.draw(st.booleans()):
        rng.shuffle(query)
    item = [f"d{'x' * (n % 40)}{n}" for n in rng.permutation(size).tolist()]
    score = rng.choice([0.5, 1.5, 2.5, -1.0], size) if data.draw(st.booleans()) else rng.normal(size=size)
    nullable = data.draw(st.booleans())
    fields = [pa.field("q", pa.string(), nullable), pa.field("i", pa.string(), nullable)]
    schema = pa.schema([*fields, pa.field("s", pa.float64(), nullable)])
    table = pa.table([pa.array([f"q{q}" for q in query]), pa.array(item), pa.array(score)], schema=schema)
    content = parquet(table, **{name: data.draw(st.sampled_from(values)) for name, values in WAYS.items()})
    judged = {f"q{q}": {item[n]: n % 3 for n in rng.integers(0, size, 5)} for q in range(0, 5, 2)}
    threads, dense = data.draw(st.sampled_from([1, 3])), data.draw(st.booleans())
    options = {"judged": judged, "threads": threads, "dense": dense}
    assert aligned(core, content, **options) == by_pyarrow(core, table, **options)


def test_many_pieces_and_one_long_query(core: ModuleType) -> None:
    """More rows than a thread takes at a time, in record batches and row groups that end anywhere."""
    if core is plain:
        return
    size = 300_000
    rng = np.random.default_rng(3)
    for query in (np.repeat(np.arange(size // 1000), 1000), np.repeat([1, 2, 3], [10, size - 20, 10])):
        table = pa.table({"q": query, "i": rng.permutation(size), "s": np.linspace(1, 0, size)})
        judged = {int(q): {int(i): 1 for i in rng.integers(0, size, 3)} for q in np.unique(query)[::2]}
        expected = by_pyarrow(core, table, judged=judged)
        for threads, chunk in itertools.product((1, 4), (70_001, size)):
            pieces = pa.Table.from_batches(table.to_batches(max_chunksize=chunk))
            for content in (ipc_file(pieces), parquet(table, row_group_size=chunk)):
                assert aligned(core, content, judged=judged, threads=threads) == expected


FOREIGN = {
    "compressed Arrow": lambda: ipc_file(run_table(), compression="zstd"),
    "string views": lambda: ipc_file(run_table(pa.string_view())),
    "other compression": lambda: parquet(run_table(), compression="zstd"),
    "delta encoding": lambda: parquet(
        run_table(), use_dictionary=False, column_encoding={"i": "DELTA_BYTE_ARRAY"}
    ),
    "split floats": lambda: parquet(
        run_table(), use_dictionary=False, column_encoding={"s": "BYTE_STREAM_SPLIT"}
    ),
    "a nested column": lambda: parquet(run_table().append_column("n", pa.array([[1]] * 6))),
    "a nested column of Arrow": lambda: ipc_file(run_table().append_column("n", pa.array([[1]] * 6))),
    "dates as queries": lambda: parquet(
        run_table().set_column(0, "q", pa.array(range(6), pa.int32()).cast(pa.date32()))
    ),
    "decimals": lambda: parquet(
        run_table().set_column(2, "s", pa.array(range(6)).cast(pa.decimal128(21, 2)))
    ),
    "text as scores": lambda: parquet(run_table().set_column(2, "s", pa.array(["1"] * 6))),
    "floats as queries": lambda: ipc_file(run_table().set_column(0, "q", pa.array([1.0] * 6))),
    "a missing item": lambda: parquet(run_table().set_column(1, "i", pa.array(["a", None] * 3))),
    "a missing score": lambda: ipc_file(run_table().set_column(2, "s", pa.array([1.0, None] * 3))),
    "a missing query in a second page version": lambda: parquet(
        run_table().set_column(0, "q", pa.array(["a", None] * 3)), data_page_version="2.0"
    ),
    "half floats": lambda: ipc_file(run_table(None, pa.float16())),
    "something else": lambda: b"q1 Q0 a 1 1 t\n" * 9,
    "the first bytes alone": lambda: parquet(run_table())[:4],
    "the first half": lambda: ipc_file(run_table())[:400],
}


@pytest.mark.parametrize("name", FOREIGN)
def test_what_is_left_to_others(core: ModuleType, name: str) -> None:
    assert aligned(core, FOREIGN[name]()) is None


@pytest.mark.parametrize("write", [ipc_file, parquet])
def test_what_is_wrong_is_said_as_of_a_frame(core: ModuleType, tmp_path: Path, write: Any) -> None:
    """Whoever reads the file, the error is the same."""
    judgments = Judgments.of(JUDGED)
    base = run_table()
    broken = {
        "not-finite": base.set_column(2, "s", pa.array([1.0, 2, float("nan"), 1, 1, 1])),
        "duplicate-item": base.set_column(1, "i", pa.array(["a", "b", "a", "a", "b", "c"])),
        "null": base.set_column(1, "i", pa.array(["a", "b", None, "a", "b", "c"])),
        "column-type": base.set_column(2, "s", pa.array(["1"] * 6)),
        "no-rows-in-memory": base.slice(0, 0),
    }
    for code, table in broken.items():
        named = table.rename_columns(["query", "item", "score"])
        (tmp_path / "it").write_bytes(write(named))
        with pytest.raises(InputError) as of_file:
            Run.of(tmp_path / "it").source.align(judgments.index, "run", OPTIONS)
        with pytest.raises(InputError) as of_frame:
            Run.of(named).source.align(judgments.index, "run", OPTIONS)
        assert of_file.value.code == of_frame.value.code == code
        assert (of_file.value.what, of_file.value.hint) == (of_frame.value.what, of_frame.value.hint)


@pytest.mark.parametrize("write", [ipc_file, parquet])
def test_a_column_that_is_not_there(core: ModuleType, tmp_path: Path, write: Any) -> None:
    (tmp_path / "it").write_bytes(write(run_table().rename_columns(["query", "item", "weight"])))
    with pytest.raises(InputError, match="score") as caught:
        Run.of(tmp_path / "it").source.align(Judgments.of(JUDGED).index, "run", OPTIONS)
    assert caught.value.code == "frame-columns"
    run = Run.of(tmp_path / "it", columns={"score": "weight"})
    assert run.source.align(Judgments.of(JUDGED).index, "run", OPTIONS)["rows"] == 6
