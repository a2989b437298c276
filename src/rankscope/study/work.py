"""Work in pieces: several threads, progress, and random numbers that depend on neither."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

import numpy as np

from rankscope.align import available_processors
from rankscope.study.requests import whole_number

__all__ = ["Progress", "generator", "in_order", "workers_of"]

Piece = TypeVar("Piece")
Answer = TypeVar("Answer")
Progress = Callable[[int, int], None]


def generator(seed: int, *place: int) -> np.random.Generator:
    """The random numbers of one piece of work, told from all others by its place."""
    return np.random.Generator(np.random.Philox(np.random.SeedSequence([seed, *place])))


def in_order(
    function: Callable[[Piece], Answer],
    pieces: Iterable[Piece],
    *,
    total: int,
    threads: int | None = None,
    progress: Progress | None = None,
    size: Callable[[Piece], int] = lambda _: 1,
) -> Iterator[Answer]:
    """What the function gives of each piece, in the order of the pieces, computed by several threads.

    A few pieces are under way at a time, so that memory does not grow with their number.
    """
    workers = workers_of(threads)
    done = 0
    waiting: deque[tuple[int, Future[Answer]]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        try:
            for piece in pieces:
                waiting.append((size(piece), pool.submit(function, piece)))
                if len(waiting) > 2 * workers:
                    done += waiting[0][0]
                    yield waiting.popleft()[1].result()
                    _tell(progress, done, total)
            while waiting:
                done += waiting[0][0]
                yield waiting.popleft()[1].result()
                _tell(progress, done, total)
        finally:
            for _, future in waiting:
                future.cancel()


def workers_of(threads: int | None) -> int:
    """How many threads work: as many as are asked for, or as there are processors."""
    return available_processors() if threads is None else whole_number("threads", threads, least=1)


def _tell(progress: Progress | None, done: int, total: int) -> None:
    if progress is not None:
        progress(done, total)
