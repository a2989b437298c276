"""ranx: its readers for files and pandas frames; other frames must become pandas frames of objects first."""

from __future__ import annotations

from typing import Any

from ranx import Qrels, Run
from ranx import evaluate as ranx_evaluate

from contenders.common import Values, main

NAMES = {"nDCG@10": "ndcg@10", "AP": "map", "RR": "mrr", "P@10": "precision@10", "R@100": "recall@100"}


def evaluate(judgments: Qrels, run: Run) -> Values:
    values = ranx_evaluate(judgments, run, list(NAMES.values()))
    return {ours: float(values[theirs]) for ours, theirs in NAMES.items()}


def evaluate_files(judgments: str, run: str) -> Values:
    return evaluate(Qrels.from_file(judgments, kind="trec"), Run.from_file(run, kind="trec"))


def evaluate_pandas(judgments: Any, run: Any) -> Values:
    objects = {"query": object, "item": object}
    return evaluate(
        Qrels.from_df(judgments.astype(objects), q_id_col="query", doc_id_col="item", score_col="grade"),
        Run.from_df(run.astype(objects), q_id_col="query", doc_id_col="item", score_col="score"),
    )


def evaluate_other_frames(judgments: Any, run: Any) -> Values:
    return evaluate_pandas(judgments.to_pandas(), run.to_pandas())


if __name__ == "__main__":
    main(
        {
            "files": evaluate_files,
            "pandas": evaluate_pandas,
            "polars": evaluate_other_frames,
            "arrow": evaluate_other_frames,
        }
    )
