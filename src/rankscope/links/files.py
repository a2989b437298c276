"""Ranked lists, relevances, sets of items and results from files: one item on each line."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rankscope.data.files import InputFile, check_paired, named_files
from rankscope.errors import InputError, input_error, printable
from rankscope.links.aggregation import RankSummary
from rankscope.links.classification import ClassificationResult
from rankscope.links.rank import RankResult, rank_lists

__all__ = ["Lines", "Result", "rank_files", "read_lines", "read_results"]

Result = RankSummary | ClassificationResult

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Lines:
    """The lines of a file that are not blank, with their numbers."""

    label: str
    texts: Sequence[str]
    numbers: Sequence[int]

    def check_once(self) -> None:
        """Each line stands once, else InputError."""
        first: dict[str, int] = {}
        for text, number in zip(self.texts, self.numbers, strict=True):
            if text in first:
                raise InputError(
                    f"item '{printable(text)}' is ranked twice (lines {first[text]} and {number})",
                    code="duplicate-item",
                    where=f"{printable(self.label)}:{number}",
                    expected="each item once in a list",
                    hint="remove one, or choose duplicates=allow (--duplicates allow on the command line)",
                )
            first[text] = number

    def values(self) -> list[float]:
        """The number on each line."""
        return [self._value(text, line) for text, line in zip(self.texts, self.numbers, strict=True)]

    def _value(self, text: str, line: int) -> float:
        try:
            # float() alone would also take 1_000.
            value = float(text) if "_" not in text else None
        except ValueError:
            value = None
        if value is None:
            raise input_error("number", source=self.label, line=line, field="relevance", text=text)
        if not math.isfinite(value):
            raise input_error("not-finite", source=self.label, line=line, field="relevance", text=text)
        return value


def read_lines(path: str, *, header: bool = False) -> Lines:
    """The items in a file, one on each line.

    Blank lines do not count, and with `header` the first of the others does not. Bytes that are not UTF-8 are
    kept.
    """
    file = InputFile(path)
    raw = file.read().removeprefix(_BOM).decode("utf-8", "surrogateescape")
    rows = [(n, line.removesuffix("\r")) for n, line in enumerate(raw.split("\n"), 1) if line.strip()]
    kept = rows[1:] if header else rows
    return Lines(file.label, [line for _, line in kept], [n for n, _ in kept])


def rank_files(
    ranked: str, truth: str, relevances: str | None = None, *, header: bool = False, **choices: Any
) -> RankResult:
    """Measure ranked lists in files; the choices are those of `rank_lists`.

    - `ranked`: a folder with a file for each query, named after it, its items best first.
    - `truth`: a file of relevant items for all queries, or a folder with a file for each.
    - `relevances`: a folder with a file of scores for each list, under the same name.
    - `header`: the first line of every file is none of this.
    """
    lists = _folder(ranked, header)
    if choices.get("duplicates") != "allow" and choices.get("compat") != "ardoco":
        for lines in lists.values():
            lines.check_once()
    if os.path.isdir(truth):
        wanted: Any = {name: lines.texts for name, lines in _paired(truth, ranked, lists, header).items()}
    else:
        wanted = read_lines(truth, header=header).texts
    scores = None
    if relevances is not None:
        found = _paired(relevances, ranked, lists, header)
        _check_lengths(lists, found)
        scores = {name: lines.values() for name, lines in found.items()}
    return rank_lists({name: lines.texts for name, lines in lists.items()}, wanted, scores, **choices)


def read_results(folder: str) -> dict[str, Result]:
    """The results in the files of a folder, by name: JSON that `rank` or `classify` wrote."""
    return {name: _result(path) for name, path in named_files(folder, "a result").items()}


def _folder(folder: str, header: bool) -> dict[str, Lines]:
    found = named_files(folder, "a list")
    return {name: read_lines(path, header=header) for name, path in found.items()}


def _paired(folder: str, ranked: str, lists: Mapping[str, Lines], header: bool) -> dict[str, Lines]:
    """The files of a folder that has one for each ranked list, under its name."""
    found = _folder(folder, header)
    check_paired(found, folder, lists, ranked)
    return found


def _check_lengths(lists: Mapping[str, Lines], scores: Mapping[str, Lines]) -> None:
    for name, lines in lists.items():
        if len(lines.texts) != len(scores[name].texts):
            raise InputError(
                f"{len(scores[name].texts)} relevances for the {len(lines.texts)} items of "
                f"{printable(lines.label)}",
                code="lists",
                where=printable(scores[name].label),
                expected="a relevance for each item",
                hint="--header if the first line of each file is a header",
            )


def _result(path: str) -> Result:
    file = InputFile(path)
    try:
        content = json.loads(file.read())
    except (ValueError, RecursionError) as error:
        raise input_error("json", source=file.label, reason=str(error)) from error
    if isinstance(content, Mapping) and "truePositives" in content:
        return ClassificationResult.from_dict(content, file.label)
    if isinstance(content, Mapping) and "map" in content:
        return _rank_summary(content, file.label)
    raise InputError(
        "neither a rank nor a classification result",
        code="result-shape",
        where=printable(file.label),
        expected="the JSON that rankscope rank or rankscope classify writes, in each file of the folder",
    )


def _rank_summary(content: Mapping[str, Any], where: str) -> RankSummary:
    size = content.get("groundTruthSize")
    if isinstance(size, bool) or not isinstance(size, int) or size < 0:
        raise _misshapen(where, "groundTruthSize", size)
    auc = content.get("auc")
    return RankSummary(
        map=_metric(content, "map", where),
        lag=_metric(content, "lag", where),
        auc=None if auc is None else _metric(content, "auc", where),
        ground_truth_size=size,
    )


def _metric(content: Mapping[str, Any], name: str, where: str) -> float:
    """A number; null and "NaN" are what is not defined."""
    value = content.get(name)
    if name in content and (value is None or value == "NaN"):
        return math.nan
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise _misshapen(where, name, value)
    return float(value)


def _misshapen(where: str, name: str, value: object) -> InputError:
    return InputError(
        f"{name} is {value!r}" if value is not None else f"no {name}",
        code="result-shape",
        where=printable(where),
        expected="the JSON that rankscope rank writes: numbers map, lag, auc (or null) and groundTruthSize",
    )
