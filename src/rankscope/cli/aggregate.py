"""rankscope aggregate: what are the results of several projects on average?"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import click

from rankscope.cli.command import FILE, SETTINGS, Command, output_option
from rankscope.cli.links import alias, chosen_layout, layout_option
from rankscope.cli.output import check_target, deliver
from rankscope.cli.streams import talk
from rankscope.errors import InputError, printable
from rankscope.links.aggregation import Average, average_classifications, average_ranks
from rankscope.links.classification import ClassificationResult
from rankscope.links.files import Result, read_lines, read_results
from rankscope.links.showing import average_rows, shown
from rankscope.notes import named

__all__ = ["aggregate", "aggregate_named"]

KINDS = {"aggCl": "classification", "aggRnk": "rank"}
"""What the commands of ArDoCo aggregate, whose names are accepted."""


@click.command(
    cls=Command,
    context_settings=SETTINGS,
    examples=[
        ("rankscope aggregate results/", "macro, weighted and micro averages of the results in a folder"),
        ("rankscope aggregate results/ --weights 2,1,1", "weights in the order of the file names"),
        ("rankscope aggregate results/ --weights weights.txt -o all.json", "weights by file name"),
    ],
)
@click.argument("folder", type=FILE, required=False, metavar="DIR")
@click.option("-d", "directory", type=FILE, metavar="DIR", help="The same folder, as an option.")
@click.option(
    "--weights",
    metavar="N,...|FILE",
    help="How much each result counts in the weighted average: numbers in the order of the file names, or a "
    "file with a file name and its number on each line. Default: the size of each ground truth.",
)
@layout_option
@output_option
@click.pass_context
def aggregate(
    context: click.Context,
    folder: str | None,
    directory: str | None,
    weights: str | None,
    layout: str | None,
    output: str | None,
) -> None:
    """Average the results of several projects.

    Every file in DIR is the JSON of rankscope rank, or every file that of rankscope classify. The averages
    are macro (each result counts the same), weighted, and for classifications micro (all counts together).
    """
    if (folder is None) == (directory is None):
        raise click.UsageError("one folder with results is needed: DIR, or -d DIR", context)
    check_target(output, [])
    results = read_results(folder or directory or "")
    averages = _averages(results, weights, KINDS.get(context.info_name or ""))
    content = [average.to_dict() for average in averages]
    deliver([shown(chosen_layout(layout, output), average_rows(averages), content)], output)
    talk(f"note: {_described(results, averages)}", dim=True)
    for note in dict.fromkeys(note for average in averages for note in average.notes):
        talk(f"note: {note}", dim=True)


aggregate_named = alias(aggregate)


def _averages(
    results: Mapping[str, Result], weights: str | None, wanted: str | None
) -> Sequence[Average[Any]]:
    kinds = {name: _kind(result) for name, result in results.items()}
    expected = wanted or next(iter(kinds.values()))
    other = next((name for name, kind in kinds.items() if kind != expected), None)
    if other is not None:
        raise InputError(
            f"a {kinds[other]} result among {expected} results",
            code="mixed-results",
            where=printable(other),
            expected=f"only {expected} results in the folder",
        )
    given = None if weights is None else _weights(weights, list(results))
    classifications = [r for r in results.values() if isinstance(r, ClassificationResult)]
    if classifications:
        return average_classifications(classifications, given)
    return average_ranks(results.values(), given)


def _kind(result: Result) -> str:
    return "classification" if isinstance(result, ClassificationResult) else "rank"


def _weights(text: str, names: Sequence[str]) -> list[float]:
    numbers = [_number(part) for part in text.split(",")]
    if None not in numbers:
        return [number for number in numbers if number is not None]
    by_name = _weights_of_file(text)
    lacking = [name for name in names if name not in by_name]
    unknown = [name for name in by_name if name not in names]
    if lacking or unknown:
        one, many = "result", "results"
        raise InputError(
            f"no weight for {named(lacking, one, many)}"
            if lacking
            else f"weights without a result: {named(unknown, 'name', 'names')}",
            code="weights",
            where=printable(text),
            expected="a weight for the name of each file in the folder",
        )
    return [by_name[name] for name in names]


def _weights_of_file(path: str) -> dict[str, float]:
    lines = read_lines(path)
    found: dict[str, float] = {}
    for text, line in zip(lines.texts, lines.numbers, strict=True):
        name, _, last = text.strip().rpartition(" ") if " " in text.strip() else text.strip().rpartition("\t")
        number = _number(last)
        if number is None or not name or name.strip() in found:
            raise InputError(
                f"'{printable(text)}' is no file name and weight"
                if number is None or not name
                else f"a second weight for '{printable(name.strip())}'",
                code="weights",
                where=f"{printable(path)}:{line}",
                expected="a file name, white space and a number on each line, each name once",
            )
        found[name.strip()] = number
    return found


def _number(text: str) -> float | None:
    try:
        return None if "_" in text else float(text)
    except ValueError:
        return None


def _described(results: Mapping[str, Result], averages: Sequence[Average[Any]]) -> str:
    weights = averages[1].weights or ()
    listed = ", ".join(
        f"{printable(os.path.splitext(name)[0])} {weight:g}"
        for name, weight in zip(results, weights, strict=True)
    )
    of_all = "1 result" if len(results) == 1 else f"{len(results)} results"
    return f"weights of the {of_all}: {listed}"
