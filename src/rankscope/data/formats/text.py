"""Columns with white space between them: TREC and its relatives, read by the core."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rankscope.align.engine import core
from rankscope.data.files import Content
from rankscope.data.formats.base import Names, Role
from rankscope.data.rows import Rows
from rankscope.errors import input_error

__all__ = ["number", "read_grades", "read_ranks", "read_scores", "read_trec", "write_trec"]

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class TextSource:
    """Lines of a file that is open."""

    content: Content
    layout: str

    def judge(self, name: str) -> dict[str, Any]:
        columns: dict[str, Any] = core().judge_text(self.content.data, name=name, layout=self.layout)
        return columns

    def align(self, index: object, name: str, options: Mapping[str, Any]) -> dict[str, Any]:
        columns: dict[str, Any] = core().align_text(
            index, self.content.data, name=name, layout=self.layout, **options
        )
        return columns

    def rows(self, name: str, role: Role, progress: Any = None) -> Rows:
        listed = core().list_text(self.content.data, name=name, layout=self.layout, progress=progress)
        return Rows.of_columns(listed)


def read_trec(content: Content, role: Role, names: Names) -> TextSource:
    return TextSource(content, role)


def read_ranks(content: Content, role: Role, names: Names) -> TextSource:
    return TextSource(content, "ranks")


def read_scores(content: Content, role: Role, names: Names) -> TextSource:
    return TextSource(content, "scores")


def read_grades(content: Content, role: Role, names: Names) -> TextSource:
    return TextSource(content, "grades")


def write_trec(rows: Rows, role: Role, name: str, file: Any) -> None:
    if role == "judgments":
        for block in rows.blocks():
            file.write(b"".join([b"%s 0 %s %s\n" % (_query(q), _id(i), number(g)) for q, i, g in block]))
        return
    tag = b"_".join(name.encode("utf-8", "surrogateescape").split()) or b"run"
    ranks = iter(rows.ranks().tolist())
    for block in rows.blocks():
        lines = [
            b"%s Q0 %s %d %r %s\n" % (_query(q), _id(i), rank, score, tag)
            for (q, i, score), rank in zip(block, ranks, strict=False)
        ]
        file.write(b"".join(lines))


def number(grade: float) -> bytes:
    """A grade as people write it: without a decimal point if it is whole."""
    return b"%d" % grade if grade.is_integer() else repr(grade).encode()


def _query(raw: bytes) -> bytes:
    if raw.startswith((b"#", _BOM)):
        raise _unwritable(raw, "at the start of a line it would be taken for something else")
    return _id(raw)


def _id(raw: bytes) -> bytes:
    if raw.split() != [raw]:
        raise _unwritable(raw, "it has white space in it" if raw else "it is empty")
    return raw


def _unwritable(raw: bytes, reason: str) -> Exception:
    text = raw.decode("utf-8", "surrogateescape")
    return input_error("unwritable-id", id=text, format="trec", reason=reason)
