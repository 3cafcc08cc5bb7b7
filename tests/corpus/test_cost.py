from __future__ import annotations

import runpy
from pathlib import Path

COST = Path(__file__).parent.parent.parent / "benchmarks" / "cost.py"


def test_the_page_says_what_the_sums_give() -> None:
    cost = runpy.run_path(str(COST))
    page = cost["PAGE"].read_text()
    assert cost["updated"](page, cost["read_rates"]()) == page
