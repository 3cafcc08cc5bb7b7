"""Counts of requests and documents, in the text format of Prometheus."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docbats.serve.pool import Pool

__all__ = ["Metrics"]

_BUCKET_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """Counters and one histogram; they hold nothing of any document.

    Examples
    --------
    >>> metrics = Metrics()
    >>> metrics.count_request("/v1/health", 200)
    >>> 'docbats_requests_total{path="/v1/health",status="200"} 1' in metrics.to_text(None)
    True
    """

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, int]] = Counter()
        self._documents: Counter[str] = Counter()
        self._buckets = [0] * len(_BUCKET_SECONDS)
        self._seconds, self._timed, self._size = 0.0, 0, 0

    def count_request(self, path: str, status: int) -> None:
        """Count a request that was answered."""
        self._requests[path, status] += 1

    def count_document(self, outcome: str, size: int, seconds: float) -> None:
        """Count a document, with its size and the seconds until its answer, waiting included."""
        self._documents[outcome] += 1
        self._size += size
        self._seconds += seconds
        self._timed += 1
        for i, bound in enumerate(_BUCKET_SECONDS):
            self._buckets[i] += seconds <= bound

    def to_text(self, pool: Pool | None) -> str:
        """Return all counts in the text format of Prometheus."""
        return "".join(f"{line}\n" for line in [*self._counts(), *_gauges(pool)])

    def _counts(self) -> Iterator[str]:
        yield from _header("requests_total", "counter", "Requests by path and status.")
        for (path, status), count in sorted(self._requests.items()):
            yield f'docbats_requests_total{{path="{path}",status="{status}"}} {count}'
        yield from _header("documents_total", "counter", "Documents by what became of them.")
        for outcome, count in sorted(self._documents.items()):
            yield f'docbats_documents_total{{outcome="{outcome}"}} {count}'
        yield from _header("characters_total", "counter", "Characters of texts, bytes of files.")
        yield f"docbats_characters_total {self._size}"
        yield from _header("document_seconds", "histogram", "Time to answer, waiting included.")
        for bound, count in zip(_BUCKET_SECONDS, self._buckets, strict=True):
            yield f'docbats_document_seconds_bucket{{le="{bound:g}"}} {count}'
        yield f'docbats_document_seconds_bucket{{le="+Inf"}} {self._timed}'
        yield f"docbats_document_seconds_sum {self._seconds:.6f}"
        yield f"docbats_document_seconds_count {self._timed}"


def _gauges(pool: Pool | None) -> Iterator[str]:
    if pool is None:
        return
    for name, kind, text, value in (
        ("workers", "gauge", "Worker processes.", pool.size),
        ("workers_busy", "gauge", "Worker processes with a document.", pool.busy),
        ("queue_length", "gauge", "Documents that wait for their turn.", pool.waiting),
        ("worker_restarts_total", "counter", "Worker processes that were replaced.", pool.restarts),
    ):
        yield from _header(name, kind, text)
        yield f"docbats_{name} {value}"


def _header(name: str, kind: str, text: str) -> tuple[str, str]:
    return f"# HELP docbats_{name} {text}", f"# TYPE docbats_{name} {kind}"
