"""A comparison in Markdown, LaTeX and HTML: the means, the legend, the pairs and the notes."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from rankscope.tables import in_latex, in_markdown

if TYPE_CHECKING:
    from rankscope.compare.comparison import Comparison

__all__ = ["html", "html_body", "latex", "markdown"]

STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: 0.2rem 0.7rem; text-align: right; border-bottom: 1px solid #8884; }
th:first-child, td:first-child, .words-2 :is(th, td):nth-child(2), .words-3 :is(th, td):nth-child(-n + 3),
.words-4 :is(th, td):nth-child(-n + 4) { text-align: left; }
sup { line-height: 0; }
.wide { overflow-x: auto; }
small, li { opacity: 0.8; }
"""


def markdown(comparison: Comparison, digits: int, *, pairs: bool) -> str:
    """Tables and paragraphs."""
    parts = [comparison.table(digits).to_markdown(), "  \n".join(map(in_markdown, comparison.legend))]
    if pairs:
        parts += [comparison.pairs_table(digits).to_markdown(), *map(in_markdown, _interval(comparison))]
    return "\n\n".join(parts)


def latex(comparison: Comparison, digits: int, *, pairs: bool) -> str:
    """Tabulars, each with a small line under it."""
    parts = [comparison.table(digits).to_latex(), *_small(comparison.legend)]
    if pairs:
        parts += ["", comparison.pairs_table(digits).to_latex(), *_small(_interval(comparison))]
    return "\n".join(parts)


def _small(lines: tuple[str, ...]) -> list[str]:
    return [rf"\par\noindent{{\footnotesize {in_latex(line)}\par}}" for line in lines]


def html(comparison: Comparison, digits: int, *, pairs: bool) -> str:
    """A whole page."""
    title = " and ".join(str(measure) for measure in comparison.measures[:3])
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Comparison by {escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<h1>Comparison by {escape(title)}</h1>\n"
        f"{html_body(comparison, digits, pairs=pairs)}\n</body>\n</html>\n"
    )


def html_body(comparison: Comparison, digits: int, *, pairs: bool) -> str:
    """What stands in the page."""
    told = "<br>".join(escape(line) for line in comparison.legend)
    parts = [f'<div class="wide">{comparison.table(digits).to_html()}</div>', f"<p><small>{told}</small></p>"]
    if pairs:
        parts.append(f'<div class="wide">{comparison.pairs_table(digits).to_html()}</div>')
        parts += [f"<p><small>{escape(line)}</small></p>" for line in _interval(comparison)]
    parts.append(f"<p><small>policy: {escape(str(comparison.result.policy))}</small></p>")
    notes = "".join(f"<li>{escape(note)}</li>" for note in comparison.notes)
    return "\n".join([*parts, *([f"<ul>{notes}</ul>"] if notes else [])])


def _interval(comparison: Comparison) -> tuple[str, ...]:
    settings = comparison.settings
    return () if settings.interval == "none" else (settings.interval_words(),)
