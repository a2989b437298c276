"""Processes that must come to their end in good order: no crash, no hang, Ctrl-C heard, memory bounded."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import IO

import numpy as np
import pyarrow as pa
import pytest
from hostile_support import SMALL, survives

from rankscope import InputError
from rankscope.align import align, engine
from rankscope.data import Judgments, Run

# Damages texts of more than one piece in every way, and reads them with one and with several threads.
NASTY = """
import sys
import numpy as np
from rankscope import InputError, evaluate
from rankscope.align import align
from rankscope.data import Judgments, Run

path, size, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
rng = np.random.default_rng(7)
rows = [b"q%d Q0 d%d 1 %d.5 t\\n" % (i // 500, i % 500, i % 500) for i in range(size // 20)]
text = np.frombuffer(b"".join(rows), np.uint8)
spice = np.frombuffer(b" \\n\\t\\r\\0#.-+e01\\xff\\xef\\x1f\\x0b", np.uint8)
judgments = Judgments.of({f"q{i}": {f"d{j}": j % 3 for j in range(0, 500, 50)} for i in range(0, 4000, 3)})
refused = 0
for round in range(rounds):
    broken = text[: rng.integers(1, len(text))].copy()
    places = rng.integers(0, len(broken), rng.choice([1, 3, 50, len(broken) // 3]))
    broken[places] = rng.choice(spice, len(places))
    if round % 4 == 3:
        broken = np.tile(broken[rng.integers(0, len(broken)) :], 2)
    broken.tofile(path)
    for threads in (1, 4):
        for options in ({}, {"duplicates": "best", "dense": True, "depth": 5}):
            try:
                align(judgments, Run.of(path), threads=threads, **options)
            except InputError as error:
                str(error)
                refused += 1
    try:
        Judgments.of(path)
    except InputError:
        refused += 1
# Rows of whole numbers and of nothing but zeros, and sizes that do not fit.
for bad in ([b""], [bytes(1 << 20)], [b"\\n" * (3 << 20)], [b"q0 Q0 a 1 1 t\\n", b" " * (3 << 20)]):
    with open(path, "wb") as file:
        file.writelines(bad)
    for read in (Judgments.of, lambda p: align(judgments, Run.of(p), threads=4)):
        try:
            read(path)
        except InputError as error:
            refused += 1
print(refused)
"""


def test_damaged_files_never_crash_the_interpreter(core: ModuleType, tmp_path: Path) -> None:
    small = core is not _native()
    out = survives(NASTY, tmp_path / "damaged.run", 60_000 if small else 3 << 20, 12)
    # All of them are judgments with 6 columns at best, so at least those are refused.
    assert int(out) >= 12


# Damages Arrow and Parquet files in every way, most of all what they say of themselves at their ends.
NASTY_COLUMNS = """
import io, sys
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from rankscope import InputError
from rankscope.align import align
from rankscope.data import Judgments, Run

path, rounds = sys.argv[1], int(sys.argv[2])
rng = np.random.default_rng(11)
size = 3000
query, item, score = np.arange(size) // 300, rng.permutation(size), rng.normal(size=size)
numbers = pa.table({"query": query, "item": item, "score": score})
text = pa.table({"query": numbers[0].cast("string"), "item": numbers[1].cast("string"), "score": score})
coded = text.set_column(1, "item", text[1].dictionary_encode())
judgments = Judgments.of({str(q): {str(i): i % 3 for i in range(0, size, 7)} for q in range(0, 10, 2)})

def written(table, write, **options):
    sink = io.BytesIO()
    write(table, sink, **options)
    return np.frombuffer(sink.getvalue(), np.uint8)

def arrow(table, sink, new=pa.ipc.new_file):
    with new(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=1000)

files = [
    *(written(table, arrow) for table in (numbers, text, coded)),
    *(written(table, arrow, new=pa.ipc.new_stream) for table in (numbers, text, coded)),
    *(written(table, pq.write_table, row_group_size=1000) for table in (numbers, text)),
    written(text, pq.write_table, use_dictionary=False, data_page_size=2000, compression="none"),
    written(text, pq.write_table, data_page_version="2.0", data_page_size=2000),
]
refused = 0
for round in range(rounds):
    for file in files:
        broken = file.copy()
        near_an_end = rng.integers(0, min(len(broken), 700), 3)
        places = np.concatenate([near_an_end, len(broken) - 1 - near_an_end, rng.integers(0, len(broken), 3)])
        places = rng.choice(places, rng.integers(1, 5))
        spice = np.array([0, 1, 2, 127, 128, 255, *rng.integers(0, 256, 6)], np.uint8)
        broken[places] = rng.choice(spice, len(places))
        if round % 5 == 4:
            broken = broken[: rng.integers(1, len(broken))]
        broken.tofile(path)
        try:
            align(judgments, Run.of(path), threads=1 + round % 3, dense=round % 2 == 0)
        except (InputError, MemoryError):
            refused += 1
print(refused)
"""


def test_damaged_columns_never_crash_the_interpreter(tmp_path: Path) -> None:
    """The core reads these files itself; pyarrow has the word on what it leaves."""
    out = survives(NASTY_COLUMNS, tmp_path / "damaged", 5 if SMALL else 40, timeout=300)
    assert int(out) > 5


# Numbers whose conversion changes, while it is read, the very mapping they are in.
TREACHEROUS = """
import gc, sys
from rankscope import InputError
from rankscope.align import align
from rankscope.data import Judgments, Run

judgments = Judgments.of({f"q{q}": {f"d{i}": 1 for i in range(20)} for q in range(20)})

class Traitor:
    def __init__(self, run, deed):
        self.run, self.deed = run, deed

    def __float__(self):
        self.deed(self.run)
        gc.collect()
        return 1.0

def grow(mapping, value):
    mapping.update({f"new{i}": value for i in range(5000)})

deeds = [
    lambda run: run["q0"].clear(),
    lambda run: run.clear(),
    lambda run: grow(run["q0"], 1.0),
    lambda run: grow(run, {"a": 1.0}),
    lambda run: run.update(q0=[]),
]
outcomes = []
for deed in deeds:
    for read in (Judgments.of, lambda run: align(judgments, Run.of(run))):
        run = {f"q{q}": {f"d{i}": 0.5 * i for i in range(30)} for q in range(20)}
        run["q0"] = {"a": 1.0, "traitor": Traitor(run, deed), **run["q0"]}
        try:
            read(run)
            outcomes.append("read")
        except (InputError, RuntimeError) as error:
            outcomes.append(type(error).__name__)
print(len(outcomes))
"""


def test_a_mapping_that_changes_while_it_is_read(core: ModuleType) -> None:
    """Python's own loops raise RuntimeError then; anything goes but a crash."""
    assert survives(TREACHEROUS) == "10\n"


SHRINKING = """
import os, sys, threading
from rankscope import InputError
from rankscope.align import align
from rankscope.data import Judgments, Run

path, rounds = sys.argv[1], int(sys.argv[2])
size = os.path.getsize(path)
judgments = Judgments.of({"q": {"a": 1}})
over = threading.Event()

def shrink_and_grow():
    while not over.is_set():
        for length in (100, size // 2, size):
            os.truncate(path, length)

writer = threading.Thread(target=shrink_and_grow)
writer.start()
codes = set()
try:
    for round in range(rounds):
        try:
            align(judgments, Run.of(path), threads=1 + round % 3)
        except InputError as error:
            codes.add(error.code)
finally:
    over.set()
    writer.join()
print(*sorted(codes))
"""


def test_a_file_that_shrinks_and_grows_all_the_time(core: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "restless.run"
    lines = 20_000 if core is not _native() else 400_000
    path.write_bytes(b"q Q0 a 1 1 t\n" + b"x Q0 a 1 1 t\n" * lines)
    out = survives(SHRINKING, path, 30)
    # What was cut off comes back as zeros: a line of another number of columns, or one that never ends.
    assert set(out.split()) <= {"changed", "columns", "columns-changed", "line-too-long", "number"}


@pytest.mark.parametrize("name", ["restless.parquet", "restless.arrow"])
def test_columns_that_shrink_and_grow_all_the_time(core: ModuleType, tmp_path: Path, name: str) -> None:
    """A file that is mapped into memory would end the process here."""
    path = tmp_path / name
    count = 20_000 if core is not _native() else 400_000
    ids = np.arange(count)
    Run.of(pa.table({"query": 0 * ids, "item": ids, "score": -ids})).write(path)
    survives(SHRINKING, path, 30)


# Files of the kernel claim a page and hold a line: just what a file looks like that was cut meanwhile.
# This one names the processors set aside; where there are none its line is blank, and that is no error.
SHORTER_THAN_IT_SAYS = Path("/sys/devices/system/cpu/isolated")


@pytest.mark.skipif(
    not SHORTER_THAN_IT_SAYS.is_file() or SHORTER_THAN_IT_SAYS.read_bytes().strip() != b"",
    reason="runs on Linux where no processor is set aside",
)
def test_a_file_that_is_shorter_than_it_says(core: ModuleType) -> None:
    assert SHORTER_THAN_IT_SAYS.stat().st_size > len(SHORTER_THAN_IT_SAYS.read_bytes()) > 0
    judgments = Judgments.of({"q": {"a": 1}})
    for read in (Judgments.of, lambda path: align(judgments, Run.of(path))):
        with pytest.raises(InputError, match="became shorter while it was read") as caught:
            read(SHORTER_THAN_IT_SAYS)
        assert caught.value.code == "changed"


# Half-way between two doubles: it takes all digits to see to which side a number falls, so reading is slow.
SLOW = b"1.00000000000000011102230246251565404236316680908203125"

GIGABYTES = 1 if SMALL else 5


@pytest.fixture(params=["many queries", "one query", "judgments", "a query without end"])
def slow_input(request: pytest.FixtureRequest, core: ModuleType, tmp_path: Path) -> Iterator[list[Path]]:
    """Judgments and a run, one of which takes seconds to read; it is the last one named."""
    kind = request.param
    row = b"x%04d 0 d " + SLOW + b"\n" if kind == "judgments" else b"x%04d Q0 d 1 " + SLOW + b" t\n"
    qrels, run, slow = tmp_path / "truth.qrels", tmp_path / "short.run", tmp_path / "slow"
    qrels.write_bytes(b"q 0 a 1\n")
    run.write_bytes(b"q Q0 a 1 1 t\n")
    with slow.open("wb") as file:
        file.write((qrels if kind == "judgments" else run).read_bytes())
        if kind == "a query without end":
            _write_comments(file)
        for piece in range(0 if kind == "a query without end" else 300 if core is _native() else 60):
            query = 0 if kind == "one query" else piece
            file.write(row % query * ((1 << 20) // len(row)))
    yield [slow, run, slow] if kind == "judgments" else [qrels, slow, slow]
    slow.unlink()


def _write_comments(file: IO[bytes]) -> None:
    """Lines that belong to no query, so that where the last one ends takes long to find; mostly holes."""
    comment = 1 << 19
    for start in range(file.tell(), GIGABYTES << 30, comment):
        file.seek(start)
        file.write(b"#")
        file.seek(start + comment - 1)
        file.write(b"\n")


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="runs where /proc says what is open")
def test_ctrl_c_stops_a_long_read(slow_input: list[Path]) -> None:
    """Within a second on a machine that has nothing else to do.

    On a busy one it may take longer, by as much as the mere start of the command takes longer than the third
    of a second that it takes otherwise.
    """
    bound = max(1.0, 3 * _seconds_to_start())
    assert any(_seconds_to_stop(*slow_input) < bound for _ in range(TRIES))


TRIES = 3
"""A machine that has its disk to write may be late once; a loop that does not listen is late every time."""


def _seconds_to_stop(qrels: Path, run: Path, slow: Path) -> float:
    """How long the command goes on after Ctrl-C in the middle of reading the slow file."""
    process = subprocess.Popen(
        [sys.executable, "-m", "rankscope", "evaluate", qrels, run],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        _wait_until_open(process, slow)
        time.sleep(0.2)  # into the middle of reading
        process.send_signal(signal.SIGINT)
        sent = time.monotonic()
        out, err = process.communicate(timeout=60)
        waited = time.monotonic() - sent
    finally:
        process.kill()
    assert (process.returncode, out, err) == (130, b"", b"rankscope: interrupted\n")
    assert waited < 10  # however busy the machine
    return waited


def _seconds_to_start() -> float:
    start = time.monotonic()
    subprocess.run([sys.executable, "-m", "rankscope", "evaluate", "--help"], check=True, capture_output=True)
    return time.monotonic() - start


def _wait_until_open(process: subprocess.Popen[bytes], path: Path) -> None:
    folder = Path(f"/proc/{process.pid}/fd")
    while process.poll() is None:
        for descriptor in os.listdir(folder):
            try:
                if os.path.samefile(folder / descriptor, path):
                    return
            except OSError:  # closed meanwhile
                continue
        time.sleep(0.005)
    raise AssertionError(f"ended before it could be interrupted: {process.communicate()}")


PEAK = """
import resource, sys
import numpy as np
from rankscope import InputError, evaluate
from rankscope.measures import registered

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
"""

ENDLESS = (
    PEAK
    + """
evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}})
before = peak()
try:
    evaluate(sys.argv[1], sys.argv[2], "RR", threads=int(sys.argv[3]))
except InputError as error:
    print(error.code, peak() - before)
"""
)


@pytest.mark.parametrize("threads", [1, 4])
def test_a_line_without_end_costs_no_memory(core: ModuleType, tmp_path: Path, threads: int) -> None:
    (tmp_path / "truth.qrels").write_bytes(b"q 0 a 1\n")
    (tmp_path / "endless.run").write_bytes(b"q Q0 a 1 1 t\n")
    os.truncate(tmp_path / "endless.run", 100 << 20)
    for truth, run in (("truth.qrels", "endless.run"), ("endless.run", "endless.run")):
        code, megabytes = survives(ENDLESS, tmp_path / truth, tmp_path / run, threads).split()
        # As judgments its first line has the wrong number of columns, but the last one may be met first.
        assert code in ("line-too-long", "looks-like-run")
        assert int(megabytes) < 40


TIED = (
    PEAK
    + """
items = int(sys.argv[1])
ids = [f"d{i}" for i in range(items)]
judgments = {"q": dict(zip(ids[::2], np.random.default_rng(3).integers(-1, 4, items).tolist()))}
run = {"q": dict.fromkeys(ids, 1.0)}
graded = [m for m in registered() if (m.truth, m.product) == ("judgments", "judged")]
measures = graded + [m @ 1000 for m in graded if "k" in m.parameters]
evaluate(judgments, run, "RR")
before = peak()
for options in ({}, {"depth": items // 2}, {"unjudged": "drop"}):
    result = evaluate(judgments, run, measures, ties="expected", **options)
    assert all(np.isfinite(value) for value in result.aggregate.values()), result
print(peak() - before)
"""
)


def test_one_tie_of_300_000_items_is_averaged_exactly_in_little_memory() -> None:
    megabytes = survives(TIED, 20_000 if SMALL else 300_000)
    # 300 000 rows of a few columns are some ten megabytes; a table of items by items would be 700 GB.
    assert int(megabytes) < 300


LEAK = (
    PEAK
    + """
queries, path = int(sys.argv[1]), sys.argv[2]
judgments = {f"q{q}": {f"d{i}": i % 3 for i in range(0, 100, 9)} for q in range(queries)}
run = {query: {f"d{i}": float(i) for i in range(100)} for query in judgments}
twice = {**run, "q0": ["d0", "d1", "d0"]}
with open(path, "w") as file:
    file.writelines(f"{q} Q0 {i} 1 {s} t\\n" for q, items in run.items() for i, s in items.items())

def all_ways():
    evaluate(judgments, run)
    evaluate(judgments, path)
    for broken in (twice, path + ".missing"):
        try:
            evaluate(judgments, broken)
        except InputError:
            continue

for _ in range(5):
    all_ways()
before = peak()
for _ in range(40):
    all_ways()
print(peak() - before)
"""
)


def test_a_hundred_evaluations_leak_nothing(tmp_path: Path) -> None:
    """pytrec_eval once held 1.3 GB after a hundred runs; the rows of these come to 100 MB and more."""
    assert int(survives(LEAK, 60 if SMALL else 500, tmp_path / "system.run")) < 20


def _native() -> ModuleType | None:
    return None if SMALL else engine._native()
