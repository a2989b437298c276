"""gzip and zstd, taken apart piece by piece within limits that no honest file comes near."""

from __future__ import annotations

import io
import os
import zlib
from collections.abc import Iterable, Iterator
from typing import IO, Any, Literal

from rankscope.errors import InputError, MissingDependency, PolicyError, input_error

__all__ = ["Compression", "compressing", "compression_of", "decompressed", "without_suffix"]

Compression = Literal["gzip", "zstd"]

SIZE_LIMIT = 64 << 30
"""Bytes that may come out of one file."""
RATIO_LIMIT = 200
"""How many bytes may come out for each that went in; runs and judgments reach about 20."""
RATIO_FROM = 16 << 20
"""Bytes that may come out at any ratio."""
SIZE_VARIABLE = "RANKSCOPE_MAX_BYTES"
RATIO_VARIABLE = "RANKSCOPE_MAX_RATIO"

PIECE = 1 << 20
_SIP = 1 << 16
_MAGIC: dict[bytes, Compression] = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
_SUFFIXES: dict[str, Compression] = {".gz": "gzip", ".zst": "zstd"}


def compression_of(head: bytes) -> Compression | None:
    """How the file that begins so is compressed."""
    return next((kind for magic, kind in _MAGIC.items() if head.startswith(magic)), None)


def without_suffix(path: str) -> tuple[str, Compression | None]:
    """A path without the suffix of its compression, and which one that is."""
    stem, suffix = os.path.splitext(path)
    kind = _SUFFIXES.get(suffix.casefold())
    return (path, None) if kind is None else (stem, kind)


def decompressed(chunks: Iterable[bytes], kind: Compression, label: str) -> Iterator[bytes]:
    """Decompressed pieces of bounded size; a bomb is refused before it fills anything."""
    taken = _Sips(chunks)
    size_limit, ratio_limit = _limit(SIZE_VARIABLE, SIZE_LIMIT), _limit(RATIO_VARIABLE, RATIO_LIMIT)
    given = 0
    try:
        for piece in _gunzipped(taken) if kind == "gzip" else _unzstd(taken):
            given += len(piece)
            if given > size_limit:
                raise _bomb(label, f"more than {size_limit} bytes", SIZE_VARIABLE)
            if given > RATIO_FROM and given > ratio_limit * taken.count:
                raise _bomb(label, f"more than {ratio_limit} times its size", RATIO_VARIABLE)
            yield piece
    except (zlib.error, EOFError, OSError, RuntimeError) as error:
        raise input_error(kind, source=label, reason=str(error)) from error


def compressing(file: IO[bytes], kind: Compression | None) -> Any:
    """A file to write to, whose content arrives compressed in `file`; close it to end the data."""
    if kind is None:
        return _LeftOpen(file)
    if kind == "gzip":
        import gzip

        return gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0)
    return _zstd_writer(file)


class _LeftOpen:
    """A file that outlives whoever closes it here."""

    def __init__(self, file: IO[bytes]) -> None:
        self.write = file.write
        self.flush = file.flush
        self.closed = False

    def close(self) -> None:
        self.flush()
        self.closed = True


class _Sips(io.RawIOBase):
    """Chunks in small pieces, as an iterator or as a file, with a count of what was taken."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        super().__init__()
        self._chunks = iter(chunks)
        self._rest = memoryview(b"")
        self.count = 0

    def sip(self, size: int) -> bytes:
        while not self._rest:
            chunk = next(self._chunks, None)
            if chunk is None:
                return b""
            self._rest = memoryview(chunk)
        taken, self._rest = self._rest[:size], self._rest[size:]
        self.count += len(taken)
        return taken.tobytes()

    def sips(self, size: int) -> Iterator[bytes]:
        return iter(lambda: self.sip(size), b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        taken = self.sip(min(len(buffer), _SIP))
        buffer[: len(taken)] = taken
        return len(taken)


def _gunzipped(taken: _Sips) -> Iterator[bytes]:
    """Members follow each other; some writers fill up the last block with zeros."""
    member: Any = None
    for rest in taken.sips(_SIP):
        while rest:
            if member is None:
                rest = rest.lstrip(b"\0")
                if not rest:
                    break
                member = zlib.decompressobj(wbits=31)
            yield member.decompress(rest, PIECE)
            rest = member.unconsumed_tail
            if member.eof:
                member, rest = None, member.unused_data
    if member is not None:
        raise EOFError("it ends in the middle of the compressed data")


def _unzstd(taken: _Sips) -> Iterator[bytes]:
    """By whichever package is there: Python's own (3.14 and later), zstandard or pyarrow."""
    try:
        from compression import zstd  # type: ignore[import-not-found]
    except ImportError:
        pass
    else:
        return _read(zstd.ZstdFile(taken))
    try:
        import zstandard
    except ImportError:
        pass
    else:
        return _by_zstandard(taken, zstandard)
    pa = _pyarrow()
    return _read(pa.CompressedInputStream(pa.PythonFile(taken, mode="r"), "zstd"))


def _read(file: Any) -> Iterator[bytes]:
    return iter(lambda: bytes(file.read(PIECE)), b"")


def _by_zstandard(taken: _Sips, zstandard: Any) -> Iterator[bytes]:
    """Its file-like reader takes a file that was cut off for a complete one; its objects do not."""
    frame: Any = None
    # No more at a time: a few bytes can stand for 128 kB.
    for rest in taken.sips(512):
        while rest:
            frame = frame or zstandard.ZstdDecompressor(max_window_size=1 << 27).decompressobj()
            try:
                yield frame.decompress(rest)
            except zstandard.ZstdError as error:
                raise EOFError(str(error)) from error
            rest = frame.unused_data if frame.eof else b""
            if frame.eof:
                frame = None
    if frame is not None:
        raise EOFError("it ends in the middle of the compressed data")


def _zstd_writer(file: IO[bytes]) -> Any:
    try:
        from compression import zstd
    except ImportError:
        pass
    else:
        return zstd.ZstdFile(file, "wb")
    try:
        import zstandard
    except ImportError:
        pass
    else:
        return zstandard.ZstdCompressor().stream_writer(file, closefd=False)
    pa = _pyarrow()
    return pa.CompressedOutputStream(pa.PythonFile(_LeftOpen(file), mode="w"), "zstd")


def _pyarrow() -> Any:
    try:
        import pyarrow as pa
    except ImportError as error:
        raise MissingDependency(
            "zstd data needs the package zstandard or pyarrow, or Python 3.14",
            code="missing-dependency",
            hint="pip install zstandard",
        ) from error
    return pa


def _bomb(label: str, what: str, variable: str) -> InputError:
    return input_error("bomb", source=label, what=what, variable=variable)


def _limit(variable: str, usual: int) -> int:
    given = os.environ.get(variable, "").strip()
    if not given:
        return usual
    if not given.isascii() or not given.isdigit() or int(given) < 1:
        raise PolicyError(
            f"{variable}={given} is not a limit", code="bad-limit", expected="a whole number above 0"
        )
    return int(given)
