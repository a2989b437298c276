"""Measures as text: what is read, what is printed, and how mistakes are answered."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankscope
from rankscope import MeasureError, parse
from rankscope.measures import parse_many, registered


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("nDCG@10", "nDCG@10"),
        ("ndcg@10", "nDCG@10"),
        ("nDCG(gain=exp)@10", "nDCG(gain=exp)@10"),
        ("nDCG ( GAIN = 'EXP' , base = 2 ) @ 10", "nDCG(gain=exp)@10"),
        ("AP(rel=2)@100", "AP(rel=2)@100"),
        ("AP(rel=2.0)", "AP(rel=2)"),
        ("AP(rel=1)", "AP"),
        ("AP()", "AP"),
        ("AP(k=5)", "AP@5"),
        ("RBP(p=0.80)", "RBP"),
        ("RBP(rel=2, p=.5)", "RBP(p=0.5, rel=2)"),
        ("RBP(p=1e-05)", "RBP(p=1e-05)"),
        ("F(beta=0.1)", "F(beta=0.1)"),
        ('nDCG(gain="exp")', "nDCG(gain=exp)"),
    ],
)
def test_canonical_name(text: str, canonical: str) -> None:
    assert str(parse(text)) == canonical


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        # trec_eval: what it prints, and what -m takes
        ("map", "AP"),
        ("map_cut_10", "AP@10"),
        ("map_cut.10", "AP@10"),
        ("P_5", "P@5"),
        ("P.5", "P@5"),
        ("recall_5", "R@5"),
        ("success_5", "Success@5"),
        ("ndcg", "nDCG"),
        ("ndcg_cut_10", "nDCG@10"),
        ("ndcg_cut.10", "nDCG@10"),
        ("recip_rank", "RR"),
        ("Rprec", "Rprec"),
        ("bpref", "bpref"),
        ("num_ret", "NumRet"),
        ("num_rel", "NumRel"),
        ("num_rel_ret", "NumRelRet"),
        ("set_P", "P"),
        ("set_recall", "R"),
        ("set_F", "F"),
        # ranx
        ("hits", "NumRelRet"),
        ("hits@5", "NumRelRet@5"),
        ("hit_rate@5", "Success@5"),
        ("precision@5", "P@5"),
        ("recall@5", "R@5"),
        ("f1@5", "F@5"),
        ("r-precision", "Rprec"),
        ("mrr", "RR"),
        ("mrr@10", "RR@10"),
        ("map@100", "AP@100"),
        ("ndcg@10", "nDCG@10"),
        ("dcg@10", "DCG@10"),
        ("ndcg_burges@10", "nDCG(gain=exp)@10"),
        ("dcg_burges", "DCG(gain=exp)"),
        ("rbp.95", "RBP(p=0.95)"),
        ("rbp@.95", "RBP(p=0.95)"),
        ("rbp.5", "RBP(p=0.5)"),
        ("precision@5-l2", "P(rel=2)@5"),
        ("precision-l2", "P(rel=2)"),
        ("rbp.95-l3", "RBP(p=0.95, rel=3)"),
        ("ndcg@10-l2", "nDCG(floor=2)@10"),
        ("dcg_burges-l3", "DCG(gain=exp, floor=3)"),
        # ir_measures
        ("Precision@5", "P@5"),
        ("Recall@5", "R@5"),
        ("MAP", "AP"),
        ("MRR@10", "RR@10"),
        ("NDCG@10", "nDCG@10"),
        ("nDCG(dcg='exp-log2')@10", "nDCG(gain=exp)@10"),
        ("NumRet(rel=2)", "NumRelRet(rel=2)"),
        ("nDCG(dcg=log2)@10", "nDCG@10"),
        ("Bpref", "bpref"),
        ("Judged@10", "Judged@10"),
        ("Success@3", "Success@3"),
    ],
)
def test_names_of_other_tools(text: str, ours: str) -> None:
    assert str(parse(text)) == ours


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("nDGC@10", "unknown-measure", "did you mean nDCG"),
        ("zzzzzz", "unknown-measure", "one of AnswerPrecision, AnswerRecall, AP"),
        ("P@9999999999", "bad-value", "a whole number from 1 to 2147483647"),
        ("P@0", "bad-value", "a whole number from 1 to 2147483647"),
        ("P@-3", "bad-value", "a whole number from 1 to 2147483647"),
        ("P@1.5", "bad-value", "a whole number from 1 to 2147483647"),
        ("P@ten", "bad-value", "a whole number from 1 to 2147483647"),
        ("P@99999999999", "bad-value", "cutoff 99999999999"),
        ("bpref@10", "no-cutoff", "bpref takes no cutoff"),
        ("AP(rell=2)", "unknown-parameter", "did you mean rel"),
        ("NumRet(x=1)", "unknown-parameter", "NumRet takes no parameters and @k"),
        ("RBP(p=1)", "bad-value", "a number in (0, 1)"),
        ("RBP(p=nan)", "bad-value", "p=nan"),
        ("RBP(p=1e999)", "bad-value", "a number in (0, 1)"),
        ("nDCG(gain=expo)", "bad-value", "did you mean exp"),
        ("AP(rel=-1)", "bad-value", "[0, inf)"),
        ("nDCG(rel=2)@10", "unknown-parameter", "nDCG has no parameter 'rel'"),
        ("nDCG(judged_only=True)@10", "unknown-parameter", "unjudged=drop"),
        ("P(", "syntax", "the text ends at position 3"),
        ("P(rel", "syntax", "expected '='"),
        ("P(rel=", "syntax", "a value for 'rel'"),
        ("P(rel=2", "syntax", "expected ',' or ')'"),
        ("P(rel=2,rel=3)", "syntax", "given twice"),
        ("nDCG(gain='exp)", "syntax", "without its partner"),
        ("P@", "syntax", "a cutoff after '@'"),
        ("P@5)", "syntax", "found ')' at position 4"),
        ("P@5@6", "syntax", "found '@'"),
        ("", "syntax", "the name of a measure"),
        ("P" * 201, "too-long", "at most 200"),
        ("P\x1b[31m", "syntax", "\\x1b"),
    ],
)
def test_mistakes_are_answered(text: str, code: str, said: str) -> None:
    with pytest.raises(MeasureError) as caught:
        parse(text)
    assert caught.value.code == code
    assert said in str(caught.value)


def test_several_in_one_text() -> None:
    assert list(map(str, parse_many("nDCG@10, AP  P @ 5,\nRBP(p=0.5, rel=2) "))) == [
        "nDCG@10",
        "AP",
        "P@5",
        "RBP(p=0.5, rel=2)",
    ]


@pytest.mark.parametrize(
    "text", ["", " ", ",AP", "AP,", "AP,,P", "AP;P", "AP " + "9" * 5000, "P(rel=" + "9" * 5000]
)
def test_bad_lists(text: str) -> None:
    with pytest.raises(MeasureError):
        parse_many(text)


@pytest.mark.parametrize("given_value", [None, 5, 2.5, b"AP", ["AP"]])
def test_only_text_is_read(given_value: object) -> None:
    with pytest.raises(MeasureError, match="expected: a measure or its name"):
        parse(given_value)  # type: ignore[arg-type]


NAMES = sorted({n for m in registered() for n in (m.name, *m.aliases)})
PIECES = [*NAMES, *"()=,@'\" .-_+", "gain", "exp", "rel", "p", "k", "-l2", "1e3", "0", "10", "é", "\x00", "٣"]


@given(st.one_of(st.text(max_size=30), st.lists(st.sampled_from(PIECES), max_size=12).map("".join)))
def test_any_text_gives_a_measure_or_a_measure_error(text: str) -> None:
    for read in (lambda t: [parse(t)], parse_many):
        try:
            found = read(text)
        except MeasureError:
            continue
        assert [parse(str(m)) for m in found] == found


@given(
    p=st.floats(0, 1, exclude_min=True, exclude_max=True),
    rel=st.floats(0, 1e300),
    k=st.none() | st.integers(1, 2**31 - 1),
)
def test_any_value_reads_back(p: float, rel: float, k: int | None) -> None:
    measure = rankscope.RBP(p=p, rel=rel, k=k)
    assert parse(str(measure)) == measure


@pytest.mark.parametrize("name", NAMES)
def test_aliases_regardless_of_case(name: str) -> None:
    assert parse(name.upper()) == parse(name.lower()) == parse(name)


def test_names_have_only_characters_of_the_grammar() -> None:
    assert not set("".join(NAMES)) - set(string.ascii_letters + string.digits + "_-")
