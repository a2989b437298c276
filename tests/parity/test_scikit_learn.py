"""The numbers of scikit-learn, where all items are both judged and scored, and of scipy's distributions."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import (
    average_precision_score,
    dcg_score,
    label_ranking_average_precision_score,
    ndcg_score,
)

from rankscope import evaluate, evaluate_scores

LINES, ITEMS = 120, 23


def arrays(seed: int, *, levels: int | None, grades: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """Grades and scores of all items; `levels` is how many different scores there are."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, grades, (LINES, ITEMS)) * (rng.random((LINES, ITEMS)) < 0.4)
    if levels is None:
        return truth, rng.permuted(np.tile(np.arange(ITEMS) - 7.5, (LINES, 1)), axis=1)
    return truth, rng.integers(0, levels, (LINES, ITEMS)) / 2


def values(truth: np.ndarray, scores: np.ndarray, measure: str, **options: str) -> np.ndarray:
    result = evaluate_scores(truth, scores, measure, **options)
    return np.array([next(iter(row.values())) for row in result.queries.values()])


@pytest.mark.parametrize("levels", [None, 1, 2, 6])
@pytest.mark.parametrize("k", [None, 1, 5, 50])
def test_dcg_and_ndcg_average_over_ties(levels: int | None, k: int | None) -> None:
    """scikit-learn averages over the orders of equal scores, which is ties=expected."""
    truth, scores = arrays(21, levels=levels)
    cut = "" if k is None else f"@{k}"
    ndcg = [ndcg_score(t[None], s[None], k=k) for t, s in zip(truth, scores, strict=True)]
    dcg = [dcg_score(t[None], s[None], k=k) for t, s in zip(truth, scores, strict=True)]
    assert values(truth, scores, f"nDCG{cut}", ties="expected") == pytest.approx(ndcg, rel=1e-12, abs=1e-12)
    assert values(truth, scores, f"DCG{cut}", ties="expected") == pytest.approx(dcg, rel=1e-12, abs=1e-12)


def test_the_base_of_the_logarithm() -> None:
    """Some systems discount by the natural logarithm: DCG is larger for it, nDCG the same."""
    truth, scores = arrays(22, levels=4)
    natural = [dcg_score(t[None], s[None], log_base=math.e) for t, s in zip(truth, scores, strict=True)]
    ours = values(truth, scores, f"DCG(base={math.e})", ties="expected")
    assert ours == pytest.approx(natural, rel=1e-12)
    with_base = values(truth, scores, f"nDCG(base={math.e})", ties="expected")
    assert with_base == pytest.approx(values(truth, scores, "nDCG", ties="expected"), rel=1e-12)


def test_average_precision_of_strict_orders() -> None:
    truth, scores = arrays(23, levels=None, grades=2)
    some = truth.any(axis=1)
    expected = [average_precision_score(t, s) for t, s in zip(truth[some], scores[some], strict=True)]
    assert values(truth[some], scores[some], "AP") == pytest.approx(expected, rel=1e-12)
    by_rows = label_ranking_average_precision_score(truth[some], scores[some])
    assert evaluate_scores(truth[some], scores[some], "AP")["AP"] == pytest.approx(by_rows, rel=1e-12)


def test_one_dimension_with_groups_is_the_same_as_two() -> None:
    truth, scores = arrays(24, levels=3)
    groups = np.repeat(np.arange(LINES), ITEMS)
    flat = evaluate_scores(truth.ravel(), scores.ravel(), "nDCG@5", groups=groups, ties="expected")
    # The items have other ids in the two, so sums over tied ones may end in another last bit.
    square = values(truth, scores, "nDCG@5", ties="expected")
    assert list(flat.queries) == [str(line) for line in range(LINES)]
    assert flat.run.values["nDCG@5"] == pytest.approx(square, rel=1e-12)


def test_scikit_learn_average_precision_takes_ties_as_one_block() -> None:
    """Its precision is looked at only after a whole group of ties, ours after each item of each order.

    One relevant item of two tied: 1/2 there; here the mean of 1 and 1/2 with ties=expected.
    """
    truth, scores = [1, 0], [0.5, 0.5]
    assert average_precision_score(truth, scores) == 0.5
    assert evaluate_scores(truth, scores, "AP", ties="expected")["AP"] == 0.75
    assert evaluate_scores(truth, scores, "AP", ties="best")["AP"] == 1.0
    assert evaluate_scores(truth, scores, "AP", ties="worst")["AP"] == 0.5


def test_scikit_learn_label_ranking_is_perfect_without_relevant_labels() -> None:
    """A row without a relevant label scores 1 in label_ranking_average_precision_score, and 0 in our AP.

    trec_eval says 0 as well; undefined=nan leaves the query out.
    """
    truth, scores = [[0, 0, 0]], [[0.1, 0.2, 0.3]]
    assert label_ranking_average_precision_score(truth, scores) == 1.0
    assert evaluate_scores(truth, scores, "AP")["AP"] == 0.0
    assert math.isnan(evaluate_scores(truth, scores, "AP", undefined="nan")["AP"])


def test_scikit_learn_says_zero_where_nothing_is_relevant() -> None:
    truth, scores = np.zeros((1, 3)), np.array([[0.1, 0.2, 0.3]])
    with warnings.catch_warnings(action="ignore"):
        assert average_precision_score(truth[0], scores[0]) == 0.0
    assert ndcg_score(truth, scores) == 0.0
    result = evaluate_scores(truth, scores, "AP, nDCG")
    assert (result["AP"], result["nDCG"]) == (0.0, 0.0)
    assert any("not defined for 1 query: counted as 0" in note for note in result.notes)


def test_scikit_learn_cannot_see_relevant_items_that_were_not_retrieved() -> None:
    """Its ideal ranking and its number of relevant items are those of the candidates it is given.

    One of two relevant items was retrieved, on rank 1: that is perfect there, 1/2 (AP) or 0.61 (nDCG) here.
    """
    retrieved_truth, retrieved_scores = [1, 0], [0.9, 0.1]
    assert average_precision_score(retrieved_truth, retrieved_scores) == 1.0
    assert ndcg_score([retrieved_truth], [retrieved_scores]) == 1.0
    judgments, run = {"q": {"a": 1, "x": 0, "missed": 1}}, {"q": {"a": 0.9, "x": 0.1}}
    result = evaluate(judgments, run, "AP, nDCG")
    assert result["AP"] == 0.5
    assert result["nDCG"] == pytest.approx(1 / (1 + 1 / math.log2(3)), rel=1e-12)


def test_scikit_learn_refuses_negative_grades_where_we_gain_nothing() -> None:
    """sklearn's nDCG once came to 396 on negatives and now refuses them; as in trec_eval they gain 0 here."""
    truth, scores = [[2, -1, 1]], [[0.1, 0.9, 0.5]]
    with pytest.raises(ValueError, match="negative"):
        ndcg_score(truth, scores)
    positive = ndcg_score([[2, 0, 1]], scores)
    assert evaluate_scores(truth, scores, "nDCG")["nDCG"] == pytest.approx(positive, rel=1e-12)


def test_scikit_learn_ndcg_refuses_a_single_document() -> None:
    with pytest.raises(ValueError, match="1"):
        ndcg_score([[1]], [[0.5]])
    assert evaluate_scores([[1]], [[0.5]], "nDCG")["nDCG"] == 1.0


@pytest.mark.parametrize(("items", "relevant", "k"), [(7, 1, 3), (40, 6, 10), (300, 2, 299), (5000, 70, 25)])
def test_one_large_tie_follows_the_hypergeometric_distribution(items: int, relevant: int, k: int) -> None:
    """All items tied: the first k are drawn without replacement, as are the misses before the first hit."""
    truth = np.zeros((1, items))
    truth[0, :relevant] = 1
    result = evaluate_scores(
        truth, np.ones((1, items)), f"Success@{k}, P@{k}, R@{k}, RR, RR@{k}, NumRelRet@{k}", ties="expected"
    )
    found = stats.hypergeom(items, relevant, k)
    # The number of misses drawn before the first hit.
    misses = np.arange(items - relevant + 1)
    chance = stats.nhypergeom(items, items - relevant, 1).pmf(misses)
    reciprocal = chance / (misses + 1)
    assert result[f"Success@{k}"] == pytest.approx(found.sf(0), rel=1e-10)
    assert result[f"P@{k}"] == pytest.approx(found.mean() / k, rel=1e-12)
    assert result[f"R@{k}"] == pytest.approx(found.mean() / relevant, rel=1e-12)
    assert result[f"NumRelRet@{k}"] == pytest.approx(found.mean(), rel=1e-12)
    assert result["RR"] == pytest.approx(reciprocal.sum(), rel=1e-8)
    assert result[f"RR@{k}"] == pytest.approx(reciprocal[:k].sum(), rel=1e-8)
