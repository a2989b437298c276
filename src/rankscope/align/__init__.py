"""Matching a run with a truth: from rows of text to the columns that measures read."""

from __future__ import annotations

import os
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Literal, overload

from rankscope.align.engine import describe, engine_name
from rankscope.align.tables import Judged, Ranked, Tally
from rankscope.errors import InputError, PolicyError, input_error

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rankscope.data.judgments import Judgments
    from rankscope.data.run import Run

__all__ = [
    "Judged",
    "Ranked",
    "Tally",
    "align",
    "available_processors",
    "describe",
    "engine_name",
    "no_common_query",
]

_CHOICES = {"tie_order": ("docid", "docid-asc", "given"), "duplicates": ("error", "first", "best")}


@overload
def align(
    judgments: Judgments,
    run: Run,
    *,
    tie_order: str = ...,
    duplicates: str = ...,
    depth: int | None = ...,
    float32: bool = ...,
    ascending: bool = ...,
    dense: Literal[False] = ...,
    threads: int | None = ...,
    progress: Callable[[int, int], None] | None = ...,
) -> Judged: ...
@overload
def align(
    judgments: Judgments,
    run: Run,
    *,
    tie_order: str = ...,
    duplicates: str = ...,
    depth: int | None = ...,
    float32: bool = ...,
    ascending: bool = ...,
    dense: Literal[True],
    threads: int | None = ...,
    progress: Callable[[int, int], None] | None = ...,
) -> Ranked: ...
def align(
    judgments: Judgments,
    run: Run,
    *,
    tie_order: str = "docid",
    duplicates: str = "error",
    depth: int | None = None,
    float32: bool = False,
    ascending: bool = False,
    dense: bool = False,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Judged | Ranked:
    """A run matched with judgments: `Judged`, or with `dense` every retrieved item as `Ranked`.

    `ascending`: lower scores are better. `float32`: scores are compared in single precision.
    """
    _check_choices(tie_order=tie_order, duplicates=duplicates)
    _check_count("depth", depth)
    _check_count("threads", threads)
    options = {
        "tie_order": tie_order,
        "duplicates": duplicates,
        "depth": depth or 0,
        "float32": float32,
        "ascending": ascending,
        "dense": dense,
        "threads": threads or available_processors(),
        "progress": progress,
    }
    columns = run.source.align(judgments.index, run.name, options)
    table = _table(columns)
    if not table.in_run.any():
        raise no_common_query(judgments, run, judgments.queries[:3], table.tally.extra_examples)
    return table


def _table(columns: dict[str, Any]) -> Judged | Ranked:
    from rankscope.data.ids import Ids

    tally = Tally(**{f.name: columns.pop(f.name) for f in fields(Tally)})
    if "dictionary_data" in columns:
        dictionary = Ids(columns.pop("dictionary_data"), columns.pop("dictionary_offsets"))
        return Ranked(**columns, dictionary=dictionary, tally=tally)
    return Judged(**columns, tally=tally)


def _check_choices(**choices: str) -> None:
    for option, given in choices.items():
        if given not in _CHOICES[option]:
            raise PolicyError(
                f"{option}={given} is not a choice",
                code="unknown-policy-value",
                expected=f"{option}= one of {', '.join(_CHOICES[option])}",
            )


def _check_count(option: str, given: int | None) -> None:
    if given is not None and given < 1:
        raise input_error("count", option=option, given=given)


def available_processors() -> int:
    """How many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not every system has it
        return os.cpu_count() or 1


def no_common_query(
    judgments: Judgments, run: Run, judged: Sequence[str], retrieved: Sequence[str]
) -> InputError:
    """The error of a run and judgments that do not belong together, with examples of both sides' ids."""
    return input_error(
        "no-common-query",
        source=run.name,
        judged=_quoted(judged),
        retrieved=_quoted(retrieved),
        name=judgments.name,
        there=judgments.there,
        kind=judgments.kind,
    )


def _quoted(ids: Sequence[str]) -> str:
    return ", ".join(f"'{text}'" for text in ids)
