"""rankscope measures: what measures there are, and what each one means."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click

from rankscope.cli.command import SETTINGS, Command, table_or_json
from rankscope.cli.completion import complete_measures
from rankscope.cli.output import deliver
from rankscope.cli.streams import is_styled
from rankscope.measures import Measure, parse, registered
from rankscope.measures.describe import described, facts, parameter_rows, range_text, signature
from rankscope.measures.registry import REGISTRY
from rankscope.tables import Table

__all__ = ["measures"]

COLUMNS = ("name", "meaning", "parameters", "range", "better", "truth")


@click.command(
    cls=Command,
    context_settings=SETTINGS,
    examples=[
        ("rankscope measures", "all measures, a line each"),
        ("rankscope measures nDCG", "meaning, formula, parameters and reference of one"),
        ("rankscope measures ndcg_cut_10 --format json", "by the name another tool gives it, as JSON"),
    ],
)
@click.argument("name", required=False, shell_complete=complete_measures)
@table_or_json
def measures(name: str | None, layout: str) -> None:
    """List the measures, or explain one.

    NAME may be any spelling that evaluate takes: nDCG, ndcg@10, map, P_5.
    """
    chosen = registered() if name is None else [REGISTRY.find(parse(name).name)]
    if layout == "json":
        content = [described(measure) for measure in chosen]
        deliver(_json(content if name is None else content[0]), None)
    elif name is not None:
        deliver((f"{line}\n" for line in _explanation(chosen[0])), None)
    elif is_styled(sys.stdout):
        _print_wrapped(chosen)
    else:
        deliver([Table(COLUMNS, [_row(m) for m in chosen], words=len(COLUMNS)).to_text() + "\n"], None)


def _explanation(measure: Measure) -> Iterator[str]:
    yield f"{measure.name}: {measure.meaning}"
    if measure.idea:
        yield from ("", measure.idea)
    yield ""
    for label, text in (("formula", measure.formula), *facts(measure)):
        yield f"{label + ':':<13}{text}"
    if measure.params:
        columns = ("parameter", "meaning", "allowed", "default")
        yield from ("", Table(columns, parameter_rows(measure), words=4).to_text())


def _row(measure: Measure) -> list[str]:
    return [
        measure.name,
        measure.meaning,
        signature(measure),
        range_text(measure),
        measure.better,
        measure.truth,
    ]


def _json(content: object) -> list[str]:
    import json

    return [json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False), "\n"]


def _print_wrapped(chosen: list[Measure]) -> None:
    """On a terminal a long meaning goes on below itself rather than below the whole line."""
    from rich.console import Console
    from rich.table import Table as TerminalTable
    from rich.text import Text

    table = TerminalTable(box=None, padding=(0, 2, 0, 0), header_style="underline")
    for column in COLUMNS:
        table.add_column(column, no_wrap=column not in ("meaning", "parameters"))
    for measure in chosen:
        table.add_row(*(Text(cell) for cell in _row(measure)))
    Console().print(table)
