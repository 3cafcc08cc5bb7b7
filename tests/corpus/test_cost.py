from __future__ import annotations

import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parent.parent.parent / "benchmarks"


def test_the_page_says_what_the_sums_give(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    cost = pytest.importorskip("cost")
    page = cost.PAGE.read_text()
    assert cost.updated(page, cost.read_rates()) == page
    sys.modules.pop("cost")
