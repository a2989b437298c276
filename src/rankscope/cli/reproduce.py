"""rankscope reproduce: the figures of the papers behind the measures, computed anew."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from rankscope.cli.command import FILE, SETTINGS, Command, output_option
from rankscope.cli.completion import complete_word
from rankscope.cli.output import check_target, deliver
from rankscope.cli.streams import talk
from rankscope.data.writing import unwritable
from rankscope.errors import nearest

if TYPE_CHECKING:
    from rankscope.reproduce import Reproduction

__all__ = ["reproduce"]

ALL = "all"
SOURCES = {
    "classi": "ClasSi: the worked example, its theorems, Figures 1 to 3",
    "rankdcg": "RankDCG: the author's post, corrected, and the lists of his package",
    "ardoco": "ArDoCo's metrics: the documented examples and the values that its tests assert",
    "huang-ling": "Rank measures for ordering: Tables 1 to 4 and the order of preference",
    "michel": "Similarity of answers: P_delta, and the criteria of Figures 3 and 4",
    ALL: "all of them, which is the default",
}
LAYOUTS = ("table", "json", "markdown")
PICTURES = ("svg", "png", "pdf", "html", "json")


@click.command(
    cls=Command,
    context_settings=SETTINGS,
    sections={"Values of SOURCE": list(SOURCES.items())},
    examples=[
        ("rankscope reproduce", "everything, in tables"),
        ("rankscope reproduce huang-ling --no-table4", "without training the learners of Table 4"),
        ("rankscope reproduce classi --plot figures", "with pictures of its figures in a folder"),
        ("rankscope reproduce all --format json -o reproduced.json", "for a program"),
    ],
)
@click.argument("sources", nargs=-1, metavar="[SOURCE]...", shell_complete=complete_word(SOURCES))
@click.option(
    "--format",
    "layout",
    type=click.Choice(LAYOUTS),
    metavar="|".join(LAYOUTS),
    default="table",
    help="table: for people. json: for programs, with all digits. markdown: for a page. Default: table.",
)
@output_option
@click.option(
    "--plot",
    type=FILE,
    metavar="FOLDER",
    help="Draw the figures as well, each in a file of this folder, which is made if it is not there.",
)
@click.option(
    "--plot-format",
    type=click.Choice(PICTURES),
    metavar="|".join(PICTURES),
    default="svg",
    help="What is drawn: pictures, pages that need no network, or Vega-Lite (json). Default: svg.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**32 - 1),
    default=0,
    metavar="N",
    help="Of all that is drawn at random. Default: 0.",
)
@click.option(
    "--repetitions",
    type=click.IntRange(2, 100_000),
    default=50,
    metavar="N",
    help="Random rankings for each mean in Figures 2 and 3 of ClasSi. Default: 50.",
)
@click.option(
    "--table4/--no-table4",
    default=True,
    help="Train the learners of Table 4 of huang-ling, which needs scikit-learn and packages with the data "
    "(pip install 'rankscope[reproduce]'). Default: yes; what is missing is said.",
)
def reproduce(
    sources: tuple[str, ...],
    layout: str,
    output: str | None,
    plot: str | None,
    plot_format: str,
    seed: int,
    repetitions: int,
    table4: bool,
) -> None:
    """Recompute the papers behind the measures, and print their figures beside ours.

    Each figure has a verdict: equal to rounding, different for a reason that is given, or not recoverable.
    """
    from rankscope.reproduce import reproduce as recompute
    from rankscope.reproduce.writing import FORMATS

    chosen = _chosen(sources)
    check_target(output, ())
    if plot is not None:
        _make_folder(plot)
    found = recompute(*chosen, seed=seed, repetitions=repetitions, table4=table4)
    deliver(FORMATS[layout](found), output)
    if plot is not None:
        _draw(found, plot, plot_format)


def _chosen(sources: Sequence[str]) -> list[str]:
    for source in sources:
        if source not in SOURCES:
            close = nearest(source, SOURCES, count=1)
            hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(SOURCES)}"
            raise click.UsageError(
                f"there is nothing to reproduce under '{source}'; {hint}",
                click.get_current_context(silent=True),
            )
    if not sources or ALL in sources:
        return [source for source in SOURCES if source != ALL]
    return [*dict.fromkeys(sources)]


def _make_folder(path: str) -> None:
    """Before the work: a folder that cannot be written to is known at once."""
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise unwritable(path, error.strerror or str(error), "a folder for the pictures") from error
    if not os.access(path, os.W_OK):
        raise unwritable(path, "permission denied")


def _draw(found: Sequence[Reproduction], folder: str, suffix: str) -> None:
    drawn = 0
    for paper in found:
        for name, draw in paper.charts().items():
            draw().save(os.path.join(folder, f"{name}.{suffix}"))
            drawn += 1
    talk(f"note: {drawn} {'picture' if drawn == 1 else 'pictures'} in {folder}", dim=True)
