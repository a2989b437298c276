"""Options that several commands have, and what becomes of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import click

from rankscope.cli.command import FILE
from rankscope.cli.completion import complete_measures, complete_word
from rankscope.data.files import InputFile
from rankscope.evaluate import DEFAULT_MEASURES
from rankscope.measures import Measure
from rankscope.measures.grammar import parse_typed
from rankscope.policy import CHOICES

__all__ = [
    "check_stdin",
    "depth_option",
    "digits_option",
    "lower_option",
    "measure_option",
    "policy_options",
    "queries_option",
    "query_ids",
    "rel_option",
    "threads_option",
    "typed_measures",
]

F = TypeVar("F", bound=Callable[..., object])

POLICIES = {
    "ties": "Items with equal scores.",
    "missing": "Queries that have judgments but are not in the run.",
    "extra": "Queries that are in the run but have no judgments.",
    "undefined": "Values that a measure does not define.",
    "duplicates": "An item twice in one ranking.",
    "unjudged": "Items without a judgment.",
    "unretrieved": "Judged items that the run lacks.",
    "scores": "How finely scores are compared.",
    "compat": "The system whose numbers are wanted: sets all other policies that are not given.",
}


def policy_options(command: F) -> F:
    """An option for each policy; what is not allowed is answered by the policy itself."""
    for name, values in reversed(CHOICES.items()):
        default = next(iter(values))
        option = click.option(
            f"--{name}",
            metavar="|".join(values),
            shell_complete=complete_word(values),
            help=f"{POLICIES[name]} Default: {default}.",
        )
        command = option(command)
    return command


def measure_option(default: str, *, more: str = "") -> Callable[[F], F]:
    """The measures; `default` says what they are if none is given."""
    return click.option(
        "-m",
        "--measure",
        "measures",
        multiple=True,
        metavar="MEASURE",
        shell_complete=complete_measures,
        help=f"A measure, or several with commas between them; may be repeated. {more}Default: {default}.",
    )


digits_option = click.option(
    "--digits",
    type=click.IntRange(0, 17),
    metavar="N",
    help="Decimals of the values. Default: all in json, csv and tsv, else 4.",
)
rel_option = click.option(
    "--rel",
    type=float,
    metavar="GRADE",
    help="The lowest relevant grade, for all measures that leave it at its default (1).",
)
depth_option = click.option(
    "--depth", type=click.IntRange(min=1), metavar="N", help="Only the first N items of each ranking count."
)
queries_option = click.option(
    "--queries",
    type=FILE,
    metavar="FILE",
    help="Measure only the queries in this file: an id at the start of each line; what follows it is not "
    "read, nor are empty lines and lines that start with #.",
)
lower_option = click.option(
    "--lower-is-better", is_flag=True, help="The scores are distances: the lowest ranks first."
)
threads_option = click.option(
    "--threads", type=click.IntRange(min=1), metavar="N", help="How many may work. Default: all."
)


def typed_measures(texts: Sequence[str]) -> list[tuple[str, Measure]]:
    """The measures asked for, or the usual ones, each with the name it was asked by."""
    return [typed for text in texts or DEFAULT_MEASURES for typed in parse_typed(text)]


def check_stdin(inputs: Sequence[str]) -> None:
    """Refuse two inputs that are both standard input."""
    if inputs.count("-") > 1:
        raise click.UsageError(
            "only one input can be standard input (-)", click.get_current_context(silent=True)
        )


def query_ids(path: str) -> list[str]:
    """The ids at the start of the lines of a file."""
    lines = InputFile(path).read().removeprefix(b"\xef\xbb\xbf").splitlines()
    fields = [line.split(maxsplit=1) for line in lines if not line.startswith(b"#")]
    return [first.decode("utf-8", "surrogateescape") for first, *_ in filter(None, fields)]
