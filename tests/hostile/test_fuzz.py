"""Readers and parsers on random and on damaged input: an answer or an InputError, and nothing else."""

from __future__ import annotations

import gzip
import tempfile
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
from hostile_support import every_measure
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rankscope import InputError, MeasureError, Policy, PolicyError, evaluate, parse
from rankscope.align import align
from rankscope.data import Judgments, Run

# The core is the same for all examples of a test, so there is nothing to set up anew for each.
examples = settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

JUDGED = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"d": 1}}
QRELS = b"\xef\xbb\xbfq1 0 a 2\nq1\t0\tb\t0\r\n# c\nq1 0 c 1\nq2 0 d 1e0\nq2 0 \xc3\xa9 -1\n"
RUN = b"q1 Q0 a 1 3.5 tag\nq1 Q0 x 2 2.5e-3 tag\r\n\n#\nq1 Q0 b 3 1.5 tag\nq2\tQ0 d 1 -.5 tag\nz Q0 d 1 1 t"

# Bytes that mean something to a reader come up often enough to matter.
SPICE = st.sampled_from(
    [
        *(
            b" ",
            b"\n",
            b"\r",
            b"\t",
            b"\0",
            b"#",
            b"q1",
            b"q2",
            b"a",
            b"d",
            b"0",
            b"1",
            b".",
            b"-",
            b"+",
            b"e",
        ),
        *(b"nan", b"inf", b"1e999", b"-1e-999", b"9" * 40),
        *(b"\xff", b"\xef\xbb\xbf", b"\x1f\x8b", b"\x0b", b"\x85"),
    ]
)
SOUP = st.lists(SPICE | st.binary(max_size=4), max_size=60).map(b"".join)


@st.composite
def damaged(draw: st.DrawFn, text: bytes) -> bytes:
    """A text with some bytes flipped, taken out, put in or repeated."""
    broken = bytearray(text)
    for _ in range(draw(st.integers(1, 6))):
        place = draw(st.integers(0, len(broken)))
        match draw(st.sampled_from(["flip", "delete", "insert", "repeat"])):
            case "flip" if place < len(broken):
                broken[place] ^= 1 << draw(st.integers(0, 7))
            case "delete":
                del broken[place : place + draw(st.integers(1, 12))]
            case "insert":
                broken[place:place] = draw(SPICE)
            case _:
                broken[place:place] = broken[max(0, place - draw(st.integers(1, 40))) : place]
    return bytes(broken)


def refused(call: Callable[[], Any]) -> Any:
    """What the call gives, or None if the input was refused; the error has to be fit to be printed."""
    try:
        return call()
    except InputError as error:
        str(error).encode("utf-8")
        return None


def from_file(text: bytes, read: Callable[[str], Any]) -> Any:
    with tempfile.NamedTemporaryFile() as file:
        file.write(text)
        file.flush()
        return refused(lambda: read(file.name))


def check_values(judgments: Any, run: Any) -> None:
    """Every measure of whatever was accepted is within its range."""
    result = refused(lambda: evaluate(judgments, run, every_measure(), ties="expected", duplicates="best"))
    if result is None:
        return
    for measure in result.measures:
        low, high = measure.range
        values = result.run.values[str(measure)]
        inside = (values >= low) & (values <= high)
        assert np.all(inside | (np.isnan(values) & (measure.undefined is not None))), (str(measure), values)
    result.to_json(per_query=True).encode("utf-8")


@examples
@given(text=SOUP | damaged(RUN))
def test_runs(core: ModuleType, text: bytes) -> None:
    judgments = Judgments.of(JUDGED)
    table = from_file(text, lambda path: align(judgments, Run.of(path), duplicates="first"))
    if table is not None:
        assert np.all(table.rank >= 1)
        assert np.all(table.rank <= np.repeat(table.retrieved, np.diff(table.offsets)))
        assert np.isfinite(table.score).all()
    with tempfile.NamedTemporaryFile() as file:
        file.write(text)
        file.flush()
        check_values(JUDGED, file.name)


@examples
@given(text=SOUP | damaged(QRELS))
def test_judgments(core: ModuleType, text: bytes) -> None:
    judgments = from_file(text, Judgments.of)
    if judgments is not None:
        assert np.isfinite(judgments.grades).all()
        check_values(judgments, {query: [*"abcdx"] for query in judgments.queries})


@examples
@given(text=damaged(gzip.compress(RUN, mtime=0)))
def test_compressed_runs(core: ModuleType, text: bytes) -> None:
    judgments = Judgments.of(JUDGED)
    table = from_file(text, lambda path: align(judgments, Run.of(path), duplicates="first"))
    assert table is None or table.n_queries == 2


@examples
@given(text=SOUP | damaged(RUN))
def test_a_file_and_its_bytes_are_read_alike(core: ModuleType, text: bytes) -> None:
    def outcome(source: bytes | int) -> Any:
        try:
            columns = core.judge_text(source, name="input")
        except InputError as error:
            return str(error)
        return {n: v.tolist() if isinstance(v, np.ndarray) else v for n, v in columns.items()}

    with tempfile.TemporaryFile() as file:
        file.write(text)
        file.flush()
        assert outcome(file.fileno()) == outcome(text)


MEASURE_SOUP = st.lists(
    st.sampled_from(
        [
            *("nDCG", "P", "AP", "rbp", "map_cut", "rel", "gain", "exp", "p", "k"),
            *("(", ")", "@", "=", ",", " ", "-l", ".", "_", "'", '"'),
            *("10", "1e999", "nan", "9" * 30, "²", "１", "\0", "\ud800", "é"),
        ]
    )
    | st.text(max_size=3),
    max_size=12,
).map("".join)


@settings(deadline=None, max_examples=500)
@given(text=MEASURE_SOUP)
def test_names_of_measures(text: str) -> None:
    try:
        found = parse(text)
    except MeasureError as error:
        str(error).encode("utf-8")
        return
    assert parse(str(found)) == found


@settings(deadline=None, max_examples=100)
@given(name=st.text(max_size=8), value=st.text(max_size=8) | st.none() | st.integers())
def test_policies(name: str, value: Any) -> None:
    for choices in ({name: "docid"}, {"ties": value}):
        try:
            Policy.of(choices)
        except PolicyError as error:
            str(error).encode("utf-8")


ODD = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=3)
    | st.binary(max_size=3)
    | st.sampled_from([10**400, object(), 1j, np.nan, np.float64(1), np.str_("a"), (1,), frozenset("a")])
)
KEYS = st.text(max_size=2) | st.integers()
MAPPINGS = st.recursive(ODD, lambda inner: st.dictionaries(KEYS, inner, max_size=3) | st.lists(inner))


@examples
@given(judgments=MAPPINGS, run=MAPPINGS)
def test_whatever_python_has(core: ModuleType, judgments: Any, run: Any) -> None:
    """Neither side may raise anything but an InputError, whatever it is given in place of data."""
    refused(lambda: Judgments.of(judgments))
    refused(lambda: align(Judgments.of(JUDGED), Run.of(run)))
    check_values(JUDGED, {"q1": run})
