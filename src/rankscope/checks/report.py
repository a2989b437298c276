"""What a check found: findings, and the report that holds them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from rankscope.errors import printable

__all__ = ["EXAMPLES", "SEVERITIES", "Example", "Finding", "Report", "Severity", "counted"]

EXAMPLES = 10
"""How many examples of one kind are kept."""

Severity = Literal["problem", "warning", "remark"]
SEVERITIES: tuple[Severity, ...] = ("problem", "warning", "remark")


@dataclass(frozen=True)
class Example:
    """One case of a finding."""

    text: str
    place: int = 0
    """The line of a text, or the row of a table; 0 if there is none."""


@dataclass(frozen=True)
class Finding:
    """One kind of thing that was found in one input."""

    code: str
    severity: Severity
    source: str
    """The input it is about: a path, or the name of what is in memory."""
    count: int
    what: str
    examples: tuple[Example, ...] = ()
    hint: str = ""
    """What to do about it."""
    unit: str = "line"
    """What the places of the examples count."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """The numbers of the sentence, for programs."""

    def __str__(self) -> str:
        return f"{printable(self.source)}: {self.severity}: {self.what}"

    def shown_examples(self) -> list[str]:
        """Lines with the examples: one each for those that have a place, the others side by side."""
        lines = [f"{self.unit} {e.place}: {e.text}" for e in self.examples if e.place]
        beside = ", ".join(e.text for e in self.examples if not e.place)
        more = self.count - len(self.examples)
        last = [f"and {more} more"] if self.examples and more > 0 else []
        if beside:
            return [*lines, " ".join([beside, *last])]
        return [*lines, *last]

    def to_dict(self) -> dict[str, Any]:
        """Plain lists, dicts, texts and numbers."""
        examples = [{"text": e.text, **({self.unit: e.place} if e.place else {})} for e in self.examples]
        return {
            "code": self.code,
            "severity": self.severity,
            "count": self.count,
            "what": self.what,
            "hint": self.hint,
            "facts": dict(self.facts),
            "examples": examples,
        }


@dataclass(frozen=True, repr=False)
class Report:
    """All findings, grouped by input, the worst of each first."""

    sources: Mapping[str, str]
    """Every input that was looked at, with a few words on how much is in it."""
    findings: Sequence[Finding]

    def __post_init__(self) -> None:
        inputs = list(self.sources)
        ordered = sorted(self.findings, key=lambda f: (inputs.index(f.source), SEVERITIES.index(f.severity)))
        object.__setattr__(self, "findings", tuple(ordered))

    @property
    def ok(self) -> bool:
        """Whether there is no problem; warnings and remarks may be there."""
        return not any(f.severity == "problem" for f in self.findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def __bool__(self) -> bool:
        # Without this a report of no finding would be false, which reads as its opposite.
        return True

    def of(self, source: str) -> list[Finding]:
        """The findings on one input."""
        return [f for f in self.findings if f.source == source]

    def summary(self) -> str:
        """How many findings there are of each severity."""
        counts = Counter(f.severity for f in self.findings)
        return ", ".join(counted(counts[s], s, f"{s}s") for s in SEVERITIES)

    def to_dict(self) -> dict[str, Any]:
        """Plain lists, dicts, texts and numbers."""
        inputs = [
            {
                "source": printable(source),
                "content": content,
                "findings": [f.to_dict() for f in self.of(source)],
            }
            for source, content in self.sources.items()
        ]
        return {"ok": self.ok, "inputs": inputs}

    def to_json(self, *, indent: int | None = 2) -> str:
        """The text of `to_dict` as JSON."""
        import json

        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False, allow_nan=False)

    def __repr__(self) -> str:
        lines: list[str] = []
        for source, content in self.sources.items():
            lines += [f"{printable(source)}: {content}"]
            for finding in self.of(source):
                lines += [f"  {finding.severity:<8} {finding.what}  [{finding.code}]"]
                lines += [f"           {line}" for line in finding.shown_examples()]
                lines += [f"           try: {finding.hint}"] if finding.hint else []
        return "\n".join([*lines, self.summary()])


def counted(count: int, one: str, many: str) -> str:
    """``1 line`` or ``2 lines``."""
    return f"{count} {one if count == 1 else many}"
