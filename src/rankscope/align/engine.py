"""Which core does the work: the native one, or its plain twin."""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from types import ModuleType

from rankscope.errors import MissingDependency, PolicyError, nearest

__all__ = ["core", "describe", "engine_name"]

VARIABLE = "RANKSCOPE_ENGINE"
_NAMES = ("native", "plain")


def core() -> ModuleType:
    """The core in use: native if it is built, else plain; RANKSCOPE_ENGINE=native or plain forces one."""
    return _plain() if engine_name() == "plain" else _native()


def engine_name() -> str:
    """The name of the core in use: "native" or "plain"."""
    wanted = _wanted()
    if wanted:
        return wanted
    return "plain" if isinstance(_try_native(), ImportError) else "native"


def describe() -> str:
    """The core in use and, if it is the plain one, why: a line for ``--version``."""
    if engine_name() == "native":
        _native()
        return "native core"
    if _wanted():
        return f"plain core, as {VARIABLE} says"
    return f"plain core, as the native one cannot be loaded: {_try_native()}"


def _wanted() -> str:
    given = os.environ.get(VARIABLE, "").strip()
    wanted = given.casefold()
    if wanted and wanted not in _NAMES:
        close = nearest(wanted, _NAMES)
        raise PolicyError(
            f"{VARIABLE}={given} names no core",
            code="unknown-engine",
            expected=f"{VARIABLE}=native, {VARIABLE}=plain, or the variable not set",
            hint=f"did you mean {' or '.join(close)}?" if close else "",
        )
    return wanted


def _plain() -> ModuleType:
    return import_module("rankscope.align.plain")


def _native() -> ModuleType:
    loaded = _try_native()
    if isinstance(loaded, ImportError):
        raise MissingDependency(
            f"the native core cannot be loaded: {loaded}",
            code="no-native-core",
            hint=f"install again where there is a C++17 compiler (pip install --force-reinstall "
            f"--no-binary rankscope rankscope), or set {VARIABLE}=plain",
        ) from loaded
    return loaded


@cache
def _try_native() -> ModuleType | ImportError:
    try:
        return import_module("rankscope._core")
    except ImportError as error:
        return error
