"""Every kind of finding: how bad it is, what is said of it, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from rankscope.checks.report import EXAMPLES, Example, Finding, Severity, counted
from rankscope.errors import RankscopeError

__all__ = ["CATALOGUE", "Kind", "finding", "refusal"]


@dataclass(frozen=True)
class Kind:
    """A kind of finding; `what` and `hint` have the names of facts in braces."""

    severity: Severity
    what: str
    hint: str = ""
    noun: tuple[str, str] = ("query", "queries")
    """What is counted, one and many: ``{counted}`` in the sentence."""


_ROWS = ("{unit}", "{unit}s")
_NUMBER_HINT = "write a decimal number such as 12, -0.5 or 3.1e-4, or remove the row"
_FINITE_HINT = "remove the row, or give a finite number: NaN and infinity have no place in a ranking"
_TOGETHER = "check that the judgments and the run belong together"

CATALOGUE: Mapping[str, Kind] = {
    # One input: its rows.
    "no-rows": Kind("problem", "there is no usable row in it", "give a file with at least one row"),
    "columns": Kind(
        "problem",
        "{counted} without the {columns} columns {layout}",
        "complete or remove them; an id must not contain white space",
        _ROWS,
    ),
    "line-too-long": Kind(
        "problem", "{counted} of more than {limit} bytes", "give a text file with one row per line", _ROWS
    ),
    "number": Kind("problem", "{counted} in which the {field} is not a number", _NUMBER_HINT, _ROWS),
    "not-finite": Kind("problem", "{counted} in which the {field} is NaN or infinite", _FINITE_HINT, _ROWS),
    "overflow": Kind(
        "problem", "{counted} in which the {field} is too large for a 64-bit float", _NUMBER_HINT, _ROWS
    ),
    "grade-too-large": Kind(
        "problem", "{counted} in which the grade is beyond 2^53", "use smaller grades", _ROWS
    ),
    "rank": Kind(
        "problem",
        "{counted} in which the rank is not a whole number from 1 up",
        "number the items of each query 1, 2, 3, ...",
        _ROWS,
    ),
    "value-type": Kind("problem", "{counted} in which the {field} is not a number", _NUMBER_HINT, _ROWS),
    "id-type": Kind(
        "problem",
        "{counted} with an id that is neither text nor a whole number",
        "convert ids to text",
        _ROWS,
    ),
    "null": Kind("problem", "{counted} in which something is missing (null)", "fill or remove them", _ROWS),
    "ranking-type": Kind(
        "problem",
        "{counted} whose ranking cannot be read",
        "give a mapping of item to score, or a list of items, best first",
    ),
    "judged-items-type": Kind(
        "problem",
        "{counted} whose judged items cannot be read",
        "give a mapping of item to grade, or a set or list of relevant items",
    ),
    "duplicate-item": Kind(
        "problem",
        "{counted} with an item that its ranking has already",
        "remove them, or evaluate with duplicates=first or duplicates=best",
        _ROWS,
    ),
    "conflicting-grades": Kind(
        "problem",
        "{counted} with another grade for an item than before",
        "keep one grade for each item",
        _ROWS,
    ),
    "repeated-judgments": Kind(
        "remark", "{counted} with a judgment that was given before: merged", "remove them", _ROWS
    ),
    "rank-number": Kind(
        "warning",
        "{counted} in which the rank is not a number",
        "nothing if the scores are right: they alone decide the order",
        _ROWS,
    ),
    "rank-order": Kind(
        "warning",
        "{counted} with a better score than the item ranked just before it",
        "find out which of the two is right: the scores alone decide the order here",
        _ROWS,
    ),
    "reversed-scores": Kind(
        "warning",
        "{counted} with a better score than the item ranked just before it: nearly all of them",
        "evaluate with lower_is_better (--lower-is-better) if the scores are distances",
        _ROWS,
    ),
    "own-id": Kind(
        "warning",
        "{counted} with an item of the query's own id",
        "remove them where queries are items too (as in BEIR's ArguAna and Quora): a query finds itself",
    ),
    "short-rankings": Kind("remark", "{counted} with fewer than the {depth} items that others have"),
    # A run beside the judgments.
    "no-common-query": Kind("problem", "no query in common with the judgments", _TOGETHER),
    "missing-queries": Kind(
        "warning",
        "{counted} judged, but not in the run",
        "nothing if the system found nothing: each counts as an empty ranking (missing=skip leaves them out)",
    ),
    "extra-queries": Kind("remark", "{counted} in the run, but not judged: left out"),
    "alike-queries": Kind(
        "problem",
        "{counted} judged and not in the run, which has a look-alike ({difference})",
        "write the ids of queries in one way",
    ),
    "no-judged-item": Kind(
        "problem",
        "no judged item (of {items}) is retrieved for its query",
        f"{_TOGETHER}, and look at the ids of items",
    ),
    "alike-items": Kind(
        "warning",
        "{counted} judged but never retrieved (of {items} such) with a look-alike that is ({difference})",
        "write the ids of items in one way",
        ("item", "items"),
    ),
    "ties": Kind(
        "remark",
        "{counted} of {items} with the score of another ({share:.1%}): nDCG@10 is {expected:.4f} expected, "
        "{best:.4f} at best, {worst:.4f} at worst",
        "evaluate with ties=expected, or write scores with more digits",
        ("item", "items"),
    ),
    "unjudged": Kind(
        "remark",
        "{at_10:.1%} of the first 10 items and {at_100:.1%} of the first 100 have no judgment",
        "look at the values with unjudged=drop as well, before you compare systems",
    ),
    "different-depths": Kind(
        "warning",
        "the runs are cut at different depths: {depths}",
        "evaluate with depth={least}, or with measures that look no deeper",
        ("run", "runs"),
    ),
}


def finding(
    code: str,
    source: str,
    count: int,
    examples: Iterable[Example] = (),
    *,
    unit: str = "line",
    severity: Severity | None = None,
    **facts: Any,
) -> Finding:
    """The finding of a kind, in words."""
    kind = CATALOGUE[code]
    one, many = (noun.format(unit=unit) for noun in kind.noun)
    words = {"counted": counted(count, one, many), **facts}
    return Finding(
        code=code,
        severity=severity or kind.severity,
        source=source,
        count=count,
        what=kind.what.format(**words),
        examples=tuple(islice(examples, EXAMPLES)),
        hint=kind.hint.format(**words),
        unit=unit,
        facts=facts,
    )


def refusal(error: RankscopeError, source: str) -> Finding:
    """The finding that an input is refused by its reader, in the words of the reader."""
    what = f"{error.what}; expected {error.expected}" if error.expected else error.what
    where = [Example(error.where)] if error.where and error.where != source else []
    return Finding(
        code=error.code,
        severity="problem",
        source=source,
        count=1,
        what=what,
        examples=tuple(where),
        hint=error.hint,
    )
