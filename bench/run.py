"""Measure Rankscope side by side with its peers.

    python bench/run.py [--quick] [--full] [--rows files,short,...]

Prints a table of ratios and writes it to .bench/results.json; a whole run also writes docs/benchmarks.md.
It fails if contenders disagree on a value, or if the native core is missing (unless RANKSCOPE_ENGINE=plain).
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import classing
import comparing
import environment
import ordering
import report
import studying
from environment import BenchError, Environment
from rounds import race
from rows import ROWS as EVALUATION
from rows import Line, Row

ROWS = (*EVALUATION, *ordering.ROWS, *comparing.ROWS, *classing.ROWS, *studying.ROWS)
PROJECT = Path(__file__).resolve().parent.parent
WORKSHOP = PROJECT / ".bench"
QUICK = 0.1
BUSY = 0.5
"""The load above which a word of warning is due."""
ROOM_FOR_COPIES = 12e9
"""Free bytes without which the data of the memory row is not written unless asked for."""


def main() -> int:
    options = _options()
    rows = [_quick(row) if options.quick else row for row in ROWS if row.key in options.rows]
    if not options.full:
        rows = _that_fit(rows)
    scale = QUICK if options.quick else 1.0
    try:
        lines, machine = _measure(rows, scale)
    except BenchError as error:
        _say(f"the bench failed: {error}")
        return 1
    print(report.text_table(lines))
    print(report.summary(lines))
    report.write_json(WORKSHOP / "results.json", machine, lines, scale)
    if len(options.rows) == len(ROWS) and not options.quick:
        report.write_page(PROJECT / "docs" / "benchmarks.md", machine, lines)
    return 0


def _options() -> argparse.Namespace:
    known = [row.key for row in ROWS]

    def row_keys(text: str) -> list[str]:
        keys = text.split(",")
        if unknown := [key for key in keys if key not in known]:
            raise argparse.ArgumentTypeError(f"no row {', '.join(unknown)}; there are {', '.join(known)}")
        return keys

    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--quick", action="store_true", help="a tenth of the data and one round: a smoke test"
    )
    parser.add_argument("--full", action="store_true", help="write the 2.7 GB of the memory row in any case")
    parser.add_argument("--rows", type=row_keys, default=known, metavar="ROW,...", help=", ".join(known))
    return parser.parse_args()


def _quick(row: Row) -> Row:
    title = row.title if row.data == "track" else f"{row.title} (a tenth of that)"
    return replace(row, title=title, rounds=1)


def _that_fit(rows: Sequence[Row]) -> list[Row]:
    """The rows without the memory row, where its data might fill the disk."""
    written = any(WORKSHOP.glob("data-*/scale-1/copies"))
    if written or shutil.disk_usage(PROJECT).free >= ROOM_FOR_COPIES:
        return list(rows)
    _say("row memory is left out, because the disk is nearly full; --full runs it all the same")
    return [row for row in rows if row.data != "copies"]


def _measure(rows: Sequence[Row], scale: float) -> tuple[list[Line], report.Machine]:
    if hasattr(os, "getloadavg") and os.getloadavg()[0] > BUSY:
        _say("this machine is busy with other things, which will blur the ratios")
    _say("installing")
    env = environment.prepare(PROJECT, WORKSHOP / "venv")
    data = _data(env, {"track", *(row.data for row in rows)}, scale)
    lines: list[Line] = []
    for row in rows:
        _say(row.title)
        _warm_up(row, env, data)
        lines += row.lines(row, race(row.programs(env, data / row.data), row.rounds))
    return lines, report.Machine.here(env.versions())


def _data(env: Environment, names: set[str], scale: float) -> Path:
    """The folder of the data, which is kept until the code that writes it changes."""
    generator = Path(__file__).with_name("data.py")
    version = hashlib.sha256(generator.read_bytes()).hexdigest()[:8]
    folder = WORKSHOP / f"data-{version}" / f"scale-{scale:g}"
    for outdated in WORKSHOP.glob("data-*"):
        if outdated != folder.parent:
            shutil.rmtree(outdated)
    _say("writing data")
    subprocess.run([env.python, str(generator), str(folder), str(scale), *sorted(names)], check=True)
    return folder


def _warm_up(row: Row, env: Environment, data: Path) -> None:
    """Run the programs of a row over text once on little data, for byte code and numba's cache."""
    if row.data not in ("frames", "columnar"):
        for program in row.programs(env, data / "track"):
            program.run()


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
