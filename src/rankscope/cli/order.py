"""rankscope order: how near are these orders to the true one?"""

from __future__ import annotations

import csv
import io
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from rankscope.cli.command import FILE, SETTINGS, Command, output_option
from rankscope.cli.completion import complete_word
from rankscope.cli.options import digits_option, measure_option
from rankscope.cli.output import check_target, deliver, is_stdout
from rankscope.cli.streams import is_styled, talk
from rankscope.errors import printable
from rankscope.measures.grammar import parse_typed
from rankscope.orders.comparison import DEFAULT_MEASURES, TIES, UNRETRIEVED, compare_orders
from rankscope.tables import number

if TYPE_CHECKING:
    from rankscope.orders.comparison import Comparison
    from rankscope.orders.files import Scores

__all__ = ["order"]

LAYOUTS = ("table", "json", "csv", "tsv", "markdown", "latex")
USUAL_DIGITS = 4


@click.command(
    cls=Command,
    context_settings=SETTINGS,
    sections={"Values of --ties": list(TIES.items()), "Values of --unretrieved": list(UNRETRIEVED.items())},
    examples=[
        ("rankscope order truth.tsv predicted.tsv", "all measures of one predicted order"),
        ("rankscope order truth.txt bm25.txt dense.txt", "several, as lists of items, best first"),
        ("rankscope order truths/ predicted/", "many pairs, by the names of the files"),
        ("rankscope order scores.csv", "true and predicted scores, a pair on each line"),
        ("rankscope order scores.csv --columns price,model", "two columns of several"),
        ("rankscope order truth.tsv predicted.tsv -m Kendall -m OAUC --pvalues", "chosen measures"),
        ("rankscope order truth.tsv predicted.tsv --positives '>=4' --format json", "other positives"),
    ],
)
@click.argument("truth", type=FILE)
@click.argument("predicted", type=FILE, nargs=-1, metavar="[PREDICTED]...")
@click.option(
    "--columns",
    metavar="TRUTH,PREDICTED,...",
    help="TRUTH is a file with a header; these of its columns have the true and the predicted scores.",
)
@measure_option(", ".join(DEFAULT_MEASURES))
@click.option(
    "--positives",
    metavar="COUNT|SHARE|>=SCORE",
    help="What is positive for OrderAUC, OrderAccuracy and OAUC: so many from the top of the true order, a "
    "share of it, or true scores from a threshold up. Default: the upper half.",
)
@click.option("--pvalues", is_flag=True, help="Test each correlation, by scipy.")
@click.option(
    "--ties",
    default="kept",
    metavar="|".join(TIES),
    shell_complete=complete_word(TIES),
    help="Equal scores. Default: kept.",
)
@click.option(
    "--unretrieved",
    default="last",
    metavar="|".join(UNRETRIEVED),
    shell_complete=complete_word(UNRETRIEVED),
    help="Items of the truth that a predicted order lacks. Default: last.",
)
@click.option(
    "--format",
    "layout",
    type=click.Choice(LAYOUTS),
    metavar="|".join(LAYOUTS),
    default="table",
    help="table: for people. json: everything, the notes too. csv, tsv: a line for each value. markdown, "
    "latex: for a page or a paper. Default: table.",
)
@digits_option
@output_option
def order(
    truth: str,
    predicted: tuple[str, ...],
    columns: str | None,
    measures: tuple[str, ...],
    positives: str | None,
    pvalues: bool,
    ties: str,
    unretrieved: str,
    layout: str,
    digits: int | None,
    output: str | None,
) -> None:
    """Measure predicted orders of items against their true order.

    TRUTH and each PREDICTED have an item and its score on each line, where bigger is better, or only an item
    on each line, best first. Columns are separated by tabs, commas or white space; one file may be - for
    standard input. Items that are not in TRUTH are left out.

    Many pairs are two folders, whose files belong together by their names. A single file has a true and a
    predicted score on each line, or --columns names those that it has.

    A truth with two different scores says only what is positive: ED, MD, SRN and OAUC need more than that.
    """
    inputs = [truth, *predicted]
    _check_arguments(inputs, columns)
    check_target(output, inputs)
    chosen = [measure for text in measures for _, measure in parse_typed(text)]
    true, others = _read(truth, predicted, columns)
    found = compare_orders(
        true, others, chosen or None, positives=positives, ties=ties, unretrieved=unretrieved, pvalues=pvalues
    )
    bold = is_stdout(output) and is_styled(sys.stdout)
    deliver(_pieces(found, layout, digits, bold, pvalues), output)
    if layout != "json":
        for note in found.notes:
            talk(f"note: {note}", dim=True)


def _check_arguments(inputs: Sequence[str], columns: str | None) -> None:
    context = click.get_current_context(silent=True)
    if inputs.count("-") > 1:
        raise click.UsageError("only one input can be standard input (-)", context)
    folders = [path for path in inputs if os.path.isdir(path)]
    if folders and (len(inputs) != 2 or len(folders) != 2):
        raise click.UsageError(f"{folders[0]} is a folder; pairs of files are two folders", context)
    if columns is not None and len(inputs) > 1:
        raise click.UsageError("with --columns, one file has both sides", context)


def _read(
    truth: str, predicted: Sequence[str], columns: str | None
) -> tuple[Scores | list[Scores], list[Scores]]:
    from rankscope.orders.files import read_columns, read_folders, read_scores, read_two_columns

    if columns is None and os.path.isdir(truth):
        return read_folders(truth, *predicted)
    if columns is None and not predicted:
        true, *others = read_two_columns(truth)
        return true, others
    if columns is None:
        return read_scores(truth), _named_apart([read_scores(path) for path in predicted], predicted)
    names = [name.strip() for name in columns.split(",")]
    if len(names) < 2 or not all(names) or len({*names}) < len(names):
        raise click.UsageError(
            f"--columns {columns}: at least two different names are needed, as in price,model",
            click.get_current_context(silent=True),
        )
    true, *others = read_columns(truth, names)
    return true, others


def _named_apart(orders: Sequence[Scores], paths: Sequence[str]) -> list[Scores]:
    """Orders whose files have the same name go by their paths, and the same file twice by a number too."""
    stems = Counter(order.name for order in orders)
    named = [
        replace(order, name=path) if stems[order.name] > 1 else order
        for order, path in zip(orders, paths, strict=True)
    ]
    seen: Counter[str] = Counter()
    for place, order in enumerate(named):
        seen[order.name] += 1
        if seen[order.name] > 1:
            named[place] = replace(order, name=f"{order.name} ({seen[order.name]})")
    return named


def _pieces(found: Comparison, layout: str, digits: int | None, bold: bool, pvalues: bool) -> Iterator[str]:
    if layout == "json":
        import json

        yield json.dumps(found.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    elif layout in ("csv", "tsv"):
        yield _long(found, "," if layout == "csv" else "\t", digits, pvalues)
    else:
        table = found.table(USUAL_DIGITS if digits is None else digits)
        writers = {"markdown": table.to_markdown, "latex": table.to_latex}
        yield (writers[layout]() if layout in writers else table.to_text(bold=bold)) + "\n"


def _long(found: Comparison, mark: str, digits: int | None, pvalues: bool) -> str:
    """A line for each value; empty where it is not defined."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=mark, lineterminator="\n")
    writer.writerow(("order", "measure", "value", *(["pvalue"] if pvalues else [])))
    for name, measure, value, pvalue in found.rows():
        numbers = [value, pvalue] if pvalues else [value]
        writer.writerow((printable(name), measure, *(number(v, digits, undefined="") for v in numbers)))
    return text.getvalue()
