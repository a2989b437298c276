"""Fixtures for all tests: whatever reads or aligns is tested on both cores."""

from __future__ import annotations

import os
from types import ModuleType

import pytest

from rankscope.align import engine

# Without the native core the tests fail: only asking for the plain one by name leaves it out.
ENGINES = ["plain"] if os.environ.get(engine.VARIABLE) == "plain" else ["native", "plain"]


@pytest.fixture(params=ENGINES)
def core(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The native core and the plain one in turn, each in use for the whole package."""
    monkeypatch.setenv(engine.VARIABLE, request.param)
    return engine.core()
