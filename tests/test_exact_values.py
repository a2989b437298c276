"""No exact value is left out: each one belongs to a family whose tests fail on a case they cannot handle."""

from __future__ import annotations

import json
from pathlib import Path

TESTS = Path(__file__).parent
FAMILIES = {
    "classes": ("classi.",),
    "gains": ("dcg", "ndcg", "rankdcg", "precision_positional.", "ap_positional."),
    "links": ("ardoco.",),
    "orders": ("huangling.", "kendall", "spearman_rho."),
    "study": ("huangling.n", "huangling.distinct_values."),
    "answers": ("michel.",),
}


def test_every_exact_value_belongs_to_a_family() -> None:
    cases = json.loads((TESTS / "golden" / "golden.json").read_text())
    known = tuple(prefix for prefixes in FAMILIES.values() for prefix in prefixes)
    assert [name for name in cases if not name.startswith(known)] == []
    for family, prefixes in FAMILIES.items():
        assert any(name.startswith(prefixes) for name in cases), family
        assert any("golden.json" in path.read_text() for path in (TESTS / family).glob("*.py")), family
