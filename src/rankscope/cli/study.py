"""rankscope study: which measure should one trust?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import click

from rankscope.cli.command import FILE, SETTINGS, Command, output_option
from rankscope.cli.completion import complete_listed, complete_word
from rankscope.cli.inputs import Inputs, input_options
from rankscope.cli.options import (
    check_stdin,
    depth_option,
    digits_option,
    measure_option,
    policy_options,
    rel_option,
    threads_option,
)
from rankscope.cli.output import check_target, deliver
from rankscope.cli.progress import ProgressBar
from rankscope.cli.streams import talk
from rankscope.cli.study_formats import FORMATS
from rankscope.errors import nearest
from rankscope.evaluate import DEFAULT_MEASURES, evaluate
from rankscope.measures import Measure, parse_many
from rankscope.policy import CHOICES
from rankscope.study import (
    ClassSizes,
    Finding,
    Mallows,
    Permutations,
    Population,
    Swaps,
    agreement,
    correlation,
    power,
    sensitivity,
    stability,
    swap_rate,
)
from rankscope.study import study as degrees_over
from rankscope.study.listed import read_rankings
from rankscope.study.significance import TESTS

__all__ = ["study"]

ANALYSES = {
    "degrees": "consistency and discriminancy over pairs of systems, on each query and by their means",
    "agreement": "how alike the orders of the systems are: Kendall's tau-b and tau-AP",
    "power": "discriminative power: the share of pairs of systems that a test tells apart (--test, --alpha)",
    "swaps": "how often two sets of queries put two systems in opposite orders, by their size (--trials)",
    "stability": "the order of the systems by 10 to 90 % of the judgments against that by all (--trials)",
    "correlation": "correlation of the measures over queries (--method)",
    "sensitivity": "the measures by the p-value of the paired t-test of two systems (--pair)",
}
METHODS = ("pearson", "spearman", "kendall")

OF_ORDERS = ("OAUC", "ED", "SRN", "OrderAUC", "MD", "OrderAccuracy")
OF_GRADES = ("nDCG", "AP", "RBP", "RR")


@click.command(
    cls=Command,
    context_settings=SETTINGS,
    sections={"Values of --analysis": list(ANALYSES.items()), "Values of --test": list(TESTS.items())},
    examples=[
        ("rankscope study --permutations 8 -m ED -m MD -m SRN", "over all orders of 8 items"),
        (
            "rankscope study --labels 3,5 -m AP -m nDCG -m RR",
            "over all lists of 3 relevant and 5 other items",
        ),
        ("rankscope study --permutations 50 --sample 100000", "over a sample of long lists"),
        ("rankscope study --permutations 8 --mallows 0.5 --plot near.svg", "over orders near the true one"),
        ("rankscope study judgments.qrels runs/ -m AP -m nDCG@10 -m RR", "over your own systems"),
        ("rankscope study judgments.qrels runs/ --analysis power,swaps --plot study.html", "with curves"),
        ("rankscope study judgments.qrels a.run b.run --analysis sensitivity --format csv", "for a program"),
    ],
)
@click.argument("qrels", type=FILE, required=False)
@click.argument("runs", type=FILE, nargs=-1, metavar="[RUN]...")
@click.option("--permutations", type=int, metavar="N", help="Over all orders of N items.")
@click.option(
    "--labels",
    metavar="SIZES",
    help="Over all lists with classes of these sizes, the best first: 3,5 is 3 relevant items and 5 others. "
    "Or grades with their sizes: 3:1,1:2,0:4.",
)
@click.option(
    "--rankings",
    type=FILE,
    metavar="FILE",
    help="Over the lists in a file: on each line the labels of the items, best first (bigger labels are "
    "better), and perhaps a colon and a weight.",
)
@click.option("--swaps", type=int, metavar="S", help="With --permutations: S random swaps of the true order.")
@click.option(
    "--mallows",
    type=float,
    metavar="THETA",
    help="With --permutations: the chance of a list falls with its distance from the true order.",
)
@click.option("--sample", type=int, metavar="COUNT", help="Draw so many lists instead of taking all.")
@click.option(
    "--confidence",
    type=float,
    default=0.95,
    metavar="SHARE",
    help="Of the intervals of a sample. Default: 0.95.",
)
@click.option(
    "--analysis",
    "analyses",
    multiple=True,
    metavar="NAME,...",
    shell_complete=complete_listed(ANALYSES),
    help="What to find out about the runs; may be repeated. Default: degrees,agreement.",
)
@measure_option(
    f"{', '.join(OF_ORDERS)} for orders, {', '.join(OF_GRADES)} for labels, "
    f"{', '.join(DEFAULT_MEASURES)} for runs"
)
@click.option(
    "--test",
    default="tukey",
    metavar="|".join(TESTS),
    shell_complete=complete_word(TESTS),
    help="Of the analysis power. Default: tukey.",
)
@click.option("--alpha", type=float, default=0.05, metavar="P", help="The level of that test. Default: 0.05.")
@click.option("--resamples", type=int, default=10_000, metavar="N", help="Its random draws. Default: 10000.")
@click.option(
    "--trials", type=int, metavar="N", help="Random trials. Default: 1000 for swaps, 10 for stability."
)
@click.option(
    "--method",
    default="pearson",
    metavar="|".join(METHODS),
    shell_complete=complete_word(METHODS),
    help="Of the analysis correlation. Default: pearson.",
)
@click.option("--pair", metavar="A,B", help="The names of the two runs of the analysis sensitivity.")
@click.option("--seed", type=int, default=0, metavar="N", help="Of all that is drawn at random. Default: 0.")
@click.option(
    "--format",
    "layout",
    type=click.Choice([*FORMATS]),
    metavar="|".join(FORMATS),
    default="table",
    help="table: for people. json: everything. csv: a line for each number. markdown, latex: for a page or a "
    "paper. Default: table.",
)
@output_option
@click.option(
    "--plot",
    type=FILE,
    metavar="FILE",
    help="Draw heat maps and curves as well: .svg, .png, .pdf, .html or .json (Vega-Lite).",
)
@digits_option
@threads_option
@rel_option
@depth_option
@input_options
@policy_options
def study(qrels: str | None, runs: tuple[str, ...], **given: Any) -> None:
    """Study measures: which agree, which tells more apart, which can be trusted.

    Over lists of your choice (--permutations, --labels, --rankings) the degrees of consistency and
    discriminancy of each two measures are found, exactly or from a sample, and the order of preference that
    follows. Over QRELS and RUNs, which are as for evaluate, several analyses of the measures on your own
    systems are made.

    Tables go to standard output, the rest to standard error; with --format json all is in the JSON.
    """
    request = _Request(qrels, runs, given)
    inputs = [path for path in (qrels, *runs, given["rankings"]) if path is not None]
    check_stdin(inputs)
    _check_targets(inputs, given["output"], given["plot"])
    with ProgressBar() as progress:
        findings = request.findings(progress)
    deliver(FORMATS[given["layout"]](findings, given["digits"]), given["output"])
    if given["layout"] != "json":
        _remark(findings)
    if given["plot"] is not None:
        _draw(findings, given["plot"])


@dataclass(frozen=True)
class _Request:
    """What the command line asks for."""

    qrels: str | None
    runs: Sequence[str]
    given: dict[str, Any]

    def findings(self, progress: ProgressBar) -> list[Finding]:
        lists = [name for name in ("permutations", "labels", "rankings") if self.given[name] is not None]
        if len(lists) + (self.qrels is not None) != 1:
            raise _usage(
                "one of QRELS with RUNs, --permutations, --labels and --rankings is needed, and only one"
            )
        if lists:
            return [self._over_lists(progress)]
        return self._over_runs(progress)

    def measures(self, default: Sequence[str]) -> list[Measure]:
        return [measure for text in self.given["measures"] or default for measure in parse_many(text)]

    def _over_lists(self, progress: ProgressBar) -> Finding:
        if self.given["analyses"]:
            raise _usage("--analysis is for runs; over lists there are the degrees alone")
        population = self._population()
        graded = "judgments" in population.stands_for
        return degrees_over(
            self.measures(OF_GRADES if graded else OF_ORDERS),
            over=population,
            sample=self.given["sample"],
            seed=self.given["seed"],
            confidence=self.given["confidence"],
            threads=self.given["threads"],
            progress=progress,
        )

    def _population(self) -> Population:
        n, swaps, theta = (self.given[name] for name in ("permutations", "swaps", "mallows"))
        if (swaps is not None or theta is not None) and (n is None or None not in (swaps, theta)):
            raise _usage("--swaps or --mallows, not both, go with --permutations")
        if self.given["labels"] is not None:
            return class_sizes(self.given["labels"])
        if self.given["rankings"] is not None:
            return read_rankings(self.given["rankings"])
        if swaps is not None:
            return Swaps(n, swaps)
        return Permutations(n) if theta is None else Mallows(n, theta)

    def _over_runs(self, progress: ProgressBar) -> list[Finding]:
        lists_only = [name for name in ("swaps", "mallows", "sample") if self.given[name] is not None]
        if lists_only:
            raise _usage(f"--{lists_only[0]} is for lists, as of --permutations")
        read = Inputs.of(self.given["formats"], self.given["columns"])
        judgments, runs = read.both(self.qrels or "", self.runs)
        measures = self.measures(DEFAULT_MEASURES)
        options = {
            name: self.given[name] for name in ("rel", "depth", *CHOICES) if self.given[name] is not None
        }
        threads = {"threads": self.given["threads"], "progress": progress}
        analyses = _analyses(self.given["analyses"], self.given["layout"])
        result = evaluate(judgments, runs, measures, **threads, **options)
        seeded = {"seed": self.given["seed"], **threads}
        trials = {} if self.given["trials"] is None else {"trials": self.given["trials"]}
        test = {name: self.given[name] for name in ("test", "alpha", "resamples")}
        pair = self.given["pair"] and tuple(self.given["pair"].split(","))
        known: dict[str, Callable[[], list[Finding]]] = {
            "degrees": lambda: [degrees_over(over=result, by=by) for by in ("query", "mean")],
            "agreement": lambda: [agreement(result)],
            "power": lambda: [power(result, **test, **seeded)],
            "swaps": lambda: [swap_rate(result, **trials, **seeded)],
            "stability": lambda: [stability(judgments, runs, measures, **trials, **seeded, **options)],
            "correlation": lambda: [correlation(result, method=self.given["method"])],
            "sensitivity": lambda: [sensitivity(result, pair)],
        }
        return [finding for analysis in analyses for finding in known[analysis]()]


def class_sizes(text: str) -> ClassSizes:
    """The population that ``3,5`` or ``3:1,1:2,0:4`` stands for."""
    parts = [part.split(":") for part in text.split(",")]
    try:
        numbers = [[int(number) for number in part] for part in parts]
    except ValueError:
        numbers = []
    if all(len(part) == 1 for part in numbers) and numbers:
        return ClassSizes(*(part[0] for part in numbers))
    sizes = {part[0]: part[1] for part in numbers if len(part) == 2}
    if sizes and len(sizes) == len(parts):
        return ClassSizes(sizes)
    raise _usage(f"--labels {text}: sizes such as 3,5, or different grades with sizes such as 3:1,1:2,0:4")


def _analyses(texts: Sequence[str], layout: str) -> list[str]:
    names = [name.strip() for text in texts for name in text.split(",")]
    for name in names:
        if name not in ANALYSES:
            close = nearest(name, ANALYSES, count=1)
            hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(ANALYSES)}"
            raise _usage(f"there is no analysis '{name}'; {hint}")
    return [*dict.fromkeys(names)] or (["degrees"] if layout == "csv" else ["degrees", "agreement"])


def _check_targets(inputs: Sequence[str], output: str | None, plot: str | None) -> None:
    for target in (output, plot):
        check_target(target, inputs)
    if plot is not None:
        from rankscope.plots.saving import check_suffix

        check_suffix(plot)


def _remark(findings: Sequence[Finding]) -> None:
    for note in dict.fromkeys(note for finding in findings for note in finding.notes):
        talk(f"note: {note}", dim=True)


def _draw(findings: Sequence[Finding], path: str) -> None:
    from rankscope.plots.stacked import stacked

    charts = [chart for finding in findings for chart in finding.charts().values()]
    if charts:
        stacked(charts).save(path)
    else:
        talk(f"note: nothing to draw: {', '.join(finding.analysis for finding in findings)} has no chart")


def _usage(message: str) -> click.UsageError:
    return click.UsageError(message, click.get_current_context(silent=True))
