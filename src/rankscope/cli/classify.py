"""rankscope classify: how good is this set of links?"""

from __future__ import annotations

import click

from rankscope.cli.command import FILE, SETTINGS, Command, output_option
from rankscope.cli.links import alias, chosen_layout, header_option, layout_option
from rankscope.cli.output import check_target, deliver
from rankscope.cli.streams import talk
from rankscope.links.classification import classify as classify_items
from rankscope.links.files import read_lines
from rankscope.links.showing import classification_rows, item_rows, shown

__all__ = ["classification", "classify"]

NOT_GIVEN = -1
"""What ArDoCo's command line takes for a sum that is not known."""


@click.command(
    cls=Command,
    context_settings=SETTINGS,
    examples=[
        ("rankscope classify -c found.txt -g truth.txt", "precision, recall and F1"),
        ("rankscope classify -c found.txt -g truth.txt --sum 1600", "with accuracy, specificity and phi"),
        ("rankscope classify -c found.txt -g truth.txt --items", "which items are right, wrong and missed"),
        ("rankscope classify -c found.txt -g truth.txt -o project.json", "everything, for aggregate"),
    ],
)
@click.option(
    "-c",
    "--classification",
    "chosen",
    type=FILE,
    required=True,
    metavar="FILE",
    help="The items that were chosen, one on each line; - is standard input.",
)
@click.option(
    "-g",
    "--ground-truth",
    "truth",
    type=FILE,
    required=True,
    metavar="FILE",
    help="The items that are right, one on each line.",
)
@click.option(
    "-s",
    "--sum",
    "total",
    type=int,
    metavar="N",
    help="How many items there are in all: the sum of the confusion matrix. Without it (or with -1) nothing "
    "is known of true negatives.",
)
@click.option(
    "--beta", type=float, default=1.0, metavar="BETA", help="How much recall weighs in F. Default: 1."
)
@header_option
@click.option("--items", is_flag=True, help="Show each item and what it turned out to be instead.")
@layout_option
@output_option
@click.pass_context
def classify(
    context: click.Context,
    chosen: str,
    truth: str,
    total: int | None,
    beta: float,
    header: bool,
    items: bool,
    layout: str | None,
    output: str | None,
) -> None:
    """Measure a set of items against the set of those that are right.

    Precision, recall and F; with the number of all items also accuracy, specificity, phi, the largest phi
    that the same numbers of chosen and right items allow, and phi as a share of it. Blank lines do not count.
    """
    if chosen == truth == "-":
        raise click.UsageError("only one input can be standard input (-)", context)
    check_target(output, [chosen, truth])
    result = classify_items(
        read_lines(chosen, header=header).texts,
        read_lines(truth, header=header).texts,
        total=None if total == NOT_GIVEN else total,
        beta=beta,
    )
    rows = item_rows(result) if items else classification_rows(result)
    how = chosen_layout(layout, output)
    deliver([shown(how, rows, result.to_dict(), words=2 if items else 1)], output)
    for note in result.notes:
        talk(f"note: {note}", dim=True)


classification = alias(classify)
