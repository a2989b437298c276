"""What can go wrong, and how it is said.

    RankscopeError
    ├── InputError          data that cannot be used            (also a ValueError)
    ├── MeasureError        a measure that does not exist       (also a ValueError)
    ├── PolicyError         a policy that does not exist        (also a ValueError)
    └── MissingDependency   an optional package is not there    (also an ImportError)

    PluginWarning           a plugin that was left out          (a UserWarning)

Every error says what was wrong, where, what was expected and what to try, and carries a stable code.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

__all__ = [
    "InputError",
    "MeasureError",
    "MissingDependency",
    "PluginWarning",
    "PolicyError",
    "RankscopeError",
    "nearest",
    "package",
    "printable",
]


class RankscopeError(Exception):
    """The base of everything Rankscope raises on purpose."""

    def __init__(self, what: str, *, code: str, where: str = "", expected: str = "", hint: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.code = code
        self.where = where
        self.expected = expected
        self.hint = hint

    def __str__(self) -> str:
        lines = [f"{self.where}: {self.what}" if self.where else self.what]
        if self.expected:
            lines.append(f"  expected: {self.expected}")
        if self.hint:
            lines.append(f"  try: {self.hint}")
        return "\n".join(lines)

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.what, self.code, self.where, self.expected, self.hint))


class InputError(RankscopeError, ValueError):
    """Data that cannot be used."""


class MeasureError(RankscopeError, ValueError):
    """A measure or one of its parameters that does not exist."""


class PolicyError(RankscopeError, ValueError):
    """A policy or one of its values that does not exist."""


class MissingDependency(RankscopeError, ImportError):
    """An optional package that this call needs."""


class PluginWarning(UserWarning):
    """A plugin that could not be loaded, or whose names are taken, and was left out."""


def _rebuild(
    kind: type[RankscopeError], what: str, code: str, where: str, expected: str, hint: str
) -> RankscopeError:
    return kind(what, code=code, where=where, expected=expected, hint=hint)


def printable(text: str) -> str:
    """An id as it may be shown: bytes that are not UTF-8 as ``\\xNN``, control characters escaped."""
    try:
        raw = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a lone surrogate that stands for no byte
        raw = text.encode("utf-8", "backslashreplace")
    shown = raw.decode("utf-8", "backslashreplace")
    if shown.isprintable():
        return shown
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in shown)


def nearest(name: str, known: Iterable[str], count: int = 3) -> list[str]:
    """The known names that a mistyped one most likely meant."""
    by_folded = {k.casefold(): k for k in known}
    return [by_folded[m] for m in difflib.get_close_matches(name.casefold(), by_folded, count, cutoff=0.5)]


def package(name: str, distribution: str = "") -> Any:
    """A module of an optional package, imported now; MissingDependency if it is not there.

    `distribution` is what pip calls the package, if that is another name.
    """
    try:
        return import_module(name)
    except ImportError as error:
        wanted = distribution or name.partition(".")[0]
        raise MissingDependency(
            f"{wanted} is not installed", code="missing-package", hint=f"pip install {wanted}"
        ) from error


@dataclass(frozen=True)
class _Problem:
    what: str
    expected: str = ""
    hint: str = ""


# Both cores report what they find by one of these codes and its facts; the words are here only.
_PROBLEMS = {
    "columns": _Problem("{found} columns", "{expected} columns: {layout}"),
    "columns-changed": _Problem(
        "{found} columns, where the first line has {expected}",
        "the same number of columns on every line: {layout}",
    ),
    "looks-like-judgments": _Problem(
        "4 columns: this looks like judgments (qrels), not a run",
        "6 columns: {layout}",
        "give the judgments first, then the runs",
    ),
    "looks-like-run": _Problem(
        "6 columns: this looks like a run, not judgments (qrels)",
        "4 columns: {layout}",
        "give the judgments first, then the runs",
    ),
    "rank": _Problem(
        "rank '{text}' is not a whole number above 0",
        "ranks from 1 up in the last of three columns",
        "the format scores (--input-format scores) if that column has scores",
    ),
    "number": _Problem("{field} '{text}' is not a number", "a decimal number such as 12, -0.5 or 3.1e-4"),
    "not-finite": _Problem(
        "{field} '{text}' is not finite",
        "a finite number; NaN and infinity have no place in a ranking",
        "remove the row, or give the item a finite {field}",
    ),
    "overflow": _Problem("{field} '{text}' is too large for a 64-bit float", "a number below 1.8e308"),
    "grade-too-large": _Problem(
        "grade '{text}' is beyond 2^53", "a grade whose whole numbers a 64-bit float can hold"
    ),
    "line-too-long": _Problem("a line of more than {limit} bytes", "a text file with one row per line"),
    "changed": _Problem(
        "the file became shorter while it was read", "a file that nobody writes to", "run again"
    ),
    "no-rows": _Problem("no row in it", "at least one line: {layout}"),
    "no-rows-in-memory": _Problem("{kind} without any row", "at least one row"),
    "duplicate-item": _Problem(
        "query '{query}' ranks item '{item}' twice ({places})",
        "each item once in a ranking",
        "remove one, or choose duplicates=first or duplicates=best (--duplicates on the command line)",
    ),
    "conflicting-grades": _Problem(
        "query '{query}' judges item '{item}' twice with different grades: {first} and {second} ({places})",
        "one grade for each item of a query",
        "remove one of the two",
    ),
    "id-type": _Problem(
        "{field} {text} is {found}, which cannot be an id",
        "text or a whole number",
        "str() of it, if that is its name; scores go into a mapping of item to score",
    ),
    "value-type": _Problem("{field} {text} of item '{item}' is {found}", "a number"),
    "null": _Problem("{field} is missing (null)", "a value in every row"),
    "column-type": _Problem(
        "column '{header}' has type {found}",
        "text or whole numbers for ids, numbers for scores and grades",
        "cast the column",
    ),
    "ranking-type": _Problem(
        "the ranking of query '{query}' is of type {found}",
        "a mapping of item to score, or a list of items, best first",
    ),
    "judged-items-type": _Problem(
        "the judged items of query '{query}' are of type {found}",
        "a mapping of item to grade, or a set or list of relevant items",
    ),
    "unusable": _Problem(
        "something of type {found} cannot be read as {role}",
        "a path, a mapping of query to items, a data frame, or an object that exports an Arrow stream",
    ),
    "unreadable": _Problem(
        "cannot be read: {reason}", "a file, plain or compressed (gzip, zstd)", "{suggestion}"
    ),
    "zstd": _Problem("broken zstd data: {reason}", "a complete zstd file", "fetch or compress it again"),
    "bomb": _Problem(
        "what comes out of it is {what}: this looks like a decompression bomb",
        "compressed text of ordinary size",
        "decompress it yourself, or set {variable} to another limit",
    ),
    "empty-folder": _Problem("there is no file in this folder", "a folder with a run in each file"),
    "fields": _Problem("{found} columns, where the header has {expected}", "a value for each column"),
    "broken": _Problem("cannot be read as {format}: {reason}", "a complete {format} file"),
    "json": _Problem("not JSON: {reason}", "JSON text in UTF-8"),
    "json-shape": _Problem(
        "a JSON {found}, where an object is needed", "{{query: {{item: number}}}}", "rankscope formats"
    ),
    "repeated-key": _Problem("the key '{key}' stands twice in one object", "each key once", "remove one"),
    "line-shape": _Problem("a JSON {found}, where an object is needed", "an object on each line"),
    "no-key": _Problem(
        "no '{key}' among these: {found}",
        "an id of the query on each line",
        "say which key has it (--columns query=...)",
    ),
    "no-side": _Problem(
        "no line has '{key}'",
        '{{"query": ..., "{key}": ...}} on each line',
        "say which key has it (--columns {key}=...)",
    ),
    "repeated-query": _Problem("query '{query}' stands on two lines ({places})", "a line for each query"),
    "items-type": _Problem(
        "'{key}' is of type {found}",
        'a list of ids, an object of id to {value}, or a list of {{"id": ..., "{value}": ...}}',
    ),
    "entry-shape": _Problem("an item is {text}", 'an id and a number: {{"id": ..., "{value}": ...}}'),
    "duplicate-judgment": _Problem(
        "query '{query}' judges item '{item}' twice ({places})", "each item once", "remove one"
    ),
    "unwritable-id": _Problem(
        "the id '{id}' cannot be written as {format}: {reason}",
        "ids that the format can hold",
        "another format: csv and parquet hold any id",
    ),
    "which-side": _Problem(
        "the content does not tell whether this is a run or judgments",
        "columns or keys that only one of the two has",
        "say which (--as run or --as judgments)",
    ),
    "mapped-columns": _Problem("no column {lacking} among these: {found}", "a name that the header has"),
    "gzip": _Problem("broken gzip data: {reason}", "a complete gzip file", "fetch or compress it again"),
    "frame-columns": _Problem(
        "no column for {lacking} among these: {found}",
        "names such as {accepted}",
        "rename the columns, or say which is which (--columns, columns=)",
    ),
    "array-shape": _Problem("{what}", "{expected}"),
    "array-values": _Problem("not an array of numbers: {reason}", "an array of numbers"),
    "unknown-queries": _Problem("chosen, but not {there}: {unknown}", "ids of queries, such as {known}"),
    "no-queries": _Problem("no query was chosen", "at least one id of a query, such as {known}"),
    "no-common-query": _Problem(
        "no query in common with '{name}': {there} are {judged}, ranked are {retrieved}",
        "the same query ids in the run and in the {kind}",
        "check that the two belong together, and prefixes and leading zeros of the ids",
    ),
    "no-run": _Problem("no run given", "at least one run"),
    "same-name": _Problem(
        "{count} runs have the name '{name}'",
        "a name of its own for each run",
        "give a mapping of name to run",
    ),
    "count": _Problem("{option}={given}", "{option}= a whole number above 0, or none"),
    "whole-number": _Problem("{option}={given}", "{option}= a whole number from {least} up"),
    "attribute-columns": _Problem(
        "one column, where a query and its {field} belong",
        "on each line an id of a query, white space (a comma if the name ends in .csv) and its {field}",
    ),
    "attribute-type": _Problem(
        "something of type {found} cannot be read as a {field} for each query",
        "a path, a mapping of query to {field}, or a data frame with a column for each",
    ),
    "attribute-twice": _Problem(
        "query '{query}' has two {field}s: {first} and {second}", "one {field} for each query", "remove one"
    ),
    "group-type": _Problem("the group is of type {found}", "a name", "give each query one group"),
    "weight": _Problem("weight '{text}' is not a weight", "a finite number from 0 up"),
    "no-weight": _Problem(
        "no weight for {queries}",
        "a weight for every judged query",
        "give them a weight (0 leaves a query out of the aggregates), or choose queries",
    ),
    "weights-zero": _Problem("all weights are 0", "at least one judged query with a weight above 0"),
    "class-label": _Problem(
        "the label {text} is of type {found}", "text, a whole number, or something else that names a class"
    ),
    "ranking-of-classes": _Problem(
        "something of type {found} is no ranking of classes", "a list or an array of labels, best first"
    ),
    "labels-without-distance": _Problem(
        "the labels are not numbers, and nothing says how far the classes are",
        "labels with distance= or order=, or a list of distances",
    ),
    "distance-and-order": _Problem("both a distance and an order of the classes are given", "one of the two"),
    "no-distance-of-classes": _Problem(
        "nothing says how far the classes are", "a distance, or the order of the classes (order=)"
    ),
    "label-twice": _Problem(
        "{field} '{id}' has two different labels", "one label for each {field}", "remove one"
    ),
    "no-labels": _Problem("no {field} with a label", "a label for at least one {field}"),
    "labels-type": _Problem(
        "something of type {found} cannot be read as a label for each {field}",
        "a path, a mapping of {field} to label, or a data frame with a column for each",
    ),
    "label-not-distance": _Problem(
        "'{text}' is not a distance, and nothing says how far the classes are",
        "numbers, or labels of classes with their distances",
        "--distance, --order or --taxonomy",
    ),
    "class-distance-type": _Problem(
        "something of type {found} cannot be read as a distance of classes",
        "a mapping, a matrix with classes=, a data frame, a callable, a taxonomy or a path",
    ),
    "class-distance-value": _Problem("the distance of class '{label}' is {text}", "a finite number"),
    "class-distance-twice": _Problem(
        "class '{label}' has two different distances", "one distance for each pair of classes", "remove one"
    ),
    "class-distances-overflow": _Problem(
        "the distances are too far apart for a 64-bit float", "distances whose sum is below 1.8e308"
    ),
    "no-class-distance": _Problem(
        "no distance{origin} to class '{label}'", "a distance from the query's class to every other", "{hint}"
    ),
    "no-query-class": _Problem(
        "the class of the query is not given", "query_class= (--query-class), from which distances are taken"
    ),
    "matrix-names": _Problem("a matrix without the names of its classes", "distance=matrix, classes=[...]"),
    "matrix-shape": _Problem(
        "a matrix of shape {shape} for {count} classes", "a line and a column for each class"
    ),
    "class-twice": _Problem("class '{label}' stands twice", "each class once", "remove one"),
    "class-columns": _Problem("{found} columns", "{expected} columns, as on the first line"),
    "class-counts-type": _Problem(
        "counts of type {found}", "a mapping of class to the number of its items in the whole ranking"
    ),
    "class-count": _Problem("the count of class '{label}' is {text}", "a whole number from 0 up"),
    "class-count-low": _Problem(
        "class '{label}' stands {seen} times in the ranking, but has only {count} items in all",
        "counts of the whole ranking, of which the labels are the first ones",
    ),
    "class-cutoff": _Problem("cutoff {text}", "a whole number from 1 to {most}, the number of labels"),
    "too-many-classes": _Problem(
        "{count} classes are too many to list their pairs", "at most {most}", "join classes that are alike"
    ),
    "too-many-arrangements": _Problem(
        "there are too many arrangements of these items to look at all",
        "a short ranking",
        "method=normal or method=permutation",
    ),
    "taxonomy-type": _Problem(
        "something of type {found} cannot be read as a taxonomy",
        "a mapping of child to parent, pairs (child, parent), a data frame or a path",
    ),
    "taxonomy-empty": _Problem("the taxonomy is empty", "at least one child with its parent"),
    "taxonomy-parents": _Problem(
        "class '{label}' has two parents: '{first}' and '{second}'", "one parent for each class", "remove one"
    ),
    "taxonomy-cycle": _Problem("the classes go round in a circle: {cycle}", "a tree"),
    "taxonomy-roots": _Problem(
        "{count} classes have no parent: {roots}", "one root", "give all but one of them a parent"
    ),
    "taxonomy-label": _Problem("class '{label}' is not in the taxonomy", "a class of the tree", "{hint}"),
    "lengths": _Problem("{found} values, where {other} has {expected}", "as many values in both"),
    "relevance-type": _Problem(
        "something of type {found} cannot be read as the relevance of categories",
        "a mapping of category to number, a callable, a data frame or a path",
    ),
    "relevance-value": _Problem("the relevance of '{label}' is {text}", "a finite number"),
    "relevance-twice": _Problem(
        "'{label}' has two different relevances", "one relevance for each category", "remove one"
    ),
    "no-relevance": _Problem("no relevance for '{label}'", "a relevance for every category", "{hint}"),
    "rough-truth": _Problem(
        "{measure} needs a true order, but the truth has two different values only",
        "a true score of its own for most items",
        "OrderAUC or OrderAccuracy, which take a truth that says only positive or negative",
    ),
    "unpaired-files": _Problem(
        "{what}", "a file for each of those in {other}, under the same name", "check the names of the files"
    ),
    "no-folder": _Problem("{reason}", "a folder with {content} in each file"),
    "too-many-rows": _Problem("more than 2^30 rows for one query", "shorter rankings"),
}


def input_error(
    code: str, *, source: str = "", line: int = 0, column: int = 0, **facts: object
) -> InputError:
    """The error that a core found, in words: `source`, `line` and `column` say where it is.

    So do the facts `row`, `query` and `item`, unless the sentence itself has them.
    """
    problem = _PROBLEMS[code]
    shown = {name: _shown(fact) for name, fact in facts.items()}
    where = ":".join(str(part) for part in (printable(source), line, column) if part)
    if "row" in shown:
        where += f", row {shown['row']}"
    for fact in ("query", "item"):
        if fact in shown and f"{{{fact}}}" not in problem.what:
            where += f", {fact} '{shown[fact]}'"
    return InputError(
        problem.what.format(**shown),
        code=code,
        where=where,
        expected=problem.expected.format(**shown),
        hint=problem.hint.format(**shown),
    )


def _shown(fact: object, limit: int = 200) -> str:
    """A fact in a sentence: numbers without a superfluous .0, ids printable, nothing longer than `limit`."""
    text = repr(fact).removesuffix(".0") if isinstance(fact, float) else printable(str(fact))
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
