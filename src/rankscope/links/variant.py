"""Which of the documented forms of the rank metrics is computed, and how that is chosen."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from rankscope.errors import InputError, nearest

__all__ = ["CHOICES", "Variant"]

# choice -> value -> what it does.
CHOICES: dict[str, dict[str, str]] = {
    "denominator": {
        "retrieved": "AP is divided by the relevant items that the list has",
        "gold": "AP is divided by all relevant items of the query",
    },
    "mean_over": {
        "with_relevant": "MAP is the mean over the queries that have a relevant item",
        "all_queries": "MAP is the mean over all queries",
    },
    "lag": {
        "micro": "LAG is the mean over all relevant items that were ranked, whatever their query",
        "macro": "LAG is the mean over queries of the mean over the relevant items of each",
    },
    "ties": {
        "half": "equal relevances: a relevant and another item count as half a pair in the AUC",
        "order": "equal relevances: the item that is listed first wins in the AUC",
    },
    "duplicates": {
        "error": "an item twice in one list is an error",
        "allow": "an item twice in one list counts each time",
    },
    "compat": {
        "none": "lists may be of any length",
        "ardoco": "the numbers of ArDoCo's metrics, which refuses lists of unequal length",
    },
}

_OWN = {"lag": "micro", "ties": "half", "duplicates": "error"}
_ARDOCO = {
    "denominator": "retrieved",
    "mean_over": "with_relevant",
    "lag": "micro",
    "ties": "order",
    "duplicates": "allow",
}


@dataclass(frozen=True, kw_only=True)
class Variant:
    """A value for every choice.

    What is not chosen depends on the truth. With a truth for each query, AP is divided by the relevant items
    of the query, and MAP by the number of queries; with one set for all queries, which cannot tell whose its
    items are, by the relevant items in the list, and by the number of lists that have one.

    >>> str(Variant.of({}, per_query=False))
    'denominator=retrieved mean_over=with_relevant lag=micro ties=half duplicates=error compat=none'
    """

    denominator: str
    mean_over: str
    lag: str
    ties: str
    duplicates: str
    compat: str

    @classmethod
    def of(cls, given: dict[str, str | None], *, per_query: bool) -> Variant:
        """The variant with the given values; None, and what is not there, is as the truth asks."""
        chosen = {name: _checked(name, value) for name, value in given.items() if value is not None}
        if chosen.get("denominator") == "gold" and not per_query:
            raise InputError(
                "denominator=gold with one ground truth for all queries",
                code="no-gold",
                expected="a ground truth for each query, for one set does not tell how many items are whose",
                hint="a mapping of query to relevant items; on the command line a folder of files",
            )
        compat = chosen.get("compat", "none")
        by_truth = ("gold", "all_queries") if per_query else ("retrieved", "with_relevant")
        open_ones = (
            _ARDOCO
            if compat == "ardoco"
            else {
                **dict(zip(("denominator", "mean_over"), by_truth, strict=True)),
                **_OWN,
            }
        )
        return cls(**{**open_ones, "compat": compat, **chosen})

    def to_dict(self) -> dict[str, str]:
        return asdict(self)

    def __str__(self) -> str:
        return " ".join(f"{field.name}={getattr(self, field.name)}" for field in fields(self))


def _checked(name: str, value: Any) -> str:
    known = CHOICES[name]
    folded = value.casefold().replace("-", "_") if isinstance(value, str) else ""
    if folded in known:
        return folded
    close = nearest(str(value), known)
    raise InputError(
        f"{name}={value}",
        code="bad-value",
        expected=f"{name}= {' or '.join(known)}",
        hint=f"did you mean {' or '.join(close)}?" if close else "",
    )
