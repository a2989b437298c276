"""Where rows come from: text files, pipes and mappings, each of which a core can judge or align."""

from __future__ import annotations

import os
import stat
import sys
import weakref
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import chain
from typing import IO, Any, Literal, Protocol

from rankscope.align.engine import core
from rankscope.errors import InputError, input_error, nearest

__all__ = ["Columns", "MappingSource", "Role", "Source", "TextSource", "source_of"]

Columns = dict[str, Any]
Role = Literal["run", "judgments"]

MEMORY_LIMIT = 64 << 20
"""Bytes of a stream that are kept in memory; beyond that it goes to a temporary file."""
_CHUNK = 1 << 20
_GZIP_MAGIC = b"\x1f\x8b"


class Source(Protocol):
    """Rows that a core can read; `name` says in errors what they are."""

    def judge(self, name: str) -> Columns: ...

    def align(self, index: object, name: str, options: Mapping[str, Any]) -> Columns: ...


def source_of(given: Any, role: Role) -> Source:
    """The source for whatever a user gives: a path, a mapping or a frame."""
    if isinstance(given, str | os.PathLike):
        return TextSource(os.fsdecode(given))
    if isinstance(given, Mapping):
        return MappingSource(given)
    from rankscope.data import frames

    if frames.is_frame(given):
        return frames.frame_source(given, role)
    raise input_error("unusable", role="a run" if role == "run" else role, found=type(given).__name__)


class MappingSource:
    """A mapping of query to items and their scores or grades."""

    def __init__(self, mapping: Mapping[Any, Any]) -> None:
        self.mapping = mapping

    def judge(self, name: str) -> Columns:
        columns: Columns = core().judge_mapping(self.mapping, name=name)
        return columns

    def align(self, index: object, name: str, options: Mapping[str, Any]) -> Columns:
        columns: Columns = core().align_mapping(index, self.mapping, name=name, **options)
        return columns


class TextSource:
    """A text file, plain or gzip; ``-`` is standard input."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.label = "stdin" if path == "-" else path
        self._held: bytes | IO[bytes] | None = None

    def judge(self, name: str) -> Columns:
        with self._opened() as text:
            columns: Columns = core().judge_text(text, name=self.label)
        return columns

    def align(self, index: object, name: str, options: Mapping[str, Any]) -> Columns:
        with self._opened() as text:
            columns: Columns = core().align_text(index, text, name=self.label, **options)
        return columns

    def read(self) -> bytes:
        """The whole text, decompressed."""
        with self._opened() as text:
            if isinstance(text, bytes):
                return text
            with open(text, "rb", closefd=False) as file:
                file.seek(0)
                return file.read()

    @contextmanager
    def _opened(self) -> Iterator[bytes | int]:
        """The text as bytes, or as the descriptor of a seekable file."""
        if self._held is None and self.path == "-":
            self._keep(_standard_input())
        if self._held is not None:
            yield _handed_over(self._held)
            return
        with self._open() as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                # A pipe can be read once, but a run may be aligned more than once.
                yield _handed_over(self._keep(file))
            elif file.peek(2)[:2] == _GZIP_MAGIC:
                held = self._hold(file)
                try:
                    yield _handed_over(held)
                finally:
                    _close(held)
            else:
                yield file.fileno()

    def _keep(self, file: IO[bytes]) -> bytes | IO[bytes]:
        held = self._held = self._hold(file)
        weakref.finalize(self, _close, held)
        return held

    def _open(self) -> Any:
        try:
            return open(self.path, "rb")
        except (OSError, ValueError) as error:
            raise self._unreadable(error) from error

    def _hold(self, file: IO[bytes]) -> bytes | IO[bytes]:
        """All of a stream, decompressed, in memory or (if it is long) in a temporary file."""
        try:
            first = file.read(_CHUNK)
            chunks = chain([first], iter(lambda: file.read(_CHUNK), b""))
            return _held(self._decompressed(chunks) if first.startswith(_GZIP_MAGIC) else chunks)
        except OSError as error:
            raise self._unreadable(error) from error

    def _decompressed(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        try:
            yield from _gunzipped(chunks)
        except (zlib.error, EOFError) as error:
            raise input_error("gzip", source=self.label, reason=str(error)) from error

    def _unreadable(self, error: Exception) -> InputError:
        reasons: dict[type[Exception], str] = {
            FileNotFoundError: "there is no such file",
            IsADirectoryError: "it is a directory",
            PermissionError: "permission denied",
        }
        reason = reasons.get(type(error)) or getattr(error, "strerror", None) or str(error)
        missing = isinstance(error, FileNotFoundError)
        suggestion = _neighbours(self.path) if missing else ""
        return input_error("unreadable", source=self.label, reason=reason, suggestion=suggestion)


def _standard_input() -> IO[bytes]:
    return sys.stdin.buffer


def _handed_over(held: bytes | IO[bytes]) -> bytes | int:
    return held if isinstance(held, bytes) else held.fileno()


def _held(chunks: Iterator[bytes]) -> bytes | IO[bytes]:
    kept: list[bytes] = []
    size = 0
    for chunk in chunks:
        kept.append(chunk)
        size += len(chunk)
        if size > MEMORY_LIMIT:
            return _spooled(chain(kept, chunks))
    return b"".join(kept)


def _spooled(chunks: Iterable[bytes]) -> IO[bytes]:
    import tempfile

    with ExitStack() as on_failure:
        file = on_failure.enter_context(tempfile.TemporaryFile())
        file.writelines(chunks)
        file.flush()
        on_failure.pop_all()
    return file


def _close(held: bytes | IO[bytes]) -> None:
    if not isinstance(held, bytes):
        held.close()


def _gunzipped(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Decompressed pieces of bounded size, whatever the ratio; members follow each other."""
    member: Any = None
    for chunk in chunks:
        rest = chunk
        while rest:
            if member is None:
                # Some writers fill up the last block with zeros.
                rest = rest.lstrip(b"\0")
                if not rest:
                    break
                member = zlib.decompressobj(wbits=31)
            yield member.decompress(rest, _CHUNK)
            rest = member.unconsumed_tail
            if member.eof:
                member, rest = None, member.unused_data
    if member is not None:
        raise EOFError("it ends in the middle of the compressed data")


def _neighbours(path: str) -> str:
    """The files whose names are nearest to one that does not exist."""
    folder, name = os.path.split(path)
    try:
        close = nearest(name, os.listdir(folder or "."))
    except OSError:
        return f"check the folder '{folder}'"
    return f"did you mean {' or '.join(os.path.join(folder, c) for c in close)}?" if close else ""
