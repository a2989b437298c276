"""check and the strict readers agree: what one refuses, the other has a problem with, and nothing else."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankscope
from rankscope.checks import check

IDS = st.sampled_from(["q1", "q2", "a", "B", "1", "01", "é", "#x", "\x00", "\x1e"])
NUMBERS = st.sampled_from(
    ["1", "2", "0.5", "-3e4", ".5", "5.", "1e999", "nan", "-inf", "x", "1_0", "0x1", "1\x00"]
)
ROW = st.tuples(IDS, st.just("Q0"), IDS, NUMBERS, NUMBERS, st.just("t")).map(" ".join)
JUDGMENT = st.tuples(IDS, st.just("0"), IDS, NUMBERS).map(" ".join)
NOISE = st.sampled_from(["", "  ", "# said", "a b", "\t\x0b", "q1 Q0 a 1 1 t x"])
FIRST_ROW, FIRST_JUDGMENT = "q1 Q0 first 1 0.25 t", "q1 0 first 1"

# Not about the rows of one input.
BETWEEN = {"no-common-query", "alike-queries", "alike-items", "no-judged-item"}


def text_of(first: str, rows: list[str], end: str) -> bytes:
    # Enough good rows in front for the kind of file to be beyond doubt.
    good = [first.replace("first", f"{first[-1]}{n}") for n in range(20)]
    return end.join([*good, *rows]).encode()


def refused(judgments: Path, run: Path | None) -> bool:
    try:
        prepared = rankscope.Judgments.of(judgments)
        if run is not None:
            rankscope.evaluate(prepared, run, "P@1", duplicates="error")
    except rankscope.InputError:
        return True
    return False


@pytest.mark.parametrize("side", ["run", "judgments"])
@settings(deadline=None, max_examples=150)
@given(data=st.data(), end=st.sampled_from(["\n", "\r\n"]))
def test_a_problem_is_what_strict_readers_refuse(side: str, data: st.DataObject, end: str) -> None:
    rows = data.draw(st.lists(st.one_of(ROW if side == "run" else JUDGMENT, NOISE), max_size=6))
    with tempfile.TemporaryDirectory() as folder:
        judgments, run = Path(folder, "truth.qrels"), Path(folder, "one.run")
        judgments.write_bytes(text_of(FIRST_JUDGMENT, rows if side == "judgments" else [], end))
        run.write_bytes(text_of(FIRST_ROW, rows if side == "run" else [], end))
        report = check(judgments, run)
        problems = {f.code for f in report if f.severity == "problem"} - BETWEEN
        # A duplicate in a query without judgments is a problem, although evaluate never looks there.
        everywhere = "".join(f"{q} 0 x 1\n" for q in ("q2", "a", "B", "1", "01", "é", "\x00", "\x1e"))
        if side == "run":
            judgments.write_text(f"{FIRST_JUDGMENT}\n{everywhere}")
        assert bool(problems) == refused(judgments, run if side == "run" else None)
