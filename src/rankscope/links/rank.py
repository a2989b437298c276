"""Rank metrics of traceability links: mean average precision, LAG, and the area under the ROC curve."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rankscope.align.pairs import count_wins
from rankscope.errors import InputError, printable
from rankscope.links.curve import AucTies, Roc, roc
from rankscope.links.frames import Cells, Columns
from rankscope.links.items import Key
from rankscope.links.lists import RankedList, lists_of
from rankscope.links.variant import Variant

__all__ = ["QueryRanks", "RankResult", "average_precision", "lag", "rank_lists"]


@dataclass(frozen=True)
class QueryRanks:
    """The metrics of one list."""

    query: str
    retrieved: int
    """How many items the list has."""
    found: int
    """How many of them are relevant."""
    relevant: int | None
    """How many items are relevant, ranked or not; None if the truth does not tell queries apart."""
    ap: float
    lag: float
    """NaN without a relevant item."""
    auc: float
    """NaN without relevances, or where the list has no relevant or no other item."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RankResult(Columns):
    """The rank metrics of many lists, and of each one."""

    map: float
    """Mean average precision; NaN where no query counts."""
    lag: float
    """NaN where no list has a relevant item."""
    auc: float | None
    """Over the items of all queries together; None without relevances, NaN without items of both kinds."""
    ground_truth_size: int
    variant: Variant
    queries: tuple[QueryRanks, ...] = ()
    roc: Roc | None = None
    """The curve over the items of all queries together."""
    notes: tuple[str, ...] = field(default=())

    def columns(self) -> dict[str, Cells]:
        """A row for each query."""
        numbers = {
            name: np.array([_or_nan(getattr(q, name)) for q in self.queries])
            for name in ("ap", "lag", "auc", "relevant")
        }
        counts = {name: np.array([getattr(q, name) for q in self.queries]) for name in ("retrieved", "found")}
        return {"query": [printable(q.query) for q in self.queries], **numbers, **counts}

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """Plain numbers under the keys of ArDoCo's metrics, then what it does not say; NaN is None.

        With compat=ardoco nothing but its keys.
        """
        shown: dict[str, Any] = {
            "map": _defined(self.map),
            "lag": _defined(self.lag),
            "auc": _defined(self.auc),
            "groundTruthSize": self.ground_truth_size,
        }
        if self.variant.compat != "ardoco":
            shown |= {"variant": self.variant.to_dict(), "notes": list(self.notes)}
        if per_query:
            shown["queries"] = [_query_dict(query) for query in self.queries]
        return shown


def rank_lists(
    ranked: Any,
    truth: Any,
    relevances: Any = None,
    *,
    lower_is_better: bool = False,
    denominator: str | None = None,
    mean_over: str | None = None,
    lag: str | None = None,
    ties: str | None = None,
    duplicates: str | None = None,
    compat: str | None = None,
    key: Key | None = None,
) -> RankResult:
    """Measure ranked lists against the items that are relevant.

    - `ranked`: lists of items, best first, or a mapping of query to such a list.
    - `truth`: one set of items for all lists, or a mapping of query to its relevant items.
    - `relevances`: the scores of the items, listed as they are; the ROC curve and its area need them.
      `lower_is_better`: they are distances. AP and LAG follow the lists, whatever the relevances.
    - `key`: gives an item of any type the name by which items are compared.

    The other choices are those of `Variant`, which the result names.

    >>> lists, relevances = [["A", "B", "C"], ["D", "A", "B"]], [[0.9, 0.8, 0.4], [0.7, 0.6, 0.5]]
    >>> result = rank_lists(lists, {"A", "B"}, relevances)
    >>> round(result.map, 4), result.lag, result.auc
    (0.7917, 0.5, 0.75)
    >>> rank_lists({"q": ["x", "a"]}, {"q": ["a", "b"]}).map
    0.25
    """
    chosen = {"denominator": denominator, "mean_over": mean_over, "lag": lag, "ties": ties}
    variant = Variant.of(
        {**chosen, "duplicates": duplicates, "compat": compat}, per_query=isinstance(truth, Mapping)
    )
    lists, size, notes = lists_of(ranked, truth, relevances, key, duplicates=variant.duplicates)
    if variant.compat == "ardoco":
        _check_equal_lengths(lists)
    auc_ties: AucTies = "order" if variant.ties == "order" else "half"
    curve = None if relevances is None else _pooled(lists, lower_is_better, auc_ties)
    return RankResult(
        map=_map(lists, variant),
        lag=_lag(lists, variant),
        auc=None if curve is None else _area(curve, variant),
        ground_truth_size=size,
        variant=variant,
        queries=tuple(
            _of_query(one, variant, area)
            for one, area in zip(lists, _areas(lists, lower_is_better, auc_ties), strict=True)
        ),
        roc=curve,
        notes=(*notes, *_notes(lists, variant, lower_is_better)),
    )


def average_precision(
    ranked: Sequence[Any],
    relevant: Iterable[Any],
    *,
    denominator: str = "gold",
    key: Key | None = None,
) -> float:
    """The mean of the precisions at the ranks of the relevant items of one list.

    They are divided by the number of all relevant items (denominator="gold"), or of those in the list
    ("retrieved"). 0 if the list has none.

    >>> average_precision(["x", "a", "y", "b"], {"a", "b", "missing"})
    0.3333333333333333
    >>> average_precision(["x", "a", "y", "b"], {"a", "b", "missing"}, denominator="retrieved")
    0.5
    """
    variant = Variant.of({"denominator": denominator}, per_query=True)
    [one], _, _ = lists_of({"1": ranked}, {"1": relevant}, None, key, duplicates="error")
    return _ap(one, variant)


def lag(ranked: Sequence[Any], relevant: Iterable[Any], *, key: Key | None = None) -> float:
    """How many items that are not relevant stand before a relevant one of the list, on average.

    >>> lag(["x", "a", "y", "b"], {"a", "b"})
    1.5
    """
    [one], _, _ = lists_of({"1": ranked}, {"1": relevant}, None, key, duplicates="error")
    return _mean(one.lags().tolist())


def _ap(one: RankedList, variant: Variant) -> float:
    whole = one.wanted if variant.denominator == "gold" else one.found
    return float(np.sum(one.precisions())) / whole if whole else 0.0


def _counts(one: RankedList, variant: Variant) -> bool:
    """Whether the query counts in MAP."""
    has_one = one.wanted if variant.denominator == "gold" else one.found
    return variant.mean_over == "all_queries" or bool(has_one)


def _map(lists: Sequence[RankedList], variant: Variant) -> float:
    return _mean([_ap(one, variant) for one in lists if _counts(one, variant)])


def _lag(lists: Sequence[RankedList], variant: Variant) -> float:
    each = [one.lags().tolist() for one in lists if one.found]
    if variant.lag == "macro":
        return _mean([_mean(lags) for lags in each])
    return _mean([value for lags in each for value in lags])


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan


def _pooled(lists: Sequence[RankedList], lower_is_better: bool, ties: AucTies) -> Roc:
    flags = np.concatenate([one.relevant for one in lists])
    scores = np.concatenate([one.relevances for one in lists if one.relevances is not None])
    return roc(flags, scores, lower_is_better=lower_is_better, ties=ties)


def _area(curve: Roc, variant: Variant) -> float:
    """The area; of no item at all ArDoCo takes that of the diagonal."""
    return 0.5 if variant.compat == "ardoco" and len(curve.tp) == 1 else curve.auc


def _areas(lists: Sequence[RankedList], lower_is_better: bool, ties: AucTies) -> list[float]:
    """The area under the ROC curve of each list by itself."""
    given = [one.relevances for one in lists if one.relevances is not None]
    if len(given) < len(lists):
        return [math.nan] * len(lists)
    scores = np.concatenate(given) * (-1.0 if lower_is_better else 1.0)
    if ties == "order":
        falling = np.argsort(-scores, kind="stable")
        scores[falling] = np.arange(len(scores), 0, -1)
    offsets = np.append(0, np.cumsum([len(one.items) for one in lists]))
    areas: list[float] = count_wins(
        scores, np.concatenate([one.relevant for one in lists]), offsets
    ).area.tolist()
    return areas


def _of_query(one: RankedList, variant: Variant, area: float) -> QueryRanks:
    return QueryRanks(
        query=one.query,
        retrieved=len(one.items),
        found=one.found,
        relevant=one.wanted,
        ap=_ap(one, variant),
        lag=_mean(one.lags().tolist()),
        auc=area,
    )


def _check_equal_lengths(lists: Sequence[RankedList]) -> None:
    other = next((one for one in lists if len(one.items) != len(lists[0].items)), None)
    if other is not None:
        raise InputError(
            f"query '{printable(lists[0].query)}' has {len(lists[0].items)} items, "
            f"query '{printable(other.query)}' has {len(other.items)}",
            code="unequal-lengths",
            expected="lists of equal length, as ArDoCo's metrics require",
            hint="compat=none measures lists of any length",
        )


def _notes(lists: Sequence[RankedList], variant: Variant, lower_is_better: bool) -> Iterator[str]:
    without = sum(not one.found for one in lists)
    if without:
        what = "1 list has" if without == 1 else f"{without} lists have"
        counts = sum(not one.found and _counts(one, variant) for one in lists)
        outcome = "AP is 0" if counts == without else "not in MAP" if not counts else f"AP is 0 for {counts}"
        yield f"{what} no relevant item: {outcome}, not in LAG"
    turned = sum(_is_unordered(one, lower_is_better) for one in lists)
    if turned:
        what = "1 list is" if turned == 1 else f"{turned} lists are"
        yield f"{what} not in the order of the relevances: MAP and LAG follow the list, AUC the relevances"
    again = sum(len(one.items) - len(set(one.items)) for one in lists)
    if again:
        what = "1 item is" if again == 1 else f"{again} items are"
        yield f"{what} in a list already: counted each time (duplicates={variant.duplicates})"


def _is_unordered(one: RankedList, lower_is_better: bool) -> bool:
    if one.relevances is None:
        return False
    steps = np.diff(one.relevances)
    return bool(np.any(steps < 0 if lower_is_better else steps > 0))


def _query_dict(query: QueryRanks) -> dict[str, Any]:
    return {
        "query": printable(query.query),
        "ap": query.ap,
        "lag": _defined(query.lag),
        "auc": _defined(query.auc),
        "retrieved": query.retrieved,
        "found": query.found,
        "relevant": query.relevant,
    }


def _or_nan(value: float | None) -> float:
    return math.nan if value is None else value


def _defined(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value
