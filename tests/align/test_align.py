"""The front of align: tables, the law of adding them, Arrow, and runs that share nothing with the truth."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rankscope.align import Judged, Ranked, Tally, align
from rankscope.data import Judgments, Run
from rankscope.errors import InputError, PolicyError

JUDGMENTS = Judgments.of({"q1": {"a": 1, "b": 0}, "q2": {"c": 2}, "q3": {"a": 1}})
RUN = {"q2": {"x": 2, "c": 2}, "q1": {"a": 0.5, "y": 1}, "q9": {"a": 1}}


def test_align_gives_judged_items(core: ModuleType) -> None:
    table = align(JUDGMENTS, Run.of(RUN))
    assert isinstance(table, Judged)
    assert table.offsets.tolist() == [0, 1, 2, 2]
    assert table.rank.tolist() == [2, 2]
    assert table.group_size.tolist() == [1, 2]
    assert table.in_run.tolist() == [True, True, False]
    assert table.tally == Tally(rows=5, extra_queries=1, extra_examples=("q9",))


def test_dense_gives_every_item_of_judged_queries(core: ModuleType) -> None:
    table = align(JUDGMENTS, Run.of(RUN), dense=True)
    assert isinstance(table, Ranked)
    assert [table.dictionary[code] for code in table.item] == ["y", "a", "x", "c"]
    assert list(table.dictionary[:3]) == ["a", "b", "c"]


def test_tables_are_read_only(core: ModuleType) -> None:
    table = align(JUDGMENTS, Run.of(RUN))
    with pytest.raises(ValueError, match="read-only"):
        table.rank[0] = 1


RANKINGS = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3", "q8", "q9"]),
    st.dictionaries(st.sampled_from("abcwxyz"), st.integers(0, 3), min_size=1),
    min_size=2,
).filter(lambda run: len({"q1", "q2", "q3"} & set(run)) >= 2)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=100)
@given(run=RANKINGS, dense=st.booleans(), data=st.data())
def test_tables_of_parts_add_up_to_the_table_of_the_whole(
    core: ModuleType, run: Any, dense: bool, data: st.DataObject
) -> None:
    judged = [query for query in run if query in ("q1", "q2", "q3")]
    cut = data.draw(st.integers(1, len(judged) - 1))
    extra = [query for query in run if query not in judged]
    parts = [judged[:cut], judged[cut:] + extra]
    whole = align(JUDGMENTS, Run.of({query: run[query] for part in parts for query in part}), dense=dense)  # type: ignore[call-overload]
    first, second = (
        align(JUDGMENTS, Run.of({query: run[query] for query in part}), dense=dense)  # type: ignore[call-overload]
        for part in parts
    )
    assert first + second == whole
    assert (second + first) == whole


def test_only_tables_without_a_common_query_can_be_added(core: ModuleType) -> None:
    table = align(JUDGMENTS, Run.of(RUN))
    with pytest.raises(ValueError, match="without a common query"):
        table + table


def test_arrow_and_back(core: ModuleType) -> None:
    table = align(JUDGMENTS, Run.of(RUN))
    assert Judged.from_arrow(table.to_arrow(), table.tally) == table
    back = Judged.from_arrow(table.to_arrow())
    assert [getattr(back, c).dtype for c in Judged.ROWS] == [getattr(table, c).dtype for c in Judged.ROWS]
    assert back.tally == Tally()


def test_arrow_and_back_with_every_item(core: ModuleType) -> None:
    """The items of all rows and of the truth come back, in a file as well, whatever their bytes."""
    run = {**RUN, "q1": {"a": 0.5, "na\u00efve": 1, "\udcff": 2}}
    table = align(JUDGMENTS, Run.of(run), dense=True)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.to_arrow().schema) as writer:
        writer.write_table(table.to_arrow())
    for arrow in (table.to_arrow(), pa.ipc.open_stream(sink.getvalue()).read_all()):
        assert Ranked.from_arrow(arrow, table.tally) == table
    assert table.to_arrow().column("item").to_pylist()[0] == [b"\xff", "na\u00efve".encode(), b"a"]
    some = Ranked.from_arrow(table.to_arrow().slice(1, 1))
    assert [some.dictionary[code] for code in some.item] == ["x", "c"]


@pytest.mark.parametrize("duplicates", ["error", "first", "best"])
def test_no_query_in_common_is_an_error_with_examples(core: ModuleType, duplicates: str) -> None:
    with pytest.raises(InputError, match="judged are 'q1', 'q2', 'q3', ranked are '1', '2'") as caught:
        align(JUDGMENTS, Run.of({1: ["a"], 2: ["b"]}, name="bm25"), duplicates=duplicates)
    assert (caught.value.code, caught.value.where) == ("no-common-query", "bm25")


def test_options_that_do_not_exist(core: ModuleType) -> None:
    run = Run.of(RUN)
    with pytest.raises(PolicyError, match="docid, docid-asc, given"):
        align(JUDGMENTS, run, tie_order="random")
    with pytest.raises(PolicyError, match="error, first, best"):
        align(JUDGMENTS, run, duplicates="last")
    with pytest.raises(InputError, match="depth=0"):
        align(JUDGMENTS, run, depth=0)
    with pytest.raises(InputError, match="threads=-1"):
        align(JUDGMENTS, run, threads=-1)


def test_threads_do_not_change_anything(core: ModuleType) -> None:
    random = np.random.default_rng(3)
    run = {
        f"q{q}": {f"d{i}": float(s) for i, s in enumerate(random.integers(0, 9, 50))} for q in range(1, 60)
    }
    judgments = Judgments.of({f"q{q}": {f"d{i}": 1 for i in range(0, 50, 7)} for q in range(40)})
    assert align(judgments, Run.of(run), threads=1) == align(judgments, Run.of(run), threads=4)
