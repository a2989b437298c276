"""Every computed cell against exact values, and the verdicts against what is known of the sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from reproduce_support import GOLDEN, cases, cell, golden, reproduced, value

from rankscope.reproduce import reproduce
from rankscope.reproduce.huang_ling import NAMES, TABLE_2, TABLE_3
from rankscope.reproduce.rankdcg import LISTS


def held_against(found: Mapping[str, Any], *prefixes: str, without: tuple[str, ...] = ()) -> None:
    """Each golden case with one of the prefixes has a value here, and that value is right.

    `without` are endings of cases that the source says nothing of.
    """
    chosen = [case for case in cases(*prefixes) if not case.endswith(without)]
    assert chosen
    for case in chosen:
        assert case in found, f"nothing reproduces {case}"
        assert found[case] == pytest.approx(_floats(golden(case)), rel=1e-12, abs=1e-12), case


def _floats(expected: Any) -> Any:
    if isinstance(expected, list):
        return [float(number) for number in expected]
    if isinstance(expected, dict):
        return {name: float(number) for name, number in expected.items()}
    return float(expected)


def verdicts(name: str, experiment: str, column: int = 0) -> Counter[str]:
    return Counter(row.cells[column].verdict for row in reproduced(name)[experiment].rows)


# ---- ClasSi

RANKINGS = {"r_bc": "best", "r1": "r1", "r2": "r2", "r_wc": "worst"}


def test_classi_example() -> None:
    curves = {
        name: [row.cells[column].value for row in reproduced("classi")["figure-1a"].rows]
        for column, name in enumerate(reproduced("classi")["figure-1a"].columns)
    }
    found: dict[str, Any] = {f"classi.example.{key}.curve": curves[name] for key, name in RANKINGS.items()}
    found |= {f"classi.example.{key}": curves[name][-1] for key, name in RANKINGS.items()}
    for key, label in (("r1", "r1"), ("r2", "r2"), ("r_wc", "the worst ranking")):
        found[f"classi.example.{key}.discost"] = value("classi", "example", f"DisCost of {label}")
    held_against(found, "classi.example.", without=("cumulative_cost", "r_bc.discost"))
    assert value("classi", "statements", "mean of the first 3 positions") == pytest.approx(39 / 95, rel=1e-12)


@pytest.mark.parametrize("far", [1, 4, 20])
def test_classi_figure_1b(far: int) -> None:
    curve = golden(f"classi.fig1b.dbt={far}.curve")
    at_5, whole, closed = (value("classi", "figure-1b", str(far), column=n) for n in range(3))
    assert (at_5, whole, closed) == pytest.approx(
        (float(curve[4]), float(curve[9]), float(curve[9])), rel=1e-12
    )


def test_classi_figures_2_and_3() -> None:
    assert value("classi", "figure-3", "1") == pytest.approx(golden("classi.swaps.m250.s1"), rel=1e-12)
    assert value("classi", "figure-3", "1", column=3) == pytest.approx(
        float(golden("kendall.one_swap.m250")), rel=1e-12
    )
    for figure, rows in (("figure-2", "10 50 100"), ("figure-3", "1 10 30")):
        for swaps in rows.split():
            expected, mean, error = (value("classi", figure, swaps, column=n) for n in range(3))
            assert abs(mean - expected) < 4 * error


def test_classi_verdicts() -> None:
    assert verdicts("classi", "example") == {"equal": 11}
    assert verdicts("classi", "statements") == {"equal": 6, "different": 2, "not printed": 1}
    assert "Spearman's rho" in cell("classi", "statements", "Figure 3: ClasSi in the simple case").said


def test_classi_depends_on_the_seed_alone() -> None:
    [one] = reproduce("classi", seed=7, repetitions=3)
    [same] = reproduce("classi", seed=7, repetitions=3)
    [other] = reproduce("classi", seed=8, repetitions=3)
    assert one.to_dict() == same.to_dict()
    assert one["figure-2"].rows != other["figure-2"].rows


# ---- RankDCG

POST = {
    "dcg.blog.first": "DCG of [D0, T1, A3]",
    "dcg.blog.second": "DCG of [T1, A3, D0]",
    "dcg.blog.ideal": "ideal DCG",
    "ndcg.blog.first": "nDCG of [D0, T1, A3]",
    "ndcg.blog.second": "nDCG of [T1, A3, D0]",
    "ndcg.blog.overestimated": "nDCG of [A10, T10, D10]",
}
COLUMNS = {
    "rankdcg.examples.{}.pessimistic": 0,
    "rankdcg_order.examples.{}": 1,
    "dcg_ln.examples.{}": 2,
    "ndcg.examples.{}": 3,
    "precision_positional.examples.{}": 4,
    "ap_positional.examples.{}": 5,
    "kendall_tau_b.examples.{}": 6,
}


def test_the_post_on_rankdcg() -> None:
    found = {case: value("rankdcg", "post", label) for case, label in POST.items()}
    found |= {
        case.replace("blog", "rank_discount"): value("rankdcg", "post", label, column=1)
        for case, label in POST.items()
    }
    held_against(found, "dcg.blog.", "ndcg.blog.", "dcg.rank_discount.", "ndcg.rank_discount.")
    assert verdicts("rankdcg", "post") == {"different": 7}
    assert verdicts("rankdcg", "post", column=1) == {"different": 6, "equal": 1}


def test_the_package_on_rankdcg() -> None:
    calls = [row.cells[0].value for row in reproduced("rankdcg")["readme"].rows]
    found: dict[str, Any] = {f"rankdcg.readme.{number}": call for number, call in enumerate(calls, 1)}
    for pattern, column in COLUMNS.items():
        found |= {pattern.format(name): value("rankdcg", "lists", name, column=column) for name in LISTS}
    prefixes = (pattern.partition("{}")[0] for pattern in COLUMNS)
    held_against(found, "rankdcg.readme.", *prefixes, without=("average", "optimistic"))
    assert verdicts("rankdcg", "readme") == {"equal": 1, "not printed": 1}
    assert verdicts("rankdcg", "statements") == {"equal": 7, "not printed": 2}


# ---- ArDoCo

DOCUMENTED = {
    "doc_example": "REST, first",
    "doc_rest_second": "REST, second",
    "doc_relevance_example": "library, with relevances",
}


def test_ardoco_ranks() -> None:
    found = {}
    for key, label in DOCUMENTED.items():
        programmed, documented = (
            {
                metric: value("ardoco", "rank", label, metric, column=column)
                for metric in ("MAP", "LAG", "AUC")
            }
            for column in (0, 1)
        )
        found |= {
            f"ardoco.rank.{key}.map": programmed["MAP"],
            f"ardoco.rank.{key}.map_all_queries": documented["MAP"],
            f"ardoco.rank.{key}.lag_micro": programmed["LAG"],
            f"ardoco.rank.{key}.lag_macro": documented["LAG"],
            f"ardoco.rank.{key}.auc_ardoco": programmed["AUC"],
            f"ardoco.rank.{key}.auc": documented["AUC"],
        }
    held_against(found, *(f"ardoco.rank.{key}." for key in DOCUMENTED))


def test_ardoco_averages() -> None:
    macro, weighted = (
        {
            metric: value("ardoco", "averages", f"{kind}_AVERAGE", metric.upper())
            for metric in ("map", "lag", "auc")
        }
        for kind in ("MACRO", "WEIGHTED")
    )
    undivided = value("ardoco", "averages", "WEIGHTED_AVERAGE", "AUC as programmed")
    found = {
        "ardoco.aggregate.rank.macro": macro,
        "ardoco.aggregate.rank.weighted_2_1": weighted,
        "ardoco.aggregate.rank.weighted_2_1.auc_bug": undivided,
    }
    held_against(found, "ardoco.aggregate.rank.")
    names = reproduced("ardoco")["classification"].columns
    shares = [value("ardoco", "classification", "library: ABC against ACD", column=n) for n in range(3)]
    held_against(
        {"ardoco.classification.doc_abc": dict(zip(names, shares, strict=True))},
        "ardoco.classification.doc_abc",
    )


def test_every_value_that_ardoco_asserts_holds() -> None:
    """precision 4, recall 4, F1 8, accuracy 4, phi 6, specificity 6, as its test class has them."""
    rows = reproduced("ardoco")["asserted"].rows
    assert Counter(row.labels[0] for row in rows) == {
        "precision": 4,
        "recall": 4,
        "f1": 8,
        "accuracy": 4,
        "phi": 6,
        "specificity": 6,
    }
    assert verdicts("ardoco", "asserted") == {"equal": 32}
    by_value = {(row.labels[0], row.printed): row.cells[0].value for row in rows}
    chosen = cases("ardoco.test.")
    assert len(chosen) > 20
    for case in chosen:
        metric, stated = case.split(".")[2], float(GOLDEN[case]["stated_in_source"])
        matching = [v for (name, text), v in by_value.items() if name == metric and float(text) == stated]
        assert any(found == pytest.approx(float(golden(case)), rel=1e-12) for found in matching), case


# ---- Huang and Ling


def test_table_1() -> None:
    measures = ("ED", "MD", "SRN", "AUC", "acc", "OAUC")
    found: dict[str, Any] = {
        f"huangling.table1.{name}": value("huang-ling", "table-1", name) for name in measures
    }
    terms = cell("huang-ling", "table-1", "terms of SRN").said
    found["huangling.table1.reversed_numbers"] = [float(term) for term in terms.split(" + ")]
    held_against(found, "huangling.table1.")
    assert verdicts("huang-ling", "table-1") == {"equal": 6, "different": 1}


@pytest.mark.parametrize(("n", "column"), [(8, 0), (7, 1)])
def test_tables_2_and_3(n: int, column: int) -> None:
    found = {}
    for table, degree in (("table-2", "consistency"), ("table-3", "discriminancy")):
        for row in reproduced("huang-ling")[table].rows:
            found[f"huangling.n{n}.{degree}.{'.'.join(row.labels)}"] = row.cells[column].value
    held_against(found, f"huangling.n{n}.consistency.", f"huangling.n{n}.discriminancy.")


def test_verdicts_of_tables_2_and_3() -> None:
    """The printed tables are those of n = 7: 14 of 15 cells against 7 of 15 in Table 2."""
    assert verdicts("huang-ling", "table-2", 0) == {"equal": 7, "different": 7, "not recoverable": 1}
    assert verdicts("huang-ling", "table-2", 1) == {"equal": 14, "not recoverable": 1}
    assert cell("huang-ling", "table-2", "OAUC", "acc", column=1).verdict == "not recoverable"
    assert sum(verdicts("huang-ling", "table-3", 1).values()) == 30
    assert verdicts("huang-ling", "table-3", 0)["equal"] == 0
    # Four pairs fit no size, in both directions, and one cell is lost.
    unexplained = [
        row.labels
        for row in reproduced("huang-ling")["table-3"].rows
        if row.cells[1].verdict == "not recoverable"
    ]
    pairs = [("AUC", "SRN"), ("SRN", "ED"), ("AUC", "OAUC"), ("OAUC", "acc")]
    assert {frozenset(labels) for labels in unexplained} == {frozenset(p) for p in [*pairs, ("ED", "OAUC")]}
    assert len(unexplained) == 2 * len(pairs) + 1
    assert (
        "11 of 15 pairs for lists of 7, and 1 for lists of 8" in reproduced("huang-ling")["table-3"].notes[0]
    )


def test_the_printed_tables_are_whole() -> None:
    assert sum(map(len, TABLE_2.values())) == 15
    printed = [text for row in TABLE_3.values() for text in row.values()]
    assert len(printed) == 30
    assert printed.count("") == 1


def test_the_order_of_preference() -> None:
    for column in (0, 1):
        assert cell("huang-ling", "preference", "order of preference", column=column).verdict == "equal"
        assert cell("huang-ling", "preference", "degrees of consistency", column=column).verdict == "equal"
    # AUC 17, SRN 29, MD 17, ED 85, OAUC 95, acc 5: counted over all lists of 8.
    counted = [value("huang-ling", "preference", f"different values of {name}") for name in NAMES]
    assert counted == [17, 29, 17, 85, 95, 5]


# ---- Michel

ANSWERS = {
    "reversed_total3": "a|b|c and c|b|a",
    "swap_top3": "a|b|c and b|a|c",
    "swap_bottom3": "a|b|c and a|c|b",
    "merged": "ab|c and abc",
    "split": "abc and a|b|c",
    "unequal": "a|b|c|d and b|a",
    "prefix": "a|b|c and a|b",
    "partial_mix": "ab|cd|e and bc|ae|df",
    "single_class_jaccard": "ab and bc",
}


def test_michel_examples() -> None:
    found = {}
    for column, family in enumerate(("P_delta", "P_delta_dice", "eq25")):
        found |= {
            f"michel.{family}.{key}": value("michel", "examples", label, column=column)
            for key, label in ANSWERS.items()
        }
    prefixes = ("michel.P_delta.", "michel.P_delta_dice.", "michel.eq25.")
    held_against(found, *prefixes, without=("identical_total", "single_class_same"))


def test_michel_properties() -> None:
    assert verdicts("michel", "properties") == {"equal": 5, "not printed": 4}
    proved = [
        row for row in reproduced("michel")["properties"].rows if row.labels[0].startswith("P_delta with")
    ]
    assert [row.cells[0].said for row in proved] == ["holds"] * 3
    above = value("michel", "properties", "overlap in place of Jaccard, d|bc|a and cd|b|a")
    assert above == pytest.approx(109 / 97, rel=1e-12)


@pytest.mark.parametrize(("figure", "blind"), [("figure-3", {"S2o", "S4o"}), ("figure-4", {"S3o", "S4o"})])
def test_michel_criteria(figure: str, blind: set[str]) -> None:
    """Nominal measures do not see the order, nor do the means over all pairs of ranks."""
    rows = reproduced("michel")[figure].rows
    assert {row.labels[0][:3] for row in rows if row.cells[2].verdict == "different"} == blind
    kept = {row.labels[0] for row in rows if row.cells[2].said == "yes"}
    assert {"P_delta, Eq 33", "S5o, Eq 22", "S6o, Eq 23", "S7o, Eq 24"} <= kept
    for row in rows:
        one, other, said = row.cells
        assert (said.said == "yes") == bool(np.greater(one.value, other.value)), row.labels


def test_p_delta_takes_more_at_the_bottom() -> None:
    for row in reproduced("michel")["exchanges"].rows:
        top, bottom, share = (found.value for found in row.cells)
        assert top is not None
        assert bottom is not None
        assert bottom > top
        assert share == pytest.approx(bottom / top)
    # 1 - 145/194 and 1 - 129/194
    assert value("michel", "exchanges", "3") == pytest.approx(49 / 194, rel=1e-12)
    assert value("michel", "exchanges", "3", column=1) == pytest.approx(65 / 194, rel=1e-12)
