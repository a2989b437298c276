"""Every format: what is told from content and name, what comes back as it was, and what is wrong where."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankscope
from rankscope.align import engine_name, plain
from rankscope.data import Judgments, Run
from rankscope.data.files import InputFile
from rankscope.data.formats import FORMATS, named, role_of
from rankscope.data.ids import Ids
from rankscope.data.rows import Rows
from rankscope.data.writing import write
from rankscope.errors import InputError, PolicyError

WRITTEN = [format.name for format in FORMATS if format.write]
JUDGED = {"q1": {"a": 2, "b": 0, "007": 1}, "q2": {"c": 1}}
RANKED = {"q1": {"b": 0.1 + 0.2, "a": -1e-300, "x": 3.0}, "q2": {"007": 1e16, "c": 5e-324}}


def listed(rows: Rows) -> list[tuple[str, str, float]]:
    return list(zip(rows.query, rows.item, rows.value.tolist(), strict=True))


def from_file(tmp_path: Path, name: str, content: bytes, **options: Any) -> Run:
    path = tmp_path / name
    path.write_bytes(content)
    return Run.of(path, **options)


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
WORDS = st.text(st.characters(exclude_categories=["Cs", "Z", "C"]), min_size=1, max_size=6).filter(
    lambda word: word.encode().split() == [word.encode()] and not word.startswith(("#", "\ufeff"))
)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
@pytest.mark.parametrize("name", WRITTEN)
@settings(deadline=None, max_examples=25)
@given(data=st.data())
def test_a_run_comes_back_as_it_was(name: str, suffix: str, data: st.DataObject) -> None:
    ids = WORDS if name == "trec" else TEXT
    run = data.draw(
        st.dictionaries(ids, st.dictionaries(ids, NUMBERS, min_size=1, max_size=4), min_size=1, max_size=4)
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"it{suffix}"
        Run.of(run).write(path, format=name)
        assert listed(Run.of(path, format=name).rows()) == listed(Run.of(run).rows())


@pytest.mark.parametrize("name", WRITTEN)
@settings(deadline=None, max_examples=25)
@given(data=st.data())
def test_judgments_come_back_as_they_were(name: str, data: st.DataObject) -> None:
    ids = WORDS if name == "trec" else TEXT
    grades = st.integers(-3, 5) | st.floats(-5, 5)
    judged = data.draw(
        st.dictionaries(ids, st.dictionaries(ids, grades, min_size=1, max_size=4), min_size=1, max_size=4)
    )
    with tempfile.TemporaryDirectory() as folder:
        Judgments.of(judged).write(Path(folder) / "it", format=name)
        assert Judgments.of(Path(folder) / "it", format=name) == Judgments.of(judged)


@pytest.mark.parametrize("name", ["trec", "csv", "tsv", "parquet", "arrow"])
def test_ids_that_are_not_utf8_keep_their_bytes(tmp_path: Path, name: str) -> None:
    rows = Rows(Ids.of([b"\xff", b"q"]), Ids.of([b"\xe9", b"\xc3\xa9"]), np.array([1.0, 2.0]))
    write(rows, "run", str(tmp_path / "it"), name, "me")
    assert listed(Run.of(tmp_path / "it", format=name).rows()) == listed(rows)


def test_text_that_is_cut_inside_a_character_is_not_text(tmp_path: Path) -> None:
    rows = Rows(Ids.of([b"q", b"q"]), Ids.of([b"\xc3", b"\xa9"]), np.array([1.0, 2.0]))
    write(rows, "run", str(tmp_path / "it.parquet"), None, "me")
    assert pq.read_schema(tmp_path / "it.parquet").field("item").type == pa.binary()
    assert listed(Run.of(tmp_path / "it.parquet").rows()) == listed(rows)


@pytest.mark.parametrize(
    ("rows", "name", "reason"),
    [
        ([("q", b"\xff", 1.0)], "json", "it is not UTF-8"),
        ([("q", b"\xff", 1.0)], "jsonl", "it is not UTF-8"),
        ([("q", "a", 1.0), ("p", "a", 1.0), ("q", "a", 2.0)], "json", "query 'q' has it twice"),
        ([("q", "a b", 1.0)], "trec", "white space"),
        ([("q", "", 1.0)], "trec", "empty"),
        ([("#q", "a", 1.0)], "trec", "at the start of a line"),
        ([("\ufeffq", "a", 1.0)], "trec", "at the start of a line"),
    ],
)
def test_what_a_format_cannot_hold_is_refused_and_nothing_is_written(
    tmp_path: Path, rows: Any, name: str, reason: str
) -> None:
    query, item, value = zip(*rows, strict=True)
    with pytest.raises(InputError, match=reason):
        write(Rows(Ids.of(query), Ids.of(item), np.array(value)), "run", str(tmp_path / "it"), name, "me")
    assert not list(tmp_path.iterdir())


def test_the_ranks_of_a_trec_run_are_those_of_its_scores(tmp_path: Path) -> None:
    scattered = [("p", "a", 1.0), ("q", "b", 1.0), ("p", "c", 3.0), ("q", "d", 2.0), ("p", "e", 1.0)]
    query, item, value = zip(*scattered, strict=True)
    rows = Rows(Ids.of(query), Ids.of(item), np.array(value))
    write(rows, "run", str(tmp_path / "it"), None, "my run")
    lines = (tmp_path / "it").read_text().splitlines()
    assert lines == [
        "p Q0 a 2 1.0 my_run",
        "q Q0 b 2 1.0 my_run",
        "p Q0 c 1 3.0 my_run",
        "q Q0 d 1 2.0 my_run",
        "p Q0 e 3 1.0 my_run",
    ]


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_every_format_gives_the_same_values(core: ModuleType, tmp_path: Path, suffix: str) -> None:
    expected = rankscope.evaluate(JUDGED, RANKED, "nDCG, AP, RR, bpref").to_dict()["runs"][0]["aggregate"]
    for name in WRITTEN:
        judgments, run = tmp_path / f"judgments.{name}{suffix}", tmp_path / f"ranked.{name}{suffix}"
        Judgments.of(JUDGED).write(judgments)
        Run.of(RANKED).write(run)
        result = rankscope.evaluate(judgments, run, "nDCG, AP, RR, bpref")
        assert result.to_dict()["runs"][0]["aggregate"] == expected, name


# The same three rows of q1 (x, then b, then a) and one of q2, in every way to write them down.
SPELLINGS = {
    "run": b"q1 Q0 x 1 3 t\nq1 Q0 b 2 2 t\nq1 Q0 a 3 1 t\nq2 Q0 c 1 1 t\n",
    "tabs": b"q1\tQ0\tx\t1\t3\tt\nq1\tQ0\tb\t2\t2\tt\nq1\tQ0\ta\t3\t1\tt\nq2\tQ0\tc\t1\t1\tt\n",
    "ranks.tsv": b"q1\ta\t3\nq1\tb\t2\nq1\tx\t1\nq2\tc\t1\n",
    "a.csv": b'score,"item",query,more\r\n3,x,q1,"a,b"\r\n2,"b",q1,\r\n1,a,q1,\r\n1,c,q2,\r\n',
    "semicolons": b"qid;docno;sim\nq1;x;3\nq1;b;2\nq1;a;1\nq2;c;1\n",
    "beir": b"query-id\tcorpus-id\tscore\nq1\tx\t3\nq1\tb\t2\nq1\ta\t1\nq2\tc\t1\n",
    "mark": b"\xef\xbb\xbfquery,item,score\nq1,x,3\nq1,b,2\nq1,a,1\nq2,c,1\n",
    "a.json": b'{"q1": {"a": 1, "b": 2.0, "x": 3}, "q2": ["c"]}',
    "json over lines": b'\n{\n "q1": {"a": 1, "b": 2.0, "x": 3},\n "q2": ["c"]}',
    "lists": b'{"query": "q1", "retrieved": ["x", "b", "a"]}\n\n{"query": "q2", "retrieved": ["c"]}\n',
    "objects": b'{"qid": "q1", "results": [{"id": "b", "score": 2}, {"id": "x", "score": 3}, '
    b'{"id": "a", "score": 1}]}\n{"query": "q2", "retrieved": {"c": 0.5}, "more": null}',
}


@pytest.mark.parametrize("name", SPELLINGS)
@pytest.mark.parametrize("compressed", [False, True])
def test_content_tells_the_format(core: ModuleType, tmp_path: Path, name: str, compressed: bool) -> None:
    content = gzip.compress(SPELLINGS[name]) if compressed else SPELLINGS[name]
    run = from_file(tmp_path, name, content)
    for lower_is_better in (False, True) if name in ("ranks.tsv", "lists") else (False,):
        result = rankscope.evaluate(JUDGED, run, "RR, NumRet", lower_is_better=lower_is_better)
        # a is third in q1, c is first in q2: (1/3 + 1) / 2.
        assert (result["RR"], result["NumRet"]) == ((1 / 3 + 1) / 2, 4)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("qrels", b"q1 0 a 2\nq1 0 b 0\nq1 0 007 1\nq2 0 c 1\n"),
        ("three", b"q1 a 2\nq1 b 0\nq1 007 1\nq2 c 1\n"),
        ("beir", b"query-id\tcorpus-id\tscore\nq1\ta\t2\nq1\tb\t0\nq1\t007\t1\nq2\tc\t1\n"),
        ("csv", b"topic,docid,relevance\nq1,a,2\nq1,b,0\nq1,007,1\nq2,c,1\n"),
        (
            "lines",
            b'{"query": "q1", "relevant": {"a": 2, "b": 0, "007": 1}}\n{"query": "q2", "relevant": ["c"]}',
        ),
    ],
)
def test_judgments_in_every_way_to_write_them(
    core: ModuleType, tmp_path: Path, name: str, content: bytes
) -> None:
    (tmp_path / name).write_bytes(content)
    assert Judgments.of(tmp_path / name) == Judgments.of(JUDGED)


def test_three_columns_with_scores_need_a_word(core: ModuleType, tmp_path: Path) -> None:
    content = b"q1 a 0.5\nq1 b 0.7\n"
    with pytest.raises(InputError, match=r"rank '0\.5' is not a whole number above 0") as caught:
        from_file(tmp_path, "it", content).source.align(Judgments.of(JUDGED).index, "x", options())
    assert (caught.value.where, "scores" in caught.value.hint) == (f"{tmp_path / 'it'}:1:6", True)
    run = from_file(tmp_path, "it", content, format="scores")
    assert rankscope.evaluate(JUDGED, run, "RR")["RR"] == 0.25  # a is second in q1, q2 is missing


def options(**chosen: Any) -> dict[str, Any]:
    from_align = {"tie_order": "docid", "duplicates": "error", "depth": 0, "float32": False}
    return {**from_align, "ascending": False, "dense": False, "threads": 1, "progress": None, **chosen}


@pytest.mark.parametrize("kind", ["parquet", "file", "stream"])
@pytest.mark.parametrize("ids", [pa.string(), pa.large_binary(), pa.dictionary(pa.int32(), pa.string())])
def test_columns_of_parquet_and_arrow(core: ModuleType, tmp_path: Path, kind: str, ids: Any) -> None:
    table = pa.table(
        {
            "noise": [[1]] * 4,
            "docid": pa.array(["x", "b", "a", "c"]).cast(ids),
            "qid": pa.array(["q1", "q1", "q1", "q2"]).cast(ids),
            "score": pa.array([3, 2, 1, 1], pa.float32()),
        }
    )
    path = tmp_path / "it"
    if kind == "parquet":
        pq.write_table(table, path)
    else:
        with (pa.ipc.new_file if kind == "file" else pa.ipc.new_stream)(path, table.schema) as writer:
            writer.write_table(table, 2)
    assert rankscope.evaluate(JUDGED, path, "RR")["RR"] == (1 / 3 + 1) / 2


def test_whole_numbers_as_ids_are_noted(core: ModuleType, tmp_path: Path) -> None:
    pq.write_table(pa.table({"query": [1], "item": [7], "score": [1.0]}), tmp_path / "it")
    result = rankscope.evaluate({"1": {"7": 1}}, tmp_path / "it", "RR")
    assert result["RR"] == 1
    assert "query ids are whole numbers in the run, text in the judgments: compared as text" in result.notes


def test_columns_can_be_mapped(core: ModuleType, tmp_path: Path) -> None:
    content = b"a,b,c,score\nq1,x,3,0\nq1,b,2,0\nq1,a,1,0\nq2,c,1,0\n"
    columns = {"query": "a", "item": "b", "score": "c"}
    assert rankscope.evaluate(JUDGED, from_file(tmp_path, "it", content, columns=columns), "RR")["RR"] == (
        (1 / 3 + 1) / 2
    )
    frame = pa.table({"a": ["q2"], "b": ["c"], "c": [1.0]})
    assert rankscope.evaluate(JUDGED, Run.of(frame, columns=columns), "RR")["RR"] == 0.5
    lines = b'{"key": 1, "contexts": ["c"]}'
    run = from_file(tmp_path, "it", lines, columns={"query": "key", "retrieved": "contexts"}, format="jsonl")
    assert listed(run.rows()) == [("1", "c", 1.0)]
    with pytest.raises(InputError, match="no column 'qqq' among these: a, b, c, score"):
        from_file(tmp_path, "it", content, columns={**columns, "query": "qqq"}, format="csv").rows()
    with pytest.raises(PolicyError, match="there is no 'qury' to map a column to"):
        Run.of(tmp_path / "it", columns={"qury": "a"})


MALFORMED = {
    "csv without a header": (
        "a.csv",
        b"q1,x,3\n",
        "",
        "no column for query or item or score among these: q1, x, 3",
    ),
    "csv short row": ("a", b"query,item,score\nq1,x,3\nq1,x\n", ":3", "2 columns, where the header has 3"),
    "csv number": ("a", b"query,item,score\nq1,x,3\n\nq1,x,abc\n", ":4", "score 'abc' is not a number"),
    "csv empty number": ("a", b"query,item,score\nq1,x,\n", ":2", "score '' is not a number"),
    "csv nan": ("a", b"query,item,score\nq1,x,nan\n", ", row 1", "not finite"),
    "csv header alone": ("a", b"query,item,score\n", "", "a run without any row"),
    "ranks zero": ("a", b"q1 x 1\nq1 y 0\n", ":2:6", "rank '0' is not a whole number above 0"),
    "ranks columns": ("a", b"q1 x 1\nq1 y\n", ":2", "2 columns, where the first line has 3"),
    "json": ("a.json", b'{"q1": {"a": x}}', ":1:14", "not JSON"),
    "json nan": ("a.json", b'{"q1": {"a": NaN}}', "", "NaN is not a number that JSON knows"),
    "json repeated query": ("a.json", b'{"q1": {"a": 1}, "q1": {"b": 1}}', "", "the key 'q1' stands twice"),
    "json repeated item": ("a.json", b'{"q1": {"a": 1, "a": 2}}', "", "the key 'a' stands twice"),
    "json list": ("a.json", b"[1]", "", "a JSON list, where an object is needed"),
    "json text": ("a.json", b'{"q1": {"a": "1"}}', ", query 'q1'", "score '1' of item 'a' is str"),
    "json bytes": ("a.json", b'{"q1":\n {"\xff": 1}}', ":2", "bytes that are not UTF-8"),
    "json depth": ("a.json", b'{"q1":' + b"[" * 100_000, "", "nested too deeply"),
    "jsonl": ("a.jsonl", b'{"query": "q", "retrieved": []}\n{"query": }\n', ":2:11", "not JSON"),
    "jsonl list": ("a.jsonl", b"[1]\n", ":1", "a JSON list, where an object is needed"),
    "jsonl no query": ("a.jsonl", b'{"retrieved": ["a"]}', ":1", "no 'query' among these: retrieved"),
    "jsonl no side": ("a.jsonl", b'{"query": "q", "relevant": ["a"]}', "", "no line has 'retrieved'"),
    "jsonl query": ("a.jsonl", b'{"query": 1.5, "retrieved": ["a"]}', ":1", "1.5 is float"),
    "jsonl item": ("a.jsonl", b'{"query": "q", "retrieved": ["a", null]}', ":1", "null is NoneType"),
    "jsonl score": (
        "a.jsonl",
        b'{"query": "q", "retrieved": {"a": true}}',
        ":1",
        "score true of item 'a' is bool",
    ),
    "jsonl huge": ("a.jsonl", b'{"query": "q", "retrieved": {"a": 1e999}}', ":1, item 'a'", "too large"),
    "jsonl entry": ("a.jsonl", b'{"query": "q", "retrieved": [{"id": "a"}]}', ":1", 'an item is {"id": "a"}'),
    "jsonl items": ("a.jsonl", b'{"query": "q", "retrieved": 5}', ":1", "'retrieved' is of type int"),
    "jsonl twice": (
        "a.jsonl",
        b'{"query": "q", "retrieved": ["a"]}\n\n{"query": "q", "retrieved": ["b"]}',
        ":3",
        "query 'q' stands on two lines (lines 1 and 3)",
    ),
    "jsonl duplicate": ("a.jsonl", b'{"query": "q1", "retrieved": ["a", "b", "a"]}', ":1", "places 1 and 3"),
    "parquet": ("a", b"PAR1 and then something else", "", "cannot be read as Parquet"),
    "arrow file": ("a", b"ARROW1\0\0 and then something else", "", "cannot be read as Arrow"),
    "arrow stream": ("a", b"\xff\xff\xff\xff\xf0\0\0\0", "", "cannot be read as Arrow"),
    "zstd": ("a", b"\x28\xb5\x2f\xfd and so on", "", "broken zstd data"),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_malformed_input_is_refused_with_its_place(core: ModuleType, tmp_path: Path, case: str) -> None:
    name, content, place, reason = MALFORMED[case]
    with pytest.raises(InputError) as caught:
        rankscope.evaluate(JUDGED, from_file(tmp_path, name, content), "RR")
    assert caught.value.where.startswith(f"{tmp_path / name}{place}")
    assert reason in caught.value.what


@pytest.mark.parametrize(("policy", "rr"), [("first", 1 / 2), ("best", 1.0)])
def test_duplicates_in_lines_follow_the_policy(
    core: ModuleType, tmp_path: Path, policy: str, rr: float
) -> None:
    entries = [{"id": "a", "score": 1}, {"id": "b", "score": 2}, {"id": "a", "score": 3}]
    content = json.dumps({"query": "q1", "retrieved": entries}).encode()
    run = from_file(tmp_path, "a.jsonl", content)
    result = rankscope.evaluate({"q1": ["a"]}, run, "RR", duplicates=policy)
    assert result["RR"] == rr
    assert any(note.startswith("1 row with an item that its ranking has already") for note in result.notes)


def test_a_line_without_items_is_a_query_all_the_same(core: ModuleType, tmp_path: Path) -> None:
    run = from_file(
        tmp_path, "a.jsonl", b'{"query": "q1", "retrieved": []}\n{"query": "q2", "retrieved": ["c"]}'
    )
    assert rankscope.evaluate(JUDGED, run, "RR", missing="skip")["RR"] == 0.5
    run.write(tmp_path / "b.json")
    assert json.loads((tmp_path / "b.json").read_text()) == {"q2": {"c": 1.0}, "q1": {}}


def test_a_folder_stands_for_the_runs_in_it(core: ModuleType, tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    (folder / "deeper").mkdir(parents=True)
    with pytest.raises(InputError, match="there is no file in this folder"):
        rankscope.evaluate(JUDGED, folder, "RR")
    for name in ("b.run", "a.csv", ".hidden"):
        (folder / name).write_bytes(SPELLINGS["run" if name == "b.run" else "a.csv"])
    for given_runs in (folder, [folder], str(folder)):
        assert list(rankscope.evaluate(JUDGED, given_runs, "RR").runs) == ["a", "b"]


@pytest.mark.parametrize(
    ("name", "content", "role"),
    [
        ("a", b"q Q0 d 1 1 t\n", "run"),
        ("a", b"q 0 d 1\n", "judgments"),
        ("a", b"query,item,score\n", "run"),
        ("a", b"query,item,grade\n", "judgments"),
        ("a", b"query-id\tcorpus-id\tscore\n", "judgments"),
        ("a", b'{"query": 1, "retrieved": []}', "run"),
        ("a", b'{"query": 1, "relevant": []}\n', "judgments"),
        ("my.run.json", b"{}", "run"),
        ("qrels.json", b"{}", "judgments"),
    ],
)
def test_the_side_is_told_where_it_can_be(tmp_path: Path, name: str, content: bytes, role: str) -> None:
    (tmp_path / name).write_bytes(content)
    with InputFile(str(tmp_path / name)).opened() as opened:
        assert role_of(opened, {}) == role


def test_a_format_that_does_not_exist() -> None:
    with pytest.raises(PolicyError, match="there is no format 'jsn'") as caught:
        named("jsn")
    assert "json" in caught.value.hint
    with pytest.raises(PolicyError, match="holds runs only"):
        Judgments.of("a.qrels", format="scores")
    with pytest.raises(PolicyError, match="is for files"):
        Run.of({"q": ["a"]}, format="csv")
    with pytest.raises(PolicyError, match="the format ranks is not written"):
        Run.of({"q": ["a"]}).write("a", format="ranks")


LOADED = """
import sys
from rankscope import evaluate
evaluate(sys.argv[1], sys.argv[2], "RR")
print(*sorted({name.removeprefix("rankscope.data.formats.") for name in sys.modules}))
"""


@pytest.mark.parametrize(
    ("name", "needed"),
    [("a.run", "text"), ("a.jsonl", "lines"), ("a.parquet", "columnar"), ("a.arrow", "columnar")],
)
def test_only_what_a_file_needs_is_imported(tmp_path: Path, name: str, needed: str) -> None:
    Judgments.of(JUDGED).write(tmp_path / "truth.qrels")
    Run.of(RANKED).write(tmp_path / name)
    done = subprocess.run(
        [sys.executable, "-c", LOADED, str(tmp_path / "truth.qrels"), str(tmp_path / name)],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(done.stdout.split())
    readers = loaded & {"text", "delimited", "nested", "lines", "columnar"}
    expected = {"text", needed} | ({"nested"} if needed == "lines" else set())
    assert readers == expected
    assert "pandas" not in loaded
    if engine_name() == "native":
        assert "pyarrow" not in loaded


@pytest.mark.parametrize("name", ["a.parquet", "a.arrow"])
def test_what_is_written_can_be_read_by_the_core_itself(core: ModuleType, tmp_path: Path, name: str) -> None:
    Run.of(RANKED).write(tmp_path / name)
    index = Judgments.of(JUDGED).index
    options = {"tie_order": "docid", "duplicates": "error", "depth": 0, "float32": False, "ascending": False}
    aligned = core.align_stored(
        index,
        (tmp_path / name).read_bytes(),
        [0, 1, 2],
        name="it",
        dense=False,
        threads=1,
        progress=None,
        **options,
    )
    if core is plain:
        assert aligned is None
    else:
        assert aligned["rows"] == 5
