"""DCG and nDCG of the worked examples of the RankDCG blog and code, computed anew in high precision.

dcg.json has the grades in the order of the ranking, the discount and the value.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import rankscope

CASES = json.loads((Path(__file__).parent.parent / "golden" / "dcg.json").read_text())
NAMES = {"dcg": rankscope.DCG, "ndcg": rankscope.nDCG}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_golden_value(case: dict[str, Any]) -> None:
    measure = NAMES[case["measure"]](base=math.e if case["discount"] == "ln" else 2)
    grades = {f"item{n}": grade for n, grade in enumerate(case["relevances_in_order"])}
    found = rankscope.evaluate({"q": grades}, {"q": list(grades)}, measure)[measure]
    assert found == pytest.approx(case["value"], rel=1e-13)
