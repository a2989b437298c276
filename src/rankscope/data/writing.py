"""Runs and judgments to files that are there whole or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any

from rankscope.data.compression import compressing, without_suffix
from rankscope.data.formats import FORMATS, Format, Role, format_for_output, named
from rankscope.data.rows import Rows
from rankscope.errors import PolicyError, RankscopeError, printable

__all__ = ["output_format", "replacing", "unwritable", "write", "write_to"]


def write(rows: Rows, role: Role, path: str, format: str | None, name: str) -> None:
    """Write rows to a file in a format, or in the one that its name asks for."""
    chosen = output_format(path, format)
    try:
        with replacing(path) as file:
            write_to(file, rows, role, path, chosen, name)
    except OSError as error:
        raise unwritable(path, error.strerror or str(error)) from error


def write_to(file: IO[bytes], rows: Rows, role: Role, path: str, format: Format, name: str) -> None:
    """Write rows to an open file, compressed if its path says so."""
    target: Any = compressing(file, without_suffix(path)[1])
    if format.write is not None:
        format.write(rows, role, name, target)
    target.close()


def output_format(path: str, format: str | None) -> Format:
    """The format to be written, if it can be."""
    chosen = format_for_output(path) if format is None else named(format)
    if chosen.write is None:
        raise PolicyError(
            f"the format {chosen.name} is not written",
            code="format-not-written",
            expected=f"one of {', '.join(f.name for f in FORMATS if f.write)}",
        )
    return chosen


@contextmanager
def replacing(path: str) -> Iterator[IO[bytes]]:
    """A file under a temporary name beside `path`, which it replaces when all is written."""
    target = os.path.realpath(path)  # a link stays a link
    mode = os.stat(target).st_mode if os.path.exists(target) else None
    if mode is not None and not stat.S_ISREG(mode):  # a device or a pipe cannot be replaced
        with open(target, "wb") as file:
            yield file
        return
    temporary = os.path.join(os.path.dirname(target), f".rankscope-{os.urandom(8).hex()}.tmp")
    try:
        with open(temporary, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            os.chmod(temporary, stat.S_IMODE(mode))
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def unwritable(path: str, reason: str, hint: str = "") -> RankscopeError:
    return RankscopeError(
        f"cannot be written: {printable(reason)}", code="unwritable", where=printable(path), hint=hint
    )
