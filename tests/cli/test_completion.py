"""rankscope completion: the scripts, and what bash gets when it asks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rankscope.measures import registered
from rankscope.policy import CHOICES

Command = Callable[..., Any]

SHIM = """#!/bin/sh
exec {python} -m rankscope "$@"
"""
ASK = """
eval "$(rankscope completion bash)"
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_rankscope_completion rankscope 2>/dev/null
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    """An environment in which `rankscope` is a command."""
    shim = tmp_path / "bin" / "rankscope"
    shim.parent.mkdir()
    shim.write_text(SHIM.format(python=sys.executable))
    shim.chmod(0o755)
    parts = [os.path.abspath(part) for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part]
    path = os.pathsep.join([str(shim.parent), os.environ["PATH"]])
    return {**os.environ, "PATH": path, "PYTHONPATH": os.pathsep.join(parts)}


@pytest.fixture
def bash(shell: dict[str, str], data: Path) -> Callable[..., list[str]]:
    """What bash would offer for the last of the words, in a folder with files."""

    def ask(*words: str) -> list[str]:
        done = subprocess.run(
            ["bash", "--norc", "-c", ASK, "bash", "rankscope", *words],
            capture_output=True,
            text=True,
            env=shell,
            cwd=data,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        return [line for line in done.stdout.splitlines() if line]

    return ask


needs_bash = pytest.mark.skipif(not shutil.which("bash"), reason="runs where there is bash")


@needs_bash
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["ev"], ["evaluate"]),
        (["completion", ""], ["bash", "zsh", "fish"]),
        (["evaluate", "--per"], ["--per-query"]),
        (["evaluate", "-m", "nd"], ["nDCG"]),
        (["evaluate", "-m", "AP,nd"], ["AP,nDCG"]),
        (["evaluate", "--measure", "numrel"], ["NumRel", "NumRelRet"]),
        (["measures", "bp"], ["bpref"]),
        (["evaluate", "--ties", ""], list(CHOICES["ties"])),
        (["evaluate", "--missing", "s"], ["skip"]),
        (["evaluate", "--format", "la"], ["latex"]),
        (["evaluate", "--aggregate", "mean,me"], ["mean,median"]),
    ],
)
def test_bash_offers(bash: Callable[..., list[str]], words: list[str], offered: list[str]) -> None:
    assert bash(*words) == offered


@needs_bash
def test_bash_offers_every_measure(bash: Callable[..., list[str]]) -> None:
    assert bash("evaluate", "-m", "") == [measure.name for measure in registered()]


@needs_bash
@pytest.mark.parametrize(
    "words", [["evaluate", "tr"], ["evaluate", "truth.qrels", "o"], ["evaluate", "--weights", "w"]]
)
def test_bash_completes_files_itself(
    process: Command, words: list[str], bash: Callable[..., list[str]]
) -> None:
    """Where a file is wanted the answer is to let the shell look for one."""
    asked = {"COMP_WORDS": " ".join(["rankscope", *words]), "COMP_CWORD": str(len(words))}
    assert process(_RANKSCOPE_COMPLETE="bash_complete", **asked).out == f"file,{words[-1]}\n"
    assert bash(*words) in ([], [words[-1]])


@pytest.mark.parametrize(
    ("shell_name", "uses"), [("bash", "complete -o"), ("zsh", "compdef"), ("fish", "complete --")]
)
def test_each_script_asks_the_command(command: Command, shell_name: str, uses: str) -> None:
    done = command("completion", shell_name)
    assert (done.code, done.err) == (0, "")
    assert uses in done.out
    assert f"_RANKSCOPE_COMPLETE={shell_name}_complete" in done.out
    assert "rankscope" in done.out


@pytest.mark.parametrize("shell_name", ["bash", "zsh", "fish"])
def test_each_script_is_one_its_shell_can_read(command: Command, shell_name: str) -> None:
    if not shutil.which(shell_name):
        pytest.skip(f"runs where there is {shell_name}")
    script = command("completion", shell_name).out
    done = subprocess.run([shell_name, "-n"], input=script, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_zsh_and_fish_get_meanings_too(process: Command) -> None:
    asked = {"COMP_WORDS": "rankscope evaluate -m RR", "COMP_CWORD": "RR"}
    assert process(_RANKSCOPE_COMPLETE="fish_complete", **asked).out.splitlines()[0].startswith("plain,RR\t")
    asked = {"COMP_WORDS": "rankscope evaluate -m RR", "COMP_CWORD": "3"}
    assert process(_RANKSCOPE_COMPLETE="zsh_complete", **asked).out.splitlines()[:2] == ["plain", "RR"]


def test_help_says_how_to_install(command: Command) -> None:
    shown = command("completion", "--help").out
    for place in ("~/.bashrc", "~/.zshrc", "~/.config/fish/completions"):
        assert place in shown


def test_completion_imports_nothing_heavy() -> None:
    script = (
        "import sys; before = set(sys.modules); from rankscope.cli import run; run([]);"
        "loaded = {m.partition('.')[0] for m in set(sys.modules) - before};"
        "sys.stderr.write(str(sorted(loaded - {*sys.stdlib_module_names, 'rankscope'})))"
    )
    asked = {
        "COMP_WORDS": "rankscope evaluate -m n",
        "COMP_CWORD": "3",
        "_RANKSCOPE_COMPLETE": "bash_complete",
    }
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env={**os.environ, **asked}
    )
    assert "plain,nDCG" in done.stdout
    assert done.stderr == "['click', 'numpy']"
