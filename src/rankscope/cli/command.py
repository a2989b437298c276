"""What our commands add to click's: examples and other sections in --help, and the nearest command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import click

from rankscope.errors import nearest

__all__ = ["COMPLETION", "FILE", "SETTINGS", "Command", "Group", "output_option", "table_or_json"]

SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 110}

COMPLETION = "_RANKSCOPE_COMPLETE"
"""The variable that is set when the shell asks what it may fill in."""

Pairs = Sequence[tuple[str, str]]

# No check here: the readers say more about a file that is not there or cannot be read.
FILE = click.Path(path_type=str, allow_dash=True, readable=False)

output_option = click.option(
    "-o",
    "--output",
    type=FILE,
    metavar="FILE",
    help="Write to a file, which is there whole or not at all; - is standard output.",
)
table_or_json = click.option(
    "--format",
    "layout",
    type=click.Choice(["table", "json"]),
    metavar="table|json",
    default="table",
    help="table: for people. json: for programs. Default: table.",
)


class Command(click.Command):
    """A command whose help ends with sections of its own and with examples."""

    def __init__(
        self, *args: Any, sections: Mapping[str, Pairs] | None = None, examples: Pairs = (), **options: Any
    ) -> None:
        super().__init__(*args, **options)
        self.sections = sections or {}
        self.examples = examples

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections, then the examples, each on a line that can be copied whole."""
        for title, pairs in self.sections.items():
            with formatter.section(title):
                formatter.write_dl(pairs)
        with formatter.section("Examples"):
            for example, meaning in self.examples:
                formatter.write(f"{'':{formatter.current_indent}}{example}\n")
                formatter.write(f"{'':{formatter.current_indent + 4}}{meaning}\n")


class Group(Command, click.Group):
    """A command that has commands, each given as "module:attribute" and imported when it is asked for."""

    def __init__(self, *args: Any, commands: Mapping[str, str], **options: Any) -> None:
        super().__init__(*args, **options)
        self.places = commands

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(self.places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        place = self.places.get(cmd_name)
        if place is None:
            return None
        module, _, attribute = place.partition(":")
        found: click.Command = getattr(import_module(module), attribute)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            known = self.list_commands(ctx)
            close = nearest(name, known, count=1)
            hint = f"did you mean {close[0]}?" if close else f"the commands are {', '.join(known)}"
            raise click.UsageError(f"there is no command '{name}'; {hint}", ctx)
        return super().resolve_command(ctx, args)
