"""rankscope check: is there anything wrong with these files?"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from textwrap import wrap
from typing import TYPE_CHECKING

import click

from rankscope.cli.command import FILE, SETTINGS, Command, output_option, table_or_json
from rankscope.cli.inputs import Inputs, input_options
from rankscope.cli.options import lower_option
from rankscope.cli.output import check_target, deliver, is_stdout
from rankscope.cli.progress import ProgressBar
from rankscope.cli.streams import is_styled
from rankscope.errors import printable

if TYPE_CHECKING:
    from rankscope.checks import Finding, Report

__all__ = ["check"]

WIDTH = 110
COLUMN = 11
"""Where the words of a finding begin, after its severity."""
COLOURS = {"problem": "red", "warning": "yellow", "remark": "cyan"}


@click.command(
    cls=Command,
    context_settings=SETTINGS,
    sections={
        "Severities": [
            ("problem", "evaluate refuses the input, or its values would be wrong"),
            ("warning", "values may not mean what they seem to"),
            ("remark", "good to know"),
        ],
        "Exit codes": [
            ("0", "no problem (with --strict: no warning either)"),
            ("1", "at least one"),
            ("2", "bad usage, or a file that is not there"),
        ],
    },
    examples=[
        ("rankscope check judgments.qrels bm25.run dense.run", "before you trust a number"),
        ("rankscope check judgments.qrels bm25.run.gz --strict", "in a script that is to stop at warnings"),
        ("rankscope check qrels.tsv top.tsv --input-format run=scores", "a run of 3 columns with scores"),
        ("rankscope check judgments.qrels bm25.run --format json -o report.json", "for a program"),
    ],
)
@click.argument("qrels", type=FILE)
@click.argument("runs", type=FILE, nargs=-1, metavar="[RUN]...")
@input_options
@table_or_json
@output_option
@click.option("--strict", is_flag=True, help="Exit with 1 for warnings too.")
@lower_option
@click.pass_context
def check(
    context: click.Context,
    qrels: str,
    runs: tuple[str, ...],
    formats: tuple[str, ...],
    columns: tuple[str, ...],
    layout: str,
    output: str | None,
    strict: bool,
    lower_is_better: bool,
) -> None:
    """Look for what is wrong with judgments and runs.

    Unlike evaluate it does not stop at the first bad row: it collects rows that cannot be read, numbers that
    are none, items given twice, ids that look alike but do not match, ties, unjudged items and more, with the
    first ten of each kind and their lines.

    QRELS and each RUN are given as for evaluate; one of them may be - for standard input. Without a RUN,
    QRELS is a file of JSON Lines that holds both sides.
    """
    from rankscope.checks import check as check_inputs

    inputs = [qrels, *runs]
    if inputs.count("-") > 1:
        raise click.UsageError("only one input can be standard input (-)", context)
    check_target(output, inputs)
    read = Inputs.of(formats, columns)
    with ProgressBar() as progress:
        report = check_inputs(*read.unread(qrels, runs), lower_is_better=lower_is_better, progress=progress)
    if layout == "json":
        deliver([report.to_json() + "\n"], output)
    else:
        styled = is_stdout(output) and is_styled(sys.stdout)
        deliver((f"{line}\n" for line in _lines(report, styled)), output)
    failing = ("problem", "warning") if strict else ("problem",)
    if any(finding.severity in failing for finding in report):
        context.exit(1)


def _lines(report: Report, styled: bool) -> Iterator[str]:
    """The report for people: the inputs one after the other, the worst findings first."""
    for source, content in report.sources.items():
        heading = printable(source)
        yield f"{click.style(heading, bold=True) if styled else heading}: {content}"
        findings = report.of(source)
        for finding in findings:
            yield from _finding_lines(finding, styled)
        if not findings:
            yield "  nothing to remark"
        yield ""
    yield report.summary()


def _finding_lines(finding: Finding, styled: bool) -> Iterator[str]:
    margin = " " * COLUMN
    label = f"{finding.severity:<{COLUMN - 2}}"
    shown = click.style(label, fg=COLOURS[finding.severity], bold=True) if styled else label
    first, *rest = wrap(f"{finding.what} [{finding.code}]", WIDTH - COLUMN)
    yield f"  {shown}{first}"
    yield from (f"{margin}{line}" for line in rest)
    for line in finding.shown_examples():
        yield from wrap(line, WIDTH, initial_indent=f"{margin}- ", subsequent_indent=f"{margin}  ")
    if finding.hint:
        yield from wrap(
            f"try: {finding.hint}", WIDTH, initial_indent=margin, subsequent_indent=f"{margin}     "
        )
