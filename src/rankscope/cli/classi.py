"""rankscope classi: does this ranking put near classes before far ones?"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

import click

from rankscope.classes.coefficient import Cost
from rankscope.classes.significance import Alternative, Method
from rankscope.cli.command import FILE, SETTINGS, Command, output_option
from rankscope.cli.links import chosen_layout, layout_option
from rankscope.cli.output import check_target, deliver, is_stdout
from rankscope.cli.streams import is_terminal, talk
from rankscope.policy import Policy

if TYPE_CHECKING:
    from rankscope.classes.report import Report, Varied
    from rankscope.cli.classi_inputs import ClassInputs

__all__ = ["classi"]

TIES = ("docid", "docid-asc", "given")
"""Those that leave one order of what was retrieved, and so one curve."""

MOST_STEPS = 10_000
"""Distances that --vary goes through at most."""


@dataclass(frozen=True)
class Vary:
    """The distance that --vary changes, and the values it takes."""

    start: str
    end: str
    values: Sequence[float]

    @classmethod
    def read(cls, context: click.Context, _: click.Parameter, text: str | None) -> Vary | None:
        if text is None:
            return None
        pair, equals, span = text.rpartition("=")
        start, comma, end = pair.partition(",")
        try:
            low, high, *step = (float(number) for number in span.split(":"))
        except ValueError:
            low, high, step = math.nan, math.nan, []
        width = step[0] if step else 1.0
        if not (equals and comma and len(step) < 2 and low <= high < math.inf and 0 < width < math.inf):
            raise click.BadParameter(
                "a pair of classes and a range of distances: b,t=1:50 or b,t=0:1:0.1", context
            )
        steps = int((high - low) / width + 1e-9) + 1
        if steps > MOST_STEPS:
            raise click.BadParameter(f"{steps} steps; at most {MOST_STEPS}", context)
        return cls(start.strip(), end.strip(), [low + width * n for n in range(steps)])


def _order(context: click.Context, _: click.Parameter, text: str | None) -> list[list[str]] | None:
    if text is None:
        return None
    groups = [[label.strip() for label in group.split("=")] for group in text.split(",")]
    if not all(label for group in groups for label in group):
        raise click.BadParameter("classes with commas between them, = between those equally far", context)
    return groups


@click.command(
    cls=Command,
    context_settings=SETTINGS,
    examples=[
        ("rankscope classi --example", "bonobos, chimpanzees and tigers, the example of the paper"),
        ("rankscope classi r1.txt r2.txt --query-class b --distance distances.csv", "two rankings of labels"),
        (
            "rankscope classi labels.txt --order 'b, c=g, t' --explain",
            "only the desired order; where it costs",
        ),
        (
            "rankscope classi labels.txt --query-class b --taxonomy tree.csv -k 100",
            "steps in a tree of classes",
        ),
        (
            "rankscope classi r2.txt --query-class b --distance d.csv --vary b,t=1:50 --plot vary.svg",
            "one distance",
        ),
        (
            "rankscope classi a.run b.run --labels items.tsv --query-classes queries.tsv --distance d.csv",
            "runs over a database of labelled items",
        ),
        ("rankscope evaluate judgments.qrels a.run -m ClasSi -m ClasSi@10", "grades as classes"),
    ],
)
@click.argument("rankings", type=FILE, nargs=-1, metavar="[RANKING]...")
@click.option("--query-class", metavar="LABEL", help="The class of what was searched for.")
@click.option(
    "--distance",
    type=FILE,
    metavar="FILE",
    help="How far the classes are: a CSV matrix with their names on top and in the first column, or lines of "
    "from, to, distance, or of class, distance.",
)
@click.option(
    "--order",
    callback=_order,
    metavar="CLASS,...",
    help="In place of distances the desired order of the classes, with = between those equally far.",
)
@click.option(
    "--taxonomy",
    type=FILE,
    metavar="FILE",
    help="In place of distances a tree: a child and its parent on each line. Classes are as far as their "
    "path through their lowest common ancestor is long.",
)
@click.option(
    "--steps",
    type=click.Choice(["path", "up"]),
    metavar="path|up",
    default="path",
    help="With --taxonomy: the whole path, or only the steps up from the query's class. Default: path.",
)
@click.option(
    "--counts", type=FILE, metavar="FILE", help="A class and its number of items in all, on each line."
)
@click.option("--labels", type=FILE, metavar="FILE", help="For runs: an item and its class on each line.")
@click.option(
    "--query-classes", type=FILE, metavar="FILE", help="For runs: a query and its class on each line."
)
@click.option(
    "--ties",
    type=click.Choice(TIES),
    metavar="|".join(TIES),
    help="For runs: the order of items with equal scores. Default: docid.",
)
@click.option("--lower-is-better", is_flag=True, help="For runs: the scores are distances.")
@click.option(
    "--cost",
    type=click.Choice(get_args(Cost)),
    metavar="|".join(get_args(Cost)),
    default="difference",
    help="What a pair in the wrong order costs: the difference of its distances, or 1. Default: difference.",
)
@click.option("-k", type=click.IntRange(min=1), metavar="K", help="Only the first K positions.")
@click.option(
    "--p-value",
    "method",
    type=click.Choice([*get_args(Method), "none"]),
    metavar="|".join([*get_args(Method), "none"]),
    help="How the p-value against random rankings is found. Default: auto, which is exact for short "
    "rankings; none for runs.",
)
@click.option(
    "--alternative",
    type=click.Choice(get_args(Alternative)),
    metavar="|".join(get_args(Alternative)),
    default="greater",
    help="What counts as extreme as the value found. Default: greater.",
)
@click.option(
    "--samples", type=click.IntRange(min=1), default=9999, metavar="N", help="Permutations. Default: 9999."
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, metavar="N", help="Of the permutations. Default: 0."
)
@click.option(
    "--curve", is_flag=True, help="A line for every k: ClasSi, what luck would give, and the costs."
)
@click.option("--explain", is_flag=True, help="Where the cost arises: pairs of classes, and positions.")
@click.option(
    "--vary",
    callback=Vary.read,
    metavar="CLASS,CLASS=LOW:HIGH[:STEP]",
    help="The values while the distance from the first class to the second goes from low to high.",
)
@layout_option
@output_option
@click.option("--plot", type=FILE, metavar="FILE", help="Draw the curves: .svg, .png, .pdf, .html or .json.")
@click.option(
    "--chart/--no-chart", default=None, help="The curves as text below the table. Default: on a terminal."
)
@click.option("--example", is_flag=True, help="Show the example of the paper.")
@click.pass_context
def classi(
    context: click.Context,
    /,
    rankings: tuple[str, ...],
    curve: bool,
    explain: bool,
    vary: Vary | None,
    layout: str | None,
    output: str | None,
    plot: str | None,
    chart: bool | None,
    **options: Any,
) -> None:
    """Measure how well rankings put near classes before far ones: ClasSi.

    Each RANKING is a file with one class label on each line, best first; - is standard input. Without
    distances, an order or a taxonomy the lines are the distances themselves. With --labels and
    --query-classes each RANKING is a run over a database of labelled items: ClasSi is that of the whole
    database, where items that were not retrieved follow in any order, and ClasSi@n, like the curve, the
    p-value and the costs, that of the n retrieved ones.

    1 is the best order of the items and -1 the worst. A p-value is the chance that a random order does as
    well as this one.
    """
    _check_usage(context, rankings, vary, options)
    files = [*rankings, *(options[name] for name in FILES if options[name])]
    if files.count("-") > 1:
        raise click.UsageError("only one input can be standard input (-)", context)
    for target in (output, plot):
        check_target(target, files)
    if plot is not None:
        from rankscope.plots.saving import check_suffix

        check_suffix(plot)
    inputs = _inputs(rankings, options)
    report = _report(inputs, options)
    varied = None if vary is None else _varied(inputs, vary, report, context)
    chosen, shown = chosen_layout(layout, output), varied or report
    if chart is None:
        chart = chosen == "table" and is_stdout(output) and is_terminal(sys.stdout)
    if chosen == "json":
        deliver(_json(report, varied, curve=curve, explain=explain), output)
    else:
        deliver(_pieces(report, varied, chosen, curve=curve, explain=explain, chart=chart), output)
    if plot is not None:
        _draw(shown, plot)
    for note in inputs.notes:
        talk(f"note: {note}", dim=True)


FILES = ("distance", "taxonomy", "counts", "labels", "query_classes")


def _check_usage(
    context: click.Context, rankings: Sequence[str], vary: Vary | None, options: Mapping[str, Any]
) -> None:
    said = [f"--{name}" for name in ("distance", "order", "taxonomy") if options[name] is not None]
    of_runs = options["labels"] is not None
    problems = {
        "--labels and --query-classes belong together": of_runs != (options["query_classes"] is not None),
        f"{' and '.join(said)} cannot be given together": len(said) > 1,
        "--example brings its own rankings and distances": options["example"]
        and (rankings or said or of_runs),
        "no RANKING is given; --example shows what one looks like": not (rankings or options["example"]),
        "--vary needs --distance, --order or --taxonomy": vary and not (said or options["example"]),
        "runs need --distance, --order or --taxonomy": of_runs and not said,
        "--ties and --lower-is-better are for runs, with --labels": not of_runs
        and (options["ties"] or options["lower_is_better"]),
        "with --labels each query has its own class, and the labels are counted": of_runs
        and (options["query_class"] or options["counts"]),
    }
    for problem, found in problems.items():
        if found:
            raise click.UsageError(problem, context)


def _inputs(rankings: Sequence[str], options: Mapping[str, Any]) -> ClassInputs:
    from rankscope.cli.classi_inputs import ClassInputs

    given = {name: options[name] for name in ("query_class", "counts", "k")}
    distance = ClassInputs.distance_of(*(options[n] for n in ("distance", "order", "taxonomy", "steps")))
    inputs = ClassInputs(rankings, distance, unit=options["cost"] == "unit", **given)
    if options["example"]:
        from rankscope.classes import ClassDistance
        from rankscope.classes.example import DISTANCE, QUERY_CLASS, RANKINGS

        inputs.distance, inputs.query_class = ClassDistance.of(DISTANCE), QUERY_CLASS
        inputs.take_example(RANKINGS)
    elif options["labels"]:
        policy = Policy(ties=options["ties"] or "docid")
        sides = options["labels"], options["query_classes"]
        inputs.take_runs(*sides, policy, ascending=options["lower_is_better"])
    return inputs


def _report(inputs: ClassInputs, options: Mapping[str, Any]) -> Report:
    from rankscope.classes.report import Report

    method: Any = options["method"] or ("none" if options["labels"] else "auto")
    completes = bool(options["labels"]) and inputs.k is None
    by = {name: options[name] for name in ("alternative", "samples", "seed")}
    p_value = None if method == "none" else lambda ranking: ranking.pvalue(method, **by)
    return Report(inputs.measured(), p_value, completes)


def _varied(inputs: ClassInputs, vary: Vary, report: Report, context: click.Context) -> Varied:
    from rankscope.classes.report import Varied

    from_there = [r for r in inputs.found.values() if r.query_class in (None, vary.start)]
    if inputs.distance is None or not any(vary.end in ranking.classes for ranking in from_there):
        raise click.UsageError(
            f"--vary: no ranking has '{vary.end}' in it and '{vary.start}' as the class of its query", context
        )
    values: dict[str, list[float]] = {name: [] for name in inputs.found}
    for distance in vary.values:
        changed = inputs.distance.varied(vary.start, vary.end, distance)
        for name, ranking in inputs.measured(changed).items():
            values[name].append(report.value_of(ranking))
    return Varied(vary.start, vary.end, vary.values, values)


def _json(report: Report, varied: Varied | None, *, curve: bool, explain: bool) -> Iterator[str]:
    import json

    content = report.content(curve=curve, explain=explain)
    if varied is not None:
        content["varied"] = varied.content()
    yield json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False, default=str) + "\n"


def _pieces(
    report: Report, varied: Varied | None, layout: str, *, curve: bool, explain: bool, chart: bool
) -> Iterator[str]:
    """The table asked for; the explanation as two more below it, of which CSV can hold only the first."""
    from rankscope.links.showing import shown

    if varied is not None:
        tables = [(varied.rows(), 1)]
    else:
        tables = [(report.curve_rows() if curve else report.rows(), 1)]
        if layout != "csv" and not curve and (curves := report.side_by_side()):
            tables.append((curves, 1))
    if explain:
        tables += [(report.pair_rows(), 3), (report.position_rows(), 2)]
        tables = tables[1:2] if layout == "csv" else tables
    yield "\n".join(shown(layout, rows, None, words=words) for rows, words in tables)
    if chart and (series := list((varied or report).series())):
        from rankscope.plots import terminal

        yield "\n" + terminal(series, title="ClasSi", x=_axis(varied), encoding=sys.stdout.encoding) + "\n"


def _axis(varied: Varied | None) -> str:
    return "k" if varied is None else f"d({varied.start}, {varied.end})"


def _draw(shown: Report | Varied, path: str) -> None:
    from rankscope.classes.report import Varied
    from rankscope.plots import curves, save

    varied = shown if isinstance(shown, Varied) else None
    y_range = (-1.0, 1.0) if varied is None else None
    save(curves(shown.series(), title="ClasSi", x=_axis(varied), y="ClasSi", y_range=y_range), path)
