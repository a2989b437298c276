"""rankscope similarity: how alike are these answers?"""

from __future__ import annotations

import csv
import io
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import click

from rankscope.answers.comparison import (
    DEFAULT_MEASURES,
    QUERY,
    Matrix,
    all_with_all,
    ranking_of,
    refuse_sets,
    run_of,
    with_reference,
)
from rankscope.answers.files import holds_run, read_items
from rankscope.cli.command import FILE, SETTINGS, Command, output_option
from rankscope.cli.formats import FORMATS, USUAL_DIGITS, Layout
from rankscope.cli.options import digits_option, measure_option
from rankscope.cli.output import check_target, deliver, is_stdout
from rankscope.cli.streams import is_styled, talk
from rankscope.data import Answer, Run
from rankscope.data.compression import without_suffix
from rankscope.data.files import InputFile
from rankscope.data.run import runs_of
from rankscope.errors import InputError, MeasureError, printable
from rankscope.measures import Measure
from rankscope.measures.grammar import parse_typed
from rankscope.measures.similarity import UNORDERED
from rankscope.result import Result
from rankscope.tables import number

if TYPE_CHECKING:
    from rankscope.plots import Chart

__all__ = ["similarity"]

LAYOUTS = [name for name in FORMATS if name != "trec"]


@click.command(
    cls=Command,
    context_settings=SETTINGS,
    sections={
        "Measures of sets": [("cardinal", "SizeRatio, SizeShare"), ("nominal", ", ".join(UNORDERED[2:]))],
        "Measures of order": [
            ("type 1", "TagueR, S1o, S2o, S3o, S4o"),
            ("type 2", "S5o, S6o, S7o"),
            ("groups", "GroupSimilarity, Pdelta"),
            ("depth", "RBO"),
        ],
    },
    examples=[
        ("rankscope similarity bm25.run dense.run", "two runs, query by query"),
        ("rankscope similarity mine.txt theirs.txt -m Pdelta -m RBO", "two lists of items"),
        ("rankscope similarity --reference good.txt a.txt b.txt c.txt", "each system against one answer"),
        (
            "rankscope similarity bm25.run dense.run hybrid.run -m RBO --plot rbo.svg",
            "a matrix, as a heat map",
        ),
        ("rankscope similarity mine.txt theirs.txt --plot both.html", "side by side, common items joined"),
        ("rankscope similarity --unordered mine.txt theirs.txt -m 'Dice, Cosine'", "as sets"),
    ],
)
@click.argument("answers", type=FILE, nargs=-1, required=True, metavar="ANSWER...")
@click.option(
    "--reference", type=FILE, metavar="FILE", help="The answer that each other one is compared with."
)
@measure_option(f"{', '.join(DEFAULT_MEASURES)}, the last not of sets")
@click.option(
    "--as",
    "kind",
    type=click.Choice(["run", "items"]),
    metavar="run|items",
    help="What the files are, where their content does not tell: runs, or one item on each line.",
)
@click.option("--unordered", is_flag=True, help="The files list items in no order: take them as sets.")
@click.option("--query", metavar="ID", help="Of runs, only this query.")
@click.option(
    "-q/-Q",
    "--per-query/--mean-only",
    default=None,
    help="Show each query of runs, or the mean only. Default: each query if there are two answers.",
)
@click.option(
    "--format",
    "layout",
    type=click.Choice(LAYOUTS),
    metavar="|".join(LAYOUTS),
    default="table",
    help="table: for people. json: for programs. csv, tsv: a line for each value. markdown, latex: for a "
    "page or a paper. Default: table.",
)
@output_option
@digits_option
@click.option(
    "--plot",
    type=FILE,
    metavar="FILE",
    help="Draw two answers side by side, or more as a heat map of the first measure: .svg, .png, .pdf, .html "
    "or .json.",
)
def similarity(
    answers: tuple[str, ...],
    reference: str | None,
    measures: tuple[str, ...],
    kind: str | None,
    unordered: bool,
    query: str | None,
    per_query: bool | None,
    layout: str,
    output: str | None,
    digits: int | None,
    plot: str | None,
) -> None:
    """Compare answers: runs query by query, or lists of items.

    An ANSWER is a run of any format that rankscope formats lists, whose tied scores make groups; or a file
    with one item on each line, best first. There an empty line stands between groups of tied items, or a
    second column (after a tab; after a comma in .csv) names the group.

    Two answers: the first is compared with the second, C with C' in the formulas. With --reference each is
    compared with that one. More than two without it: a matrix, each row compared with each column.
    """
    inputs = [*answers, *filter(None, [reference])]
    _check_arguments(inputs, output, plot)
    typed = _typed(measures, unordered)
    printer = _Printer(layout, output, digits, typed)
    options: dict[str, Any] = {} if query is None else {"queries": [query]}
    if reference is None and len(inputs) > 2:
        matrix = all_with_all(runs_of(_runs(inputs, kind, unordered)), printer.measures, **options)
        printer.show_matrix(matrix)
        chart = partial(_heat_map, matrix)
    else:
        *runs, against = _runs(inputs, kind, unordered)
        result = with_reference(against, runs_of(runs), printer.measures, **options)
        each = len(runs) == 1 and len(result.shown_queries) > 1 if per_query is None else per_query
        printer.show(result, per_query=each)
        chart = (
            partial(_side_by_side, runs[0], against, query) if len(runs) == 1 else partial(_systems, result)
        )
    if plot is not None:
        chart().save(plot)


def _check_arguments(inputs: Sequence[str], output: str | None, plot: str | None) -> None:
    context = click.get_current_context(silent=True)
    if len(inputs) < 2:
        raise click.UsageError("two answers are needed, or one and --reference", context)
    if inputs.count("-") > 1:
        raise click.UsageError("only one input can be standard input (-)", context)
    for target in (output, plot):
        check_target(target, inputs)
    if plot is not None:
        from rankscope.plots.saving import check_suffix

        check_suffix(plot)


def _typed(texts: Sequence[str], unordered: bool) -> list[tuple[str, Measure]]:
    """The measures asked for, each with the name it was asked by."""
    default = [name for name in DEFAULT_MEASURES if name in UNORDERED or not unordered]
    typed = [found for text in texts or default for found in parse_typed(text)]
    for _, measure in typed:
        if measure.truth != "answer":
            raise MeasureError(
                f"{measure} does not compare answers",
                code="other-truth",
                expected="one of the measures that rankscope similarity --help lists",
            )
    if unordered:
        refuse_sets([measure for _, measure in typed])
    return typed


def _runs(paths: Sequence[str], kind: str | None, unordered: bool) -> list[Run]:
    """The answers as runs with distinct names; either all of them are runs, or all are lists of items."""
    files = [InputFile(path) for path in paths]
    are_runs = [_holds_run(file) if kind is None else kind == "run" for file in files]
    if any(are_runs) and not all(are_runs):
        run, items = files[are_runs.index(True)], files[are_runs.index(False)]
        raise InputError(
            f"'{printable(run.label)}' is a run, and '{printable(items.label)}' a list of items",
            code="answer-kinds",
            expected="only runs, or only lists of items",
            hint="--as run or --as items, if that is not so",
        )
    if all(are_runs):
        if unordered:
            raise click.UsageError(
                "--unordered is for lists of items", click.get_current_context(silent=True)
            )
        return [Run.of(file) for file in files]
    names = [PurePath(without_suffix(file.label)[0]).stem or file.label for file in files]
    short = len(set(names)) == len(names)
    return [
        _run_of_items(file, name if short else file.label, unordered)
        for file, name in zip(files, names, strict=True)
    ]


def _holds_run(file: InputFile) -> bool:
    with file.opened() as content:
        return holds_run(content)


def _run_of_items(file: InputFile, name: str, unordered: bool) -> Run:
    found = read_items(file, unordered=unordered)
    for note in found.notes:
        talk(f"note: {file.label}: {note}", dim=True)
    return run_of(found.ranking, name)


@dataclass(frozen=True)
class _Printer:
    """Where the values go, and how they are shown."""

    layout: str
    output: str | None
    digits: int | None
    typed: Sequence[tuple[str, Measure]]

    @property
    def measures(self) -> list[Measure]:
        return [measure for _, measure in self.typed]

    def show(self, result: Result, *, per_query: bool) -> None:
        bold = is_stdout(self.output) and is_styled(sys.stdout)
        deliver(FORMATS[self.layout](result, Layout(per_query, self.digits, self.typed, bold)), self.output)
        self._remark(result.notes)

    def show_matrix(self, matrix: Matrix) -> None:
        deliver(self._pieces(matrix), self.output)
        self._remark(matrix.notes)

    def _pieces(self, matrix: Matrix) -> Iterator[str]:
        if self.layout == "json":
            import json

            yield json.dumps(matrix.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
        elif self.layout in ("csv", "tsv"):
            yield from self._long(matrix, "," if self.layout == "csv" else "\t")
        else:
            yield "\n".join(f"{self._table(matrix, measure)}\n" for measure in matrix.values)

    def _table(self, matrix: Matrix, measure: str) -> str:
        table = matrix.table(measure, USUAL_DIGITS if self.digits is None else self.digits)
        writers = {"table": table.to_text, "markdown": table.to_markdown, "latex": table.to_latex}
        return writers[self.layout]()

    def _long(self, matrix: Matrix, mark: str) -> Iterator[str]:
        """A line for each value; empty where it is not defined."""
        text = io.StringIO()
        writer = csv.writer(text, delimiter=mark, lineterminator="\n")
        writer.writerow(("measure", "answer", "reference", "value"))
        for measure, answer, reference, value in matrix.rows():
            shown = number(value, self.digits, undefined="")
            writer.writerow((measure, printable(answer), printable(reference), shown))
        yield text.getvalue()

    def _remark(self, notes: Sequence[str]) -> None:
        if self.layout != "json":
            for note in notes:
                talk(f"note: {note}", dim=True)


def _side_by_side(run: Run, reference: Run, query: str | None) -> Chart:
    """The two answers to one query, common items joined; to the first that both have, if none is named."""
    from rankscope.plots import joined

    left, right = Answer.of(run), Answer.of(reference)
    also = set(right.queries)
    chosen = query if query is not None else next(q for q in left.queries if q in also)
    if query is None and len(also) > 1:
        talk(f"note: the chart shows query '{chosen}': --query chooses another", dim=True)
    title = "" if chosen == QUERY else f"Query {chosen}"
    sides = [ranking_of(answer, chosen).groups for answer in (left, right)]
    return joined(*sides, names=(run.name, reference.name), title=title)


def _heat_map(matrix: Matrix) -> Chart:
    """The matrix of the first measure."""
    from rankscope.plots import heatmap

    name, values = next(iter(matrix.values.items()))
    low, high = matrix.measures[0].range
    ends = (low, high) if math.isfinite(low) and math.isfinite(high) else None
    return heatmap(values, matrix.names, title=name, value_range=ends)


def _systems(result: Result) -> Chart:
    """The systems as rows, the measures as columns."""
    from rankscope.plots import heatmap

    values = [list(run.aggregate.values()) for run in result.runs.values()]
    return heatmap(values, list(result.runs), [str(measure) for measure in result.measures])
