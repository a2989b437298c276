"""rankscope measures: what measures there are, and what each one means."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from typing import Any

import click

from rankscope.cli.command import SETTINGS, Command, table_or_json
from rankscope.cli.completion import complete_measures
from rankscope.cli.output import deliver
from rankscope.cli.streams import is_styled
from rankscope.measures import Measure, Param, parse, registered
from rankscope.measures.bibliography import BIBLIOGRAPHY
from rankscope.measures.foreign import WITH_CUTOFF
from rankscope.measures.registry import REGISTRY
from rankscope.tables import Table

__all__ = ["measures"]

COLUMNS = ("name", "meaning", "parameters", "range", "better")


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


def described(measure: Measure) -> dict[str, Any]:
    """Everything that a measure declares, in plain lists, dicts and numbers.

    None stands for an infinite bound, an `empty` as the formula gives it, and an `undefined` without a value.
    """
    return {
        "name": measure.name,
        "meaning": measure.meaning,
        "idea": measure.idea,
        "formula": measure.formula,
        "parameters": [_parameter(param) for param in measure.params],
        "range": [bound if math.isfinite(bound) else None for bound in measure.range],
        "better": measure.better,
        "truth": measure.truth,
        "aggregate": measure.aggregate,
        "empty": measure.empty,
        "always_defined": measure.undefined is None,
        "undefined": None
        if measure.undefined is None or math.isnan(measure.undefined)
        else measure.undefined,
        "aliases": _aliases(measure),
        "reference": {"key": measure.reference, "citation": BIBLIOGRAPHY.get(measure.reference, "")},
        "example": _example(measure),
    }


def _parameter(param: Param) -> dict[str, Any]:
    return {
        "name": param.name,
        "type": {int: "whole number", float: "number", str: "word"}[param.kind],
        "default": param.default,
        "allowed": param.allowed,
        "choices": list(param.choices),
        "help": param.help,
    }


def _explanation(measure: Measure) -> Iterator[str]:
    facts = described(measure)
    yield f"{measure.name}: {measure.meaning}"
    if measure.idea:
        yield from ("", measure.idea)
    yield ""
    for label, text in (
        ("formula", measure.formula),
        ("range", _range(measure)),
        ("better", measure.better),
        ("truth", measure.truth),
        ("aggregate", measure.aggregate),
        ("empty", "as the formula gives" if measure.empty is None else f"{measure.empty:g}"),
        ("undefined", _undefined(measure)),
        ("other names", ", ".join(facts["aliases"]) or "none"),
        ("reference", facts["reference"]["citation"] or "none"),
        ("example", facts["example"]),
    ):
        yield f"{label + ':':<13}{text}"
    if measure.params:
        rows = [[_written(p), p.help, p.allowed, _default(p)] for p in measure.params]
        yield from ("", Table(("parameter", "meaning", "allowed", "default"), rows, words=4).to_text())


def _undefined(measure: Measure) -> str:
    if measure.undefined is None:
        return "never"
    return "no value, and not in the mean" if math.isnan(measure.undefined) else f"{measure.undefined:g}"


def _row(measure: Measure) -> list[str]:
    parameters = ", ".join(f"{_written(p)}{'' if p.is_cutoff else f'={_default(p)}'}" for p in measure.params)
    return [measure.name, measure.meaning, parameters or "none", _range(measure), measure.better]


def _written(param: Param) -> str:
    return "@k" if param.is_cutoff else param.name


def _default(param: Param) -> str:
    return "none" if param.default is None else param.show(param.default)


def _range(measure: Measure) -> str:
    low, high = measure.range
    return f"{'[' if math.isfinite(low) else '('}{low:g}, {high:g}{']' if math.isfinite(high) else ')'}"


def _aliases(measure: Measure) -> list[str]:
    with_cutoff = [f"{theirs}_10" for theirs, ours in WITH_CUTOFF.items() if ours == measure.name]
    return [*measure.aliases, *with_cutoff]


def _example(measure: Measure) -> str:
    """A command line that uses the measure with a parameter of its own, if it has any, and a cutoff."""
    for param in measure.params:
        other = next((choice for choice in param.choices if choice != param.default), None)
        if other is not None:
            measure = measure(**{param.name: other})
            break
    if any(param.is_cutoff for param in measure.params):
        measure = measure @ 10
    return f"rankscope evaluate judgments.qrels bm25.run -m '{measure}'"


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
        table.add_column(column, no_wrap=column in ("name", "range", "better"))
    for measure in chosen:
        table.add_row(*(Text(cell) for cell in _row(measure)))
    Console().print(table)
