"""Fixtures for all tests: whatever reads or aligns is tested on both cores."""

from __future__ import annotations

import os
from types import ModuleType

import pytest
from hypothesis import settings

from rankscope.align import engine

# How long an example takes says more about the machine than about the code.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

# Without the native core the tests fail: only asking for the plain one by name leaves it out.
ENGINES = ["plain"] if os.environ.get(engine.VARIABLE) == "plain" else ["native", "plain"]


@pytest.fixture(params=ENGINES)
def core(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The native core and the plain one in turn, each in use for the whole package."""
    monkeypatch.setenv(engine.VARIABLE, request.param)
    return engine.core()
