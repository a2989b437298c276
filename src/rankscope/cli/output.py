"""Where the data goes: standard output, or a file that is there whole or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from rankscope.data.writing import replacing, unwritable

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
        raise unwritable(path, "it is a directory")
    if not os.path.isdir(folder):
        raise unwritable(path, f"there is no folder '{folder}'")
    if not os.access(target if os.path.exists(target) else folder, os.W_OK):
        raise unwritable(path, "permission denied")
    for given in inputs:
        if os.path.exists(target) and os.path.exists(given) and os.path.samefile(target, given):
            raise unwritable(path, "it is also an input", "another name for the output")


def deliver(pieces: Iterable[str], path: str | None) -> None:
    """Write the pieces of a text to a file, or to standard output."""
    try:
        if path is None or is_stdout(path):
            sys.stdout.writelines(pieces)
            sys.stdout.flush()
        else:
            with replacing(path) as file:
                file.writelines(piece.encode("utf-8") for piece in pieces)
    except BrokenPipeError:
        raise
    except OSError as error:
        where = "standard output" if path is None or is_stdout(path) else path
        raise unwritable(where, error.strerror or str(error)) from error
