"""rankscope report: a page that says which run is best, how sure one can be, and where the runs differ."""

from __future__ import annotations

from typing import Any

import click

from rankscope.cli.command import FILE, SETTINGS, Command
from rankscope.cli.inputs import Inputs, input_options
from rankscope.cli.options import (
    check_stdin,
    depth_option,
    lower_option,
    measure_option,
    policy_options,
    rel_option,
    typed_measures,
)
from rankscope.cli.output import check_target, deliver, is_stdout
from rankscope.cli.progress import ProgressBar
from rankscope.cli.streams import talk
from rankscope.evaluate import DEFAULT_MEASURES
from rankscope.report import report as make_report

__all__ = ["report"]


@click.command(
    cls=Command,
    context_settings=SETTINGS,
    examples=[
        ("rankscope report judgments.qrels bm25.run dense.run -o report.html", "two runs on one page"),
        ("rankscope report judgments.qrels runs/ -m nDCG@10 -m AP -o report.html", "led by nDCG@10"),
        (
            "rankscope report judgments.qrels main.run mine.run --baseline main --title Mine -o page.html",
            "a change beside what there was",
        ),
    ],
)
@click.argument("qrels", type=FILE)
@click.argument("runs", type=FILE, nargs=-1, required=True, metavar="RUN...")
@input_options
@click.option(
    "-o",
    "--output",
    type=FILE,
    metavar="FILE",
    required=True,
    help="The page to write, which is there whole or not at all; - is standard output.",
)
@measure_option(", ".join(DEFAULT_MEASURES), more="The first leads. ")
@click.option(
    "--title", default="", metavar="TEXT", help="The title of the page. Default: names of the runs."
)
@click.option(
    "--baseline", metavar="RUN", help="The run that all others are compared with. Default: every pair."
)
@click.option("--seed", type=int, default=0, metavar="N", help="Of the random numbers. Default: 0.")
@policy_options
@rel_option
@depth_option
@lower_option
def report(
    qrels: str,
    runs: tuple[str, ...],
    formats: tuple[str, ...],
    columns: tuple[str, ...],
    output: str,
    measures: tuple[str, ...],
    title: str,
    baseline: str | None,
    seed: int,
    **options: Any,
) -> None:
    """Write a report of runs: one page of HTML that needs no network and no server.

    From top to bottom: which run is best and how sure one can be; the measures at every k; where the runs
    differ, query by query; one query in detail, the rankings side by side; what to be careful about; how each
    measure is defined. The tables work without a script, and the page prints well.

    With very many queries, the page has those on which the runs differ most, and says so.
    """
    inputs = [qrels, *runs]
    check_stdin(inputs)
    check_target(output, inputs)
    chosen: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    judgments, systems = Inputs.of(formats, columns).both(qrels, runs)
    with ProgressBar() as progress:
        found = make_report(
            judgments,
            systems,
            [measure for _, measure in typed_measures(measures)],
            title=title,
            baseline=baseline,
            seed=seed,
            progress=progress,
            **chosen,
        )
    deliver([found.html], output)
    if not is_stdout(output):
        talk(f"the report is in {output}", dim=True)
