"""Tables 5 and 6: run time by the number of sentences, and of segments.

Everything runs in one process and one thread; each cell is the median of several runs. BATS is
timed from the sentences to the finished topics and segments; the baselines are timed from the
prepared document, which favors them.
"""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from threadpoolctl import threadpool_limits

from docbats_lab.experiments.request import evenly_spaced, run_scored
from docbats_lab.method_registry import SEGMENTERS, TOPIC_METHODS
from docbats_lab.methods import prepare
from docbats_lab.report.tables import NO_VALUE, format_number, markdown_table, paper_tables
from docbats_lab.results import read_rows, read_variants
from docbats_lab.score_summary import summarize_score

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from docbats_lab.documents import SegmentedDocument
    from docbats_lab.experiments.request import Request
    from docbats_lab.methods import Prepared
    from docbats_lab.results import Row

SENTENCES = (50, 60, 80, 100, 120, 140)
SEGMENTS = (10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
TOPIC_ROWS = ("HDP", "LDA", "LSA", "NMF", "SeaNMF", "BATS", "docbats (k)")
_RUNS = 3
_DOCUMENTS = 5


@dataclass(frozen=True)
class TimeScorer:
    """Times methods on a document, with its number of segments or the one named in the variant."""

    seed: int

    def __call__(self, document: SegmentedDocument, variants: Sequence[str]) -> dict[str, Row]:
        """Return the milliseconds of each variant."""
        rows = {}
        with threadpool_limits(1):
            for name in variants:
                method, _, k = name.partition(" k=")
                work = _work(method, int(k) if k else len(document.segments), self.seed)
                ms = _median_ms(work, document.sentences)
                rows[name] = {"sentences": len(document.sentences), "ms": ms}
        return rows


def variant(method: str, segments: int) -> str:
    """Return the name of a cell of table 6."""
    return f"{method} k={segments}"


def run_by_sentences(request: Request) -> None:
    """Time all methods on Choi documents of about 50 to 140 sentences (table 5)."""
    topics = [name for name in TOPIC_METHODS if name not in SEGMENTERS]
    segmenters = [
        name
        for name, method in SEGMENTERS.items()
        if request.methods or not (method.is_neural or method.uses_paragraphs)
    ]
    per_size = request.limit or _DOCUMENTS

    def select(_: str, documents: list[SegmentedDocument]) -> list[SegmentedDocument]:
        chosen: dict[str, SegmentedDocument] = {}
        for size in SENTENCES:
            by_distance = sorted(documents, key=lambda d: (abs(len(d.sentences) - size), d.name))
            chosen |= {document.name: document for document in by_distance[:per_size]}
        return list(chosen.values())

    run_scored(
        request,
        "runtime-sentences",
        ["choi"],
        [*topics, *segmenters],
        lambda *_: TimeScorer(request.seed),
        select=select,
        jobs=1,
    )


def run_by_segments(request: Request) -> None:
    """Time the topic methods on lectures, with 10 to 100 segments (table 6)."""
    run_scored(
        request,
        "runtime-segments",
        ["lectures"],
        [variant(method, k) for method in TOPIC_ROWS for k in SEGMENTS],
        lambda *_: TimeScorer(request.seed),
        select=lambda _, documents: evenly_spaced(documents, request.limit or _DOCUMENTS),
        jobs=1,
    )


def _work(method: str, k: int, seed: int) -> Callable[[Prepared], object]:
    if method in SEGMENTERS:
        return lambda prepared: SEGMENTERS[method].cut(prepared, k, seed)
    return lambda prepared: TOPIC_METHODS[method].find(prepared, k, seed)


def _median_ms(work: Callable[[Prepared], object], sentences: tuple[str, ...]) -> float:
    """Time `work` on a document prepared again each time: some methods cache the last one."""
    spent = []
    for _ in range(_RUNS):
        prepared = prepare(sentences)
        started = time.perf_counter()
        work(prepared)
        spent.append(1000 * (time.perf_counter() - started))
    return round(statistics.median(spent), 3)


def page_by_sentences(folder: Path, _: Path) -> Iterator[str]:
    """Write a row for each method, by the length of the document."""
    yield (
        "Milliseconds per document, and their growth from 50 sentences; the paper's figures, on "
        "its own machine, in brackets. One thread; documents of Choi of about that length. BATS "
        "and docbats are timed from raw sentences to topics and segments, the others from the "
        "prepared document.\n"
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
    """Write a row for each topic method, by the number of segments."""
    yield (
        "Milliseconds per lecture, and their growth from 10 segments; the paper's growth in "
        "brackets. One thread.\n"
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
    """Average over the documents whose nearest length in the table is this one."""
    times = [
        row["ms"]
        for row in rows.values()
        if "ms" in row and min(SENTENCES, key=lambda s: abs(s - row["sentences"])) == size
    ]
    return float(np.mean(times)) if times else None
