"""Tables 5 and 6: run time against the number of sentences, and of segments.

Everything runs in one process and one thread, each cell the median of several runs. BATS is timed
from the sentences to the finished topics and segments; the baselines are timed from the prepared
document, which favours them.
"""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from threadpoolctl import threadpool_limits

from docbats_lab.experiments.request import evenly_spaced, run_scored
from docbats_lab.method_registry import CLASSICAL_SEGMENTERS, SEGMENTERS, TOPIC_METHODS
from docbats_lab.preparation import prepare

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from docbats_lab.experiments.request import Request
    from docbats_lab.preparation import Prepared
    from docbats_lab.row_files import Row
    from docbats_lab.segmented_document import SegmentedDocument

SENTENCES = (50, 60, 80, 100, 120, 140)
SEGMENTS = (10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
TOPIC_ROWS = ("HDP", "LDA", "LSA", "NMF", "SeaNMF", "BATS", "docbats (k)")
_RUNS = 3
_DOCUMENTS = 5


@dataclass(frozen=True)
class TimeScorer:
    """Times methods on a document, with its own number of segments or one named in the variant."""

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


def run_sentences(request: Request) -> None:
    """Time all methods on Choi documents of about 50 to 140 sentences (table 5)."""
    topics = [name for name in TOPIC_METHODS if name not in SEGMENTERS]
    segmenters = list(SEGMENTERS) if request.methods else list(CLASSICAL_SEGMENTERS)
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


def run_segments(request: Request) -> None:
    """Time the topic methods on lectures, asked for 10 to 100 segments (table 6)."""
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
