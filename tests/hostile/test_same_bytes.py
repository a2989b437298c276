"""The same input gives the same bytes: whatever the core, the number of threads and the order of the rows."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hostile_support import SMALL, each_by_itself, every_measure, exactly, qrels_text

from rankscope import InputError, evaluate
from rankscope.align import align, engine
from rankscope.data import Judgments, Run

THREADS = (1, 2, 3, 8)
# Above 1 MB for each of 8 threads, so that all of them have something to do.
QUERIES, ITEMS = (60, 40) if SMALL else (600, 500)


@pytest.fixture(scope="module")
def judgments() -> Judgments:
    rng = np.random.default_rng(41)
    return Judgments.of(
        {
            f"q{q}": {f"document-{i}": int(rng.integers(-1, 4)) for i in rng.integers(0, 2 * ITEMS, 30)}
            for q in range(0, QUERIES + 5, 2)
        }
    )


@pytest.fixture(scope="module")
def rows() -> list[bytes]:
    """A run, grouped by query, no two of its scores alike."""
    rng = np.random.default_rng(42)
    found: list[bytes] = []
    for query in range(QUERIES):
        items, scores = rng.permutation(2 * ITEMS)[:ITEMS], rng.permutation(ITEMS) / 7
        found += [
            b"q%d Q0 document-%d 1 %r tag\n" % (query, item, score)
            for item, score in zip(items.tolist(), scores.tolist(), strict=True)
        ]
    return found


def json_of(judgments: Judgments, path: Path, threads: int, ties: str = "docid") -> str:
    result = evaluate(judgments, Run.of(path), every_measure(), threads=threads, ties=ties)
    return result.to_json(per_query=True)


def without_notes(text: str) -> str:
    """The values alone: notes name the first few queries that have no judgments, in the order of the run."""
    return text[: text.index('"notes"')]


def test_threads_and_order_of_rows_change_nothing(
    judgments: Judgments, rows: list[bytes], tmp_path: Path
) -> None:
    grouped, scattered = tmp_path / "a" / "system.run", tmp_path / "b" / "system.run"
    order = np.random.default_rng(43).permutation(len(rows))
    for path, lines in ((grouped, rows), (scattered, [rows[i] for i in order])):
        path.parent.mkdir()
        path.write_bytes(b"".join(lines))
    assert SMALL or grouped.stat().st_size > 8 << 20
    by_path = [{json_of(judgments, path, threads) for threads in THREADS} for path in (grouped, scattered)]
    assert [len(texts) for texts in by_path] == [1, 1]
    assert len({without_notes(text) for texts in by_path for text in texts}) == 1


@pytest.mark.parametrize("ties", ["docid", "docid-asc", "expected", "best", "worst"])
def test_ties_are_alike_for_any_number_of_threads_and_order_of_rows(
    judgments: Judgments, rows: list[bytes], tmp_path: Path, ties: str
) -> None:
    # Scores without their decimals: about seven items share each.
    lines = [row.partition(b".")[0] + b" tag\n" for row in rows[: len(rows) // 2]]
    path = tmp_path / "system.run"
    texts = set()
    for order in (np.arange(len(lines)), np.random.default_rng(44).permutation(len(lines))):
        path.write_bytes(b"".join(lines[i] for i in order))
        texts |= {without_notes(json_of(judgments, path, threads, ties)) for threads in (1, 3)}
    assert len(texts) == 1


@pytest.mark.skipif(SMALL, reason="compares the two cores; runs when RANKSCOPE_ENGINE is not plain")
def test_both_cores_print_the_same(
    rows: list[bytes], judgments: Judgments, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "system.run"
    path.write_bytes(b"".join(rows[:40_000]))
    texts = set()
    for name in ("native", "plain"):
        monkeypatch.setenv(engine.VARIABLE, name)
        texts.add(json_of(judgments, path, threads=2, ties="expected"))
    assert len(texts) == 1


def test_the_first_error_is_the_one_reported(
    core: ModuleType, judgments: Judgments, rows: list[bytes], tmp_path: Path
) -> None:
    """Two broken lines far apart: the threads that read them may end in any order."""
    lines = rows if core.__name__.endswith("_core") else rows[:2000]
    first, second = len(lines) // 3, len(lines) - 10
    broken = list(lines)
    broken[second] = b"only three columns\n"
    broken[first] = lines[first].replace(b" tag", b"x tag")
    path = tmp_path / "system.run"
    path.write_bytes(b"".join(broken))
    said = set()
    for threads in THREADS * 3:
        with pytest.raises(InputError) as caught:
            align(judgments, Run.of(path), threads=threads)
        said.add(str(caught.value))
    assert len(said) == 1
    assert caught.value.where.startswith(f"{path}:{first + 1}:")


def test_a_query_does_not_depend_on_its_neighbours(tmp_path: Path) -> None:
    """Each query alone has, to the last bit, the values it has among all."""
    rng = np.random.default_rng(45)
    truth: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for query in map(str, range(40)):
        judged, retrieved = rng.integers(1, [40, 80])
        truth[query] = {f"d{i}": int(rng.integers(0, 4)) for i in range(judged)}
        run[query] = {f"d{i}": float(rng.integers(0, 9)) for i in range(retrieved)}
    for ties in ("docid", "expected"):
        together = evaluate(truth, run, each_by_itself(), ties=ties)
        for query in truth:
            alone = evaluate({query: truth[query]}, {query: run[query]}, each_by_itself(), ties=ties)
            assert alone.queries[query] == exactly(together.queries[query])


def test_judgments_in_another_order_give_the_same_values(tmp_path: Path) -> None:
    rng = np.random.default_rng(46)
    truth = {f"q{q}": {f"d{i}": int(rng.integers(0, 4)) for i in range(20)} for q in range(30)}
    run = {query: {f"d{i}": float(rng.integers(0, 9)) for i in range(40)} for query in truth}
    lines = qrels_text(truth).splitlines(keepends=True)
    (tmp_path / "shuffled.qrels").write_bytes(b"".join(lines[i] for i in rng.permutation(len(lines))))
    as_given = evaluate(truth, run, every_measure())
    shuffled = evaluate(tmp_path / "shuffled.qrels", run, every_measure())
    assert shuffled.queries == as_given.queries
