"""Notes: everything that was dropped, merged, defaulted, tied or undefined, with its count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rankscope.align.tables import Judged
from rankscope.errors import printable

if TYPE_CHECKING:
    from rankscope.align.tables import Ranked
    from rankscope.data import Judgments
    from rankscope.measures import Measure
    from rankscope.measures.classed import Classed
    from rankscope.policy import Policy

__all__ = ["WORDS", "listed", "named", "notes_on", "on_classed", "on_short"]

EXAMPLES = 3


@dataclass(frozen=True)
class Words:
    """What is said of the queries and items of a truth; {} stands for query or queries."""

    ours: str
    theirs: str
    """Queries that only the run has."""
    wanted: str
    items: str
    known: str
    unknown: str


WORDS = {
    "judgments": Words(
        "judged {}", "unjudged {}", "judgments", "judged items", "has a judgment", "have no judgment"
    ),
    "order": Words(
        "{} of the order",
        "{} that the order lacks",
        "a true order",
        "items of the order",
        "is in the order",
        "are not in the order",
    ),
    "answer": Words(
        "{} of the other answer",
        "{} that the other answer lacks",
        "another answer",
        "items of the other answer",
        "is in the other answer",
        "are not in the other answer",
    ),
    "classes": Words(
        "{} with a class", "{} without a class", "a class", "labelled items", "has a label", "have no label"
    ),
}
"""By the kind of the truth."""

_MISSING = {
    "empty": "{each} counts as an empty ranking",
    "zero": "{each} counts as 0",
    "skip": "left out",
}

_UNJUDGED = {"irrelevant": "they count as not relevant", "drop": "left out"}

_UNRETRIEVED = {"last": "they come last, tied", "drop": "left out"}

_TIES = {
    "docid": "decides their order",
    "docid-asc": "decides their order",
    "given": "decides their order",
    "expected": "averages over their orders",
    "best": "takes the best of their orders",
    "worst": "takes the worst of their orders",
    "kept": "leaves it to each measure's definition",
}


def listed(
    kind: str, ids: Sequence[str], chosen: npt.NDArray[np.bool_] | None = None, count: int | None = None
) -> str:
    """How many queries of a kind, and a few of them: ``2 judged queries ('a', 'b')``.

    `kind` is a word before it, or has {} in its place, as in "{} with a class".
    """
    numbers = range(len(ids)) if chosen is None else np.flatnonzero(chosen).tolist()
    some = [ids[i] for i in numbers[:EXAMPLES]]
    total = len(numbers) if count is None else count
    pattern = kind if "{}" in kind else f"{kind} {{}}".strip()
    return named(some, pattern.format("query"), pattern.format("queries"), count=total)


def named(names: Sequence[str], one: str, many: str, count: int | None = None) -> str:
    """How many of something, and a few of them by name."""
    total = len(names) if count is None else count
    shown = [f"'{printable(name)}'" for name in names[:EXAMPLES]]
    more = ", ..." if total > len(shown) else ""
    return f"{total} {one if total == 1 else many} ({', '.join(shown)}{more})"


def notes_on(
    judgments: Judgments,
    chosen: npt.NDArray[np.bool_],
    table: Judged | Ranked,
    policy: Policy,
    measures: Sequence[Measure],
    undefined: Mapping[str, int],
    depth: int | None,
) -> tuple[str, ...]:
    """What a reader of the values should know."""
    return (
        *judgments.notes,
        *_on_queries(judgments, chosen, table, policy),
        *_on_ids(judgments, table),
        *_on_rows(judgments, chosen, table, policy, measures, depth),
        *_on_undefined(measures, policy, undefined),
    )


def _on_queries(
    judgments: Judgments, chosen: npt.NDArray[np.bool_], table: Judged | Ranked, policy: Policy
) -> Iterator[str]:
    words = WORDS[judgments.kind]
    if not chosen.all():
        whole = f"{len(judgments)} {words.ours.format('queries')}"
        yield f"only {int(chosen.sum())} of {whole} were chosen"
    missing = chosen & ~table.in_run
    if missing.any():
        each = "it" if np.count_nonzero(missing) == 1 else "each"
        outcome = _MISSING[policy.missing].format(each=each)
        yield f"the run lacks {listed(words.ours, judgments.queries, missing)}: {outcome}"
    tally = table.tally
    if tally.extra_queries:
        extra = listed(words.theirs, tally.extra_examples, count=tally.extra_queries)
        yield f"the run has {extra}: left out"


def _on_ids(judgments: Judgments, table: Judged | Ranked) -> Iterator[str]:
    for kind in ("queries", "items"):
        ours, theirs = (getattr(side, f"integer_{kind}") for side in (judgments, table.tally))
        if ours != theirs:
            sides = (judgments.kind, "run") if ours else ("run", judgments.kind)
            word = "query" if kind == "queries" else "item"
            yield f"{word} ids are whole numbers in the {sides[0]}, text in the {sides[1]}: compared as text"


def _on_rows(
    judgments: Judgments,
    chosen: npt.NDArray[np.bool_],
    table: Judged | Ranked,
    policy: Policy,
    measures: Sequence[Measure],
    depth: int | None,
) -> Iterator[str]:
    dropped = table.tally.dropped_duplicates
    if dropped:
        rows = "1 row" if dropped == 1 else f"{dropped} rows"
        yield f"{rows} with an item that its ranking has already: left out (duplicates={policy.duplicates})"
    tied = int(table.tied_rows[chosen].sum())
    if tied:
        whole = "" if depth is not None else f" of {int(table.retrieved[chosen].sum())}"
        yield f"{tied}{whole} retrieved items are tied: ties={policy.ties} {_TIES[policy.ties]}"
    if isinstance(table, Judged) and depth is None:
        yield from _on_unjudged(judgments, chosen, table, policy, measures)
        if any(m.product == "ordered" for m in measures):
            listed_items, found = (np.diff(side.offsets)[chosen] for side in (judgments, table))
            yield from _on_unretrieved(judgments.kind, listed_items, found, policy)
    if depth is not None:
        yield f"only the first {depth} items of each ranking count"


def _on_unjudged(
    judgments: Judgments,
    chosen: npt.NDArray[np.bool_],
    table: Judged,
    policy: Policy,
    measures: Sequence[Measure],
) -> Iterator[str]:
    words = WORDS[judgments.kind]
    retrieved, judged = (int(counts[chosen].sum()) for counts in (table.retrieved, np.diff(table.offsets)))
    if retrieved and not judged:
        yield f"no retrieved item {words.known}: do the run and the {judgments.kind} name their items alike?"
    elif judged < retrieved:
        ordered = [str(m) for m in measures if m.product == "ordered"]
        outcome = _UNJUDGED["drop" if len(ordered) == len(measures) else policy.unjudged]
        if ordered and outcome != _UNJUDGED["drop"]:
            outcome += f" ({', '.join(ordered)}: {_UNJUDGED['drop']})"
        yield f"{retrieved - judged} of {retrieved} retrieved items {words.unknown}: {outcome}"


def _on_unretrieved(
    kind: str, items: npt.NDArray[Any], found: npt.NDArray[Any], policy: Policy
) -> Iterator[str]:
    """A note on items of the truth that were not retrieved; how many there are and were found per query."""
    whole = int(items.sum())
    lacking = whole - int(found.sum())
    if lacking:
        outcome = _UNRETRIEVED[policy.unretrieved]
        for_whom = "for order and class measures " if kind == "judgments" else ""
        yield f"{lacking} of {whole} {WORDS[kind].items} were not retrieved: {for_whom}{outcome}"


def on_short(measure: str, k: int, judgments: Judgments, retrieved: npt.NDArray[Any]) -> Iterator[str]:
    """A note on queries that have fewer than k items to measure; without any there is no value."""
    short = (retrieved > 0) & (retrieved < k)
    if short.any():
        few, items = listed("", judgments.queries, short), WORDS[judgments.kind].items
        yield f"{measure}: fewer than {k} {items} were retrieved for {few}, and only those are measured"


def on_classed(chosen: npt.NDArray[np.bool_], classed: Classed, policy: Policy) -> Iterator[str]:
    """Notes on retrieved items without a class, and on items with one that were not retrieved."""
    found, lacking = (int(counts[chosen].sum()) for counts in (classed.retrieved, classed.unlabelled))
    if lacking and not found:
        yield "no retrieved item has a label: do the run and the labels name their items alike?"
    elif lacking:
        yield f"{lacking} of {found + lacking} retrieved items have no label: left out"
    labelled = np.full(np.count_nonzero(chosen), classed.classes.size)
    yield from _on_unretrieved("classes", labelled, classed.retrieved[chosen], policy)


def _on_undefined(measures: Sequence[Measure], policy: Policy, undefined: Mapping[str, int]) -> Iterator[str]:
    alike: dict[tuple[int, bool], list[str]] = {}
    for measure in measures:
        alike.setdefault((undefined[str(measure)], _becomes_zero(measure, policy)), []).append(str(measure))
    for (count, zero), names in alike.items():
        if count:
            verb, outcome = "is" if len(names) == 1 else "are", "counted as 0" if zero else "left out"
            yield f"{', '.join(names)} {verb} not defined for {count} {_queries(count)}: {outcome}"


def _becomes_zero(measure: Measure, policy: Policy) -> bool:
    return policy.undefined == "zero" or (policy.undefined == "measure" and measure.undefined == 0)


def _queries(count: int) -> str:
    return "query" if count == 1 else "queries"
