"""From whatever a user gives to the rows of an input: tolerantly where that is possible, else strictly."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

import numpy as np

from rankscope.align.plain_rows import JUDGMENTS, LAYOUTS, LINE_LIMIT, RUN, Kind, Layout, Pace, Progress
from rankscope.checks.catalogue import finding, refusal
from rankscope.checks.memory import read_frame, read_mapping
from rankscope.checks.report import Finding
from rankscope.checks.rows import Faults, Input, Rows, Vocabulary
from rankscope.checks.text import layout_of, read_text
from rankscope.data import Judgments, Run
from rankscope.data.files import Content
from rankscope.data.formats import detected
from rankscope.data.frames import ArrowSource, ColumnSource
from rankscope.data.rows import Rows as ListedRows
from rankscope.data.sources import FileSource, MappingSource, Role, Source, source_of
from rankscope.errors import InputError

__all__ = ["Reader"]

_PIECE = 1 << 20
_KINDS: dict[Role, Kind] = {"run": RUN, "judgments": JUDGMENTS}
_TEXT_FORMATS = ("trec", "ranks", "scores", "grades")


@dataclass(frozen=True)
class Reader:
    """Reads the inputs of one check into codes of one vocabulary."""

    progress: Progress | None = None
    ascending: bool = False
    vocabulary: Vocabulary = field(default_factory=Vocabulary)

    def judgments(self, given: Any) -> Input:
        """The rows of judgments, whatever they are given as."""
        if isinstance(given, Judgments):
            return self._listed(given.rows(), given.name, "judgments")
        held = given if isinstance(given, FileSource) else source_of(given, "judgments")
        return self._read(held, "judgments", "judgments")

    def run(self, run: Run) -> Input:
        """The rows of a run."""
        return self._read(run.source, run.name, "run")

    def _read(self, held: Source, name: str, role: Role) -> Input:
        source = held.label if isinstance(held, FileSource) else name
        try:
            if isinstance(held, FileSource):
                read = self._text(held, source, role)
            else:
                read = self._memory(held, source, role)
            return read or self._listed(held.rows(name, role, self.progress), source, role)
        except InputError as error:
            if error.code == "unreadable":  # a file that is not there has no rows to find fault with
                raise
            return Input(source, _KINDS[role], Rows.joined([]), (refusal(error, source),))

    def _text(self, held: FileSource, source: str, role: Role) -> Input | None:
        """A file of white-space columns read tolerantly; None if it is something else."""
        with held.file.opened() as content:
            layout = _layout(held, content, role)
            if layout is None:
                return None
            faults = Faults()
            rows = read_text(
                _pieces(content),
                layout,
                self.vocabulary,
                faults,
                Pace(self.progress, _size(content)).at,
                ascending=self.ascending,
            )
        facts = {"columns": layout.columns, "layout": layout.words, "limit": LINE_LIMIT}
        findings = [*faults.findings(source, "line", field=layout.field, **facts)]
        return _input(source, role, rows, findings, "line")

    def _memory(self, held: Source, source: str, role: Role) -> Input | None:
        """A mapping or a frame read tolerantly; None for anything else."""
        kind, faults, pace = _KINDS[role], Faults(), Pace(self.progress, 0)
        if isinstance(held, MappingSource):
            rows = read_mapping(
                held.mapping, kind, self.vocabulary, faults, pace.at, ascending=self.ascending
            )
        elif isinstance(held, ColumnSource) or (isinstance(held, ArrowSource) and find_spec("pyarrow")):
            rows = read_frame(held, kind, self.vocabulary, faults, pace.at)
        else:
            return None
        return _input(source, role, rows, [*faults.findings(source, "row", field=kind.field)], "row")

    def _listed(self, listed: ListedRows, source: str, role: Role) -> Input:
        """Rows that a strict reader has accepted."""
        parts = []
        first = 1
        for block in listed.blocks():
            query, item, value = zip(*block, strict=True)
            parts.append(
                Rows(
                    self.vocabulary.queries.of(query, len(block)),
                    self.vocabulary.items.of(item, len(block)),
                    np.array(value, np.float64),
                    np.arange(first, first + len(block)),
                )
            )
            first += len(block)
        return _input(source, role, Rows.joined(parts), [], "row")


def _layout(held: FileSource, content: Content, role: Role) -> Layout | None:
    """What the columns mean, if they are columns with white space between them."""
    if held.format is not None:
        name = held.format.name
        return LAYOUTS[role if name == "trec" else name] if name in _TEXT_FORMATS else None
    if detected(content, role, held.names).name not in _TEXT_FORMATS:
        return None
    return layout_of(content.head(), _KINDS[role])


def _pieces(content: Content) -> Iterator[bytes]:
    for start in range(0, _size(content), _PIECE):
        if isinstance(content.data, bytes):
            yield content.data[start : start + _PIECE]
        else:
            yield os.pread(content.data, _PIECE, start)


def _size(content: Content) -> int:
    return len(content.data) if isinstance(content.data, bytes) else os.fstat(content.data).st_size


def _input(source: str, role: Role, rows: Rows, findings: list[Finding], unit: str) -> Input:
    empty = [finding("no-rows", source, 0)] if not len(rows) else []
    return Input(source, _KINDS[role], rows, (*findings, *empty), unit)
