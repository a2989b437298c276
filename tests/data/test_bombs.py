"""Little files that would become large ones: refused early, in little memory, with what to do about it."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pyarrow as pa
import pytest

from rankscope.data import compression
from rankscope.data.files import InputFile
from rankscope.errors import InputError, PolicyError

LINE = b"q1 Q0 a 1 1 tag\n"
REFUSE = """
import resource, sys, time
from rankscope.data.files import InputFile
from rankscope.errors import InputError
import pyarrow
before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter()
try:
    InputFile(sys.argv[1]).read()
except InputError as error:
    assert error.code == "bomb", error
    print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.fixture(params=["zstandard", "pyarrow"])
def package(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The package that reads and writes zstd."""
    chosen = str(request.param)
    if find_spec("compression") is not None:
        pytest.skip("Python 3.14 has zstd of its own; earlier ones run this")
    if chosen == "pyarrow":
        monkeypatch.setitem(sys.modules, "zstandard", None)
    else:
        pytest.importorskip("zstandard", reason="pip install zstandard")
    return chosen


def zstd(content: bytes) -> bytes:
    sink = io.BytesIO()
    with compression.compressing(sink, "zstd") as file:
        file.write(content)
    return sink.getvalue()


@pytest.mark.parametrize("compress", [gzip.compress, zstd])
def test_a_bomb_is_refused_within_a_second_and_200_megabytes(tmp_path: Path, compress: object) -> None:
    content = compress(LINE * (256 << 16))  # type: ignore[operator]
    path = tmp_path / "bomb"
    path.write_bytes(content)
    assert os.path.getsize(path) < 2 << 20
    done = subprocess.run(
        [sys.executable, "-c", REFUSE, str(path)], capture_output=True, text=True, check=True, timeout=60
    )
    seconds, kilobytes = map(float, done.stdout.split())
    assert seconds < 1
    assert kilobytes < 200_000


def test_the_limits_can_be_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.run.gz"
    path.write_bytes(gzip.compress(LINE * (20 << 16)))
    with pytest.raises(InputError, match="more than 200 times its size") as caught:
        InputFile(str(path)).read()
    assert caught.value.hint.endswith("set RANKSCOPE_MAX_RATIO to another limit")
    monkeypatch.setenv("RANKSCOPE_MAX_RATIO", "2000")
    assert len(InputFile(str(path)).read()) == len(LINE) * (20 << 16)
    monkeypatch.setenv("RANKSCOPE_MAX_BYTES", "1000000")
    with pytest.raises(InputError, match="more than 1000000 bytes"):
        InputFile(str(path)).read()
    monkeypatch.setenv("RANKSCOPE_MAX_BYTES", "1e6")
    with pytest.raises(PolicyError, match="RANKSCOPE_MAX_BYTES=1e6 is not a limit"):
        InputFile(str(path)).read()


def test_what_is_compressed_well_but_small_is_no_bomb(tmp_path: Path) -> None:
    path = tmp_path / "a.run.gz"
    path.write_bytes(gzip.compress(LINE * 100_000))
    assert InputFile(str(path)).read() == LINE * 100_000


@pytest.mark.parametrize("parts", [1, 3])
def test_frames_of_zstd_follow_each_other_and_a_cut_one_is_an_error(
    package: str, tmp_path: Path, parts: int
) -> None:
    content = zstd(LINE * 1000)
    path = tmp_path / "a.run.zst"
    path.write_bytes(content * parts)
    assert InputFile(str(path)).read() == LINE * 1000 * parts
    path.write_bytes(content * parts + content[:-3])
    with pytest.raises(InputError) as caught:
        InputFile(str(path)).read()
    assert (caught.value.code, caught.value.where) == ("zstd", str(path))


def test_what_pyarrow_compresses_is_read(tmp_path: Path) -> None:
    with pa.CompressedOutputStream(str(tmp_path / "it"), "zstd") as file:
        file.write(LINE)
    assert InputFile(str(tmp_path / "it")).read() == LINE


def test_what_one_package_writes_the_other_reads(
    package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = b"".join(b"q%d Q0 d%d 1 %d t\n" % (i // 100, i, -i) for i in range(200_000))
    path = tmp_path / "a.run.zst"
    path.write_bytes(zstd(content))
    assert path.stat().st_size < len(content) / 2
    assert InputFile(str(path)).read() == content
    monkeypatch.undo()
    assert InputFile(str(path)).read() == content
    assert pa.input_stream(str(path), compression="zstd").read() == content


def test_what_is_no_zstd_is_said_by_either_package(package: str, tmp_path: Path) -> None:
    path = tmp_path / "a.run.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfd and so on")
    with pytest.raises(InputError) as caught:
        InputFile(str(path)).read()
    assert (caught.value.code, caught.value.where) == ("zstd", str(path))


def test_a_window_larger_than_any_honest_one_is_refused(tmp_path: Path) -> None:
    """What a frame asks for is allocated before its first byte is read."""
    zstandard = pytest.importorskip("zstandard", reason="pip install zstandard")
    parameters = zstandard.ZstdCompressionParameters(window_log=29, enable_ldm=True)
    written = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    path = tmp_path / "wide.run.zst"
    path.write_bytes(written.compress(LINE) + written.flush())
    with pytest.raises(InputError) as caught:
        InputFile(str(path)).read()
    assert caught.value.code == "zstd"
