"""The spellings of other tools that are more than another name: one table for each pattern.

Plain other names (``map``, ``recip_rank``, ``hit_rate``) are aliases in the measures' own files.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rankscope.errors import MeasureError

if TYPE_CHECKING:
    from rankscope.measures.grammar import Written

__all__ = ["translate"]

# trec_eval writes the cutoff into the name: after "_" in its output, after "." on its command line.
WITH_CUTOFF = {"p": "P", "recall": "R", "success": "Success", "map_cut": "AP", "ndcg_cut": "nDCG"}

# A measure of another tool that is one of ours with other parameters (ranx).
WITH_PARAMETERS = {"ndcg_burges": ("nDCG", {"gain": "exp"}), "dcg_burges": ("DCG", {"gain": "exp"})}

# (measure, parameter, value) of ir_measures -> ours.
RENAMED_VALUES = {
    ("dcg", "log2"): ("gain", "linear"),
    ("dcg", "exp-log2"): ("gain", "exp"),
}
GAINED = ("ndcg", "dcg")
# What ranx calls the relevance level is for these the lowest grade that gains.
FLOORED = (*GAINED, *WITH_PARAMETERS)


def translate(written: Written) -> Written:
    """The same measure in our own spelling; what is already ours comes back as it is."""
    for rule in RULES:
        written = rule(written)
    return written


def _relevance_level(written: Written) -> Written:
    """ranx: ``precision@5-l2`` and ``precision-l2``."""
    tail = written.cutoff or written.name
    head, mark, level = tail.rpartition("-l")
    if not (mark and head and _is_digits(level)):
        return written
    kept = replace(written, cutoff=head) if written.cutoff else replace(written, name=head)
    name = "floor" if kept.name.casefold() in FLOORED else "rel"
    return replace(kept, arguments={**written.arguments, name: int(level)})


def _persistence(written: Written) -> Written:
    """ranx: ``rbp.95`` and ``rbp@.95``, where the digits are decimals."""
    name, cutoff = written.name.casefold(), written.cutoff or ""
    if name.startswith("rbp.") and _is_digits(name[4:]):
        return replace(written, name="RBP", arguments={**written.arguments, "p": float(f"0.{name[4:]}")})
    if name == "rbp" and cutoff.lstrip("0").startswith(".") and _is_digits(cutoff.lstrip("0")[1:]):
        return replace(written, arguments={**written.arguments, "p": float(cutoff)}, cutoff=None)
    return written


def _cutoff_in_name(written: Written) -> Written:
    for mark in "_.":
        head, _, digits = written.name.rpartition(mark)
        ours = WITH_CUTOFF.get(head.casefold())
        if ours and _is_digits(digits) and written.cutoff is None:
            return replace(written, name=ours, cutoff=digits)
    return written


def _preset(written: Written) -> Written:
    ours = WITH_PARAMETERS.get(written.name.casefold())
    return replace(written, name=ours[0], arguments={**ours[1], **written.arguments}) if ours else written


def _discount(written: Written) -> Written:
    if written.name.casefold() not in GAINED:
        return written
    arguments = [
        RENAMED_VALUES.get((key, value.casefold() if isinstance(value, str) else ""), (key, value))
        for key, value in written.arguments.items()
    ]
    return replace(written, arguments=dict(arguments))


def _relevant_retrieved(written: Written) -> Written:
    """ir_measures: ``NumRet(rel=1)`` counts the relevant ones only."""
    is_ours = written.name.casefold() != "numret" or "rel" not in written.arguments
    return written if is_ours else replace(written, name="NumRelRet")


def _judged_only(written: Written) -> Written:
    if "judged_only" not in written.arguments:
        return written
    raise MeasureError(
        f"{written.name}: judged_only is not a parameter",
        code="unknown-parameter",
        expected="the policy unjudged=drop, which holds for all measures of a call",
        hint=f"{written.name} with unjudged='drop' (--unjudged drop on the command line)",
    )


def _is_digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


RULES = (
    _relevance_level,
    _persistence,
    _cutoff_in_name,
    _preset,
    _discount,
    _relevant_retrieved,
    _judged_only,
)
