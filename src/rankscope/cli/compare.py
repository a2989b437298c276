"""rankscope compare: which of these runs is better, and is it luck?"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import click

from rankscope.cli.command import FILE, SETTINGS, Command, output_option
from rankscope.cli.completion import complete_word
from rankscope.cli.formats import rounded
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
from rankscope.compare import compare as compare_runs
from rankscope.compare.corrections import CORRECTIONS
from rankscope.compare.intervals import INTERVALS
from rankscope.compare.predictions import read_table, tabled
from rankscope.compare.settings import TESTS
from rankscope.compare.tabulate import queries_table
from rankscope.data.run import Run, runs_of
from rankscope.errors import printable
from rankscope.evaluate import DEFAULT_MEASURES

if TYPE_CHECKING:
    from rankscope.compare.comparison import Comparison, Pair

__all__ = ["compare"]

FEW_PAIRS = 10
"""So many comparisons by one measure are listed without being asked for."""


@dataclass(frozen=True)
class Layout:
    """How a comparison is to be shown."""

    pairs: bool
    most: int
    """How many of the queries helped and harmed most are listed; 0 for none."""
    digits: int | None
    bold: bool

    @property
    def decimals(self) -> int:
        return 4 if self.digits is None else self.digits


def _choice(name: str, known: dict[str, str], help: str) -> Callable[[Any], Any]:
    """An option with one of some values; what is not allowed is answered by the settings themselves."""
    default = next(iter(known))
    return click.option(
        f"--{name}",
        metavar="|".join(known),
        default=default,
        shell_complete=complete_word(known),
        help=f"{help} Default: {default}.",
    )


@click.command(
    cls=Command,
    context_settings=SETTINGS,
    sections={
        "Values of --test": list(TESTS.items()),
        "Values of --correction": list(CORRECTIONS.items()),
        "Values of --interval": list(INTERVALS.items()),
    },
    examples=[
        ("rankscope compare judgments.qrels bm25.run dense.run hybrid.run", "every pair of three runs"),
        ("rankscope compare judgments.qrels runs/ --baseline bm25 -m nDCG@10", "a folder of runs beside one"),
        ("rankscope compare judgments.qrels bm25.run dense.run --test t --interval t", "the classic t-test"),
        ("rankscope compare judgments.qrels runs/ --test tukey --format latex", "a table for a paper"),
        (
            "rankscope compare judgments.qrels bm25.run dense.run -m AP --most 5",
            "on which queries they differ",
        ),
        (
            "rankscope compare judgments.qrels bm25.run dense.run --power 0.8",
            "how many queries it would take",
        ),
        (
            "rankscope compare judgments.qrels main.run mine.run -m nDCG@10 --fail-if-worse-by 0.01",
            "a gate: exit code 1 if mine is worse by more than 0.01",
        ),
        (
            "rankscope compare predictions.csv --truth y --systems ann,ibl --by fold -m Spearman --test t",
            "two learners' predictions, fold by fold",
        ),
    ],
)
@click.argument("qrels", type=FILE)
@click.argument("runs", type=FILE, nargs=-1, metavar="RUN RUN...")
@input_options
@measure_option(", ".join(DEFAULT_MEASURES))
@click.option(
    "--baseline",
    metavar="RUN",
    help="The name or the file of the run that all others are compared with. Without it, every pair of runs "
    "is compared.",
)
@_choice("test", TESTS, "How luck is told from a difference; all tests are two-sided.")
@_choice(
    "correction", CORRECTIONS, "For the number of comparisons by one measure; tukey and anova need none."
)
@click.option(
    "--alpha",
    type=float,
    default=0.05,
    metavar="P",
    help="The corrected p-value up to which a difference is called significant. Default: 0.05.",
)
@click.option("--seed", type=int, default=0, metavar="N", help="Of the random numbers. Default: 0.")
@click.option(
    "--resamples",
    type=int,
    metavar="N",
    help="Permutations or resamples of the test. Default: 100000, for tukey 10000.",
)
@_choice("interval", INTERVALS, "The confidence interval of each difference, at 1 - alpha.")
@click.option(
    "--risk",
    type=float,
    default=1.0,
    metavar="A",
    help="In URisk and TRisk a loss counts 1 + A times as much as a gain. Default: 1.",
)
@click.option(
    "--power",
    type=float,
    metavar="CHANCE",
    help="Tell also how many queries it would take to see each difference with this chance, by a t-test.",
)
@click.option(
    "--format",
    "layout",
    type=click.Choice(["table", "json", "csv", "markdown", "latex", "html"]),
    metavar="table|json|csv|markdown|latex|html",
    default="table",
    help="table: for people. json: everything, the notes too. csv: a line for each pair and measure. "
    "markdown, latex, html: for a page or a paper. Default: table.",
)
@output_option
@click.option(
    "--pairs/--no-pairs",
    default=None,
    help="List every pair below the table of means. Default: if there are few.",
)
@click.option(
    "--most",
    type=click.IntRange(min=1),
    metavar="N",
    help="List the N queries of each pair helped most, and the N harmed most (table, json).",
)
@click.option(
    "--truth",
    metavar="COLUMN",
    help="The column of true values: QRELS is a table of predictions (CSV, TSV, Parquet), without a RUN.",
)
@click.option("--systems", metavar="COLUMN,...", help="With --truth: the columns of what systems predicted.")
@click.option("--by", metavar="COLUMN", help="With --truth: the column of the fold or query of each line.")
@click.option(
    "--fail-if-worse-by",
    "limit",
    type=click.FloatRange(min=0),
    metavar="X",
    help="Exit with 1 if a run is worse than the baseline (if none is named, the first run) by more than X, "
    "by any measure.",
)
@click.option("--significant", is_flag=True, help="With the above: only if it is significantly worse.")
@policy_options
@rel_option
@depth_option
@queries_option
@click.option(
    "--groups",
    type=FILE,
    metavar="FILE",
    help="Compare by group of queries as well: on each line a query and the name of its group.",
)
@digits_option
@lower_option
@threads_option
@click.pass_context
def compare(
    context: click.Context,
    /,
    qrels: str,
    runs: tuple[str, ...],
    formats: tuple[str, ...],
    columns: tuple[str, ...],
    measures: tuple[str, ...],
    truth: str | None,
    systems: str | None,
    by: str | None,
    baseline: str | None,
    layout: str,
    output: str | None,
    pairs: bool | None,
    most: int | None,
    limit: float | None,
    significant: bool,
    queries: str | None,
    groups: str | None,
    digits: int | None,
    **options: Any,
) -> None:
    """Compare runs query by query: means, differences, intervals, effect sizes and p-values.

    QRELS and each RUN are given as for evaluate; a folder stands for the runs in it. With --truth and
    --systems, QRELS is a table with a line for each item, and there is no RUN.

    The table has the mean of each run, the best bold (or with a star). Letters name the runs that it is
    significantly better than; beside a baseline, + and - say better and worse. Below it stand the pairs:
    difference, its interval, effect size (mean difference by its standard deviation), queries won, tied and
    lost, and the p-value before and after correction.

    The comparison goes to standard output; policies and notes go to standard error, or into the JSON.
    """
    if significant and limit is None:
        raise click.UsageError("--significant needs --fail-if-worse-by", context)
    _check_sides(context, runs, truth, systems, by)
    inputs = [qrels, *runs, *filter(None, (queries, groups))]
    check_stdin(inputs)
    check_target(output, inputs)
    wanted = [measure for _, measure in typed_measures(measures)]
    if truth is None or systems is None:
        judgments, read = Inputs.of(formats, columns).both(qrels, runs)
    else:
        judgments, read = tabled(read_table(qrels), truth, systems.split(","), by, wanted)
    with ProgressBar("comparing") as progress:
        comparison = compare_runs(
            judgments,
            read,
            wanted,
            baseline=_baseline(read, baseline, is_gate=limit is not None),
            queries=query_ids(queries) if queries else None,
            groups=groups,
            progress=progress,
            **{name: value for name, value in options.items() if value is not None},
        )
    few = len(comparison.pairs) <= FEW_PAIRS * len(comparison.measures)
    bold = is_stdout(output) and is_styled(sys.stdout)
    chosen = Layout(few if pairs is None else pairs, most or 0, digits, bold)
    deliver(_FORMATS[layout](comparison, chosen), output)
    if layout != "json":
        for line in (f"policy: {comparison.result.policy}", *(f"note: {n}" for n in comparison.notes)):
            talk(line, dim=True)
    if limit is not None and (worse := comparison.worse_by(limit, significant=significant)):
        talk(f"rankscope: worse by more than {limit:g}: {'; '.join(map(_regression, worse))}")
        context.exit(1)


def _check_sides(
    context: click.Context, runs: Sequence[str], truth: str | None, systems: str | None, by: str | None
) -> None:
    """Either files of runs, or the columns of a table."""
    if (truth is None) != (systems is None) or (by is not None and truth is None):
        raise click.UsageError("--truth and --systems need each other, and --by both", context)
    if runs and truth is not None:
        raise click.UsageError("--truth is for a table of predictions: there is no RUN then", context)
    if not runs and truth is None:
        raise click.UsageError("a RUN is missing (or --truth and --systems, for a table)", context)


def _baseline(runs: Sequence[Run], given: str | None, *, is_gate: bool) -> str | None:
    """The name of the baseline, which may be given as its file."""
    named = runs_of(list(runs))
    if given is None:
        return named[0].name if is_gate else None
    return given if given in [run.name for run in named] else Run.of(given).name


def _regression(pair: Pair) -> str:
    names = f"{printable(pair.run)} {pair.mean:.4f}, {printable(pair.baseline)} {pair.baseline_mean:.4f}"
    return f"{pair.measure} {pair.difference:+.4f} ({names}, p = {pair.corrected:.4g})"


def _as_table(comparison: Comparison, layout: Layout) -> Iterator[str]:
    yield comparison.table(layout.decimals).to_text(bold=layout.bold) + "\n"
    if layout.pairs:
        yield "\n" + comparison.pairs_table(layout.decimals).to_text() + "\n"
    if layout.most:
        yield "\n" + queries_table(comparison, layout.most, layout.decimals).to_text() + "\n"
    yield "\n" + "".join(f"{line}\n" for line in comparison.legend)
    if layout.pairs and comparison.settings.interval != "none":
        yield f"{comparison.settings.interval_words()}\n"


def _as_json(comparison: Comparison, layout: Layout) -> Iterator[str]:
    import json

    content = comparison.to_dict()
    if layout.most:
        for shown, pair in zip(content["pairs"], comparison.pairs, strict=True):
            key = (pair.measure, pair.run, pair.baseline)
            shown["helped"] = [asdict(q) for q in comparison.helped(*key, most=layout.most)]
            shown["harmed"] = [asdict(q) for q in comparison.harmed(*key, most=layout.most)]
    if layout.digits is not None:
        for part in ("runs", "pairs", "groups", "anova"):
            if part in content:
                content[part] = rounded(content[part], layout.digits)
    yield json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _as_csv(comparison: Comparison, layout: Layout) -> Iterator[str]:
    columns = comparison.columns()
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(columns)
    for row in zip(*columns.values(), strict=True):
        writer.writerow(row if layout.digits is None else rounded(list(row), layout.digits))
    yield written.getvalue()


def _as_markdown(comparison: Comparison, layout: Layout) -> Iterator[str]:
    yield comparison.to_markdown(pairs=layout.pairs, digits=layout.decimals) + "\n"


def _as_latex(comparison: Comparison, layout: Layout) -> Iterator[str]:
    yield comparison.to_latex(pairs=layout.pairs, digits=layout.decimals) + "\n"


def _as_html(comparison: Comparison, layout: Layout) -> Iterator[str]:
    yield comparison.to_html(pairs=layout.pairs, digits=layout.decimals)


_FORMATS: dict[str, Callable[[Comparison, Layout], Iterator[str]]] = {
    "table": _as_table,
    "json": _as_json,
    "csv": _as_csv,
    "markdown": _as_markdown,
    "latex": _as_latex,
    "html": _as_html,
}
