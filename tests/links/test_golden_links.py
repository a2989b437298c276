"""Every exact value of the metrics of traceability links, computed by hand in fractions."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rankscope.links import (
    Confusion,
    average_classifications,
    average_precision,
    average_ranks,
    classify,
    f_measure,
    rank_lists,
)

GOLDEN = json.loads((Path(__file__).parent.parent / "golden" / "golden.json").read_text())
CASES = {name: case for name, case in GOLDEN.items() if name.startswith("ardoco.")}
DENOMINATORS = {"all_queries": "all_queries", None: "with_relevant"}


def counts(given: dict[str, int]) -> Confusion:
    return Confusion(given.get("tp", 0), given.get("fp", 0), given.get("fn", 0), given.get("tn"))


def ranked(given: dict[str, Any], **choices: str) -> Any:
    return rank_lists(
        given["ranked_results"],
        given["ground_truth"],
        given["ranked_relevances"],
        lower_is_better=not given["bigger_is_more_similar"],
        duplicates="allow",
        **choices,
    )


def classification(given: dict[str, Any]) -> dict[str, float | None]:
    found = classify(given["classification"], given["ground_truth"], total=given["confusion_matrix_sum"])
    names = ("precision", "recall", "f1", "accuracy", "specificity", "phi", "phi_max", "phi_over_phi_max")
    return {name: getattr(found.confusion, name) for name in names}


def classification_aggregate(given: dict[str, Any]) -> dict[str, float | None]:
    results = [classify(one["classification"], one["groundTruth"]) for one in given["requests"]]
    _, weighted, micro = average_classifications(results)
    if given["type"] == "micro":
        return micro.values
    assert list(weighted.weights or ()) == given["weights"]
    return weighted.values


def rank_aggregate(given: dict[str, Any]) -> dict[str, float | None]:
    results = [ranked(CASES[f"ardoco.rank.{name}.map"]["inputs"]) for name in given["requests"]]
    return average_ranks(results, given["weights"])[1].values


def undivided_auc(given: dict[str, Any]) -> float:
    """What ArDoCo prints: our mean times the sum of the weights that it forgets."""
    auc = rank_aggregate(given)["auc"]
    assert auc is not None
    return auc * sum(given["weights"])


HANDLERS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "precision": lambda given: counts(given).precision,
    "recall": lambda given: counts(given).recall,
    "f1_from_pr": lambda given: f_measure(given["precision"], given["recall"]),
    "accuracy": lambda given: counts(given).accuracy,
    "specificity": lambda given: counts(given).specificity,
    "phi": lambda given: counts(given).phi,
    "phi_max": lambda given: counts(given).phi_max,
    "phi_over_phi_max": lambda given: counts(given).phi_over_phi_max,
    "classification": classification,
    "classification_aggregate": classification_aggregate,
    "map": lambda given: ranked(given, mean_over=DENOMINATORS[given.get("denominator")]).map,
    "lag": lambda given: ranked(given, lag=given["average"]).lag,
    "auc": lambda given: ranked(given, ties=given["ties"]).auc,
    "average_precision": lambda given: average_precision(
        given["ranked"], given["ground_truth"], denominator=given["denominator"]
    ),
    "rank_aggregate": rank_aggregate,
    "rank_aggregate_auc_undivided": undivided_auc,
}


def assert_equal(found: Any, case: dict[str, Any], exact: Any, value: Any) -> None:
    if isinstance(value, dict):
        for name, part in value.items():
            assert_equal(found[name], case, exact[name], part)
    elif case.get("nan"):
        assert math.isnan(found)
    else:
        wanted = float(Fraction(exact)) if exact is not None and "sqrt" not in exact else value
        assert found == pytest.approx(wanted, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_golden_value(case: dict[str, Any]) -> None:
    """A case of a kind that has no handler fails."""
    found = HANDLERS[case["measure"]](case["inputs"])
    assert_equal(found, case, case["exact"], case["value"])


def test_every_handler_is_used() -> None:
    assert {case["measure"] for case in CASES.values()} == set(HANDLERS)
    assert len(CASES) > 60


@pytest.mark.parametrize("name", ["doc_example", "doc_relevance_example", "doc_rest_second"])
def test_the_documented_examples_under_compat(name: str) -> None:
    """MAP, LAG and AUC of ArDoCo's documented requests: 1, 0, 1; 19/24, 1/2, 3/4; 2/3, 2/3, 5/9."""
    wanted = {
        "doc_example": (1, 0, 1),
        "doc_relevance_example": (19 / 24, 1 / 2, 3 / 4),
        "doc_rest_second": (2 / 3, 2 / 3, 5 / 9),
    }[name]
    given = next(case["inputs"] for key, case in CASES.items() if key.startswith(f"ardoco.rank.{name}."))
    found = rank_lists(
        given["ranked_results"],
        given["ground_truth"],
        given["ranked_relevances"],
        lower_is_better=not given["bigger_is_more_similar"],
        compat="ardoco",
    )
    assert (found.map, found.lag, found.auc) == pytest.approx(wanted, rel=1e-12)
