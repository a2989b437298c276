"""The data of the bench, drawn with fixed seeds: rows like those of a large passage collection.

    python data.py FOLDER SCALE NAME...

Scores fall by at least a thousandth from rank to rank, so every contender sees the same order: those that
keep scores as 32-bit floats too, and those that break ties in another way.
"""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

SEED = 7
ITEMS = 8_841_823
"""The number of items ids are drawn from."""
COPIES = 10
"""How many times the rows of `passages` the data of the memory row has."""

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Shape:
    """How much of what: `graded` queries have about 200 judged items, the others 1 to `judged`."""

    queries: int
    depth: int
    judged: int
    graded: int

    def scaled(self, scale: float) -> Shape:
        return Shape(max(1, round(self.queries * scale)), self.depth, self.judged, self.graded)


PASSAGES = Shape(queries=6980, depth=1000, judged=2, graded=43)
TENTH = Shape(queries=698, depth=1000, judged=2, graded=43)
SHORT = Shape(queries=500_000, depth=20, judged=4, graded=0)
TRACK = Shape(queries=54, depth=1000, judged=2, graded=54)


@dataclass(frozen=True)
class Drawn:
    """One run and its judgments, as columns of numbers."""

    run: pl.DataFrame
    judgments: pl.DataFrame


def draw(shape: Shape, seed: int = SEED) -> Drawn:
    """A run whose relevant items lie anywhere in its rankings, more often near the top, or were not found."""
    rng = np.random.default_rng([seed, shape.queries, shape.depth])
    queries = np.sort(rng.choice(max(2 * shape.queries, 1_100_000), shape.queries, replace=False)) + 1
    return Drawn(_draw_run(shape, queries, rng), _draw_judgments(shape, queries, rng))


def _item_at(query: Ints, place: Ints) -> Ints:
    """The item of a query at a place: distinct for all places below ITEMS, which is prime, and scattered."""
    step = (query * 48_271) % (ITEMS - 1) + 1
    return (step * place + query * 7_919) % ITEMS


def _draw_run(shape: Shape, queries: Ints, rng: np.random.Generator) -> pl.DataFrame:
    size = (shape.queries, shape.depth)
    scores = rng.uniform(30, 40, (shape.queries, 1)) - np.cumsum(rng.uniform(0.002, 0.02, size), axis=1)
    query = np.repeat(queries, shape.depth)
    place = np.tile(np.arange(shape.depth), shape.queries)
    return pl.DataFrame(
        {"query": query, "item": _item_at(query, place), "rank": place + 1, "score": scores.ravel()}
    )


def _draw_judgments(shape: Shape, queries: Ints, rng: np.random.Generator) -> pl.DataFrame:
    counts = rng.integers(1, shape.judged + 1, shape.queries)
    counts[rng.permutation(shape.queries)[: shape.graded]] = 200
    query = np.repeat(queries, counts)
    # log-uniform over places 0 to twice the depth: the deepest third or so was not retrieved
    place = ((2 * shape.depth) ** rng.random(len(query))).astype(np.int64) - 1
    grade = np.where(
        np.repeat(counts, counts) == 200, rng.integers(0, 4, len(query)), rng.integers(1, 3, len(query))
    )
    rows = pl.DataFrame({"query": query, "item": _item_at(query, place), "grade": grade})
    return rows.unique(["query", "item"], keep="first", maintain_order=True)


def write_run(run: pl.DataFrame, path: Path, mode: str = "wb") -> None:
    with path.open(mode) as file:
        run.select(
            "query", pl.lit("Q0").alias("q0"), "item", "rank", "score", pl.lit("bench").alias("tag")
        ).write_csv(file, include_header=False, separator=" ", float_precision=6)


def write_judgments(judgments: pl.DataFrame, path: Path, mode: str = "wb") -> None:
    with path.open(mode) as file:
        judgments.select("query", pl.lit("0").alias("zero"), "item", "grade").write_csv(
            file, include_header=False, separator=" "
        )


def write_files(folder: Path, shape: Shape) -> None:
    drawn = draw(shape)
    write_run(drawn.run, folder / "run")
    write_judgments(drawn.judgments, folder / "qrels")


def write_scattered(folder: Path, shape: Shape) -> None:
    """The rows of `write_files` in random order over the whole file."""
    drawn = draw(shape)
    write_run(drawn.run.sample(fraction=1, shuffle=True, seed=SEED), folder / "run")
    write_judgments(drawn.judgments, folder / "qrels")


def write_copies(folder: Path, shape: Shape) -> None:
    """The rows of `write_files` several times over, with other query ids each time."""
    drawn = draw(shape)
    for copy in range(COPIES):
        renamed = (pl.col("query") + copy * 10_000_000).alias("query")
        write_run(drawn.run.with_columns(renamed), folder / "run", "ab")
        write_judgments(drawn.judgments.with_columns(renamed), folder / "qrels", "ab")


def write_columnar(folder: Path, shape: Shape) -> None:
    """The rows of `write_files` as text, and as Parquet and Arrow with ids of every kind."""
    write_files(folder, shape)
    run = draw(shape).run.drop("rank")
    text = run.with_columns(pl.col("query", "item").cast(pl.String))
    kinds = {
        "whole-numbers": run.to_arrow(),
        "text": text.to_arrow(compat_level=pl.CompatLevel.oldest()),
        "dictionary": text.to_arrow(compat_level=pl.CompatLevel.oldest()),
    }
    for name in ("query", "item"):
        table = kinds["dictionary"]
        place = table.column_names.index(name)
        encoded = table[name].combine_chunks().dictionary_encode()
        kinds["dictionary"] = table.set_column(place, name, encoded)
    for kind, table in kinds.items():
        with pa.ipc.new_file(folder / f"{kind}.arrow", table.schema) as writer:
            writer.write_table(table)
        # Parquet encodes text by a dictionary of its own where that is shorter. Columns that come with one
        # get all of it in every row group, which makes a file three times the size.
        if kind != "dictionary":
            pq.write_table(table, folder / f"{kind}.parquet")


def write_frames(folder: Path, shape: Shape) -> None:
    """The rows as Parquet with text ids, from which contenders build their dicts and frames."""
    drawn = draw(shape)
    text = [pl.col("query", "item").cast(pl.String)]
    drawn.run.drop("rank").with_columns(text).write_parquet(folder / "run")
    drawn.judgments.with_columns(text).write_parquet(folder / "qrels")


WRITERS = {
    "passages": (write_files, PASSAGES),
    "scattered": (write_scattered, PASSAGES),
    "copies": (write_copies, PASSAGES),
    "short": (write_files, SHORT),
    "frames": (write_frames, TENTH),
    "columnar": (write_columnar, PASSAGES),
    "track": (write_files, TRACK),
}


def generate(root: Path, name: str, scale: float) -> None:
    """Write the data called `name`, under another name until it is whole; keep what is already there."""
    folder, unfinished = root / name, root / f"{name}.unfinished"
    if folder.exists():
        return
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    write, shape = WRITERS[name]
    write(unfinished, shape if name == "track" else shape.scaled(scale))
    unfinished.rename(folder)


if __name__ == "__main__":
    for requested in sys.argv[3:]:
        generate(Path(sys.argv[1]), requested, float(sys.argv[2]))
