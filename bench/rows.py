"""The rows of the bench: what is run, on which data, against whom, and what is to be reached."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from contenders.common import MEASURES
from environment import Environment
from rounds import Outcome, Program, Values, no_values

OURS = "rankscope"
COMMAND = "rankscope command"
AS_TEXT = "rankscope, rows as text"


@dataclass(frozen=True)
class Line:
    """One line of the table: somebody's result, beside ours, beside the goal."""

    row: str
    title: str
    who: str
    amount: float
    unit: Literal["s", "MB"] = "s"
    ratio: float | None = None
    goal: str = ""
    met: bool | None = None


@dataclass(frozen=True)
class Row:
    """One comparison: programs over the same data."""

    key: str
    title: str
    data: str
    programs: Callable[[Environment, Path], list[Program]]
    lines: Callable[[Row, Mapping[str, Outcome]], list[Line]]
    rounds: int = 5
    goals: Mapping[str, float] = field(default_factory=dict)
    """By peer: how many times our time it has to take, at least."""


def _contenders(kind: str, *names: str) -> Callable[[Environment, Path], list[Program]]:
    """Rankscope and some peers, on data of a kind."""

    def programs(environment: Environment, data: Path) -> list[Program]:
        paths = (str(data / "qrels"), str(data / "run"))
        return [
            Program(name, [environment.python, "-m", f"contenders.{name}", kind, *paths])
            for name in (OURS, *names)
        ]

    return programs


def _instead_of_text(name: str, kind: str) -> Callable[[Environment, Path], list[Program]]:
    """Rankscope on a file of another format, and on the same rows as text."""

    def programs(environment: Environment, data: Path) -> list[Program]:
        ours = [environment.python, "-m", f"contenders.{OURS}", kind, str(data / "qrels")]
        return [Program(OURS, [*ours, str(data / name)]), Program(AS_TEXT, [*ours, str(data / "run")])]

    return programs


def _files_and_command(environment: Environment, data: Path) -> list[Program]:
    ours, *peers = _contenders("files", "polars", "pytrec_eval", "ir_measures", "ranx")(environment, data)
    return [ours, _our_command(environment, data), *peers]


def _our_command(environment: Environment, data: Path) -> Program:
    measures = [word for measure in MEASURES for word in ("-m", measure)]
    paths = (str(data / "qrels"), str(data / "run"))
    command = [environment.command("rankscope"), "evaluate", *paths, *measures, "--format", "json"]
    return Program(COMMAND, command, _values_of_our_command)


def _values_of_our_command(stdout: str) -> tuple[Values, None]:
    return json.loads(stdout)["runs"][0]["aggregate"], None


def _commands(environment: Environment, data: Path) -> list[Program]:
    paths = (str(data / "qrels"), str(data / "run"))
    theirs = [environment.command("ir_measures"), *paths, " ".join(MEASURES), "--places", "9"]
    return [_our_command(environment, data), Program("ir_measures command", theirs, _values_of_their_command)]


def _values_of_their_command(stdout: str) -> tuple[Values, None]:
    pairs = (line.split("\t") for line in stdout.splitlines())
    return {name: float(value) for name, value in pairs}, None


def _memory(environment: Environment, data: Path) -> list[Program]:
    (ours,) = _contenders("files")(environment, data)
    return [Program(ours.name, ours.command, ours.read, sample_memory=True)]


def _imports(environment: Environment, data: Path) -> list[Program]:
    codes = {"import rankscope": "import rankscope", "import numpy": "import numpy", "python alone": "pass"}
    return [Program(name, [environment.python, "-c", code], no_values) for name, code in codes.items()]


def ratios(row: Row, outcomes: Mapping[str, Outcome]) -> list[Line]:
    """How many times our time each of the others takes."""
    (our_name, ours), *others = outcomes.items()
    lines = [Line(row.key, row.title, our_name, ours.seconds)]
    for name, outcome in others:
        ratio = outcome.seconds / ours.seconds
        line = Line(row.key, row.title, name, outcome.seconds, ratio=ratio)
        if least := row.goals.get(name):
            line = replace(line, goal=f"at least {least:g}x", met=ratio >= least)
        lines.append(line)
    return lines


def _core_lines(row: Row, outcomes: Mapping[str, Outcome]) -> list[Line]:
    least, ours = outcomes["bytes"].seconds, outcomes[OURS].seconds
    ratio = ours / least
    goal = f"at most {CORE_LIMIT:g}x that"
    return [
        Line(row.key, row.title, "reading and counting newlines", least),
        Line(row.key, row.title, OURS, ours, ratio=ratio, goal=goal, met=ratio <= CORE_LIMIT),
    ]


def _memory_lines(row: Row, outcomes: Mapping[str, Outcome]) -> list[Line]:
    megabytes = (outcomes[OURS].private_bytes or math.nan) / 1e6
    goal = f"under {MEMORY_LIMIT:g} MB"
    return [
        Line(row.key, row.title, OURS, megabytes, "MB", goal=goal, met=megabytes < MEMORY_LIMIT),
        Line(row.key, row.title, "its time", outcomes[OURS].seconds),
    ]


def _import_lines(row: Row, outcomes: Mapping[str, Outcome]) -> list[Line]:
    bare = outcomes["python alone"].seconds
    ours, numpy = (outcomes[name].seconds - bare for name in ("import rankscope", "import numpy"))
    goal = f"under {IMPORT_LIMIT:g} s"
    return [
        Line(row.key, row.title, "import rankscope", ours, goal=goal, met=ours < IMPORT_LIMIT),
        Line(row.key, row.title, "import numpy", numpy),
    ]


CORE_LIMIT = 6.0
MEMORY_LIMIT = 200.0
IMPORT_LIMIT = 0.2

ROWS = (
    Row(
        "files",
        "Files, 6,980 queries x 1,000 items",
        "passages",
        _files_and_command,
        ratios,
        goals={"polars": 5, "pytrec_eval": 30, "ranx": 70},
    ),
    Row(
        "short",
        "Files, 500,000 queries x 20 items",
        "short",
        _contenders("files", "polars", "pytrec_eval"),
        ratios,
        goals={"polars": 7, "pytrec_eval": 22},
    ),
    Row(
        "scattered",
        "Files, 6,980 queries x 1,000 items, rows in random order",
        "scattered",
        _contenders("files", "pytrec_eval"),
        ratios,
        goals={"pytrec_eval": 8},
    ),
    Row(
        "dict",
        "Dict of dicts, 698 queries x 1,000 items",
        "frames",
        _contenders("dict", "pytrec_eval"),
        ratios,
        goals={"pytrec_eval": 3},
    ),
    *(
        Row(
            kind,
            f"{heading}, 698 queries x 1,000 items",
            "frames",
            _contenders(kind, "ranx"),
            ratios,
            rounds=3,
            goals={"ranx": 15},
        )
        for kind, heading in (
            ("pandas", "pandas frame"),
            ("polars", "Polars frame"),
            ("arrow", "Arrow table"),
        )
    ),
    *(
        Row(
            f"{ids}.{format.lower()}{suffix}",
            f"{what} {format}, ids as {ids.replace('-', ' ')}, 6,980 queries x 1,000 items",
            "columnar",
            _instead_of_text(f"{ids}.{format.lower()}", kind),
            ratios,
            goals={AS_TEXT: 1},
        )
        for format, kinds in (
            ("Arrow", ("text", "dictionary", "whole-numbers")),
            ("Parquet", ("text", "whole-numbers")),
        )
        for ids in kinds
        for suffix, what, kind in (("", "The call alone on", "reading"), ("-whole", "Files of", "files"))
    ),
    Row(
        "core",
        "The call alone, 6,980 queries x 1,000 items",
        "passages",
        _contenders("reading", "bytes"),
        _core_lines,
    ),
    Row(
        "memory",
        "Private memory, 69,800 queries x 1,000 items from a file",
        "copies",
        _memory,
        _memory_lines,
        rounds=1,
    ),
    Row("import", "Import", "track", _imports, _import_lines, rounds=10),
    Row(
        "startup",
        "Command, 54 queries x 1,000 items",
        "track",
        _commands,
        ratios,
        rounds=10,
        goals={"ir_measures command": 1},
    ),
)
