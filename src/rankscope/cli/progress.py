"""A progress bar for work that takes its time."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rankscope.cli.streams import is_styled

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

__all__ = ["ProgressBar"]

DELAY = 1.0
"""Seconds after which work counts as long."""


class ProgressBar:
    """Called with (done, total); shows itself on a terminal when the work is long, and leaves no trace."""

    def __init__(self, what: str = "reading") -> None:
        self._what = what
        self._started = time.monotonic()
        self._wanted = is_styled(sys.stderr)
        self._shown: tuple[Progress, TaskID] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown is not None:
            self._shown[0].stop()

    def __call__(self, done: int, total: int) -> None:
        if not self._wanted or time.monotonic() - self._started < DELAY:
            return
        if self._shown is None:
            self._shown = _bar(self._what)
        progress, task = self._shown
        progress.update(task, completed=done, total=total or None)


def _bar(what: str) -> tuple[Progress, TaskID]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    progress.start()
    return progress, progress.add_task(what, total=None)
