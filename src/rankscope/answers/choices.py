"""What the similarity of answers can be computed with: the named choices, each with its equation's number."""

from __future__ import annotations

from rankscope.measures.params import Param

__all__ = ["ABSENT", "ALPHA", "D0", "MU", "NOMINAL", "NORM", "OVER", "RANKS", "SETS", "SHARE", "VARIANT", "P"]

NOMINAL = Param(
    "nominal",
    str,
    default="jaccard",
    choices=("jaccard", "dice", "cosine", "overlap", "recall", "precision"),
    help="the similarity S of two sets, Eq 1 to 4; recall and precision are those of the run",
)
ALPHA = Param(
    "alpha",
    str,
    default="eq6",
    choices=("eq6", "eq7", "eq8", "eq9", "eq27"),
    help="how a difference in rank counts",
)
MU = Param(
    "mu",
    str,
    default="eq10",
    choices=("eq10", "eq11", "eq12", "eq13", "eq14", "eq15"),
    help="how standing far down counts",
)
RANKS = Param(
    "ranks",
    str,
    default="mean",
    choices=("mean", "class", "first", "last", "eq30"),
    help="the rank of a group's items: the middle of its ranks; its number (Eq 26); its first rank (28); "
    "its last (29); the middle as printed (30), half a rank too high",
)
OVER = Param(
    "over",
    str,
    default="common",
    choices=("common", "all"),
    help="what the delay is averaged over: common items, or as printed all pairs, whatever the order",
)
SETS = Param(
    "sets",
    str,
    default="flat",
    choices=("flat", "eq25"),
    help="what S is taken of: all items of each answer, or each pair of groups, and summed up",
)
NORM = Param(
    "norm",
    str,
    default="none",
    choices=("none", "self"),
    help="self: divided by the geometric mean of what each answer has with itself",
)
ABSENT = Param(
    "absent",
    str,
    default="common",
    choices=("common", "literal"),
    help="items that only one answer has: left out and the rest ranked anew, or Eq 5 as printed",
)
D0 = Param(
    "d0",
    str,
    default="shifted",
    choices=("shifted", "positive"),
    help="the weight made of R: (1 + R) / 2, or R where it is above 0",
)
SHARE = Param(
    "of", str, default="run", choices=("run", "answer"), help="whose share of the items of both together"
)
P = Param("p", float, default=0.9, bounds="(0, 1)", help="chance of looking one rank further down")
VARIANT = Param(
    "variant",
    str,
    default="a",
    choices=("a", "b", "w"),
    help="what a tie is: a, an unknown order (the mean); b, the same without its loss; w, the same rank",
)
