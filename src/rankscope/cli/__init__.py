"""The command `rankscope`: its group, and what becomes of every error.

Standard output has the data, standard error the talk. Exit codes are in `EXIT_CODES`.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from typing import NoReturn

import click

from rankscope.cli.command import COMPLETION, SETTINGS, Group
from rankscope.cli.streams import complain, prepare_streams, settle_stdout, talk
from rankscope.errors import PluginWarning, RankscopeError
from rankscope.measures.registry import REGISTRY

__all__ = ["main", "rankscope", "run"]

TRACEBACK = "RANKSCOPE_TRACEBACK"

COMMANDS = {
    "aggCl": "rankscope.cli.aggregate:aggregate_named",
    "aggRnk": "rankscope.cli.aggregate:aggregate_named",
    "aggregate": "rankscope.cli.aggregate:aggregate",
    "check": "rankscope.cli.check:check",
    "classification": "rankscope.cli.classify:classification",
    "classi": "rankscope.cli.classi:classi",
    "classify": "rankscope.cli.classify:classify",
    "compare": "rankscope.cli.compare:compare",
    "completion": "rankscope.cli.completion:completion",
    "convert": "rankscope.cli.convert:convert",
    "evaluate": "rankscope.cli.evaluate:evaluate",
    "formats": "rankscope.cli.formats_command:formats",
    "measures": "rankscope.cli.measures:measures",
    "order": "rankscope.cli.order:order",
    "plot": "rankscope.cli.plot:plot",
    "rank": "rankscope.cli.rank:rank",
    "rankdcg": "rankscope.cli.rankdcg:rankdcg",
    "report": "rankscope.cli.report:report",
    "reproduce": "rankscope.cli.reproduce:reproduce",
    "similarity": "rankscope.cli.similarity:similarity",
    "study": "rankscope.cli.study:study",
}
"""Where each command is; it is imported when it is asked for."""

EXIT_CODES = [
    ("0", "fine"),
    ("1", "a check said no"),
    ("2", "bad input or usage"),
    ("130", "interrupted"),
    ("141", "nobody reads the output any more, as after | head"),
]


def _show_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        from rankscope import __version__
        from rankscope.align import describe

        click.echo(f"rankscope {__version__} ({describe()})")
        context.exit()


@click.group(
    cls=Group,
    name="rankscope",
    context_settings=SETTINGS,
    commands=COMMANDS,
    invoke_without_command=True,
    sections={"Exit codes": EXIT_CODES},
    examples=[
        ("rankscope evaluate judgments.qrels bm25.run dense.run", "how good are these runs?"),
        ("rankscope check judgments.qrels bm25.run", "is anything wrong with these files?"),
        ("rankscope measures nDCG", "what does a measure mean?"),
        ("rankscope evaluate --help", "everything a command can do"),
    ],
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and which core does the work.",
)
@click.pass_context
def rankscope(context: click.Context) -> None:
    """Measure rankings. Compare systems. Measure the measures."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        context.exit(2)


def main() -> NoReturn:
    """What the shell starts."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Do what the arguments say and return the exit code; no exception and no traceback leaves it."""
    prepare_streams()
    try:
        code = _invoke(arguments)
        sys.stdout.flush()
    except click.exceptions.Exit as done:
        code = done.exit_code
    except (KeyboardInterrupt, click.Abort):
        talk("rankscope: interrupted")
        code = 130
    except BrokenPipeError:
        code = 141
    except Exception as error:  # noqa: BLE001  (a measure of a third party may raise anything)
        complain(_in_words(error))
        _show_traceback(error)
        code = 2
    return code if settle_stdout() else code or 2


def _invoke(arguments: Sequence[str]) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", PluginWarning
        )  # what it says is a note below; the Tab key is no place
        if instruction := os.environ.get(COMPLETION):
            from click.shell_completion import shell_complete

            return shell_complete(rankscope, {}, "rankscope", COMPLETION, instruction)
        try:
            # Not rankscope.main(): it would turn a broken pipe into exit code 1 before it gets here.
            with rankscope.make_context("rankscope", list(arguments)) as context:
                rankscope.invoke(context)
        finally:
            for problem in REGISTRY.problems:
                talk(f"note: {problem}", dim=True)
    return 0


def _in_words(error: Exception) -> str:
    if isinstance(error, RankscopeError):
        return str(error)
    if isinstance(error, click.UsageError):
        command = error.ctx.command_path if error.ctx else "rankscope"
        return f"{error.format_message()}\n  try: {command} --help"
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, MemoryError):
        return "there is not enough memory for this"
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror or error}"
    return (
        f"this should not have happened: {type(error).__name__}: {error}\n"
        f"  try: again with {TRACEBACK}=1 to see where it comes from"
    )


def _show_traceback(error: Exception) -> None:
    if os.environ.get(TRACEBACK):
        import traceback

        talk("".join(traceback.format_exception(error)))
