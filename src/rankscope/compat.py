"""The numbers of other systems: for each a bundle of policies, and what it does otherwise for some measures.

A bundle never has a kernel of its own. Where a system computes a measure in another way, the measure is
translated into one of ours with other parameters, under whose name the values are shown.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rankscope.measures.base import Measure

__all__ = ["BUNDLES", "OWN", "Bundle"]

Translation = Callable[["Measure", float | None], "Measure"]
Overrides = Mapping[str, str]

NOTHING: frozenset[str] = frozenset()
REL, REL_K = frozenset({"rel"}), frozenset({"rel", "k"})


def _unchanged(measure: Measure, _: float | None) -> Measure:
    return measure


def _like_all_others(_: Measure) -> Overrides:
    return {}


@dataclass(frozen=True, kw_only=True)
class Bundle:
    """What gives the numbers of one system."""

    name: str
    meaning: str
    policies: Overrides = field(default_factory=dict)
    """The system's choice for every policy; one that the caller names wins."""
    translate: Translation = _unchanged
    """The measure that computes what the system calls by the name asked for, at the relevance level `rel`."""
    overrides: Callable[[Measure], Overrides] = _like_all_others
    """The policies that the system has for this measure only."""
    has: Mapping[str, frozenset[str]] | None = None
    """The measures it has, and which of their parameters it knows; None: all there are."""
    remarks: Mapping[str, str] = field(default_factory=dict)
    """What a reader of a measure's values should know."""
    on_ties: str = ""
    """What a reader should know where items are tied."""
    of_equal_lengths: frozenset[str] = NOTHING
    """The measures that it refuses to take where rankings are of unequal length."""

    def lacks(self, measure: Measure) -> bool:
        """Whether the system cannot compute what the (translated) measure is."""
        if self.has is None:
            return False
        changed = {p.name for p in measure.params if measure.parameters[p.name] != p.default}
        return measure.name not in self.has or not changed <= self.has[measure.name]

    def notes(
        self, asked: Mapping[Measure, Measure], overrides: Mapping[Measure, Overrides], *, tied: bool
    ) -> Iterator[str]:
        """What the bundle did that the policies do not say; `overrides` are those that took effect."""
        mark = f"compat={self.name}:"
        for wanted, computed in asked.items():
            if str(wanted) != str(computed):
                yield f"{mark} {wanted} is {computed}"
        for choices, measures in _alike(overrides):
            yield f"{mark} {_listed(measures)} with {choices}"
        for name, remark in self.remarks.items():
            if any(measure.name == name for measure in asked.values()):
                yield f"{mark} {remark}"
        if tied and self.on_ties:
            yield f"{mark} {self.on_ties}"
        foreign = [computed for computed in asked.values() if self.lacks(computed)]
        if foreign:
            yield f"{mark} {_listed(foreign)} cannot be had from {self.name}: as Rankscope defines it"


def _alike(overrides: Mapping[Measure, Overrides]) -> Iterator[tuple[str, list[Measure]]]:
    together: dict[str, list[Measure]] = {}
    for measure, choices in overrides.items():
        if choices:
            together.setdefault(" ".join(f"{n}={v}" for n, v in choices.items()), []).append(measure)
    yield from together.items()


def _listed(measures: Sequence[Measure]) -> str:
    return ", ".join(map(str, measures))


# ---- trec_eval

TREC_EVAL = {
    **dict.fromkeys(("P", "R", "Success", "AP"), REL_K),
    **dict.fromkeys(("Rprec", "RR", "bpref", "NumRel", "NumRelRet"), REL),
    "F": frozenset({"beta", "rel"}),
    "nDCG": frozenset({"base", "k"}),
    "NumRet": NOTHING,
}

TREC_EVAL_POLICIES = {
    "ties": "docid",
    "scores": "float64",
    "missing": "skip",
    "extra": "ignore",
    "undefined": "zero",
    "duplicates": "error",
    "unjudged": "irrelevant",
    "unretrieved": "last",
}


def _beta_is_squared(measure: Measure, _: float | None) -> Measure:
    """The x of set_F(x) = (x + 1) P R / (x P + R) is the square of beta."""
    beta = measure.parameters.get("beta")
    if measure.name != "F" or not isinstance(beta, float):
        return measure
    return measure(beta=math.sqrt(beta))


def _trec_eval_10(measure: Measure, rel: float | None) -> Measure:
    """rbp goes on with chance 0.9 and scales the grades of each query, whatever the relevance level."""
    if measure.name != "RBP":
        return _beta_is_squared(measure, rel)
    default = next(p.default for p in measure.params if p.name == "p")
    p = measure.parameters["p"]
    return measure(p=0.9 if p == default else p, gain="scaled", rel=1)


# ---- ir_measures

_OF_SETS = {"SetP": "P", "SetR": "R", "SetF": "F"}


def _ir_measures(measure: Measure, rel: float | None) -> Measure:
    """SetP, SetR and SetF are those of trec_eval, for which a share of nothing is 0."""
    if measure.name in _OF_SETS:
        from rankscope.measures.registry import REGISTRY

        measure = REGISTRY.find(_OF_SETS[measure.name])(**measure.parameters)
    return _beta_is_squared(measure, rel)


def _ir_measures_overrides(measure: Measure) -> Overrides:
    """RR with a cutoff and Judged are computed in Python, everything else by trec_eval 9."""
    own = measure.name == "Judged" or (measure.name == "RR" and measure.parameters.get("k") is not None)
    return {"ties": "docid-asc", "scores": "float64"} if own else {}


# ---- ranx


def _ranx(measure: Measure, rel: float | None) -> Measure:
    """Grades below the relevance level gain nothing, RBP takes the grades themselves, all is averaged."""
    if measure.name in ("DCG", "nDCG") and rel is not None and measure.parameters["floor"] == 0:
        return measure(floor=rel)
    if measure.name == "RBP":
        return measure(gain="linear")
    return replace(measure, aggregate="mean") if measure.aggregate == "sum" else measure


# ---- ArDoCo


def _ardoco(measure: Measure, _: float | None) -> Measure:
    """AP and its mean are of what was found, and all queries share one ROC curve."""
    if measure.name == "AP":
        return replace(measure(denominator="retrieved"), aggregate="ratio")
    if measure.name == "AUC":
        from rankscope.measures.registry import REGISTRY

        return REGISTRY.find("PooledAUC")(ties="order", rel=measure.parameters["rel"])
    return measure


BUNDLES = {
    bundle.name: bundle
    for bundle in (
        Bundle(name="none", meaning="no other system's numbers: the defaults of each policy"),
        Bundle(
            name="trec_eval-10",
            meaning="trec_eval 10 as it runs without options; missing=empty is its -c",
            policies=TREC_EVAL_POLICIES,
            translate=_trec_eval_10,
            has={**TREC_EVAL, "DCG": NOTHING, "RBP": frozenset({"p", "gain"})},
        ),
        Bundle(
            name="trec_eval-9",
            meaning="trec_eval 9 and pytrec_eval, which compare scores in single precision",
            policies={**TREC_EVAL_POLICIES, "scores": "float32"},
            translate=_beta_is_squared,
            has=TREC_EVAL,
        ),
        Bundle(
            name="ir_measures",
            meaning="ir_measures with its own choice of providers",
            policies={**TREC_EVAL_POLICIES, "scores": "float32", "missing": "zero"},
            translate=_ir_measures,
            overrides=_ir_measures_overrides,
            has={**TREC_EVAL, "RR": REL_K, "NumRel": NOTHING, "Judged": frozenset({"k"})},
        ),
        Bundle(
            name="ranx",
            meaning="ranx, but for the order of ties, which it leaves to chance",
            policies={**TREC_EVAL_POLICIES, "ties": "given", "missing": "error", "extra": "error"},
            translate=_ranx,
            has={
                **dict.fromkeys(("P", "R", "F", "Success", "AP", "RR", "NumRelRet"), REL_K),
                **dict.fromkeys(("Rprec", "bpref"), REL),
                "DCG": frozenset({"gain", "floor", "k"}),
                "nDCG": frozenset({"gain", "floor", "base", "k"}),
                "RBP": frozenset({"p", "gain", "rel"}),
            },
            remarks={
                "bpref": "bpref of ranx takes negative grades for non-relevant, and is NaN for a query "
                "without a relevant or without a non-relevant item; here neither is so",
                "NumRelRet": "NumRelRet is averaged over the queries, not summed",
            },
            on_ties="ranx leaves the order of tied items to chance; here it is the one listed",
        ),
        Bundle(
            name="ardoco",
            meaning="ArDoCo's metrics of traceability links, of lists of equal length",
            policies={**TREC_EVAL_POLICIES, "ties": "given", "undefined": "nan"},
            translate=_ardoco,
            has={
                "AP": frozenset({"denominator"}),
                "LAG": NOTHING,
                "PooledAUC": frozenset({"ties"}),
                **dict.fromkeys(("SetP", "SetR", "SetF"), NOTHING),
                **dict.fromkeys(
                    ("SetAccuracy", "Specificity", "Phi", "PhiMax", "PhiOverMax"), frozenset({"total"})
                ),
            },
            remarks={"AP": "the mean of AP is over the queries with a relevant item in the ranking"},
            of_equal_lengths=frozenset({"AP", "LAG", "PooledAUC"}),
        ),
    )
}

OWN = BUNDLES["none"]
