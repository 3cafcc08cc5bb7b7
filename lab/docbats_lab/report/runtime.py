"""The pages of tables 5 and 6: time by sentences, and by segments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docbats_lab.experiments.runtime import SEGMENTS, SENTENCES, TOPIC_ROWS, variant
from docbats_lab.method_registry import SEGMENTERS, TOPIC_METHODS
from docbats_lab.paper_tables import paper_tables
from docbats_lab.report.markdown_tables import NO_VALUE, format_number, markdown_table
from docbats_lab.report.stored_results import read_variants
from docbats_lab.row_files import read_rows
from docbats_lab.score_summary import summarize_score

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from docbats_lab.row_files import Row


def page_by_sentences(folder: Path, _: Path) -> Iterator[str]:
    """Write a row for each method, by the length of the document."""
    yield (
        "Milliseconds a document, and their growth from 50 sentences; in brackets the paper's, on "
        "its own machine. One thread; Choi documents of about that length. BATS and "
        "docbats from raw sentences to topics and segments, the others from the prepared "
        "document.\n"
    )
    names = [*(name for name in TOPIC_METHODS if name not in SEGMENTERS), *SEGMENTERS]
    body = []
    for name, rows in read_variants(folder / "choi", names).items():
        paper = paper_tables()["table5"].get(name, {})
        means = [_mean_of_nearest(rows, size) for size in SENTENCES]
        cells = []
        for size, ms in zip(SENTENCES, means, strict=True):
            theirs = paper.get(str(size))
            bracket = f" ({theirs:g}, {_growth(theirs, paper['50'])})" if theirs else ""
            growth = f" {_growth(ms, means[0])}" if ms and means[0] else ""
            cells.append(format_number(ms, 1) + growth + bracket)
        body.append([name, *cells])
    yield markdown_table(["sentences", *map(str, SENTENCES)], body)


def page_by_segments(folder: Path, _: Path) -> Iterator[str]:
    """Write a row for each topic method, by the number of segments asked for."""
    yield (
        "Milliseconds a lecture, and their growth from 10 segments; in brackets the paper's "
        "growth. One thread.\n"
    )
    body = []
    for method in TOPIC_ROWS:
        paper = paper_tables()["table6"].get(method, {})
        found = [
            summarize_score(read_rows(folder / "lectures", variant(method, k)), "ms")
            for k in SEGMENTS
        ]
        first = found[0]
        if not first:
            continue
        cells = []
        for k, summary in zip(SEGMENTS, found, strict=True):
            if not summary:
                cells.append(NO_VALUE)
                continue
            bracket = f" ({_growth(paper[str(k)], paper['10'])})" if paper else ""
            growth = _growth(summary.mean, first.mean)
            cells.append(f"{format_number(summary.mean, 1)} {growth}{bracket}")
        body.append([method, *cells])
    yield markdown_table(["segments", *map(str, SEGMENTS)], body)


def _growth(ms: float, first: float) -> str:
    return f"x{ms / first:.2f}"


def _mean_of_nearest(rows: Mapping[str, Row], size: int) -> float | None:
    """Average over the documents whose length is nearest to this one of the table's."""
    times = [
        row["ms"]
        for row in rows.values()
        if "ms" in row and min(SENTENCES, key=lambda s: abs(s - row["sentences"])) == size
    ]
    return float(np.mean(times)) if times else None
