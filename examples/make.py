"""Write the example data: a made-up recipe search with its judgments and three runs.

    python examples/make.py [FOLDER]

The same bytes come out on every machine and Python version: the only randomness is ``Random(SEED).random()``,
whose sequence Python guarantees, and the rest is arithmetic that every processor does alike.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from pathlib import Path
from random import Random

SEED = 20240607
RECIPES = 4000
DEPTH = 100
POOL_DEPTH = 15
NOTHING_RELEVANT = "q37"
NO_WORD_MATCHES = frozenset({"q19", "q44"})
TIMED_OUT = frozenset({"q28"})
NOT_JUDGED = frozenset({"q51", "q52"})

QUERIES = """\
quick lentil soup
vegetarian lasagne without ricotta
how to poach an egg
gluten free banana bread
sourdough starter rye
chicken tikka masala mild
what to do with leftover rice
one pot pasta tomato
miso glazed aubergine
slow cooker beef stew
no bake cheesecake lime
crispy roast potatoes
tofu scramble breakfast
fish tacos with slaw
pumpkin risotto
homemade granola low sugar
pad thai without fish sauce
dumplings steamed pork
rødgrød med fløde
kids lunch box ideas
spicy peanut noodles
mushroom stroganoff
salmon teriyaki oven
chocolate cake three ingredients
falafel baked not fried
french onion soup
cabbage rolls
dinner for eight under twenty euros
overnight oats mango
shakshuka with feta
black bean burger
fresh pasta dough by hand
cauliflower cheese
ramen broth vegetarian
apple crumble oats
stuffed peppers quinoa
durian pavlova
potato salad no mayonnaise
beetroot hummus
lemon drizzle loaf
prawn curry coconut milk
pickled red onions
goulash hungarian
sth w/ courgettes pls
flatbread without yeast
paella seafood
carrot ginger soup
meringue that does not weep
green smoothie spinach
butternut squash gnocchi
wedding cake four tiers
camping stove dinners
""".splitlines()


@dataclass(frozen=True)
class Candidate:
    """A recipe that some system may return for a query."""

    item: str
    grade: int
    words: float
    """How well its words match the query's, as a word-matching system sees it."""
    meaning: float
    """How near its meaning is, as an embedding sees it."""


Ranking = list[tuple[str, float]]


class Dice:
    """Draws made from `random()` alone."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed).random

    def between(self, low: int, high: int) -> int:
        return low + int(self._random() * (high - low + 1))

    def chance(self, p: float) -> bool:
        return self._random() < p

    def bell(self) -> float:
        """Nearly normal, mean 0 and variance 1; without a logarithm, whose last bit differs by machine."""
        # fsum, because the rounding of sum() changed with Python 3.12
        return fsum(self._random() for _ in range(12)) - 6

    def sample(self, population: Sequence[int], count: int) -> list[int]:
        rest = list(population)
        for i in range(count):
            j = self.between(i, len(rest) - 1)
            rest[i], rest[j] = rest[j], rest[i]
        return rest[:count]


def candidates_of(query: str, dice: Dice) -> list[Candidate]:
    """The recipes near a query, with their true grades and what each system sees of them."""
    hardness = 0.25 * dice.bell()
    counts = {3: dice.between(1, 4), 2: dice.between(2, 7), 1: dice.between(5, 14)}
    if query == NOTHING_RELEVANT:
        counts = dict.fromkeys(counts, 0)
    grades = [grade for grade, count in counts.items() for _ in range(count)]
    grades += [0] * (240 - len(grades))
    numbers = dice.sample(range(1, RECIPES + 1), len(grades))
    return [
        _candidate(f"rcp-{number:04d}", grade, hardness, dice)
        for number, grade in zip(numbers, grades, strict=True)
    ]


def _candidate(item: str, grade: int, hardness: float, dice: Dice) -> Candidate:
    says_it_in_other_words = dice.chance(0.4)
    words = grade * (0.2 if says_it_in_other_words else 1.25 - hardness) + 1.0 * dice.bell()
    meaning = grade * (0.85 - hardness) + 1.0 * dice.bell()
    return Candidate(item, grade, words, meaning)


def bm25(candidates: Sequence[Candidate], dice: Dice) -> Ranking:
    """Word matching: one decimal, so many ties; stops early where few recipes share a word with the query."""
    depth = dice.between(12, 70) if dice.chance(0.2) else DEPTH
    return _best({c.item: round(18.0 + 6.0 * c.words, 1) for c in candidates}, depth)


def dense(candidates: Sequence[Candidate], dice: Dice) -> Ranking:
    """Embeddings: a similarity for every recipe, sometimes cut at a threshold."""
    depth = dice.between(40, 90) if dice.chance(0.1) else DEPTH
    return _best({c.item: round(0.55 + 0.06 * c.meaning, 4) for c in candidates}, depth)


def hybrid(*rankings: Ranking) -> Ranking:
    """Reciprocal rank fusion: items that one system alone found, at the same rank, tie."""
    fused: dict[str, float] = {}
    for ranking in rankings:
        for rank, (item, _) in enumerate(ranking, 1):
            fused[item] = fused.get(item, 0.0) + 1 / (60 + rank)
    return _best({item: round(score, 6) for item, score in fused.items()}, DEPTH)


def _best(scores: Mapping[str, float], depth: int) -> Ranking:
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:depth]


def judge(candidates: Sequence[Candidate], pooled: Sequence[Ranking], dice: Dice) -> list[tuple[str, int]]:
    """Grades for the top of the pooled runs, for most good recipes beyond it, and for a few others."""
    pool = {item for ranking in pooled for item, _ in ranking[:POOL_DEPTH]}
    judged = [
        (c.item, c.grade) for c in candidates if c.item in pool or dice.chance(0.6 if c.grade >= 2 else 0.1)
    ]
    return sorted(judged)


def build() -> dict[str, str]:
    """The content of every example file, by file name."""
    dice = Dice(SEED)
    files = dict.fromkeys(("queries.tsv", "judgments.qrels", "bm25.run", "dense.run", "hybrid.run"), "")
    for number, text in enumerate(QUERIES, 1):
        query = f"q{number:02d}"
        candidates = candidates_of(query, dice)
        by_words = bm25(candidates, dice) if query not in NO_WORD_MATCHES else []
        by_meaning = dense(candidates, dice) if query not in TIMED_OUT else []
        files["queries.tsv"] += f"{query}\t{text}\n"
        files["bm25.run"] += _run_lines(query, by_words, "bm25", digits=1)
        files["dense.run"] += _run_lines(query, by_meaning, "dense", digits=4)
        files["hybrid.run"] += _run_lines(query, hybrid(by_words, by_meaning), "hybrid", digits=6)
        if query not in NOT_JUDGED:
            judged = judge(candidates, [by_words, by_meaning], dice)
            files["judgments.qrels"] += "".join(f"{query} 0 {item} {grade}\n" for item, grade in judged)
    return files


def _run_lines(query: str, ranking: Ranking, name: str, digits: int) -> str:
    return "".join(
        f"{query} Q0 {item} {rank} {score:.{digits}f} {name}\n"
        for rank, (item, score) in enumerate(ranking, 1)
    )


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in build().items():
        (folder / name).write_bytes(text.encode())


if __name__ == "__main__":
    main()
