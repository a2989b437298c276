"""rankscope plot: runs to look at."""

from __future__ import annotations

import inspect
from typing import Any

import click

from rankscope.cli.command import FILE, SETTINGS, Command
from rankscope.cli.inputs import Inputs, input_options
from rankscope.cli.options import check_stdin, measure_option, policy_options, typed_measures
from rankscope.cli.output import check_target
from rankscope.cli.progress import ProgressBar
from rankscope.plots.of_runs import CUTOFFS, KINDS
from rankscope.plots.saving import SUFFIXES, check_suffix, save

__all__ = ["plot"]


@click.command(
    cls=Command,
    context_settings=SETTINGS,
    sections={"Kinds": [(kind, meaning) for kind, (meaning, _) in KINDS.items()]},
    examples=[
        ("rankscope plot curve judgments.qrels bm25.run dense.run -m nDCG -o ndcg.svg", "nDCG@k against k"),
        ("rankscope plot delta judgments.qrels bm25.run dense.run -m AP -o delta.png", "query by query"),
        ("rankscope plot scatter judgments.qrels bm25.run -m AP -m RR -o page.html", "two measures"),
        ("rankscope plot heatmap judgments.qrels runs/ -m AP,RR,nDCG@10 -o agree.pdf", "do measures agree?"),
    ],
)
@click.argument("kind", type=click.Choice([*KINDS]), metavar="KIND")
@click.argument("qrels", type=FILE)
@click.argument("runs", type=FILE, nargs=-1, required=True, metavar="RUN...")
@input_options
@click.option(
    "-o",
    "--output",
    type=FILE,
    metavar="FILE",
    required=True,
    help=f"The picture, by its suffix: {', '.join(SUFFIXES)}. A page of HTML needs no network; .json is the "
    "Vega-Lite specification.",
)
@measure_option("nDCG@10 (curve: nDCG)", more="Only scatter and heatmap take several. ")
@click.option(
    "--cutoffs",
    metavar="K,...",
    help=f"Where a curve has its points. Default: {','.join(map(str, CUTOFFS))}.",
)
@click.option("--dark", is_flag=True, help="Light on dark.")
@policy_options
def plot(
    kind: str,
    qrels: str,
    runs: tuple[str, ...],
    formats: tuple[str, ...],
    columns: tuple[str, ...],
    output: str,
    measures: tuple[str, ...],
    cutoffs: str | None,
    dark: bool,
    **policies: str | None,
) -> None:
    """Draw runs against judgments: as SVG, PNG, PDF, a page of HTML, or a Vega-Lite specification.

    The colours can be told apart by the colour-blind, and the lines in black and white.
    """
    inputs = [qrels, *runs]
    check_stdin(inputs)
    check_suffix(output)
    check_target(output, inputs)
    _, draw = KINDS[kind]
    options: dict[str, Any] = {name: value for name, value in policies.items() if value is not None}
    options |= _asked(kind, measures, cutoffs)
    judgments, systems = Inputs.of(formats, columns).both(qrels, runs)
    with ProgressBar() as progress:
        chart = draw(judgments, systems, mode="dark" if dark else "light", progress=progress, **options)
    save(chart, output)


def _asked(kind: str, measures: tuple[str, ...], cutoffs: str | None) -> dict[str, Any]:
    """The options that this kind of chart takes; one that it does not is a mistake."""
    takes = inspect.signature(KINDS[kind][1]).parameters
    found: dict[str, Any] = {}
    if measures:
        chosen = [measure for _, measure in typed_measures(measures)]
        if "measures" in takes:
            found["measures"] = chosen
        elif "measure" in takes and len(chosen) == 1:
            found["measure"] = chosen[0]
        else:
            allowed = "one measure" if "measure" in takes else "no measure"
            raise click.UsageError(f"{kind} takes {allowed}", click.get_current_context(silent=True))
    if cutoffs is not None:
        if kind not in ("curve", "classi"):
            raise click.UsageError(f"{kind} has no cutoffs", click.get_current_context(silent=True))
        found["cutoffs"] = [_cutoff(text) for text in cutoffs.split(",")]
    return found


def _cutoff(text: str) -> int:
    if not text.strip().isdigit() or int(text) < 1:
        raise click.UsageError(
            f"'{text}' is not a cutoff: whole numbers above 0 with commas between them",
            click.get_current_context(silent=True),
        )
    return int(text)
