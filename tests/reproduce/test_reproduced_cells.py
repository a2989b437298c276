"""Verdicts: what counts as equal to rounding, and what else there is."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from reproduce_support import cells_of, reproduced

from rankscope.errors import InputError
from rankscope.reproduce import SOURCES, VERDICTS, reproduce
from rankscope.reproduce.cells import agrees, claim, figure, uncomputed

NUMBERS = st.floats(-1000, 1000, allow_nan=False)


@given(NUMBERS, st.integers(1, 6))
def test_a_number_agrees_with_its_own_rounding(number: float, decimals: int) -> None:
    assert agrees(number, f"{number:.{decimals}f}")


@given(NUMBERS, st.integers(1, 6), st.floats(0.51, 1000))
def test_a_number_beyond_half_a_unit_does_not(number: float, decimals: int, units: float) -> None:
    printed = f"{number:.{decimals}f}"
    other = float(printed) + units * 10.0**-decimals
    assume(abs(other - float(printed)) > 0.505 * 10.0**-decimals)
    assert not agrees(other, printed)


@pytest.mark.parametrize(
    ("number", "printed", "expected"),
    [
        (8.644e-4, "8.64e-4", True),
        (8.646e-4, "8.64e-4", False),
        (1.6, "2", False),  # whole numbers are counts, not rounded
        (2.0, "2", True),
        (31 / 52, "31/52", True),
        (0.5962, "31/52", False),
        (0.125, "0.12", True),  # just between two numbers
        (0.125, "0.13", True),
        (math.nan, "0.5", False),
    ],
)
def test_agreement(number: float, printed: str, expected: bool) -> None:
    assert agrees(number, printed) is expected


def test_the_verdict_of_a_figure() -> None:
    assert figure(0.5).verdict == "not printed"
    assert figure(0.5, "0.5", otherwise="never asked").reason == ""
    assert figure(0.5, "0.6", otherwise="a slip").verdict == "different"
    assert figure(0.5, "0.6", lost="no way").verdict == "not recoverable"
    assert figure(0.5, lost="unreadable").verdict == "not recoverable"
    assert claim(False, "rises", "falls", otherwise="a slip").verdict == "different"
    assert uncomputed("0.5", "pip install it").verdict == "not computed"


@pytest.mark.parametrize("name", SOURCES)
def test_every_cell_that_is_not_equal_says_why(name: str) -> None:
    for cell in cells_of(reproduced(name)):
        assert cell.verdict in VERDICTS
        assert bool(cell.reason) == (cell.verdict not in ("equal", "not printed"))
        assert cell.value is not None or cell.said


@pytest.mark.parametrize("name", SOURCES)
def test_tables_are_whole(name: str) -> None:
    found = reproduced(name)
    assert found.citation
    assert len({experiment.name for experiment in found.experiments}) == len(found.experiments)
    for experiment in found.experiments:
        assert experiment.rows
        for row in experiment.rows:
            assert len(row.labels) == len(experiment.labels)
            assert len(row.cells) == len(experiment.columns)
            assert {cell.printed for cell in row.cells if cell.printed} <= {row.printed}


@pytest.mark.parametrize(
    ("names", "options", "message"),
    [
        (["clasi"], {}, "did you mean classi"),
        (["huang"], {}, "huang-ling"),
        (["classi"], {"seed": -1}, "seed= a whole number from 0 to"),
        (["classi"], {"repetitions": 1}, "repetitions= a whole number from 2 to"),
        (["classi"], {"repetitions": 2.5}, "repetitions= a whole number from 2 to"),
        (["classi"], {"seed": 2**32}, "seed= a whole number from 0 to"),
        (["classi"], {"seed": True}, "seed= a whole number from 0 to"),
    ],
)
def test_bad_requests(names: list[str], options: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        reproduce(*names, **options)
