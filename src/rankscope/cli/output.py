"""Where the data goes: standard output, or a file that is there whole or not at all."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from rankscope.errors import RankscopeError, printable

__all__ = ["check_target", "deliver", "is_stdout"]


def is_stdout(path: str | None) -> bool:
    return path is None or path == "-"


def check_target(path: str | None, inputs: Iterable[str]) -> None:
    """Find out before the work whether its result could be written."""
    if path is None or is_stdout(path):
        return
    target = os.path.realpath(path)
    folder = os.path.dirname(target)
    if os.path.isdir(target):
        raise _unwritable(path, "it is a directory")
    if not os.path.isdir(folder):
        raise _unwritable(path, f"there is no folder '{folder}'")
    if not os.access(target if os.path.exists(target) else folder, os.W_OK):
        raise _unwritable(path, "permission denied")
    for given in inputs:
        if os.path.exists(target) and os.path.exists(given) and os.path.samefile(target, given):
            raise _unwritable(path, "it is also an input", "another name for the output")


def deliver(pieces: Iterable[str], path: str | None) -> None:
    """Write the pieces of a text to a file, or to standard output."""
    try:
        if path is None or is_stdout(path):
            sys.stdout.writelines(pieces)
            sys.stdout.flush()
        else:
            with _replacing(path) as file:
                file.writelines(pieces)
    except BrokenPipeError:
        raise
    except OSError as error:
        where = "standard output" if path is None or is_stdout(path) else path
        raise _unwritable(where, error.strerror or str(error)) from error


@contextmanager
def _replacing(path: str) -> Iterator[TextIO]:
    """A file under a temporary name beside `path`, which it replaces when all is written."""
    target = os.path.realpath(path)  # a link stays a link
    mode = os.stat(target).st_mode if os.path.exists(target) else None
    if mode is not None and not stat.S_ISREG(mode):  # a device or a pipe cannot be replaced
        with open(target, "w", encoding="utf-8", newline="\n") as file:
            yield file
        return
    temporary = os.path.join(os.path.dirname(target), f".rankscope-{os.urandom(8).hex()}.tmp")
    try:
        with open(temporary, "x", encoding="utf-8", newline="\n") as file:
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


def _unwritable(path: str, reason: str, hint: str = "") -> RankscopeError:
    return RankscopeError(
        f"cannot be written: {printable(reason)}", code="unwritable", where=printable(path), hint=hint
    )
