"""What is shown of rankings by their relevances: RankDCG with its terms, beside DCG and nDCG."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rankscope.errors import printable
from rankscope.gains.dcg import dcg, dcg_ratio, ndcg
from rankscope.gains.positional import positional_average_precision, positional_precision
from rankscope.gains.rankdcg import rankdcg_scores, rankdcg_terms
from rankscope.gains.relevance import relevances_of

__all__ = ["PredictionReport", "RankingReport"]

Rows = list[Sequence[object]]


@dataclass(frozen=True)
class RankingReport:
    """Rankings of relevances or categories by name, best first."""

    rankings: Mapping[str, Sequence[Any]]
    relevance: Any = None
    """What gives each category its relevance; None if the rankings are relevances."""
    discount: str = "log"
    base: float = 2.0

    def rows(self) -> Rows:
        """A line for each ranking."""
        names = ("RankDCG", "sum", "lowest", "highest", "DCG", "nDCG", "lowest nDCG", "scaled nDCG")
        lines = [(printable(name), *self._values(name).values()) for name in self.rankings]
        return [("ranking", *names), *lines]

    def term_rows(self) -> Rows:
        """A line for each rank of each ranking: what RankDCG adds up there."""
        rows: Rows = [("ranking", "item", "rank", "relevance", "discount", "quotient")]
        for name, ranking in self.rankings.items():
            terms = rankdcg_terms(ranking, self.relevance)
            lines = zip(ranking, terms.relevances, terms.discounts, strict=True)
            rows += [
                (printable(name), printable(str(item)), rank, relevance, discount, relevance / discount)
                for rank, (item, relevance, discount) in enumerate(lines, 1)
            ]
        return rows

    def content(self) -> dict[str, Any]:
        """The same as plain data; None stands for what is not defined."""
        found = []
        for name, ranking in self.rankings.items():
            terms = rankdcg_terms(ranking, self.relevance)
            values = {key: _defined(value) for key, value in self._values(name).items()}
            lists = {"relevances": terms.relevances, "discounts": terms.discounts}
            found.append({"name": name, **values, **lists})
        return {"rankings": found}

    def _values(self, name: str) -> dict[str, float]:
        relevances = relevances_of(self.rankings[name], self.relevance)
        terms = rankdcg_terms(relevances)
        by: dict[str, Any] = {"discount": self.discount, "base": self.base}
        return {
            "rankdcg": terms.value,
            "sum": terms.total,
            "lowest": terms.lowest,
            "highest": terms.highest,
            "dcg": dcg(relevances, **by),
            "ndcg": ndcg(relevances, **by),
            "ndcg_lowest": ndcg(relevances, scale="lowest", **by),
            "ndcg_scaled": ndcg(relevances, scale="minmax", **by),
        }


@dataclass(frozen=True)
class PredictionReport:
    """Predicted relevances by name, of the same items in the same order as the reference."""

    reference: Sequence[float]
    predictions: Mapping[str, Sequence[float]]
    ties: str = "worst"
    discount: str = "log"
    base: float = 2.0

    @property
    def notes(self) -> list[str]:
        found = {name: self._ratio(name) for name in self.predictions}
        return [f"{printable(name)}: DCG ratio {ratio.note}" for name, ratio in found.items() if ratio.note]

    def rows(self) -> Rows:
        """A line for each prediction."""
        names = ("RankDCG", "DCG ratio", "positional P", "positional AP")
        lines = [(printable(name), *self._values(name).values()) for name in self.predictions]
        return [("prediction", *names), *lines]

    def content(self) -> dict[str, Any]:
        """The same as plain data; None stands for what is not defined."""
        found = [
            {"name": name, **{key: _defined(value) for key, value in self._values(name).items()}}
            for name in self.predictions
        ]
        return {"predictions": found, "ties": self.ties, "notes": self.notes}

    def _ratio(self, name: str) -> Any:
        return dcg_ratio(self.reference, self.predictions[name], discount=self.discount, base=self.base)

    def _values(self, name: str) -> dict[str, float]:
        both = self.reference, self.predictions[name]
        return {
            "rankdcg": rankdcg_scores(*both, ties=self.ties),
            "dcg_ratio": self._ratio(name).value,
            "positional_precision": positional_precision(*both),
            "positional_average_precision": positional_average_precision(*both),
        }


def _defined(value: float) -> float | None:
    return None if math.isnan(value) else value
