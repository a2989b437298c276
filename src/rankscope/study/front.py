"""From lists to degrees: measure them all, find the distinct values, count the pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import log10
from typing import Any

import numpy as np
import numpy.typing as npt

from rankscope.errors import MeasureError
from rankscope.measures import Measure, parse, parse_many
from rankscope.result import Result
from rankscope.study.arrangements import lists_of
from rankscope.study.columns import check_measures, values_of
from rankscope.study.counts import joint
from rankscope.study.degrees import Degrees, both_ways
from rankscope.study.intervals import Intervals, intervals
from rankscope.study.levels import Coder, Levels
from rankscope.study.populations import Block, Permutations, Population, Rankings, no_such_population
from rankscope.study.requests import refused, share, whole_number
from rankscope.study.systems import degrees_of_systems
from rankscope.study.work import Progress, generator, in_order

__all__ = ["MOST_LISTS", "degrees_over", "measures_of", "population_of"]

Measures = str | Measure | Iterable[str | Measure]
Array = npt.NDArray[Any]

MOST_LISTS = 4_000_000
"""Up to so many lists are listed one by one: all permutations of 10."""
MOST_LABELS = 2**28
"""Labels of all lists together: 64 items of so many lists."""
MOST_COMPARED = 2**31
"""Lists beyond which pairs would not be counted in 64 bits."""


def degrees_over(
    measures: Measures | None,
    over: Any,
    *,
    sample: int | None,
    seed: int,
    confidence: float,
    by: str,
    threads: int | None,
    progress: Progress | None,
) -> Degrees:
    """What `rankscope.study` gives."""
    if isinstance(over, Result):
        if sample is not None:
            raise refused("sample= with the result of runs", "sample= with lists that can be drawn")
        return degrees_of_systems(over, None if measures is None else measures_of(measures), by=by)
    chosen = measures_of(measures or ())
    population = population_of(over)
    check_measures(chosen, population)
    whole_number("seed", seed, least=0)
    level = share("confidence", confidence)
    if sample is None:
        _check_size(population)
    else:
        whole_number("sample", sample, least=2, most=MOST_LISTS)
    blocks = population.blocks() if sample is None else _drawn(population, sample, seed)
    total = sample or population.size or 0
    levels, weights = _levels(chosen, blocks, total, threads, progress)
    return _degrees(chosen, population, levels, weights, level if sample else None)


def measures_of(measures: Measures, least: int = 2) -> tuple[Measure, ...]:
    """The measures asked for, each once; a comparison needs two."""
    if isinstance(measures, str):
        found: Sequence[Measure] = parse_many(measures)
    elif isinstance(measures, Measure):
        found = [measures]
    else:
        found = [parse(m) for m in measures]
    chosen = tuple(dict.fromkeys(found))
    if len(chosen) < least:
        raise MeasureError(
            f"{len(chosen)} {'measure' if len(chosen) == 1 else 'measures'}, where measures are compared",
            code="too-few-measures",
            expected=f"at least {least} different measures",
            hint="rankscope measures lists them all",
        )
    return chosen


def population_of(over: Any) -> Population:
    """The population that `over` stands for."""
    if isinstance(over, Population):
        return over
    if isinstance(over, int | np.integer) and not isinstance(over, bool):
        return Permutations(int(over))
    if isinstance(over, list | tuple | np.ndarray):
        return Rankings(over)
    raise no_such_population(over)


def _check_size(population: Population) -> None:
    size = population.size
    if size is None:
        raise refused(
            f"{population}: there is no list of them all",
            "sample= a number of lists",
            "too-many-lists",
            "sample=100_000 (--sample 100000 on the command line)",
        )
    if size > MOST_LISTS or size * population.items > MOST_LABELS:
        count = f"{size:,}" if size < 10**15 else f"more than 10^{int(log10(size))}"
        raise refused(
            f"{population}: {count} lists of {population.items} items are too many to go through",
            f"at most {MOST_LISTS:,} lists (all permutations of 10), with {MOST_LABELS:,} items in all",
            "too-many-lists",
            "sample=100_000 (--sample 100000 on the command line), or fewer items",
        )


def _drawn(population: Population, sample: int, seed: int) -> Iterator[Block]:
    portion = lists_of(population.items)
    for number, start in enumerate(range(0, sample, portion)):
        yield Block(population.draw(generator(seed, number), min(portion, sample - start)))


def _levels(
    measures: Sequence[Measure],
    blocks: Iterator[Block],
    total: int,
    threads: int | None,
    progress: Progress | None,
) -> tuple[list[Levels], Array | None]:
    """The level of each list by each measure, and the weights of the lists if they have any."""
    coders = [Coder() for _ in measures]
    weights: list[Array] = []

    def measured(block: Block) -> tuple[npt.NDArray[np.float64], Array | None]:
        return values_of(measures, block.labels), block.weights

    done = in_order(measured, _portions(blocks), total=total, threads=threads, progress=progress, size=len)
    for values, weight in done:
        for coder, row in zip(coders, values, strict=True):
            coder.add(row)
        if weight is not None:
            weights.append(weight)
    return [coder.settled() for coder in coders], np.concatenate(weights) if weights else None


CELLS = 2**19
"""Labels of a portion: what a kernel makes of it should stay in the cache."""


def _portions(blocks: Iterator[Block]) -> Iterator[Block]:
    """The lists that may occur at all, those that are long in smaller blocks."""
    for block in blocks:
        possible = block if block.weights is None else block.part(block.weights > 0)
        portion = max(1, CELLS // block.labels.shape[1])
        for start in range(0, len(possible), portion):
            yield possible.part(slice(start, start + portion))


def _degrees(
    measures: tuple[Measure, ...],
    population: Population,
    levels: Sequence[Levels],
    weights: Array | None,
    confidence: float | None,
) -> Degrees:
    names = [str(measure) for measure in measures]
    if weights is not None and (weights.dtype.kind == "f" or weights.sum(dtype=np.float64) >= MOST_COMPARED):
        weights = weights / weights.max()  # only ratios count, and products of scaled ones do not overflow
    found, around = {}, {}
    for f, g in combinations(range(len(names)), 2):
        histogram = joint(levels[f], levels[g], weights)
        found[names[f], names[g]] = histogram.counts
        if confidence is not None:
            around[names[f], names[g]] = intervals(histogram, confidence)
    return Degrees(
        measures=measures,
        over=str(population),
        lists=len(levels[0].level),
        counts=both_ways(measures, found),
        kind="sample" if confidence is not None else "exact" if weights is None else "weighted",
        distinct={name: level.count for name, level in zip(names, levels, strict=True)},
        gaps={name: level.gap for name, level in zip(names, levels, strict=True)},
        intervals=_both_intervals(around),
        confidence=confidence or 0.95,
        notes=tuple(_notes(names, levels)),
    )


def _both_intervals(found: Mapping[tuple[str, str], Intervals]) -> dict[tuple[str, str], Intervals]:
    return {**found, **{(g, f): one.turned() for (f, g), one in found.items()}}


def _notes(names: Sequence[str], levels: Sequence[Levels]) -> Iterator[str]:
    for name, level in zip(names, levels, strict=True):
        undefined = int(np.count_nonzero(~level.defined))
        if undefined:
            yield f"{name} is not defined for {undefined} of {len(level.level)} lists: left out of its pairs"
        elif level.count == 1:
            yield f"{name} has the same value for all lists"
