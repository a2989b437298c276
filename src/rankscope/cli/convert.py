"""rankscope convert: a run or judgments from one format to another."""

from __future__ import annotations

import sys

import click

from rankscope.cli.command import FILE, SETTINGS, Command
from rankscope.cli.inputs import Inputs, input_options
from rankscope.cli.output import check_target, is_stdout
from rankscope.cli.progress import ProgressBar
from rankscope.cli.streams import is_terminal, talk
from rankscope.data.files import InputFile
from rankscope.data.formats import FORMATS, Role, named, role_of
from rankscope.data.rows import Rows
from rankscope.data.writing import output_format, write, write_to

__all__ = ["convert"]

WRITTEN = [format.name for format in FORMATS if format.write]
HOLD_EMPTY = ("json", "jsonl")


@click.command(
    cls=Command,
    context_settings=SETTINGS,
    examples=[
        ("rankscope convert bm25.run bm25.parquet", "a run to Parquet"),
        ("rankscope convert qrels.tsv judgments.qrels.gz", "judgments of BEIR to TREC, compressed"),
        ("rankscope convert top.tsv top.run --as run --input-format scores", "3 columns with scores"),
        ("rankscope convert run.csv - --columns query=qid,item=doc,score=sim", "to standard output as TREC"),
    ],
)
@click.argument("given", type=FILE, metavar="IN")
@click.argument("output", type=FILE, metavar="OUT")
@click.option(
    "--as",
    "role",
    type=click.Choice(["run", "judgments"]),
    metavar="run|judgments",
    help="What the input is, where its content does not tell.",
)
@input_options
@click.option(
    "--output-format",
    metavar="FORMAT",
    help=f"The format of the output, instead of the one that its name asks for: {', '.join(WRITTEN)}.",
)
def convert(
    given: str,
    output: str,
    role: Role | None,
    formats: tuple[str, ...],
    columns: tuple[str, ...],
    output_format: str | None,
) -> None:
    """Write a run or judgments in another format.

    The format of IN is told from its content, that of OUT from its name: .csv, .tsv, .json, .jsonl, .parquet,
    .arrow; TREC for all others. With .gz or .zst at the end of its name OUT is compressed. Rows stay in their
    order and scores keep every digit; in a TREC run the ranks are those of the scores. - is standard input or
    output. OUT is there whole or not at all.
    """
    check_target(output, [given])
    inputs = Inputs.of(formats, columns)
    file = InputFile(given)
    side = role or _told(file, inputs)
    with ProgressBar() as progress:
        if side == "run":
            run = inputs.run(file)
            name, rows = run.name, run.rows(progress)
        else:
            judgments = inputs.judgments(file)
            name, rows = "judgments", judgments.rows()
            for note in judgments.notes:
                talk(f"note: {note}")
    _deliver(rows, side, output, output_format, name)


def _told(file: InputFile, inputs: Inputs) -> Role:
    forced = inputs.format("run") or inputs.format("judgments")
    names = {**inputs.names["judgments"], **inputs.names["run"]}
    with file.opened() as content:
        return role_of(content, names, named(forced) if forced else None)


def _deliver(rows: Rows, role: Role, path: str, wanted: str | None, name: str) -> None:
    format = output_format("" if is_stdout(path) else path, wanted)
    if not is_stdout(path):
        write(rows, role, path, format.name, name)
    elif format.package and is_terminal(sys.stdout) and format.name in ("parquet", "arrow"):
        raise click.UsageError(
            f"{format.name} is not for a terminal; name a file", click.get_current_context(silent=True)
        )
    else:
        write_to(sys.stdout.buffer, rows, role, path, format, name)
    if rows.empty and format.name not in HOLD_EMPTY:
        talk(f"note: {_left_out(len(rows.empty))} left out: {format.name} cannot hold {_it(len(rows.empty))}")


def _left_out(count: int) -> str:
    return "1 query without any item is" if count == 1 else f"{count} queries without any item are"


def _it(count: int) -> str:
    return "it" if count == 1 else "them"
