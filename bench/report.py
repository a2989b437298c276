"""What the bench found, for the terminal, for programs and for the documentation."""

from __future__ import annotations

import datetime
import json
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rows import Line

HEADINGS = ("work", "who", "result", "ratio", "goal", "met")

PAGE = Path(__file__).with_name("page.md")


@dataclass(frozen=True)
class Machine:
    """What the numbers depend on."""

    processor: str
    cores: int
    memory_gb: int
    system: str
    versions: Mapping[str, str]

    @classmethod
    def here(cls, versions: Mapping[str, str]) -> Machine:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        return cls(_processor(), cores, _memory_gb(), platform.system(), versions)

    def __str__(self) -> str:
        versions = ", ".join(f"{name} {version}" for name, version in self.versions.items())
        return f"{self.cores} cores of {self.processor}, {self.memory_gb} GB, {self.system}. {versions}."


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _memory_gb() -> int:
    return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30)


def cells(lines: Iterable[Line]) -> list[tuple[str, ...]]:
    """The table as text; a row's title stands on its first line only."""
    rows: list[tuple[str, ...]] = []
    last = ""
    for line in lines:
        title = line.title if line.title != last else ""
        ratio = "" if line.ratio is None else f"{line.ratio:.1f}x"
        met = {True: "yes", False: "no", None: ""}[line.met]
        rows.append((title, line.who, _amount(line), ratio, line.goal, met))
        last = line.title
    return rows


def _amount(line: Line) -> str:
    if line.unit == "MB":
        return f"{line.amount:.0f} MB"
    return f"{line.amount * 1000:.0f} ms" if line.amount < 0.9995 else f"{line.amount:.2f} s"


def text_table(lines: Sequence[Line]) -> str:
    rows = [HEADINGS, *cells(lines)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def markdown_table(lines: Sequence[Line]) -> str:
    rows = [HEADINGS, tuple("---" for _ in HEADINGS), *cells(lines)]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def summary(lines: Sequence[Line]) -> str:
    goals = [line for line in lines if line.met is not None]
    return f"{sum(line.met is True for line in goals)} of {len(goals)} goals are met."


def write_json(path: Path, machine: Machine, lines: Sequence[Line], scale: float) -> None:
    content = {
        "date": _today(),
        "scale": scale,
        "machine": asdict(machine),
        "lines": [asdict(line) for line in lines],
    }
    path.write_text(json.dumps(content, indent=2) + "\n")


def write_page(path: Path, machine: Machine, lines: Sequence[Line]) -> None:
    table = markdown_table(lines)
    page = PAGE.read_text().format(date=_today(), summary=summary(lines), machine=machine, table=table)
    path.parent.mkdir(exist_ok=True)
    path.write_text(page)


def _today() -> str:
    return datetime.datetime.now(datetime.UTC).date().isoformat()
