"""Every format of runs and judgments; what reads and writes it is imported when a file has it."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from rankscope.data.formats.base import Format

__all__ = ["ARROW", "CSV", "FORMATS", "GRADES", "JSON", "JSONL", "PARQUET", "RANKS", "SCORES", "TREC", "TSV"]


@dataclass(frozen=True)
class _Later:
    """A function of a module beside this one, which is imported when the function is called."""

    module: str
    name: str

    def __call__(self, *arguments: Any) -> Any:
        module = import_module(f"rankscope.data.formats.{self.module}")
        return getattr(module, self.name)(*arguments)


TREC = Format(
    "trec",
    "columns with white space between them, as trec_eval reads them",
    {"run": "q1 Q0 doc7 1 14.25 bm25", "judgments": "q1 0 doc7 2"},
    _Later("text", "read_trec"),
    _Later("text", "write_trec"),
    (".trec", ".run", ".qrels", ".qrel", ".txt"),
)
RANKS = Format(
    "ranks",
    "3 columns of a run, as MS MARCO has them: the rank decides",
    {"run": "q1 doc7 1"},
    _Later("text", "read_ranks"),
)
SCORES = Format(
    "scores",
    "3 columns of a run, the last with scores",
    {"run": "q1 doc7 14.25"},
    _Later("text", "read_scores"),
)
GRADES = Format("grades", "3 columns of judgments", {"judgments": "q1 doc7 2"}, _Later("text", "read_grades"))
CSV = Format(
    "csv",
    "a header, then commas (or tabs or semicolons) between the columns",
    {"run": "query,item,score\nq1,doc7,14.25", "judgments": "query,item,grade\nq1,doc7,2"},
    _Later("delimited", "read"),
    _Later("delimited", "write_csv"),
    (".csv",),
    "pyarrow",
)
TSV = Format(
    "tsv",
    "a header, then tabs between the columns, as BEIR has them",
    {"run": "query\titem\tscore\nq1\tdoc7\t14.25", "judgments": "query-id\tcorpus-id\tscore\nq1\tdoc7\t2"},
    _Later("delimited", "read"),
    _Later("delimited", "write_tsv"),
    (".tsv",),
    "pyarrow",
)
JSON = Format(
    "json",
    "an object of query to items and their scores or grades",
    {"run": '{"q1": {"doc7": 14.25}}', "judgments": '{"q1": {"doc7": 2}}'},
    _Later("nested", "read"),
    _Later("nested", "write"),
    (".json",),
)
JSONL = Format(
    "jsonl",
    "an object for each query; one file may hold both sides",
    {
        "run": '{"query": "q1", "retrieved": ["doc7", "d3"]}\n{"query": "q2", "retrieved": {"doc7": 14.25}}',
        "judgments": '{"query": "q1", "relevant": ["doc7"]}\n{"query": "q2", "relevant": {"doc7": 2}}',
    },
    _Later("lines", "read"),
    _Later("lines", "write"),
    (".jsonl", ".ndjson"),
)
_COLUMNS = "columns: query, item, "
PARQUET = Format(
    "parquet",
    "columns with names, compressed; read without a copy of what is not needed",
    {"run": f"{_COLUMNS}score", "judgments": f"{_COLUMNS}grade"},
    _Later("columnar", "read_parquet"),
    _Later("columnar", "write_parquet"),
    (".parquet", ".pq"),
    "pyarrow",
)
ARROW = Format(
    "arrow",
    "columns with names, as Arrow's IPC files and streams (Feather) have them",
    {"run": f"{_COLUMNS}score", "judgments": f"{_COLUMNS}grade"},
    _Later("columnar", "read_arrow"),
    _Later("columnar", "write_arrow"),
    (".arrow", ".feather", ".ipc"),
    "pyarrow",
)

FORMATS = (TREC, RANKS, SCORES, GRADES, CSV, TSV, JSON, JSONL, PARQUET, ARROW)
