"""Small tables as text, HTML, Markdown and LaTeX, for results wherever they are shown."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import Literal

__all__ = ["UNDEFINED", "Table", "in_latex", "in_markdown", "number"]

UNDEFINED = "-"
MARK = "*"
BOLD = "\x1b[1m{}\x1b[0m"

Markup = Literal["markdown", "latex"]

_BOLD_IN = {"markdown": "**{}**", "latex": r"\textbf{{{}}}"}
_RAISED_IN = {"markdown": "<sup>{}</sup>", "latex": r"\textsuperscript{{{}}}"}

# What Markdown reads as something else than itself, and how it would make links of bare addresses.
_MARKDOWN = re.compile(r"[\\`*_\[\]<>|~&$]|:(?=//)|(?<=www)\.", re.IGNORECASE)

_LATEX = {
    "\\": r"\textbackslash{}",
    **{c: f"\\{c}" for c in "{}$&#_%"},
    **{c: f"{{{c}}}" for c in "[*"},  # after a line break these are read as its options
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    '"': r"\char34{}",
}
_LIGATURE = re.compile(r"([-,])(?=\1)")
_NEGATIVE = re.compile(r"-(?=\d)")


@dataclass(frozen=True)
class Table:
    """Cells of text: the first columns are words, the others are numbers."""

    header: Sequence[str]
    lines: Sequence[Sequence[str]]
    best: frozenset[tuple[int, int]] = frozenset()
    """(line, column) of the cells to mark."""
    words: int = 1
    """How many of the columns are words."""
    marks: Mapping[tuple[int, int], str] = field(default_factory=dict)
    """(line, column) of a number -> what stands after it, raised where that can be."""

    def to_text(self, *, bold: bool = False) -> str:
        """Aligned columns; the best of each is marked with a star, or on a terminal by being bold."""
        starred = bool(self.best) and not bold
        lines = [self._text_cells(row, starred) for row in range(len(self.lines))]
        header = [
            f"{name}{' ' * (starred + self._room.get(column, 0))}" if column >= self.words else name
            for column, name in enumerate(self.header)
        ]
        widths = [max(map(_width, cells)) for cells in zip(header, *lines, strict=True)]
        shown = [self._aligned(line, widths) for line in (header, *lines)]
        for row, column in self.best if bold else ():
            shown[row + 1][column] = BOLD.format(shown[row + 1][column])
        return "\n".join("  ".join(line).rstrip() for line in shown)

    def _text_cells(self, row: int, starred: bool) -> list[str]:
        cells = [*self.lines[row]]
        for column in range(self.words, len(cells)):
            star = (MARK if (row, column) in self.best else " ") if starred else ""
            mark = f" {self.marks[row, column]}" if (row, column) in self.marks else ""
            cells[column] += star + mark.ljust(self._room.get(column, 0))
        return cells

    @cached_property
    def _room(self) -> dict[int, int]:
        """How wide the marks of a column are, with the space before them."""
        found: dict[int, int] = {}
        for (_, column), mark in self.marks.items():
            found[column] = max(found.get(column, 0), 1 + len(mark))
        return found

    def _aligned(self, line: Sequence[str], widths: Sequence[int]) -> list[str]:
        gaps = [" " * (width - _width(cell)) for cell, width in zip(line, widths, strict=True)]
        return [
            f"{cell}{gap}" if column < self.words else f"{gap}{cell}"
            for column, (cell, gap) in enumerate(zip(line, gaps, strict=True))
        ]

    def to_markdown(self) -> str:
        """A pipe table, which also reads as text; the best of each column is bold."""
        header, *lines = self._marked_up("markdown")
        widths = [max(3, *map(_width, cells)) for cells in zip(header, *lines, strict=True)]
        rule = [
            f":{'-' * (width - 1)}" if column < self.words else f"{'-' * (width - 1)}:"
            for column, width in enumerate(widths)
        ]
        shown = [self._aligned(line, widths) for line in (header, rule, *lines)]
        return "\n".join(f"| {' | '.join(line)} |" for line in shown)

    def to_latex(self) -> str:
        """A tabular with the rules of booktabs; the best of each column is bold."""
        header, *lines = (f"{' & '.join(cells)} \\\\" for cells in self._marked_up("latex"))
        columns = "l" * self.words + "r" * (len(self.header) - self.words)
        return "\n".join(
            [
                r"% needs \usepackage{booktabs}",
                rf"\begin{{tabular}}{{{columns}}}",
                r"\toprule",
                header,
                r"\midrule",
                *lines,
                r"\bottomrule",
                r"\end{tabular}",
            ]
        )

    def _marked_up(self, markup: Markup) -> list[list[str]]:
        """The header and the lines, escaped, with the best cells bold."""
        escaped = {"markdown": in_markdown, "latex": in_latex}[markup]
        shown = [[escaped(cell) for cell in line] for line in (self.header, *self.lines)]
        if markup == "latex":
            for line in shown[1:]:
                line[self.words :] = [_NEGATIVE.sub("$-$", cell, count=1) for cell in line[self.words :]]
        for row, column in self.best:
            shown[row + 1][column] = _BOLD_IN[markup].format(shown[row + 1][column])
        for (row, column), mark in self.marks.items():
            shown[row + 1][column] += _RAISED_IN[markup].format(escaped(mark))
        return shown

    def to_html(self) -> str:
        """The same; the best of each column is strong, and the class tells how many columns are words."""
        head = "".join(f"<th>{escape(name)}</th>" for name in self.header)
        body = "".join(f"<tr>{''.join(self._html_cells(row))}</tr>" for row in range(len(self.lines)))
        return (
            f'<table class="words-{self.words}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
        )

    def _html_cells(self, row: int) -> Iterable[str]:
        for column, cell in enumerate(self.lines[row]):
            shown = f"<strong>{escape(cell)}</strong>" if (row, column) in self.best else escape(cell)
            mark = self.marks.get((row, column))
            yield f"<td>{shown}<sup>{escape(mark)}</sup></td>" if mark else f"<td>{shown}</td>"


def number(value: float, digits: int | None, *, count: bool = False, undefined: str = UNDEFINED) -> str:
    """A value with so many decimals, or with all of them; a count that is whole has none."""
    if math.isnan(value):
        return undefined
    if count and value.is_integer():
        return f"{value:.0f}"
    return repr(value) if digits is None else f"{value:.{digits}f}"


def in_markdown(text: str) -> str:
    """Text that Markdown shows as it is."""
    return _MARKDOWN.sub(lambda found: f"\\{found[0]}", text)


def in_latex(text: str) -> str:
    """Text that LaTeX sets as it is."""
    return _LIGATURE.sub(r"\1{}", "".join(_LATEX.get(character, character) for character in text))


def _width(text: str) -> int:
    """How many columns of a terminal the text takes: East Asian wide characters take two, marks none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )
