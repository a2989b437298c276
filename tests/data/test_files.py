"""Files, gzip, pipes and standard input, and what is said when they cannot be read."""

from __future__ import annotations

import gzip
import io
import os
import threading
from pathlib import Path
from types import ModuleType
from typing import IO, Any

import pytest

from rankscope.align import align
from rankscope.data import Judgments, Run, compression, files
from rankscope.errors import InputError

TEXT = b"q1 Q0 a 1 3.5 tag\nq1 Q0 x 2 2.5 tag\nq1 Q0 b 3 1.5 tag\n"
JUDGED = {"q1": {"a": 1, "b": 1}}


def zipped(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


def ranks(run: Run) -> list[int]:
    return align(Judgments.of(JUDGED), run).rank.tolist()


def standard_input(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(TEXT, id="plain"),
        pytest.param(zipped(TEXT), id="gzip"),
        pytest.param(zipped(TEXT[:30]) + zipped(TEXT[30:]), id="gzip of two members"),
        pytest.param(zipped(TEXT) + bytes(512), id="gzip filled up with zeros"),
    ],
)
def test_content_decides_what_is_compressed(
    core: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    for name in ("bm25.run", "bm25.run.gz"):
        (tmp_path / name).write_bytes(content)
        run = Run.of(tmp_path / name)
        assert [run.name, ranks(run), ranks(run)] == ["bm25", [1, 3], [1, 3]]
    standard_input(monkeypatch, content)
    run = Run.of("-")
    assert [ranks(run), ranks(run)] == [[1, 3], [1, 3]]


def test_judgments_from_files_and_standard_input(
    core: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "qrels.gz").write_bytes(zipped(b"q1 0 a 1\nq1 0 b 1\n"))
    standard_input(monkeypatch, b"q1 0 a 1\nq1 0 b 1\n")
    assert Judgments.of(tmp_path / "qrels.gz") == Judgments.of("-") == Judgments.of(JUDGED)


def test_a_pipe_can_be_aligned_twice(core: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=lambda: path.write_bytes(zipped(TEXT)))
    writer.start()
    run = Run.of(path)
    assert [ranks(run), ranks(run)] == [[1, 3], [1, 3]]
    writer.join()


@pytest.mark.parametrize("compressed", [False, True])
def test_long_streams_go_to_a_temporary_file(
    core: ModuleType, monkeypatch: pytest.MonkeyPatch, compressed: bool
) -> None:
    spooled: list[IO[bytes]] = []
    spool = files._spooled

    def watched(chunks: Any) -> IO[bytes]:
        spooled.append(spool(chunks))
        return spooled[-1]

    monkeypatch.setattr(files, "_spooled", watched)
    monkeypatch.setattr(files, "MEMORY_LIMIT", len(TEXT))
    standard_input(monkeypatch, zipped(TEXT) if compressed else TEXT)
    assert ranks(Run.of("-")) == [1, 3]
    assert not spooled
    longer = TEXT + b"q1 Q0 y 4 1.0 tag\n"
    standard_input(monkeypatch, zipped(longer) if compressed else longer)
    run = Run.of("-")
    assert [ranks(run), ranks(run)] == [[1, 3], [1, 3]]
    assert os.fstat(spooled[0].fileno()).st_size == len(longer)


def test_a_bomb_is_decompressed_piece_by_piece() -> None:
    pieces = list(compression.decompressed([zipped(bytes(15 << 20))], "gzip", "x.gz"))
    assert sum(map(len, pieces)) == 15 << 20
    assert max(map(len, pieces)) <= 1 << 20


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param(zipped(TEXT)[:-12], "ends in the middle", id="cut off"),
        pytest.param(zipped(TEXT)[:-8] + bytes(8), "incorrect data check", id="wrong checksum"),
        pytest.param(zipped(TEXT) + b"garbage", "incorrect header", id="garbage at the end"),
        pytest.param(b"\x1f\x8b", "ends in the middle", id="magic bytes alone"),
    ],
)
def test_broken_gzip_names_the_file(core: ModuleType, tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "bm25.run.gz"
    path.write_bytes(content)
    with pytest.raises(InputError, match=reason) as caught:
        ranks(Run.of(path))
    assert (caught.value.code, caught.value.where) == ("gzip", str(path))


def test_a_missing_file_is_answered_with_the_nearest(core: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("q1 0 a 1\n")
    with pytest.raises(InputError, match="there is no such file") as caught:
        Judgments.of(tmp_path / "qrel.txt")
    assert (caught.value.code, caught.value.where) == ("unreadable", str(tmp_path / "qrel.txt"))
    assert caught.value.hint == f"did you mean {tmp_path / 'qrels.txt'}?"
    with pytest.raises(InputError, match="check the folder"):
        Judgments.of(tmp_path / "nowhere" / "qrels.txt")


@pytest.mark.parametrize(("path", "reason"), [(".", "it is a directory"), ("a\0b", "null byte")])
def test_what_is_no_file(core: ModuleType, path: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        Judgments.of(path)


def test_a_file_without_permission() -> None:
    # Asked for directly, as root may read every file.
    error = files.InputFile("secret")._unreadable(PermissionError(13, "Permission denied"))
    assert str(error).startswith("secret: cannot be read: permission denied")


def test_errors_in_a_file_carry_its_path_and_those_of_standard_input_say_so(
    core: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bm25.run"
    path.write_bytes(TEXT + b"q1 Q0 y 1 x tag\n")
    with pytest.raises(InputError) as caught:
        ranks(Run.of(path, name="named"))
    assert caught.value.where == f"{path}:4:11"
    standard_input(monkeypatch, TEXT + b"q1 Q0 y 1 x tag\n")
    with pytest.raises(InputError) as caught:
        ranks(Run.of("-"))
    assert caught.value.where == "stdin:4:11"
