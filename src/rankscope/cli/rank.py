"""rankscope rank: how good are these ranked lists of links?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from rankscope.cli.command import FILE, SETTINGS, Command, output_option
from rankscope.cli.links import chosen_layout, header_option, layout_option
from rankscope.cli.output import check_target, deliver
from rankscope.cli.streams import talk
from rankscope.links.curve import Roc
from rankscope.links.files import rank_files
from rankscope.links.showing import rank_rows, shown
from rankscope.links.variant import CHOICES

__all__ = ["rank"]

F = TypeVar("F", bound=Callable[..., object])

HELP = {
    "denominator": "What AP is divided by. Default: gold with a ground truth for each query, else retrieved.",
    "mean_over": "Which queries MAP is over. Default: all_queries with a ground truth for each query, else "
    "with_relevant.",
    "lag": "How LAG is averaged. Default: micro.",
    "ties": "Equal relevances in the ROC curve. Default: half.",
    "duplicates": "An item twice in one list. Default: error.",
    "compat": "The system whose numbers are wanted; its JSON has nothing but its own keys. Default: none.",
}


def variant_options(command: F) -> F:
    """An option for each choice of the variant."""
    for name, values in reversed(CHOICES.items()):
        option = click.option(
            f"--{name.replace('_', '-')}",
            name,
            type=click.Choice([*values], case_sensitive=False),
            metavar="|".join(values),
            help=HELP[name],
        )
        command = option(command)
    return command


@click.command(
    cls=Command,
    context_settings=SETTINGS,
    sections={
        f"Values of --{name.replace('_', '-')}": list(values.items()) for name, values in CHOICES.items()
    },
    examples=[
        ("rankscope rank -r lists/ -g truth.txt", "MAP and LAG of the lists in a folder"),
        ("rankscope rank -r lists/ -g truths/ --per-query", "a ground truth for each query, and its values"),
        ("rankscope rank -r lists/ -g truth.txt -rrl scores/ --plot roc.svg", "with the ROC curve"),
        ("rankscope rank -r lists/ -g truth.txt -rrl distances/ -b false --roc roc.csv", "its points"),
        ("rankscope rank -r lists/ -g truth.txt --compat ardoco -o result.json", "as ArDoCo's metrics"),
    ],
)
@click.option(
    "-r",
    "--ranked-list-directory",
    "ranked",
    type=FILE,
    required=True,
    metavar="DIR",
    help="A folder with a file for each query: an item on each line, best first.",
)
@click.option(
    "-g",
    "--ground-truth",
    "truth",
    type=FILE,
    required=True,
    metavar="FILE|DIR",
    help="The relevant items, one on each line: a file for all queries, or a folder with one for each, of "
    "the same name as its list.",
)
@click.option(
    "-rrl",
    "--ranked-relevance-list-directory",
    "relevances",
    type=FILE,
    metavar="DIR",
    help="A folder with the relevances of the items, in files of the same names as their lists.",
)
@click.option(
    "-b",
    "--bigger-is-more-similar",
    "bigger",
    type=click.Choice(["true", "false"], case_sensitive=False),
    metavar="true|false",
    help="Whether high relevances are good. Default: true.",
)
@header_option
@variant_options
@click.option("-q", "--per-query", is_flag=True, help="Show the values of each query as well.")
@layout_option
@output_option
@click.option(
    "--roc", "points", type=FILE, metavar="FILE", help="Write the points of the ROC curve as .csv or .json."
)
@click.option(
    "--plot", type=FILE, metavar="FILE", help="Draw the ROC curve: .svg, .png, .pdf, .html or .json."
)
@click.pass_context
def rank(
    context: click.Context,
    /,
    ranked: str,
    truth: str,
    relevances: str | None,
    bigger: str | None,
    header: bool,
    per_query: bool,
    layout: str | None,
    output: str | None,
    points: str | None,
    plot: str | None,
    **choices: str | None,
) -> None:
    """Measure ranked lists: mean average precision, LAG, and the area under the ROC curve.

    Every file in the folder of ranked lists is a query. With one ground truth for all of them, items name
    their query, as links do. What belongs to a list has its file name. Blank lines do not count.

    AUC needs relevances, whose ROC curve is one of all queries together. Which of the variants of each metric
    was used goes to standard error, with the notes; with --format json both are in the JSON instead.
    """
    for option, given in (("--bigger-is-more-similar", bigger), ("--roc", points), ("--plot", plot)):
        if given is not None and relevances is None:
            raise click.UsageError(f"{option} needs relevances (--ranked-relevance-list-directory)", context)
    _check_targets((output, points, plot), truth)
    result = rank_files(
        ranked,
        truth,
        relevances,
        header=header,
        lower_is_better=(bigger or "").casefold() == "false",
        **choices,
    )
    if result.roc is not None:
        _write_roc(result.roc, points, plot)
    chosen = chosen_layout(layout, output)
    content = result.to_dict(per_query=per_query)
    deliver([shown(chosen, rank_rows(result, per_query=per_query), content)], output)
    if chosen != "json" or result.variant.compat == "ardoco":
        talk(f"variant: {result.variant}", dim=True)
        for note in result.notes:
            talk(f"note: {note}", dim=True)


def _check_targets(targets: tuple[str | None, str | None, str | None], truth: str) -> None:
    """Find out before the work whether everything can be written."""
    for target in targets:
        check_target(target, [truth])
    _, points, plot = targets
    if points is not None and not points.casefold().endswith((".csv", ".json")):
        raise click.UsageError(
            f"--roc {points}: the name ends in .csv or .json", click.get_current_context(silent=True)
        )
    if plot is not None:
        from rankscope.plots.saving import check_suffix

        check_suffix(plot)


def _write_roc(curve: Roc, points: str | None, plot: str | None) -> None:
    if points is not None:
        content: Any = curve.to_dict()
        as_json = points.casefold().endswith(".json")
        deliver([shown("json", [], content) if as_json else curve.to_csv()], points)
    if plot is not None:
        curve.plot().save(plot)
