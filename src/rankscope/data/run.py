"""Runs: the rankings of one system, under a name."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

from rankscope.data.compression import without_suffix
from rankscope.data.files import InputFile, files_in
from rankscope.data.formats import Names
from rankscope.data.frames import is_frame
from rankscope.data.rows import Rows
from rankscope.data.sources import FileSource, Progress, Source, source_of
from rankscope.errors import input_error

__all__ = ["Run", "run_paths", "runs_of"]


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """A named source of rankings; its rows are read when it is aligned."""

    name: str
    source: Source

    @classmethod
    def of(
        cls,
        given: Any,
        name: str | None = None,
        *,
        format: str | None = None,
        columns: Names | None = None,
    ) -> Run:
        """A run from a path (``-`` is standard input), a mapping, a data frame or a run.

        `format` is that of the file, which is told from its content otherwise. `columns` says which column
        is the query, the item and the score: {"query": "qid", "score": "sim"}.

        >>> Run.of("runs/bm25.run.gz").name
        'bm25'
        """
        if isinstance(given, Run):
            return given if name is None else replace(given, name=name)
        source = source_of(given, "run", format, columns)
        return cls(name or _default_name(source), source)

    def write(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        """Write the run to a file, which is there whole or not at all.

        The format is that of the name (.csv, .json, .jsonl, .parquet, .arrow; TREC otherwise) unless it is
        given; .gz and .zst compress.
        """
        from rankscope.data.writing import write

        write(self.rows(), "run", os.fsdecode(path), format, self.name)

    def rows(self, progress: Progress | None = None) -> Rows:
        """Every row of the run, in the order given."""
        return self.source.rows(self.name, "run", progress)

    def __repr__(self) -> str:
        origin = self.source.label if isinstance(self.source, FileSource) else "in memory"
        return f"<Run '{self.name}': {origin}>"


def runs_of(given: Any) -> list[Run]:
    """The runs in one run, a list of runs, or a mapping of name to run; their names are distinct.

    A folder stands for the files in it.
    """
    if isinstance(given, str | os.PathLike):
        given = run_paths(given)
    if isinstance(given, list | tuple):
        given = [each for one in given for each in (run_paths(one) if _is_folder(one) else [one])]
        runs = [_numbered(run, number) for number, run in enumerate(given, 1)]
    elif isinstance(given, Mapping) and _holds_runs(given):
        runs = [Run.of(run, name=str(name)) for name, run in given.items()]
    else:
        runs = [Run.of(given)]
    if not runs:
        raise input_error("no-run")
    return _distinctly_named(runs)


def run_paths(path: str | os.PathLike[str]) -> list[str]:
    """The paths of the runs that a path stands for: the file, or every file of a folder."""
    return files_in(os.fsdecode(path)) if _is_folder(path) else [os.fsdecode(path)]


def _is_folder(given: Any) -> bool:
    try:
        return isinstance(given, str | os.PathLike) and os.path.isdir(given)
    except ValueError:  # a null byte in it, which opening it tells better
        return False


def _default_name(source: Source) -> str:
    if not isinstance(source, FileSource):
        return "run"
    if source.path == "-":
        return "stdin"
    return PurePath(without_suffix(source.path)[0]).stem or source.path


def _numbered(given: Any, number: int) -> Run:
    in_memory = not isinstance(given, Run | str | os.PathLike | InputFile)
    return Run.of(given, name=f"run{number}" if in_memory else None)


def _holds_runs(given: Mapping[Any, Any]) -> bool:
    """Whether a mapping is one of names to runs rather than one of queries to rankings.

    A run as a mapping is one level deeper than a ranking, so the first value that is not empty decides.
    """
    for value in given.values():
        if isinstance(value, Mapping):
            if value:
                return isinstance(next(iter(value.values())), Mapping | list | tuple)
        else:
            return isinstance(value, Run | str | os.PathLike) or is_frame(value)
    return False


def _distinctly_named(runs: list[Run]) -> list[Run]:
    counts = Counter(run.name for run in runs)
    renamed = [
        replace(run, name=run.source.path)
        if counts[run.name] > 1
        and isinstance(run.source, FileSource)
        and run.name == _default_name(run.source)
        else run
        for run in runs
    ]
    for name, count in Counter(run.name for run in renamed).items():
        if count > 1:
            raise input_error("same-name", name=name, count=count)
    return renamed
