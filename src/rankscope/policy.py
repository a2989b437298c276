"""The choices that change numbers and belong to no measure: one place, printed with every result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Self

from rankscope.compat import BUNDLES, OWN, Bundle
from rankscope.errors import PolicyError, nearest

__all__ = ["CHOICES", "Policy"]

# policy -> value -> what it does. The first value of each is the default.
CHOICES: dict[str, dict[str, str]] = {
    "ties": {
        "docid": "equal scores: item id descending, as trec_eval",
        "docid-asc": "equal scores: item id ascending",
        "given": "equal scores: as listed",
        "expected": "exact mean over all orders of the tied items",
        "best": "best value that any order of the tied items can have",
        "worst": "worst value that any order of the tied items can have",
        "kept": "ties stay ties: what the measure's definition says of them (tau-b, midranks), else the mean",
    },
    "missing": {
        "empty": "a judged query that the run lacks counts as an empty ranking",
        "zero": "a judged query that the run lacks counts as 0",
        "skip": "a judged query that the run lacks is left out",
        "error": "a judged query that the run lacks is an error",
    },
    "extra": {
        "ignore": "a query of the run without judgments is left out, with a note",
        "error": "a query of the run without judgments is an error",
    },
    "undefined": {
        "measure": "a value that is not defined is as its measure says: 0 where trec_eval has it, else none",
        "nan": "a value that is not defined is none, and not in the mean",
        "zero": "a value that is not defined is 0",
        "skip": "a value that is not defined is left out",
        "error": "a value that is not defined is an error",
    },
    "duplicates": {
        "error": "an item twice in one ranking is an error",
        "first": "of an item twice in one ranking the first one listed counts",
        "best": "of an item twice in one ranking the one with the best score counts",
    },
    "unjudged": {
        "irrelevant": "an item without a judgment is not relevant",
        "drop": "an item without a judgment, or with a negative grade, leaves the ranking (condensed list)",
    },
    "unretrieved": {
        "last": "a judged item that is not retrieved comes after all others, tied (order and class measures)",
        "drop": "a judged item that is not retrieved is left out (order and class measures)",
    },
    "scores": {
        "float64": "scores are compared in double precision",
        "float32": "scores are compared in single precision: those it cannot tell apart are tied",
    },
    "compat": {bundle.name: bundle.meaning for bundle in BUNDLES.values()},
}

_ALIASES = {"average": "expected", "optimistic": "best", "pessimistic": "worst", "stable": "given"}


def _folded(value: str) -> str:
    return value.casefold().replace("_", "-")


_SPELLINGS = {
    name: {_folded(value): value for value in values} | (_ALIASES if name == "ties" else {})
    for name, values in CHOICES.items()
}


@dataclass(frozen=True, kw_only=True)
class Policy:
    """A value for every policy.

    >>> Policy(ties="expected").ties
    'expected'
    """

    ties: str = "docid"
    missing: str = "empty"
    extra: str = "ignore"
    undefined: str = "measure"
    duplicates: str = "error"
    unjudged: str = "irrelevant"
    unretrieved: str = "last"
    scores: str = "float64"
    compat: str = "none"

    def __post_init__(self) -> None:
        for field in fields(self):
            given = getattr(self, field.name)
            if isinstance(given, str):
                value = _SPELLINGS[field.name].get(_folded(given))
                if value is not None:
                    object.__setattr__(self, field.name, value)
                    continue
            raise _unknown_value(field.name, given)

    @classmethod
    def of(cls, choices: Mapping[str, Any]) -> Self:
        """A policy from keyword arguments; an unknown name is answered with the nearest ones.

        With `compat`, what the arguments do not name is as that system has it.

        >>> Policy.of({"compat": "trec_eval-9", "missing": "empty"}).to_dict()["scores"]
        'float32'
        """
        for name in choices:
            if name not in CHOICES:
                close = nearest(name, CHOICES)
                raise PolicyError(
                    f"there is no policy '{name}'",
                    code="unknown-policy",
                    expected=", ".join(CHOICES),
                    hint=f"did you mean {' or '.join(close)}?" if close else "",
                )
        own = cls(**choices)
        left_open = {n: v for n, v in own.bundle.policies.items() if n not in choices}
        return replace(own, **left_open) if left_open else own

    @property
    def bundle(self) -> Bundle:
        """What the system whose numbers are wanted does in its own way."""
        return BUNDLES[self.compat]

    @property
    def tie_order(self) -> str:
        """How align orders equal scores; the other tie policies are computed from its tie groups."""
        return self.ties if self.ties in ("docid", "docid-asc", "given") else "docid"

    @property
    def alignment(self) -> dict[str, Any]:
        """What align has to know of the policies."""
        return {
            "tie_order": self.tie_order,
            "duplicates": self.duplicates,
            "float32": self.scores == "float32",
        }

    @classmethod
    def among(cls, options: Mapping[str, Any]) -> Self:
        """The policy that is among the options of a call."""
        return cls.of({name: value for name, value in options.items() if name in CHOICES})

    def to_dict(self) -> dict[str, str]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __str__(self) -> str:
        """Every policy; the precision of scores and the bundle only where they were chosen."""
        shown = self.to_dict()
        compat, scores = shown.pop("compat"), shown.pop("scores")
        if scores != "float64":
            shown["scores"] = scores
        if compat != OWN.name:
            shown = {"compat": compat, **shown}
        return " ".join(f"{name}={value}" for name, value in shown.items())


def _unknown_value(name: str, given: object) -> PolicyError:
    known = CHOICES[name]
    close = nearest(str(given), [*known, *(_ALIASES if name == "ties" else ())])
    return PolicyError(
        f"{name}={given} is not a policy",
        code="unknown-policy-value",
        expected=f"{name}= one of {', '.join(known)}",
        hint=f"did you mean {' or '.join(close)}?" if close else "",
    )
