"""An environment of the bench's own, with Rankscope installed as a user would have it, and the peers."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PEERS = (
    "pytrec-eval-terrier==0.5.11",
    "ir-measures==0.4.3",
    "ranx==0.3.21",
    "polars>=1.20",
    "pandas>=2.2",
    "pyarrow>=16",
    "scipy>=1.12",
    "scikit-learn>=1.5",
)
SHOWN = (
    "rankscope",
    "numpy",
    "pytrec-eval-terrier",
    "ir-measures",
    "ranx",
    "numba",
    "polars",
    "pandas",
    "pyarrow",
    "scipy",
    "scikit-learn",
)


class BenchError(Exception):
    """Something that makes the numbers worthless."""


@dataclass(frozen=True)
class Environment:
    """Where the installed programs are."""

    folder: Path

    @property
    def python(self) -> str:
        return self.command("python")

    def command(self, name: str) -> str:
        scripts = "Scripts" if os.name == "nt" else "bin"
        return str(self.folder / scripts / name)

    def versions(self) -> dict[str, str]:
        code = (
            "import importlib.metadata as m, json, sys; "
            "print(json.dumps({name: m.version(name) for name in sys.argv[1:]}))"
        )
        done = subprocess.run([self.python, "-c", code, *SHOWN], check=True, capture_output=True, text=True)
        versions: dict[str, str] = json.loads(done.stdout)
        return {"Python": platform.python_version(), **versions}


def prepare(project: Path, folder: Path) -> Environment:
    """Install the peers once and Rankscope every time."""
    environment = Environment(folder)
    installed = folder / "peers.txt"
    wanted = "\n".join(PEERS)
    if not installed.exists() or installed.read_text() != wanted:
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        _pip(environment, "install", *PEERS)
        installed.write_text(wanted)
    _pip(environment, "uninstall", "--yes", "rankscope")
    _pip(environment, "install", str(project))
    _check_engine(environment)
    return environment


def _pip(environment: Environment, *arguments: str) -> None:
    command = [environment.python, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise BenchError(f"pip {arguments[0]} failed\n{done.stderr.strip()}")


def _check_engine(environment: Environment) -> None:
    """A build without its native core would be measured as if it were the product."""
    if os.environ.get("RANKSCOPE_ENGINE") == "plain":
        return
    found = subprocess.run(
        [environment.python, "-c", "import rankscope._core"], capture_output=True, text=True
    )
    if found.returncode:
        raise BenchError(
            "the native core was not built, so there is nothing worth measuring\n"
            f"{found.stderr.strip()}\n"
            "  try: install a C++ compiler, or set RANKSCOPE_ENGINE=plain to measure the plain twin"
        )
