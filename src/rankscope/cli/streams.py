"""Standard output and standard error: data and talk."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import TextIO

import click

from rankscope.errors import printable

__all__ = ["complain", "is_styled", "is_terminal", "prepare_streams", "settle_stdout", "talk"]


def prepare_streams() -> None:
    """Make standard output take any character: UTF-8 for a file or a pipe, escapes on an odd terminal."""
    if sys.stdout is None:  # started with it closed
        # Opened for reading, so that data which would be lost is an error.
        sys.stdout = open(os.devnull, encoding="utf-8")  # noqa: SIM115  (it lives as long as the process)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        encoding = sys.stdout.encoding if is_terminal(sys.stdout) else "utf-8"
        sys.stdout.reconfigure(encoding=encoding, errors="backslashreplace")


def settle_stdout() -> bool:
    """Whether all of standard output could be written; if not, the interpreter need not try again."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return False
    return True


def is_terminal(stream: TextIO) -> bool:
    return stream.isatty()


def is_styled(stream: TextIO) -> bool:
    """Whether bold and colour may be used: on a terminal that can, unless NO_COLOR is set."""
    return is_terminal(stream) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def talk(text: str, *, dim: bool = False) -> None:
    """Say something on standard error."""
    shown = _without_controls(text)
    _say(click.style(shown, dim=True) if dim and is_styled(sys.stderr) else shown)


def complain(message: str) -> None:
    """Say what is wrong."""
    label = click.style("error:", fg="red", bold=True) if is_styled(sys.stderr) else "error:"
    _say(f"rankscope: {label} {_without_controls(message)}")


def _without_controls(text: str) -> str:
    return "\n".join(printable(line) for line in text.split("\n"))


def _say(text: str) -> None:
    with suppress(OSError, ValueError):  # where nobody listens, there is nobody to tell
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()
