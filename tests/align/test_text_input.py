"""Runs and judgments as text: what is read, what is refused, and where an error says it is."""

from __future__ import annotations

import os
import tempfile
from types import ModuleType
from typing import Any

import pytest
from align_support import align_text, ids_of, rows_of

from rankscope.align import plain
from rankscope.errors import InputError

RUN = b"q1 Q0 a 1 3.5 tag\nq1 Q0 x 2 2.5 tag\nq1 Q0 b 3 1.5 tag\nq2 Q0 d 1 0.5 tag\n"
# The judged items of q1 are a, b, c and of q2 d (align_support.JUDGED).
# Rows are (item, rank, score, position).
RUN_ROWS = [(0, 1, 3.5, 1), (1, 3, 1.5, 3), (0, 1, 0.5, 1)]


def rows(aligned: Any) -> list[tuple[Any, ...]]:
    return rows_of(aligned, "item", "rank", "score", "position")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(RUN, id="plain"),
        pytest.param(RUN[:-1], id="no newline at the end"),
        pytest.param(b"\xef\xbb\xbf" + RUN, id="byte-order mark"),
        pytest.param(RUN.replace(b"\n", b"\r\n"), id="CRLF"),
        pytest.param(RUN.replace(b" ", b"\t"), id="tabs"),
        pytest.param(RUN.replace(b" ", b" \t  "), id="mixed white space"),
        pytest.param(b"  " + RUN.replace(b"\n", b" \n\t"), id="white space around lines"),
        pytest.param(RUN.replace(b" ", b"\v\f"), id="vertical tab and form feed"),
        pytest.param(b"# made by hand\n" + RUN.replace(b"q2", b"#\n#q3 x\nq2"), id="comments"),
        pytest.param(b"\xef\xbb\xbf# mark, then a comment\n" + RUN, id="comment after the mark"),
        pytest.param(b"\n \t\r\n" + RUN.replace(b"\n", b"\n\n"), id="blank lines"),
        pytest.param(RUN.replace(b"1.5", b"+.15e1").replace(b"0.5", b"5.e-1"), id="ways to write a number"),
        pytest.param(RUN.replace(b"a 1 ", b"a nonsense "), id="the rank column is not looked at"),
    ],
)
def test_the_same_run_in_other_clothes(core: ModuleType, text: bytes) -> None:
    assert rows(align_text(core, text)) == RUN_ROWS


def test_a_file_is_read_from_its_start_whatever_its_offset(core: ModuleType) -> None:
    with tempfile.TemporaryFile() as file:
        file.write(RUN)
        file.flush()
        assert rows(align_text(core, file.fileno())) == RUN_ROWS
        os.lseek(file.fileno(), 7, os.SEEK_SET)
        assert rows(align_text(core, file.fileno())) == RUN_ROWS


def test_a_hash_inside_a_line_is_text(core: ModuleType) -> None:
    # MS MARCO-like ids contain #; only a line that starts with one is a comment.
    aligned = align_text(core, b"q#1 Q0 a#0 1 1 t\n", {"q#1": {"a#0": 1}})
    assert rows(aligned) == [(0, 1, 1.0, 1)]
    assert align_text(core, b"q1 Q0 a 1 1 t\n #q 0 x 1 1 t\n")["extra_examples"] == ("#q",)


def test_ids_keep_bytes_that_are_not_utf8(core: ModuleType) -> None:
    judged = core.judge_text(b"q\xff 0 d\xe9 1\n", name="qrels")
    assert ids_of(judged["query_data"], judged["query_offsets"]) == [b"q\xff"]
    assert ids_of(judged["item_data"], judged["item_offsets"]) == [b"d\xe9"]
    text = b"q\xff 0 d\xe8 1 1 t\nq\xff 0 d\xe9 2 1 t\n\xfe 0 d\xe9 1 1 t\n"
    aligned = align_text(core, text, {b"q\xff": {b"d\xe9": 1}})
    assert rows(aligned) == [(0, 1, 1.0, 2)]
    assert aligned["extra_examples"] == ("\udcfe",)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("007", 7.0),
        ("0.1", 0.1),
        ("-.5E+1", -5.0),
        ("1" + "0" * 300, 1e300),
        ("9007199254740993", 9007199254740992.0),
        ("0.30000000000000004", 0.1 + 0.2),
        ("1.7976931348623158e308", 1.7976931348623157e308),
        # Around 1 + 2^-53, half-way between two doubles: on it (to even) and a little above it.
        ("1.00000000000000011102230246251565404236316680908203125", 1.0),
        ("1.00000000000000011102230246251565404236316680908203126", 1.0000000000000002),
        # Around half of the smallest positive double, 2^-1074.
        ("4.9406564584124654e-324", 5e-324),
        ("2.4703282292062327e-324", 0.0),
        ("2.4703282292062328e-324", 5e-324),
        ("1e-400", 0.0),
        ("-1e-400", 0.0),
        ("0e999999999999", 0.0),
    ],
)
def test_a_number_is_the_nearest_double(core: ModuleType, text: str, value: float) -> None:
    aligned = align_text(core, b"q1 Q0 a 1 %s t\n" % text.encode())
    assert aligned["score"].tolist() == [value]


RUN_LINE = b"q1 Q0 a 1 3 t\n"
RUN_LAYOUT = "query Q0 item rank score tag"


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        (b"q1 Q0 a 1 3\n", "columns", "my.run:1"),
        (b"\n# c\nq1 0 a 1\n", "looks-like-judgments", "my.run:3"),
        (RUN_LINE + b"q1 0 a 1\n", "columns-changed", "my.run:2"),
        (RUN_LINE + b"q1 Q0 b 1 3 t t\n", "columns-changed", "my.run:2"),
        (b"q1 Q0 a 1 abc t\n", "number", "my.run:1:11"),
        (RUN_LINE + b"\nzz\tQ0  b 1   1_0 t\n", "number", "my.run:3:14"),
        (b"\xef\xbb\xbfq1 Q0 a 1 0x1 t\n", "number", "my.run:1:11"),
        (b"q1 Q0 a 1 1,5 t\n", "number", "my.run:1:11"),
        (b"q1 Q0 a 1 . t\n", "number", "my.run:1:11"),
        (b"q1 Q0 a 1 1e t\n", "number", "my.run:1:11"),
        (b"q1 Q0 a 1 \xd9\xa1 t\n", "number", "my.run:1:11"),
        (b"q1 Q0 a 1 nans t\n", "number", "my.run:1:11"),
        (b"q1 Q0 a 1 NaN t\n", "not-finite", "my.run:1:11"),
        (b"q1 Q0 a 1 -inf t\n", "not-finite", "my.run:1:11"),
        (b"q1 Q0 a 1 +Infinity t\n", "not-finite", "my.run:1:11"),
        (b"q1 Q0 a 1 1e309 t\n", "overflow", "my.run:1:11"),
        (b"not-judged Q0 a 1 -1e999 t\n", "overflow", "my.run:1:19"),
        (RUN_LINE + b"x" * (1 << 20) + b"y\n", "line-too-long", "my.run:2"),
        (RUN_LINE + b"#" * (1 << 20) + b"#", "line-too-long", "my.run:2"),
        (b"", "no-rows", "my.run"),
        (b"\n# nothing\n \t\r\n", "no-rows", "my.run"),
        (RUN_LINE + b"q2 Q0 d 1 1 t\nq1 Q0 a 2 1 t\n", "duplicate-item", "my.run:3"),
    ],
)
def test_what_a_run_may_not_be(core: ModuleType, text: bytes, code: str, where: str) -> None:
    with pytest.raises(InputError) as caught:
        align_text(core, text)
    assert (caught.value.code, caught.value.where) == (code, where)


def test_a_line_of_just_the_limit_is_read(core: ModuleType) -> None:
    start = b"q1 Q0 a 1 3 "
    line = start + b"t" * ((1 << 20) - len(start))
    assert rows(align_text(core, line + b"\n" + line.replace(b" a ", b" x "))) == [(0, 2, 3.0, 1)]


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        (b"q1 0 a\n", "columns", "qrels:1"),
        (b"q1 Q0 a 1 3 t\n", "looks-like-run", "qrels:1"),
        (b"q1 0 a 1\nq1 Q0 a 1 3 t\n", "columns-changed", "qrels:2"),
        (b"q1 0 a yes\n", "number", "qrels:1:8"),
        (b"q1 0 a inf\n", "not-finite", "qrels:1:8"),
        (b"q1 0 a 1e400\n", "overflow", "qrels:1:8"),
        (b"q1 0 a -9007199254740994\n", "grade-too-large", "qrels:1:8"),
        (b"#\n", "no-rows", "qrels"),
        (b"q1 0 a 1\nq2 0 a 2\n\nq1 0 a 2\n", "conflicting-grades", "qrels:4"),
    ],
)
def test_what_judgments_may_not_be(core: ModuleType, text: bytes, code: str, where: str) -> None:
    with pytest.raises(InputError) as caught:
        core.judge_text(text, name="qrels")
    assert (caught.value.code, caught.value.where) == (code, where)


def test_errors_name_both_lines(core: ModuleType) -> None:
    with pytest.raises(InputError, match=r"query 'q1' ranks item 'x' twice \(lines 1 and 3\)"):
        align_text(core, b"q1 Q0 x 1 3 t\nq1 Q0 a 1 3 t\nq1 Q0 x 1 2 t\n")
    with pytest.raises(InputError, match=r"different grades: 1 and 2\.5 \(lines 2 and 3\)"):
        core.judge_text(b"#\nq1 0 a 1\nq1 0 a 2.5", name="qrels")


def test_the_first_query_with_a_duplicate_is_the_one_reported(core: ModuleType) -> None:
    text = b"q2 Q0 d 1 9 t\nq1 Q0 a 1 9 t\nq1 Q0 a 1 8 t\nq2 Q0 x 1 8 t\nq2 Q0 d 1 7 t\nq2 Q0 x 1 6 t\n"
    with pytest.raises(InputError, match=r"query 'q2' ranks item 'd' twice \(lines 1 and 5\)"):
        align_text(core, text)


def test_duplicates_of_queries_without_judgments_do_not_matter(core: ModuleType) -> None:
    aligned = align_text(core, RUN + b"zz Q0 a 1 1 t\nzz Q0 a 1 1 t\n")
    assert rows(aligned) == RUN_ROWS
    assert (aligned["rows"], aligned["extra_queries"], aligned["extra_examples"]) == (6, 1, ("zz",))


def test_judgments_may_be_scattered_and_repeated(core: ModuleType) -> None:
    judged = core.judge_text(b"q2 0 b 1\nq1 0 a -1\nq2 0 a 0.5\nq2 0 b 1.0\nq1 0 b 0\n", name="qrels")
    assert ids_of(judged["query_data"], judged["query_offsets"]) == [b"q2", b"q1"]
    assert judged["row_offsets"].tolist() == [0, 2, 4]
    assert ids_of(judged["item_data"], judged["item_offsets"]) == [b"b", b"a", b"a", b"b"]
    assert judged["grades"].tolist() == [1, 0.5, -1, 0]
    assert (judged["merged"], judged["integer_queries"], judged["integer_items"]) == (1, False, False)


def test_a_file_that_shrinks_while_it_is_read_is_an_error() -> None:
    # On the plain core, which is slow enough to be interrupted at a known point.
    with tempfile.TemporaryFile() as file:
        file.writelines(b"q1 Q0 %07d 1 0.5 tag\n" % number for number in range(200_000))
        file.flush()
        with pytest.raises(InputError) as caught:
            align_text(plain, file.fileno(), progress=lambda done, total: file.truncate(1000) and None)
    assert (caught.value.code, caught.value.where) == ("changed", "my.run")


def test_progress_counts_bytes_up_to_the_size() -> None:
    text = b"".join(b"q1 Q0 %07d 1 0.5 tag\n" % number for number in range(120_000))
    seen: list[tuple[int, int]] = []
    align_text(plain, text, progress=lambda done, total: seen.append((done, total)))
    assert seen
    assert seen == sorted(set(seen))
    assert all(0 < done <= total == len(text) for done, total in seen)
