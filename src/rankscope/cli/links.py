"""What the commands on links have in common: their formats, headers in their files, and other names."""

from __future__ import annotations

import os
from copy import copy

import click

from rankscope.links.showing import LAYOUTS

__all__ = ["alias", "chosen_layout", "header_option", "layout_option"]

header_option = click.option("--header", is_flag=True, help="The first line of every file is a header.")
layout_option = click.option(
    "--format",
    "layout",
    type=click.Choice(LAYOUTS),
    metavar="|".join(LAYOUTS),
    help="table, markdown, latex: for people. json: everything, for programs. csv: the table with all "
    "digits. Default: json or csv if the output's name ends so, else table.",
)


def alias(command: click.Command) -> click.Command:
    """The same command to be found under another name, but not listed."""
    other = copy(command)
    other.hidden = True
    return other


def chosen_layout(layout: str | None, output: str | None) -> str:
    """What is asked for, or what the name of the output asks for."""
    suffix = os.path.splitext(output or "")[1].removeprefix(".").casefold()
    return layout or (suffix if suffix in ("json", "csv") else "table")
