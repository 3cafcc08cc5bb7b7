"""The page on rules that were fitted to some sources and judged on others."""

from __future__ import annotations

from pathlib import Path

from docbats_lab.experiments.carry_over import page

ROOT = Path(__file__).parents[3]
RESULTS = ROOT / "benchmarks" / "results" / "lab" / "carry-over"


def test_the_page_shows_the_stored_results() -> None:
    text = "\n".join(page(RESULTS, RESULTS))
    assert (ROOT / "docs" / "lab" / "carry-over.md").read_text(encoding="utf-8").endswith(text)


def test_scores_stand_by_source_and_rules_with_how_they_vary() -> None:
    lines = "\n".join(page(RESULTS, RESULTS)).splitlines()
    assert any(line.startswith("| structured gain | 90 |") for line in lines)
    assert any(line.startswith("| mean of textbook, lectures, wiki, ") for line in lines)
    (choi,) = (line for line in lines if line.startswith("| choi | 200 |"))
    assert choi.count(" / ") == 3 * 6
