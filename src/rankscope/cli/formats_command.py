"""rankscope formats: what files can be read and written, with an example of each."""

from __future__ import annotations

import json
from typing import Any

import click

from rankscope.cli.command import SETTINGS, Command, table_or_json
from rankscope.cli.output import deliver
from rankscope.data.formats import FORMATS, Format, named

__all__ = ["formats"]


@click.command(
    cls=Command,
    context_settings=SETTINGS,
    examples=[
        ("rankscope formats", "all formats, with examples"),
        ("rankscope formats jsonl", "one of them"),
        ("rankscope formats --format json", "for programs"),
    ],
)
@click.argument("name", required=False)
@table_or_json
def formats(name: str | None, layout: str) -> None:
    """List the formats of runs and judgments, with an example of each.

    A format is told from the content of a file, and from its name where the content leaves a choice;
    --input-format of the other commands says it otherwise. Every one may be compressed with gzip or zstd.
    """
    chosen = FORMATS if name is None else (named(name),)
    if layout == "json":
        content: Any = [_described(format) for format in chosen]
        text = json.dumps(content if name is None else content[0], indent=2, ensure_ascii=False) + "\n"
    else:
        text = "\n".join(_shown(format) for format in chosen)
    deliver([text], None)


def _described(format: Format) -> dict[str, Any]:
    return {
        "name": format.name,
        "meaning": format.meaning,
        "suffixes": list(format.suffixes),
        "written": format.write is not None,
        "package": format.package or None,
        "examples": dict(format.examples),
    }


def _shown(format: Format) -> str:
    facts = [
        "read and written" if format.write else "read",
        *([f"named {', '.join(format.suffixes)}"] if format.suffixes else []),
        *([f"needs {format.package}"] if format.package else []),
    ]
    lines = [f"{format.name}: {format.meaning}", f"  {'; '.join(facts)}"]
    for role, example in format.examples.items():
        first, *rest = example.replace("\t", "  ").split("\n")
        lines += [f"  {role + ':':<11}{first}", *(f"  {'':<11}{line}" for line in rest)]
    return "\n".join(lines) + "\n"
