"""Which core is in use, and how that is chosen and said."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from rankscope.align import engine, plain
from rankscope.errors import MissingDependency, PolicyError


def test_the_variable_chooses_the_plain_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(engine.VARIABLE, " Plain ")
    assert engine.core() is plain
    assert engine.engine_name() == "plain"
    assert engine.describe() == f"plain core, as {engine.VARIABLE} says"


def test_an_unknown_name_is_refused_with_the_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(engine.VARIABLE, "plane")
    with pytest.raises(PolicyError, match="did you mean plain") as caught:
        engine.core()
    assert caught.value.code == "unknown-engine"


@pytest.mark.skipif(
    os.environ.get(engine.VARIABLE) == "plain",
    reason=f"the native core may be missing where the plain one is asked for; runs without {engine.VARIABLE}",
)
def test_the_native_core_is_in_use_where_it_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(engine.VARIABLE, raising=False)
    assert engine.core().__name__ == "rankscope._core"
    assert (engine.engine_name(), engine.describe()) == ("native", "native core")


WITHOUT_NATIVE = """
import sys
sys.modules["rankscope._core"] = None  # as Python itself marks a module that cannot be imported
from rankscope.align import engine
"""


def run_without_native(script: str, **environment: str) -> str:
    clean = {name: value for name, value in os.environ.items() if name != engine.VARIABLE}
    command = [sys.executable, "-c", WITHOUT_NATIVE + script]
    done = subprocess.run(command, env={**clean, **environment}, capture_output=True, text=True, check=True)
    return done.stdout


def test_without_the_native_core_the_plain_one_serves_and_says_so() -> None:
    said = run_without_native("print(engine.core().__name__, engine.describe())")
    assert said.startswith("rankscope.align.plain plain core, as the native one cannot be loaded: ")


def test_asking_for_a_native_core_that_is_not_there_is_an_error() -> None:
    script = f"""
from rankscope.errors import {MissingDependency.__name__}
try:
    engine.core()
except MissingDependency as error:
    print(error.code, error)
"""
    said = run_without_native(script, **{engine.VARIABLE: "native"})
    assert said.startswith("no-native-core the native core cannot be loaded: ")
    assert f"set {engine.VARIABLE}=plain" in said


def test_both_cores_have_the_same_functions() -> None:
    if os.environ.get(engine.VARIABLE) == "plain":
        pytest.skip(f"nothing to compare with; runs without {engine.VARIABLE}")
    native = {name for name in vars(engine.core()) if not name.startswith("_")}
    assert set(plain.__all__) <= native
