"""rankscope evaluate: how good are these runs?"""

from __future__ import annotations

import sys
from typing import Any

import click

from rankscope.aggregate import AGGREGATES
from rankscope.cli.command import FILE, SETTINGS, Command, output_option
from rankscope.cli.completion import complete_listed
from rankscope.cli.formats import FORMATS, Layout
from rankscope.cli.inputs import Inputs, input_options
from rankscope.cli.options import (
    check_stdin,
    depth_option,
    digits_option,
    lower_option,
    measure_option,
    policy_options,
    queries_option,
    query_ids,
    rel_option,
    threads_option,
    typed_measures,
)
from rankscope.cli.output import check_target, deliver, is_stdout
from rankscope.cli.progress import ProgressBar
from rankscope.cli.streams import is_styled, talk
from rankscope.evaluate import DEFAULT_MEASURES, with_rel
from rankscope.evaluate import evaluate as evaluate_runs
from rankscope.policy import CHOICES
from rankscope.result import Result

__all__ = ["evaluate"]


@click.command(
    cls=Command,
    context_settings=SETTINGS,
    sections={
        "Values of --aggregate": list(AGGREGATES.items()),
        **{
            f"Values of --{name}": [(value, meaning) for value, meaning in values.items()]
            for name, values in CHOICES.items()
        },
    },
    examples=[
        ("rankscope evaluate judgments.qrels bm25.run dense.run", "two runs side by side"),
        ("rankscope evaluate judgments.qrels bm25.run -m 'nDCG@10, AP(rel=2)' -m RR", "chosen measures"),
        ("rankscope evaluate judgments.qrels bm25.run -q --format csv -o bm25.csv", "a line for each query"),
        ("rankscope evaluate judgments.qrels bm25.run.gz --ties expected", "no luck in the order of ties"),
        (
            "rankscope evaluate judgments.qrels bm25.run --aggregate mean,ci --groups kinds.tsv",
            "by kind of query",
        ),
        ("rankscope evaluate judgments.qrels bm25.run dense.run --format latex", "a table for a paper"),
        ("rankscope evaluate answers.jsonl -m RR", "both sides in one file of JSON Lines"),
        ("rankscope evaluate qrels.tsv runs/ --input-format run=scores", "a folder of runs in 3 columns"),
        ("my-search | rankscope evaluate judgments.qrels - --format json", "a run from a pipe"),
        ("rankscope evaluate judgments.qrels bm25.run -m map -m P_5 --format trec", "as trec_eval prints it"),
    ],
)
@click.argument("qrels", type=FILE)
@click.argument("runs", type=FILE, nargs=-1, metavar="[RUN]...")
@input_options
@measure_option(", ".join(DEFAULT_MEASURES), more="All there are: rankscope measures. ")
@click.option("-q", "--per-query", is_flag=True, help="Show the values of each query as well.")
@click.option(
    "--format",
    "layout",
    type=click.Choice([*FORMATS]),
    metavar="|".join(FORMATS),
    default="table",
    help="table: for people. json: everything, the notes too. csv, tsv: a line for each value (run, query, "
    "measure, value). markdown, latex: for a page or a paper, the best values bold. trec: as trec_eval "
    "prints. Default: table.",
)
@output_option
@policy_options
@rel_option
@depth_option
@queries_option
@click.option(
    "--aggregate",
    metavar="NAME,...",
    shell_complete=complete_listed(AGGREGATES),
    help="What stands for all queries, one or several. Default: what each measure declares, which is the "
    "mean for most and the sum for counts.",
)
@click.option(
    "--weights",
    type=FILE,
    metavar="FILE",
    help="How much each query counts in the aggregate: on each line a query and a number from 0 up.",
)
@click.option(
    "--groups",
    type=FILE,
    metavar="FILE",
    help="Aggregate by group as well: on each line a query and the name of its group.",
)
@digits_option
@lower_option
@threads_option
def evaluate(
    qrels: str,
    runs: tuple[str, ...],
    formats: tuple[str, ...],
    columns: tuple[str, ...],
    measures: tuple[str, ...],
    per_query: bool,
    layout: str,
    output: str | None,
    rel: float | None,
    depth: int | None,
    queries: str | None,
    aggregate: str | None,
    weights: str | None,
    groups: str | None,
    digits: int | None,
    lower_is_better: bool,
    threads: int | None,
    **policies: str | None,
) -> None:
    """Measure runs against judgments.

    QRELS and each RUN are files of any format that rankscope formats lists, plain or compressed; one of them
    may be - for standard input. A folder stands for the runs in it. Without a RUN, QRELS is a file of JSON
    Lines that holds both sides.

    With several runs, the best value of each measure is bold on a terminal and has a star elsewhere. A value
    that is not defined is shown as - (null in json, empty in csv and tsv, nan in trec).

    The values go to standard output. The policies that made them, and notes on everything that was left out,
    merged or tied, go to standard error; with --format json they are in the JSON instead.
    """
    inputs = [qrels, *runs, *filter(None, (queries, weights, groups))]
    check_stdin(inputs)
    check_target(output, inputs)
    chosen: dict[str, Any] = {name: value for name, value in policies.items() if value is not None}
    asked = typed_measures(measures)
    read = Inputs.of(formats, columns)
    with ProgressBar() as progress:
        result = evaluate_runs(
            *read.both(qrels, runs),
            [measure for _, measure in asked],
            rel=rel,
            depth=depth,
            queries=query_ids(queries) if queries else None,
            lower_is_better=lower_is_better,
            aggregate=aggregate,
            weights=weights,
            groups=groups,
            threads=threads,
            progress=progress,
            **chosen,
        )
    typed = [(name, result.asked[with_rel(measure, rel)]) for name, measure in asked]
    bold = is_stdout(output) and is_styled(sys.stdout)
    deliver(FORMATS[layout](result, Layout(per_query, digits, typed, bold)), output)
    if layout != "json":
        _remark(result)


def _remark(result: Result) -> None:
    talk(f"policy: {result.policy}", dim=True)
    for note in result.notes:
        talk(f"note: {note}", dim=True)
