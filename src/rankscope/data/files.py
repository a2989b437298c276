"""Files to read: plain or compressed, pipes and standard input, each of which can be read again."""

from __future__ import annotations

import io
import os
import stat
import sys
import weakref
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import IO, Any

from rankscope.data.compression import Compression, compression_of, decompressed
from rankscope.errors import InputError, input_error, nearest

__all__ = ["Content", "InputFile", "check_paired", "files_in", "named_files"]

MEMORY_LIMIT = 64 << 20
"""Bytes of a stream that are kept in memory; beyond that it goes to a temporary file."""
HEAD = 1 << 16
"""Bytes from which a format is told."""
_CHUNK = 1 << 20
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Content:
    """What a file holds, decompressed: bytes, or the descriptor of a seekable file."""

    data: bytes | int
    path: str
    label: str

    def head(self) -> bytes:
        """Its first bytes, behind a byte-order mark."""
        first = self.data[:HEAD] if isinstance(self.data, bytes) else os.pread(self.data, HEAD, 0)
        return first.removeprefix(_BOM)

    def read(self) -> bytes:
        """All of it."""
        if isinstance(self.data, bytes):
            return self.data
        with self.file() as file:
            return file.read()

    def file(self) -> IO[bytes]:
        """A file object at its beginning."""
        if isinstance(self.data, bytes):
            return io.BytesIO(self.data)
        file = open(self.data, "rb", closefd=False)  # noqa: SIM115  (the caller's to close)
        file.seek(0)
        return file


class InputFile:
    """A file by its path; ``-`` is standard input."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.label = "stdin" if path == "-" else path
        self._held: bytes | IO[bytes] | None = None

    def read(self) -> bytes:
        """All of the file, decompressed."""
        with self.opened() as content:
            return content.read()

    @contextmanager
    def opened(self) -> Iterator[Content]:
        with self._data() as data:
            yield Content(data, self.path, self.label)

    @contextmanager
    def _data(self) -> Iterator[bytes | int]:
        if self._held is None and self.path == "-":
            self._keep(_standard_input())
        if self._held is not None:
            yield _handed_over(self._held)
            return
        with self._open() as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                # A pipe can be read once, but a run may be aligned more than once.
                yield _handed_over(self._keep(file))
            elif compression_of(file.peek(4)):
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
            kind: Compression | None = compression_of(first)
            return _held(decompressed(chunks, kind, self.label) if kind else chunks)
        except OSError as error:
            raise self._unreadable(error) from error

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


def files_in(folder: str) -> list[str]:
    """The paths of the regular files in a folder, by name; hidden ones do not count."""
    try:
        with os.scandir(folder) as entries:
            found = sorted(e.path for e in entries if e.is_file() and not e.name.startswith("."))
    except OSError as error:
        raise InputFile(folder)._unreadable(error) from error
    if not found:
        raise input_error("empty-folder", source=folder)
    return found


def named_files(folder: str, content: str) -> dict[str, str]:
    """The paths of the files in a folder by their names; `content` is what each of them is to have."""
    try:
        return {os.path.basename(path): path for path in files_in(folder)}
    except InputError as error:
        reason = "not a folder" if os.path.isfile(folder) else error.what
        raise input_error("no-folder", source=folder, reason=reason, content=content) from error


def check_paired(names: Iterable[str], folder: str, others: Iterable[str], other: str) -> None:
    """Two folders have files of the same names, else InputError."""
    found, wanted = set(names), set(others)
    lacking, unknown = sorted(wanted - found), sorted(found - wanted)
    if lacking or unknown:
        what = f"no file {_named(lacking)}" if lacking else f"nothing there belongs to {_named(unknown)}"
        raise input_error("unpaired-files", source=folder, what=what, other=other)


def _named(names: list[str]) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3} more"


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


def _neighbours(path: str) -> str:
    """The files whose names are nearest to one that does not exist."""
    folder, name = os.path.split(path)
    try:
        close = nearest(name, os.listdir(folder or "."))
    except OSError:
        return f"check the folder '{folder}'"
    return f"did you mean {' or '.join(os.path.join(folder, c) for c in close)}?" if close else ""
