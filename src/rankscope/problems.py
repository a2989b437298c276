"""What can be wrong with input, by code: the words for what the cores and readers find."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PROBLEMS", "Problem"]


@dataclass(frozen=True)
class Problem:
    """What was wrong, what was expected and what to try, with places for facts."""

    what: str
    expected: str = ""
    hint: str = ""


# Both cores report what they find by one of these codes and its facts; the words are here only.
PROBLEMS: dict[str, Problem] = {
    "columns": Problem("{found} columns", "{expected} columns: {layout}"),
    "columns-changed": Problem(
        "{found} columns, where the first line has {expected}",
        "the same number of columns on every line: {layout}",
    ),
    "looks-like-judgments": Problem(
        "4 columns: this looks like judgments (qrels), not a run",
        "6 columns: {layout}",
        "give the judgments first, then the runs",
    ),
    "looks-like-run": Problem(
        "6 columns: this looks like a run, not judgments (qrels)",
        "4 columns: {layout}",
        "give the judgments first, then the runs",
    ),
    "rank": Problem(
        "rank '{text}' is not a whole number above 0",
        "ranks from 1 up in the last of three columns",
        "the format scores (--input-format scores) if that column has scores",
    ),
    "number": Problem("{field} '{text}' is not a number", "a decimal number such as 12, -0.5 or 3.1e-4"),
    "not-finite": Problem(
        "{field} '{text}' is not finite",
        "a finite number; NaN and infinity have no place in a ranking",
        "remove the row, or give the item a finite {field}",
    ),
    "overflow": Problem("{field} '{text}' is too large for a 64-bit float", "a number below 1.8e308"),
    "grade-too-large": Problem(
        "grade '{text}' is beyond 2^53", "a grade whose whole numbers a 64-bit float can hold"
    ),
    "line-too-long": Problem("a line of more than {limit} bytes", "a text file with one row per line"),
    "changed": Problem(
        "the file became shorter while it was read", "a file that nobody writes to", "run again"
    ),
    "no-rows": Problem("no row in it", "at least one line: {layout}"),
    "no-rows-in-memory": Problem("{kind} without any row", "at least one row"),
    "duplicate-item": Problem(
        "query '{query}' ranks item '{item}' twice ({places})",
        "each item once in a ranking",
        "remove one, or choose duplicates=first or duplicates=best (--duplicates on the command line)",
    ),
    "conflicting-grades": Problem(
        "query '{query}' judges item '{item}' twice with different grades: {first} and {second} ({places})",
        "one grade for each item of a query",
        "remove one of the two",
    ),
    "id-type": Problem(
        "{field} {text} is {found}, which cannot be an id",
        "text or a whole number",
        "str() of it, if that is its name; scores go into a mapping of item to score",
    ),
    "value-type": Problem("{field} {text} of item '{item}' is {found}", "a number"),
    "null": Problem("{field} is missing (null)", "a value in every row"),
    "column-type": Problem(
        "column '{header}' has type {found}",
        "text or whole numbers for ids, numbers for scores and grades",
        "cast the column",
    ),
    "ranking-type": Problem(
        "the ranking of query '{query}' is of type {found}",
        "a mapping of item to score, or a list of items, best first",
    ),
    "judged-items-type": Problem(
        "the judged items of query '{query}' are of type {found}",
        "a mapping of item to grade, or a set or list of relevant items",
    ),
    "unusable": Problem(
        "something of type {found} cannot be read as {role}",
        "a path, a mapping of query to items, a data frame, or an object that exports an Arrow stream",
    ),
    "unreadable": Problem(
        "cannot be read: {reason}", "a file, plain or compressed (gzip, zstd)", "{suggestion}"
    ),
    "zstd": Problem("broken zstd data: {reason}", "a complete zstd file", "fetch or compress it again"),
    "bomb": Problem(
        "what comes out of it is {what}: this looks like a decompression bomb",
        "compressed text of ordinary size",
        "decompress it yourself, or set {variable} to another limit",
    ),
    "empty-folder": Problem("there is no file in this folder", "a folder with a run in each file"),
    "fields": Problem("{found} columns, where the header has {expected}", "a value for each column"),
    "broken": Problem("cannot be read as {format}: {reason}", "a complete {format} file"),
    "json": Problem("not JSON: {reason}", "JSON text in UTF-8"),
    "json-shape": Problem(
        "a JSON {found}, where an object is needed", "{{query: {{item: number}}}}", "rankscope formats"
    ),
    "repeated-key": Problem("the key '{key}' stands twice in one object", "each key once", "remove one"),
    "line-shape": Problem("a JSON {found}, where an object is needed", "an object on each line"),
    "no-key": Problem(
        "no '{key}' among these: {found}",
        "an id of the query on each line",
        "say which key has it (--columns query=...)",
    ),
    "no-side": Problem(
        "no line has '{key}'",
        '{{"query": ..., "{key}": ...}} on each line',
        "say which key has it (--columns {key}=...)",
    ),
    "repeated-query": Problem("query '{query}' stands on two lines ({places})", "a line for each query"),
    "items-type": Problem(
        "'{key}' is of type {found}",
        'a list of ids, an object of id to {value}, or a list of {{"id": ..., "{value}": ...}}',
    ),
    "entry-shape": Problem("an item is {text}", 'an id and a number: {{"id": ..., "{value}": ...}}'),
    "duplicate-judgment": Problem(
        "query '{query}' judges item '{item}' twice ({places})", "each item once", "remove one"
    ),
    "unwritable-id": Problem(
        "the id '{id}' cannot be written as {format}: {reason}",
        "ids that the format can hold",
        "another format: csv and parquet hold any id",
    ),
    "which-side": Problem(
        "the content does not tell whether this is a run or judgments",
        "columns or keys that only one of the two has",
        "say which (--as run or --as judgments)",
    ),
    "mapped-columns": Problem("no column {lacking} among these: {found}", "a name that the header has"),
    "gzip": Problem("broken gzip data: {reason}", "a complete gzip file", "fetch or compress it again"),
    "frame-columns": Problem(
        "no column for {lacking} among these: {found}",
        "names such as {accepted}",
        "rename the columns, or say which is which (--columns, columns=)",
    ),
    "array-shape": Problem("{what}", "{expected}"),
    "array-values": Problem("not an array of numbers: {reason}", "an array of numbers"),
    "unknown-queries": Problem("chosen, but not {there}: {unknown}", "ids of queries, such as {known}"),
    "no-queries": Problem("no query was chosen", "at least one id of a query, such as {known}"),
    "no-common-query": Problem(
        "no query in common with '{name}': {there} are {judged}, ranked are {retrieved}",
        "the same query ids in the run and in the {kind}",
        "check that the two belong together, and prefixes and leading zeros of the ids",
    ),
    "no-run": Problem("no run given", "at least one run"),
    "same-name": Problem(
        "{count} runs have the name '{name}'",
        "a name of its own for each run",
        "give a mapping of name to run",
    ),
    "count": Problem("{option}={given}", "{option}= a whole number above 0, or none"),
    "whole-number": Problem("{option}={given}", "{option}= a whole number from {least} up"),
    "attribute-columns": Problem(
        "one column, where a query and its {field} belong",
        "on each line an id of a query, white space (a comma if the name ends in .csv) and its {field}",
    ),
    "attribute-type": Problem(
        "something of type {found} cannot be read as a {field} for each query",
        "a path, a mapping of query to {field}, or a data frame with a column for each",
    ),
    "attribute-twice": Problem(
        "query '{query}' has two {field}s: {first} and {second}", "one {field} for each query", "remove one"
    ),
    "group-type": Problem("the group is of type {found}", "a name", "give each query one group"),
    "weight": Problem("weight '{text}' is not a weight", "a finite number from 0 up"),
    "no-weight": Problem(
        "no weight for {queries}",
        "a weight for every judged query",
        "give them a weight (0 leaves a query out of the aggregates), or choose queries",
    ),
    "weights-zero": Problem("all weights are 0", "at least one judged query with a weight above 0"),
    "class-label": Problem(
        "the label {text} is of type {found}", "text, a whole number, or something else that names a class"
    ),
    "ranking-of-classes": Problem(
        "something of type {found} is no ranking of classes", "a list or an array of labels, best first"
    ),
    "labels-without-distance": Problem(
        "the labels are not numbers, and nothing says how far the classes are",
        "labels with distance= or order=, or a list of distances",
    ),
    "distance-and-order": Problem("both a distance and an order of the classes are given", "one of the two"),
    "no-distance-of-classes": Problem(
        "nothing says how far the classes are", "a distance, or the order of the classes (order=)"
    ),
    "label-twice": Problem(
        "{field} '{id}' has two different labels", "one label for each {field}", "remove one"
    ),
    "no-labels": Problem("no {field} with a label", "a label for at least one {field}"),
    "labels-type": Problem(
        "something of type {found} cannot be read as a label for each {field}",
        "a path, a mapping of {field} to label, or a data frame with a column for each",
    ),
    "label-not-distance": Problem(
        "'{text}' is not a distance, and nothing says how far the classes are",
        "numbers, or labels of classes with their distances",
        "--distance, --order or --taxonomy",
    ),
    "class-distance-type": Problem(
        "something of type {found} cannot be read as a distance of classes",
        "a mapping, a matrix with classes=, a data frame, a callable, a taxonomy or a path",
    ),
    "class-distance-value": Problem("the distance of class '{label}' is {text}", "a finite number"),
    "class-distance-twice": Problem(
        "class '{label}' has two different distances", "one distance for each pair of classes", "remove one"
    ),
    "class-distances-overflow": Problem(
        "the distances are too far apart for a 64-bit float", "distances whose sum is below 1.8e308"
    ),
    "no-class-distance": Problem(
        "no distance{origin} to class '{label}'", "a distance from the query's class to every other", "{hint}"
    ),
    "no-query-class": Problem(
        "the class of the query is not given", "query_class= (--query-class), from which distances are taken"
    ),
    "matrix-names": Problem("a matrix without the names of its classes", "distance=matrix, classes=[...]"),
    "matrix-shape": Problem(
        "a matrix of shape {shape} for {count} classes", "a line and a column for each class"
    ),
    "class-twice": Problem("class '{label}' stands twice", "each class once", "remove one"),
    "class-columns": Problem("{found} columns", "{expected} columns, as on the first line"),
    "class-counts-type": Problem(
        "counts of type {found}", "a mapping of class to the number of its items in the whole ranking"
    ),
    "class-count": Problem("the count of class '{label}' is {text}", "a whole number from 0 up"),
    "class-count-low": Problem(
        "class '{label}' stands {seen} times in the ranking, but has only {count} items in all",
        "counts of the whole ranking, of which the labels are the first ones",
    ),
    "class-cutoff": Problem("cutoff {text}", "a whole number from 1 to {most}, the number of labels"),
    "too-many-classes": Problem(
        "{count} classes are too many to list their pairs", "at most {most}", "join classes that are alike"
    ),
    "too-many-arrangements": Problem(
        "there are too many arrangements of these items to look at all",
        "a short ranking",
        "method=normal or method=permutation",
    ),
    "taxonomy-type": Problem(
        "something of type {found} cannot be read as a taxonomy",
        "a mapping of child to parent, pairs (child, parent), a data frame or a path",
    ),
    "taxonomy-empty": Problem("the taxonomy is empty", "at least one child with its parent"),
    "taxonomy-parents": Problem(
        "class '{label}' has two parents: '{first}' and '{second}'", "one parent for each class", "remove one"
    ),
    "taxonomy-cycle": Problem("the classes go round in a circle: {cycle}", "a tree"),
    "taxonomy-roots": Problem(
        "{count} classes have no parent: {roots}", "one root", "give all but one of them a parent"
    ),
    "taxonomy-label": Problem("class '{label}' is not in the taxonomy", "a class of the tree", "{hint}"),
    "lengths": Problem("{found} values, where {other} has {expected}", "as many values in both"),
    "relevance-type": Problem(
        "something of type {found} cannot be read as the relevance of categories",
        "a mapping of category to number, a callable, a data frame or a path",
    ),
    "relevance-value": Problem("the relevance of '{label}' is {text}", "a finite number"),
    "relevance-twice": Problem(
        "'{label}' has two different relevances", "one relevance for each category", "remove one"
    ),
    "no-relevance": Problem("no relevance for '{label}'", "a relevance for every category", "{hint}"),
    "rough-truth": Problem(
        "{measure} needs a true order, but the truth has two different values only",
        "a true score of its own for most items",
        "OrderAUC or OrderAccuracy, which take a truth that says only positive or negative",
    ),
    "unpaired-files": Problem(
        "{what}", "a file for each of those in {other}, under the same name", "check the names of the files"
    ),
    "no-folder": Problem("{reason}", "a folder with {content} in each file"),
    "too-many-rows": Problem("more than 2^30 rows for one query", "shorter rankings"),
}
