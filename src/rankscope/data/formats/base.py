"""What a format is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rankscope.data.files import Content
from rankscope.data.rows import Rows
from rankscope.errors import MissingDependency

__all__ = ["Format", "Names", "Role", "pyarrow"]

Role = Literal["run", "judgments"]
Names = Mapping[str, str]
"""Which of a file's columns is the query, the item, the score or the grade."""


@dataclass(frozen=True)
class Format:
    """One way to write runs and judgments down."""

    name: str
    meaning: str
    examples: Mapping[Role, str]
    """What it looks like, for each side that it can hold."""
    source: Callable[[Content, Role, Names], Any] = field(repr=False)
    """The `Source` of a file's rows."""
    write: Callable[[Rows, Role, str, Any], None] | None = field(default=None, repr=False)
    """Rows of a side to a file; the text is the name of the run."""
    suffixes: tuple[str, ...] = ()
    package: str = ""
    """What has to be installed for it."""

    def holds(self, role: Role) -> bool:
        return role in self.examples


def pyarrow(what: str) -> Any:
    """The package, or the error that says what it is needed for."""
    try:
        import pyarrow as pa
    except ImportError as error:
        raise MissingDependency(
            f"{what} is read and written with pyarrow, which is not installed",
            code="missing-dependency",
            hint="pip install 'rankscope[formats]'",
        ) from error
    return pa
