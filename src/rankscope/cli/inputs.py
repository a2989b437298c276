"""What the files on a command line are: their formats and the names of their columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import click

from rankscope.data import Judgments, Run
from rankscope.data.files import InputFile
from rankscope.data.formats import FORMATS, Names, Role, detected, named
from rankscope.data.run import run_paths
from rankscope.data.sources import FileSource, checked_names

__all__ = ["Inputs", "input_options"]

F = TypeVar("F", bound=Callable[..., object])

SIDES: tuple[Role, ...] = ("run", "judgments")


def input_options(command: F) -> F:
    """Options for files whose content does not tell what they are."""
    columns = click.option(
        "--columns",
        multiple=True,
        metavar="FIELD=NAME,...",
        help="The names of columns (or keys, in JSON Lines): query=qid,item=doc,score=s,grade=rel. With run. "
        "or judgments. before the field, for that side only. Common names need no telling.",
    )
    formats = click.option(
        "--input-format",
        "formats",
        multiple=True,
        metavar="FORMAT",
        help="The format of the input, or of one side of it (run=scores), instead of the one that is told "
        f"from the content: {', '.join(f.name for f in FORMATS)}. What they are: rankscope formats.",
    )
    return formats(columns(command))


@dataclass(frozen=True)
class Inputs:
    """What the options say about the input."""

    formats: dict[Role, str]
    names: dict[Role, Names]

    @classmethod
    def of(cls, formats: Sequence[str], columns: Sequence[str]) -> Inputs:
        return cls(_formats(formats), _names(columns))

    def format(self, role: Role) -> str | None:
        return self.formats.get(role)

    def judgments(self, file: str | InputFile) -> Judgments:
        return Judgments.of(file, format=self.format("judgments"), columns=self.names["judgments"])

    def run(self, file: str | InputFile) -> Run:
        return Run.of(file, format=self.format("run"), columns=self.names["run"])

    def both(self, qrels: str, runs: Sequence[str]) -> tuple[Judgments, list[Run]]:
        """Judgments and runs; without a run, both sides are in one file."""
        file, chosen = self._files(qrels, runs)
        return self.judgments(file), chosen

    def unread(self, qrels: str, runs: Sequence[str]) -> tuple[FileSource, list[Run]]:
        """The same with judgments that nobody has read yet, and so nobody has refused."""
        file, chosen = self._files(qrels, runs)
        return FileSource(file, "judgments", self.format("judgments"), self.names["judgments"]), chosen

    def _files(self, qrels: str, runs: Sequence[str]) -> tuple[InputFile, list[Run]]:
        file = InputFile(qrels)
        if not runs:
            self._check_shared(file)
            return file, [self.run(file)]
        return file, [self.run(path) for given in runs for path in run_paths(given)]

    def _check_shared(self, file: InputFile) -> None:
        forced = self.format("judgments")
        with file.opened() as content:
            format = named(forced) if forced else detected(content, "judgments", self.names["judgments"])
        if format.name != "jsonl":
            raise click.UsageError(
                f"a RUN is missing: only JSON Lines can hold both sides, and {file.label} is {format.name}",
                click.get_current_context(silent=True),
            )


def _formats(texts: Sequence[str]) -> dict[Role, str]:
    chosen: dict[Role, str] = {}
    for text in texts:
        side, equals, name = text.rpartition("=")
        format = named(name)
        for role in _sides(side, text) if equals else SIDES:
            if equals or format.holds(role):
                chosen[role] = format.name
    return chosen


def _names(texts: Sequence[str]) -> dict[Role, Names]:
    chosen: dict[Role, dict[str, str]] = {role: {} for role in SIDES}
    for pair in (pair for text in texts for pair in text.split(",")):
        field, equals, name = pair.partition("=")
        if not equals or not name:
            raise click.UsageError(
                f"--columns {pair}: a field and the name of its column are needed, as in query=qid",
                click.get_current_context(silent=True),
            )
        side, _, plain = field.strip().rpartition(".")
        for role in _sides(side, pair) if side else SIDES:
            chosen[role].update(checked_names({plain: name.strip()}))
    return {**chosen}


def _sides(side: str, given: str) -> list[Role]:
    known: dict[str, Role] = {"run": "run", "judgments": "judgments", "qrels": "judgments"}
    if side not in known:
        raise click.UsageError(
            f"'{given}': the side is run or judgments, not '{side}'", click.get_current_context(silent=True)
        )
    return [known[side]]
