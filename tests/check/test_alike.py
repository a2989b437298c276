"""Ids that look alike: which pairs are found, how they differ, and which are left alone."""

from __future__ import annotations

import pytest

from rankscope.checks.alike import look_alikes


def found(ours: list[str], theirs: list[str]) -> list[tuple[str, str, str]]:
    pairs = look_alikes([text.encode() for text in ours], [text.encode() for text in theirs])
    return [(pair.ours, pair.theirs, pair.difference) for pair in pairs]


@pytest.mark.parametrize(
    ("ours", "theirs", "difference"),
    [
        ("Q7", "q7", "case"),
        ("7", "007", "leading zeros"),
        ("q-007-x", "q-7-x", "leading zeros"),
        ("q7", "q7\u00a0", "white space"),
        ("\ufeffq7", "q7", "white space"),
        (" Q07", "q7", "white space and case and leading zeros"),
        ("STRASSE", "straße", "case"),
    ],
)
def test_spelling(ours: str, theirs: str, difference: str) -> None:
    assert found([ours, "other"], ["another", theirs]) == [(ours, theirs, difference)]


@pytest.mark.parametrize(
    ("affix", "difference"),
    [("{}.0", "suffix '.0'"), ("topic-{}", "prefix 'topic-'"), ("{}.txt", "suffix '.txt'")],
)
def test_an_affix_that_one_side_has(affix: str, difference: str) -> None:
    plain = [str(n) for n in range(101, 120)]
    longer = [affix.format(text) for text in plain]
    pairs = list(zip(longer, plain, strict=True))
    assert found(longer, plain) == [(one, other, difference) for one, other in pairs]
    assert found(plain, longer) == [(other, one, difference) for one, other in pairs]


def test_a_few_odd_ids_do_not_hide_the_affix() -> None:
    plain = [str(n) for n in range(100, 140)]
    assert len(found([*(f"q{text}" for text in plain), "zzz"], plain)) == 40


def test_numbers_are_not_cut() -> None:
    assert found([str(n) for n in range(1000, 2000)], [str(n) for n in range(100, 1000)]) == []


def test_different_ids_are_not_alike() -> None:
    assert found(["d10", "d20", "e1"], ["d1", "d2", "e11", "d100"]) == []
    assert found([], ["a"]) == []
    assert found(["a"], []) == []


def test_zeros_inside_and_alone_stay() -> None:
    assert found(["100"], ["1"]) == []
    assert found(["0"], ["00"]) == [("0", "00", "leading zeros")]


def test_ids_with_line_breaks() -> None:
    assert found(["A\nb", "c"], ["a\nB", "x"]) == [("A\nb", "a\nB", "case")]
