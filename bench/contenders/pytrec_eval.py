"""pytrec_eval: its own parsers, then its evaluator."""

from __future__ import annotations

from typing import Any

import pytrec_eval

from contenders.common import Values, main

NAMES = {"nDCG@10": "ndcg_cut.10", "AP": "map", "RR": "recip_rank", "P@10": "P.10", "R@100": "recall.100"}


def evaluate(judgments: Any, run: Any) -> Values:
    per_query = pytrec_eval.RelevanceEvaluator(judgments, set(NAMES.values())).evaluate(run)
    return {
        ours: sum(values[theirs.replace(".", "_")] for values in per_query.values()) / len(per_query)
        for ours, theirs in NAMES.items()
    }


def evaluate_files(judgments: str, run: str) -> Values:
    with open(judgments) as qrels_file, open(run) as run_file:
        return evaluate(pytrec_eval.parse_qrel(qrels_file), pytrec_eval.parse_run(run_file))


if __name__ == "__main__":
    main({"files": evaluate_files, "dict": evaluate})
