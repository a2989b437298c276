"""rankscope rankdcg: how near are these rankings of relevances to the ideal one?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from rankscope.classes.files import labels_of_file, numbers_of_file
from rankscope.cli.classi_inputs import named
from rankscope.cli.command import FILE, SETTINGS, Command, output_option
from rankscope.cli.links import chosen_layout, layout_option
from rankscope.cli.options import check_stdin
from rankscope.cli.output import check_target, deliver
from rankscope.cli.streams import talk
from rankscope.errors import input_error
from rankscope.gains.relevance import relevance_table
from rankscope.gains.report import PredictionReport, RankingReport
from rankscope.links.showing import shown

__all__ = ["rankdcg"]

TIES = ("worst", "expected", "best", "given")


@click.command(
    cls=Command,
    context_settings=SETTINGS,
    examples=[
        ("rankscope rankdcg ranking.txt", "a relevance on each line, best-ranked first"),
        ("rankscope rankdcg a.txt b.txt --relevance genres.csv --explain", "categories; what is added up"),
        ("rankscope rankdcg predicted.txt --reference true.txt", "scores: line by line the same items"),
        ("rankscope evaluate judgments.qrels a.run -m RankDCG", "runs and judgments"),
    ],
)
@click.argument("rankings", type=FILE, nargs=-1, required=True, metavar="RANKING...")
@click.option(
    "--relevance",
    type=FILE,
    metavar="FILE",
    help="A category and its relevance on each line: the rankings are of categories.",
)
@click.option(
    "--reference",
    type=FILE,
    metavar="FILE",
    help="The true relevance of an item on each line: each RANKING has the predicted ones of the same items.",
)
@click.option(
    "--ties",
    type=click.Choice(TIES),
    metavar="|".join(TIES),
    help="With --reference: how items of equal prediction are placed. Default: worst, the least relevant "
    "first.",
)
@click.option(
    "--discount",
    type=click.Choice(["log", "ln", "rank"]),
    metavar="log|ln|rank",
    default="log",
    help="What DCG divides by: the logarithm of 1 + i, the natural one, or i. Default: log.",
)
@click.option("--base", type=float, default=2.0, metavar="NUMBER", help="Of that logarithm. Default: 2.")
@click.option("--explain", is_flag=True, help="A line for each rank: relative relevance and discount.")
@layout_option
@output_option
@click.pass_context
def rankdcg(
    context: click.Context,
    /,
    rankings: tuple[str, ...],
    relevance: str | None,
    reference: str | None,
    ties: str | None,
    discount: str,
    base: float,
    explain: bool,
    layout: str | None,
    output: str | None,
) -> None:
    """Measure rankings of relevances, or of categories that have one: RankDCG.

    Each RANKING is a file with a relevance or a category on each line, best-ranked first; - is standard
    input. Beside RankDCG stand the sum that it scales, with the lowest and the highest sum that any order of
    the same items has, and DCG and nDCG, with the lowest nDCG of any order and the value scaled from there.

    With --reference a RANKING is none: it has a predicted relevance for each item, in the order of the
    reference. RankDCG is that of the order of the predictions. The DCG ratio is that of the predicted to the
    true relevances as listed, and the positional measures count the lines where both agree.
    """
    if reference is None and ties is not None:
        raise click.UsageError("--ties belongs to --reference", context)
    if reference is not None and (relevance is not None or explain):
        raise click.UsageError("--relevance and --explain are for rankings, without --reference", context)
    files = [*rankings, *filter(None, (relevance, reference))]
    check_stdin(files)
    check_target(output, files)
    by: dict[str, Any] = {"discount": discount, "base": base}
    if reference is None:
        _deliver_rankings(_rankings(rankings, relevance, by), chosen_layout(layout, output), output, explain)
    else:
        report = _predictions(rankings, reference, ties or "worst", by)
        chosen = chosen_layout(layout, output)
        deliver([shown(chosen, report.rows(), report.content())], output)
        for note in report.notes if chosen != "json" else ():
            talk(f"note: {note}", dim=True)


def _deliver_rankings(report: RankingReport, layout: str, output: str | None, explain: bool) -> None:
    """The table, and with --explain another one below it, which is all that CSV has room for."""
    tables = [(report.rows(), 1), *([(report.term_rows(), 2)] if explain else [])]
    if layout in ("csv", "json"):
        tables = tables[-1:]
    pieces = [shown(layout, rows, report.content(), words=words) for rows, words in tables]
    deliver(["\n".join(pieces)], output)


def _rankings(paths: Sequence[str], relevance: str | None, by: Mapping[str, Any]) -> RankingReport:
    if relevance is None:
        return RankingReport({name: numbers_of_file(p, "relevance") for name, p in named(paths)}, **by)
    return RankingReport(
        {name: labels_of_file(p) for name, p in named(paths)}, relevance_table(relevance), **by
    )


def _predictions(paths: Sequence[str], reference: str, ties: str, by: Mapping[str, Any]) -> PredictionReport:
    true = numbers_of_file(reference, "relevance")
    predicted = {}
    for name, path in named(paths):
        values = predicted[name] = numbers_of_file(path, "prediction")
        if len(values) != len(true):
            raise input_error("lengths", source=path, found=len(values), other=reference, expected=len(true))
    return PredictionReport(true, predicted, ties, **by)
