"""Every exact value for the similarity of answers in golden.json, to 1e-12; one without a handler fails."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rankscope import answers

GOLDEN = Path(__file__).parents[1] / "golden" / "golden.json"
CASES = {name: case for name, case in json.loads(GOLDEN.read_text()).items() if name.startswith("michel.")}

D0 = {"(1+R)/2": "shifted"}


def pair(function: Callable[..., float], *options: str) -> Callable[[dict[str, Any]], float]:
    """The function of the two answers, with these inputs as options; any other input is not understood."""

    def value(inputs: dict[str, Any]) -> float:
        given = dict(inputs)
        return function(
            given.pop("C"), given.pop("C2"), **{o: given.pop(o) for o in options if o in given}, **given
        )

    return value


def relevant_second(function: Callable[..., float]) -> Callable[[dict[str, Any]], float]:
    def value(inputs: dict[str, Any]) -> float:
        assert inputs["relevant"] == "C2"
        return function(inputs["C"], inputs["C2"])

    return value


HANDLERS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "cardinal_ratio": pair(answers.cardinal_ratio),
    "cardinal_share": pair(answers.cardinal_share),
    "jaccard": pair(answers.jaccard),
    "dice": pair(answers.dice),
    "cosine": pair(answers.cosine),
    "overlap": pair(answers.overlap),
    "recall": relevant_second(answers.recall),
    "precision": relevant_second(answers.precision),
    "tague_R": pair(answers.tague_r, "absent"),
    "S1o": lambda i: answers.s1o(i["C"], i["C2"], d0=D0[i["d0"]], nominal=i["nominal"]),
    "mean_alpha": pair(answers.mean_alpha, "alpha", "over"),
    "mean_mu": pair(answers.mean_mu, "mu", "over"),
    "S2o": pair(answers.s2o, "alpha", "over"),
    "S3o": pair(answers.s3o, "mu", "over"),
    "S4o": pair(answers.s4o, "alpha", "mu", "over"),
    "S5o": pair(answers.s5o, "alpha"),
    "S6o": pair(answers.s6o, "mu"),
    "S7o": pair(answers.s7o, "alpha", "mu"),
    "eq25_jaccard": pair(answers.sum_over_groups),
    "P_delta": pair(answers.pdelta, "nominal"),
    "phi": lambda i: answers.phi(i["i"], i["j"], i["m0"]),
    "phi_diagonal_sum": lambda i: sum(answers.phi(n, n, i["m0"]) for n in range(1, i["m0"] + 1)),
    "delta_constant_squared": lambda i: answers.constant_squared(i["m0"]),
    "class_ranks": lambda i: answers.class_ranks(i["class_sizes"], i["convention"]),
}


def test_there_are_cases() -> None:
    assert len(CASES) == 137


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_golden_value(case: dict[str, Any]) -> None:
    found = HANDLERS[case["measure"]](case["inputs"])
    exact = case["exact"]
    if isinstance(found, Fraction):
        assert found == Fraction(exact)
    elif isinstance(exact, str) and "sqrt" in exact:
        assert found == pytest.approx(case["value"], rel=1e-12, abs=0)
    else:
        wanted = [float(Fraction(e)) for e in exact] if isinstance(exact, list) else float(Fraction(exact))
        assert found == pytest.approx(wanted, rel=1e-12, abs=0)
