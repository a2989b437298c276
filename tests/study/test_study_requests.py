"""Requests that cannot be met are answered with what would work."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from study_support import collection

import rankscope
from rankscope import InputError, MeasureError
from rankscope.study import (
    ClassSizes,
    Mallows,
    Permutations,
    Rankings,
    Sampler,
    Swaps,
    agreement,
    correlation,
    power,
    sensitivity,
    stability,
    swap_rate,
)
from rankscope.study.listed import read_rankings

TRUTH, RUNS = collection(2, systems=3, queries=6)
RESULT = rankscope.evaluate(TRUTH, RUNS, "AP, RR")
ONE_RUN = rankscope.evaluate(TRUTH, RUNS["s0"], "AP, RR")


def study(measures: Any, **options: Any) -> Callable[[], Any]:
    return lambda: rankscope.study(measures, **options)


BAD: dict[str, tuple[Callable[[], Any], str, str]] = {
    "too many permutations": (
        study("ED, MD", over=11),
        "39,916,800 lists of 11 items are too many",
        "sample=100_000",
    ),
    "far too many": (study("ED, MD", over=500), "more than 10^1134 lists", "sample=100_000"),
    "too many labels": (study("AP, RR", over=ClassSizes(20, 20)), "137,846,528,820 lists", "fewer items"),
    "long lists": (study("AP, RR", over=ClassSizes(1, 20000)), "20,001 lists of 20001 items", "items in all"),
    "no list of all": (
        study("ED, MD", over=Sampler(3, lambda r, c: [[1, 2, 3]] * c)),
        "no list of them",
        "sample=",
    ),
    "one measure": (study("ED", over=4), "1 measure", "at least 2"),
    "twice the same": (study("ED, ED", over=4), "1 measure", "at least 2"),
    "no measure": (study(None, over=4), "0 measures", "at least 2"),
    "one measure of a result": (study("AP", over=RESULT), "1 measure", "at least 2"),
    "another truth": (study("AP, ED", over=4), "AP is measured against judgments", "--labels 3,5"),
    "answers": (study("RBO, ED", over=4), "RBO is measured against another answer", "rankscope.evaluate"),
    "a dense measure": (
        study("PooledAUC, AP", over=ClassSizes(1, 2)),
        "PooledAUC needs the items",
        "evaluate",
    ),
    "not in the result": (study("AP, P@3", over=RESULT), "P@3 is not in the result", "AP, RR"),
    "nothing to study": (study("ED, MD", over="8"), "something of type str", "Permutations"),
    "a flag": (study("ED, MD", over=True), "something of type bool", "Permutations"),
    "one item": (study("ED, MD", over=1), "n=1", "from 2 up"),
    "a fraction of an item": (lambda: Permutations(2.5), "n=2.5", "whole number"),
    "no sample": (study("ED, MD", over=4, sample=0), "sample=0", "from 2 up"),
    "a huge sample": (study("ED, MD", over=4, sample=10**9), "sample=1000000000", "up to 4000000"),
    "a sample of systems": (study(None, over=RESULT, sample=10), "sample=", "lists that can be drawn"),
    "confidence": (study("ED, MD", over=4, sample=10, confidence=1.0), "confidence=1.0", "between 0 and 1"),
    "seed": (study("ED, MD", over=4, seed=-1), "seed=-1", "from 0 up"),
    "threads": (study("ED, MD", over=4, threads=0), "threads=0", "from 1 up"),
    "by": (study(None, over=RESULT, by="topic"), "by='topic'", "query or mean"),
    "one run": (study(None, over=ONE_RUN), "1 run", "at least 2 runs"),
    "no swaps": (lambda: Swaps(4, 0), "swaps=0", "from 1 up"),
    "theta": (lambda: Mallows(4, math.nan), "theta=nan", "finite"),
    "theta is a word": (lambda: Mallows(4, "much"), "theta='much'", "a number"),  # type: ignore[arg-type]
    "one class": (lambda: ClassSizes(5), "one class alone", "at least two classes"),
    "an empty class": (lambda: ClassSizes(5, 0), "size of a class=0", "from 1 up"),
    "a negative grade": (lambda: ClassSizes({1: 2, -1: 3}), "grade=-1", "from 0 up"),
    "one ranking": (lambda: Rankings([[1, 2]]), "one ranking alone", "at least two"),
    "no ranking": (lambda: Rankings([]), "shape", "rows of equal length"),
    "ragged": (lambda: Rankings([[1, 2], [1, 2, 3]]), "differ in length", "rows of equal length"),
    "other labels": (lambda: Rankings([[1, 2], [1, 3]]), "number 2 has other labels", "the same items"),
    "fractions": (lambda: Rankings([[1, 2.5], [2.5, 1]]), "not a whole number", "labels"),
    "NaN labels": (lambda: Rankings([[1, math.nan], [1, 2]]), "not a whole number", "labels"),
    "words": (lambda: Rankings([["a", "b"], ["b", "a"]]), "not a whole number", "labels"),
    "negative labels": (lambda: Rankings([[1, -2], [-2, 1]]), "negative", "labels"),
    "too few weights": (lambda: Rankings([[1, 2], [2, 1]], [1]), "do not fit", "2 weights"),
    "weights of 0": (lambda: Rankings([[1, 2], [2, 1]], [0, 0]), "all 0", "from 0 up"),
    "NaN weights": (lambda: Rankings([[1, 2], [2, 1]], [1, math.nan]), "not finite", "from 0 up"),
    "what a sampler drew": (
        study("ED, MD", over=Sampler(3, lambda r, c: np.ones((c, 2))), sample=4),
        "the sampler drew an array of the shape (4, 2)",
        "(4, 3)",
    ),
    "no sampler": (lambda: Sampler(3, 7), "cannot be called", "function"),  # type: ignore[arg-type]
    "no result": (lambda: agreement({"q": 1}), "type dict", "rankscope.evaluate"),  # type: ignore[arg-type]
    "agreement of one run": (lambda: agreement(ONE_RUN), "1 run", "at least 2 runs"),
    "method": (lambda: correlation(RESULT, method="cosine"), "method='cosine'", "pearson"),
    "test": (lambda: power(RESULT, test="t"), "test='t'", "tukey"),
    "alpha": (lambda: power(RESULT, alpha=0), "alpha=0", "between 0 and 1"),
    "resamples": (lambda: power(RESULT, resamples=10), "resamples=10", "from 100 up"),
    "sizes": (lambda: swap_rate(RESULT, sizes=[2, 4]), "sizes up to 4", "none above 3"),
    "one size": (lambda: swap_rate(RESULT, sizes=2), "sizes=2", "a list"),  # type: ignore[arg-type]
    "no sizes": (lambda: swap_rate(RESULT, sizes=[]), "no sizes", "at least one"),
    "trials": (lambda: swap_rate(RESULT, trials=0), "trials=0", "from 1 up"),
    "shares": (lambda: stability(TRUTH, RUNS, "AP", shares=[1.5]), "share=1.5", "between 0 and 1"),
    "one share": (lambda: stability(TRUTH, RUNS, "AP", shares=0.5), "shares=0.5", "a list"),  # type: ignore[arg-type]
    "no shares": (lambda: stability(TRUTH, RUNS, "AP", shares=[]), "no shares", "such as 0.5"),
    "three systems": (lambda: sensitivity(RESULT), "3 systems", "s0, s1, s2"),
    "unknown system": (lambda: sensitivity(RESULT, ("s0", "x")), "no system x", "s0, s1, s2"),
    "names in one text": (lambda: sensitivity(RESULT, "s0,s1"), "systems='s0,s1'", "a list"),  # type: ignore[arg-type]
    "one system twice": (lambda: sensitivity(RESULT, ("s0", "s0")), "not two systems", "s0, s1, s2"),
    "a lacking measure": (
        lambda: sensitivity(RESULT, ("s0", "s1"), order=["AP"]),
        "lacks RR",
        "every measure",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_request(name: str) -> None:
    request, what, advice = BAD[name]
    with pytest.raises((InputError, MeasureError)) as caught:
        request()
    assert what in str(caught.value)
    assert advice in str(caught.value)


def test_rankings_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "lists.txt"
    path.write_text("# two lists\n3 2 1 : 4\n\n1,2,3\n")
    found = read_rankings(path)
    assert found.labels.tolist() == [[3, 2, 1], [1, 2, 3]]
    assert found.weights is not None
    assert found.weights.tolist() == [4, 1]
    assert found.weights.dtype.kind == "i"
    path.write_text("3 2 1:0.5\n1 2 3:.5\n")
    assert read_rankings(path).weights.tolist() == [0.5, 0.5]  # type: ignore[union-attr]
    path.write_text("3 2 1\n1 2 3\n")
    assert read_rankings(path).weights is None


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("3 2 1\n1 x 3\n", ":2", "not a whole number"),
        ("3 2 1\n1 2\n", ":2", "2 labels, where the first list has 3"),
        ("3 2 1 : much\n", ":1", "weight 'much'"),
        ("3 2 1 : -1\n", ":1", "weight '-1'"),
        ("3 2 1 : nan\n", ":1", "weight 'nan'"),
        ("# nothing\n", "lists.txt", "no ranking"),
        ("1 2 3 : \x1b[31m\n", ":1", r"\x1b"),
    ],
)
def test_bad_files_of_rankings(tmp_path: Path, text: str, where: str, what: str) -> None:
    path = tmp_path / "lists.txt"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_rankings(path)
    assert f"{where}: " in str(caught.value)
    assert what in str(caught.value)
