"""What all routes share: the worker pool, the metrics, and whether the service is stopping."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from docbats.runtime import StageProgress
from docbats.serve.analysis_job import WARM_UP_JOB, AnalysisJob, run_job
from docbats.serve.pool import BusyError, Pool, TooSlowError, WorkError
from docbats.serve.problems import Kind, Problem
from docbats.serve.requests import Upload
from docbats.serve.schema import boundaries_of, settings_of, titles_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from docbats.serve.responses import Format
    from docbats.serve.service_options import ServiceOptions

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


# Even where documents may take one second only, a process may have to be started first.
_MIN_WAIT_SECONDS = 10.0


class Service:
    """Analyzes documents within the limits of `options`."""

    def __init__(self, options: ServiceOptions) -> None:
        self.options = options
        self.metrics = Metrics()
        self.stopping = asyncio.Event()
        self.progress: dict[str, StageProgress] = {}  # of what is under way, by the client's name
        self._places = 0
        self.pool = Pool(
            run_job,
            WARM_UP_JOB,
            workers=options.workers,
            queue=options.queue,
            timeout=options.timeout,
            wait=max(options.timeout, _MIN_WAIT_SECONDS),
            memory=options.max_memory,
        )

    @contextmanager
    def hold_place(self) -> Iterator[None]:
        """Hold a place while a request is read and answered; raise a problem if all are taken.

        The number of places limits how many requests are in memory.
        """
        if self._places >= 2 * (self.options.queue + self.options.workers):
            raise _busy()
        self._places += 1
        try:
            yield
        finally:
            self._places -= 1

    def make_job(self, values: dict[str, Any], format_: Format = "json") -> AnalysisJob:
        """Return the job that the validated values of a request, with its text or file, ask for."""
        upload = Upload(
            content=values["file"] if "file" in values else values["text"],
            name=values.get("name", ""),
            kind=values.get("type"),
            encoding=values.get("encoding"),
        )
        settings = settings_of(values)
        return AnalysisJob(
            upload,
            settings=settings,
            boundaries=boundaries_of(values, settings),
            titles=titles_of(values),
            format=format_,
            top_words=values.get("top_words", 10),
            outline=values.get("outline", False) or values.get("depth") is not None,
            depth=values.get("depth"),
            max_sentences=self.options.max_sentences,
            max_characters=self.options.max_bytes,
        )

    @contextmanager
    def follow(self, name: str | None) -> Iterator[Callable[[StageProgress], None] | None]:
        """Keep the progress that is told to the function returned, under a name, while it lasts."""
        if name is None:
            yield None
            return
        progress, waiting = self.progress, StageProgress("Waiting for its turn", None)
        progress[name] = waiting
        try:
            yield lambda told: progress.update({name: told}) if name in progress else None
        finally:
            progress.pop(name, None)

    async def analyze(
        self,
        job: AnalysisJob,
        *,
        patiently: bool = False,
        on_progress: Callable[[StageProgress], None] | None = None,
    ) -> bytes:
        """Return the rendered result of a job, done in a worker process.

        A Problem is raised if it fails; `patiently` waits while the service is busy.
        """
        started = time.perf_counter()
        outcome = "given up"
        try:
            answer = await (
                self.pool.run_patiently(job) if patiently else self.pool.run(job, on_progress)
            )
            if isinstance(answer, Problem):
                raise answer
            outcome = "ok"
        except WorkError as error:
            problem = self._problem_of(error)
            outcome = problem.kind.label
            raise problem from None
        except Problem as problem:
            outcome = problem.kind.label
            raise
        else:
            return bytes(answer)
        finally:
            seconds = time.perf_counter() - started
            self.metrics.count_document(outcome, len(job.upload.content), seconds)

    def _problem_of(self, error: WorkError) -> Problem:
        if isinstance(error, BusyError):
            return _busy()
        if isinstance(error, TooSlowError):
            msg = (
                f"The document took longer than {self.options.timeout:g} seconds: send it in "
                "parts, or start docbats serve with a larger --timeout."
            )
            return Problem(Kind.TOO_SLOW, msg, headers={"Retry-After": "60"})
        msg = (
            "The process that analyzed the document failed and was replaced: try again, and if it "
            "fails again, send the document in parts."
        )
        return Problem(Kind.FAILED, msg)


def _busy() -> Problem:
    return Problem(Kind.BUSY, "Too many documents are waiting: try again in a few seconds.")
