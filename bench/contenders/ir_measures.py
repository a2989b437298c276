"""ir_measures: its readers and its default pipeline."""

from __future__ import annotations

import ir_measures

from contenders.common import MEASURES, Values, main


def evaluate_files(judgments: str, run: str) -> Values:
    measures = [ir_measures.parse_measure(name) for name in MEASURES]
    values = ir_measures.calc_aggregate(
        measures, ir_measures.read_trec_qrels(judgments), ir_measures.read_trec_run(run)
    )
    return {str(measure): float(value) for measure, value in values.items()}


if __name__ == "__main__":
    main({"files": evaluate_files})
