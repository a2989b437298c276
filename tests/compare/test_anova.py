"""Analysis of variance and Tukey HSD: a textbook's table, statsmodels, and the t-test for two runs."""

from __future__ import annotations

import numpy as np
import pytest
from compare_support import panel_of
from scipy import stats

from rankscope.compare.anova import hsd_p, two_way

# D. C. Montgomery, Design and Analysis of Experiments, 8th edition, Wiley 2013, chapter 4.1, the vascular
# graft experiment: four extrusion pressures (here runs) on six batches of resin (here queries).
GRAFTS = [
    [90.3, 89.2, 98.2, 93.9, 87.4, 97.9],
    [92.5, 89.5, 90.6, 94.7, 87.0, 95.8],
    [85.5, 90.8, 89.6, 86.2, 88.0, 93.4],
    [82.5, 89.5, 85.6, 87.4, 78.9, 90.7],
]


def test_the_textbooks_table() -> None:
    """Its analysis of variance, as printed: two decimals of the squares and of F, four of p."""
    runs, queries, error = two_way(np.array(GRAFTS)).rows
    assert [round(row.squares, 2) for row in (runs, queries, error)] == [178.17, 192.25, 109.89]
    assert [row.freedom for row in (runs, queries, error)] == [3, 5, 15]
    assert [round(row.mean_square, 2) for row in (runs, queries, error)] == [59.39, 38.45, 7.33]
    assert (round(runs.f, 2), round(runs.p, 4)) == (8.11, 0.0019)


def test_tukey_by_the_table_of_the_studentized_range() -> None:
    """q(0.05; 4, 15) is 4.08 in every table of it: a gap of that many standard errors has p 0.05."""
    values = np.array(GRAFTS)
    p, analysis = hsd_p(panel_of(values))
    width = np.sqrt(analysis.error.mean_square / 6)
    gaps = [abs(values[a].mean() - values[b].mean()) for a, b in panel_of(values).pairs]
    assert (
        [gap > 4.08 * width for gap in gaps]
        == (p < 0.05).tolist()
        == [False, False, True, False, True, False]
    )
    assert stats.studentized_range.sf(4.085, 4, 15) < 0.05 < stats.studentized_range.sf(4.075, 4, 15)


def test_tukey_is_that_of_statsmodels() -> None:
    """Its own distribution of the studentized range, which is good to a few decimals where p is small."""
    from statsmodels.stats.libqsturng import psturng

    values = np.random.default_rng(5).random((5, 12)) + np.arange(5)[:, None] / 6
    panel = panel_of(values)
    p, analysis = hsd_p(panel)
    width = np.sqrt(analysis.error.mean_square / 12)
    gaps = np.array([abs(values[a].mean() - values[b].mean()) for a, b in panel.pairs])
    expected = [float(np.ravel(psturng(gap / width, 5, 44))[0]) for gap in gaps]
    small = [place for place, chance in enumerate(expected) if chance < 0.3]
    assert len(small) > 4
    assert p[small].tolist() == pytest.approx([expected[place] for place in small], abs=2e-3)


@pytest.mark.parametrize("size", [3, 10, 33])
def test_two_runs_are_the_t_test(size: int) -> None:
    values = np.random.default_rng(size).random((2, size))
    p, analysis = hsd_p(panel_of(values))
    expected = stats.ttest_rel(*values)
    assert analysis.rows[0].f == pytest.approx(expected.statistic**2, rel=1e-10)
    assert analysis.rows[0].p == pytest.approx(expected.pvalue, rel=1e-10)
    assert p[0] == pytest.approx(expected.pvalue, rel=1e-4)


def test_squares_add_up() -> None:
    values = np.random.default_rng(6).normal(10, 3, (4, 9))
    parts = two_way(values).rows
    assert sum(row.squares for row in parts) == pytest.approx(
        np.sum((values - values.mean()) ** 2), rel=1e-12
    )
    assert sum(row.freedom for row in parts) == values.size - 1


def test_no_error_to_compare_with() -> None:
    identical, _ = hsd_p(panel_of([[0.1, 0.5, 0.3]] * 3))
    assert identical.tolist() == [1.0] * 3
    shifted, _ = hsd_p(panel_of([[0.25, 0.5], [0.5, 0.75]]))
    assert shifted.tolist() == [0.0]
    one_query, analysis = hsd_p(panel_of([[0.1], [0.2]]))
    assert np.isnan(one_query).all()
    assert analysis.to_dict()[0]["p"] is None
