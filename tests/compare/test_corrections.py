"""Corrections beside statsmodels', and their order."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from rankscope.compare.corrections import CORRECTIONS, corrected

NAMES = {"holm": "holm", "bonferroni": "bonferroni", "bh": "fdr_bh", "by": "fdr_by"}
P_VALUES = st.lists(st.floats(0, 1) | st.sampled_from([0.0, 0.01, 0.05, 1.0]), min_size=1, max_size=40)


@pytest.mark.parametrize("ours", NAMES)
@given(p=P_VALUES)
def test_statsmodels(ours: str, p: list[float]) -> None:
    expected = multipletests(p, method=NAMES[ours])[1]
    assert corrected(p, ours) == pytest.approx(expected, rel=1e-12, abs=1e-300)


@given(P_VALUES)
def test_which_is_stronger(p: list[float]) -> None:
    found = {name: corrected(p, name) for name in CORRECTIONS}
    assert found["none"].tolist() == p
    slack = 1e-12
    for weaker, stronger in (("none", "bh"), ("bh", "by"), ("bh", "holm"), ("holm", "bonferroni")):
        assert (found[weaker] <= found[stronger] + slack).all()
    for values in found.values():
        assert (np.array(p) <= values + slack).all()
        assert (values <= 1).all()


@pytest.mark.parametrize("name", CORRECTIONS)
def test_what_is_not_defined_does_not_count(name: str) -> None:
    found = corrected([0.01, math.nan, 0.04], name)
    assert math.isnan(found[1])
    assert found[[0, 2]].tolist() == corrected([0.01, 0.04], name).tolist()
    assert np.isnan(corrected([math.nan], name)).all()
    assert len(corrected([], name)) == 0
