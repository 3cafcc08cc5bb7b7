"""What all routes share: the options, the metrics and the worker processes."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import time
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

from docbats.background_pool import BackgroundPool
from docbats.processes import PoolBusyError, PoolError, TaskTooSlowError, WorkerOptions
from docbats.runtime import StageProgress
from docbats.segments.cuts import find_cut
from docbats.serve.analysis_job import (
    WARM_UP_JOB,
    AnalysisJob,
    ChunkJob,
    UnexpectedError,
    Upload,
    run_job,
)
from docbats.serve.problems import Kind, Problem
from docbats.serve.schema import (
    boundaries_of,
    chunker_options_of,
    document_id_of,
    settings_of,
    titles_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from docbats.segments.own_model import OwnModel
    from docbats.serve.responses import ChunkFormat, Format

_log = logging.getLogger("docbats.serve")

LOOPBACK = ("127.0.0.1", "localhost", "::1")


# Limits if only programs on this machine can reach the service; only its owner has to wait.
OWN_LIMITS = {
    "max_bytes": 200_000_000,
    "max_sentences": 1_000_000,
    "timeout": 900.0,
    "max_memory": 8_000,
}
# Limits if other machines can reach it.
SHARED_LIMITS = {
    "max_bytes": 5_000_000,
    "max_sentences": 50_000,
    "timeout": 30.0,
    "max_memory": 2_000,
}


def is_loopback(host: str) -> bool:
    """Whether only programs on this machine can reach an address."""
    return host in LOOPBACK or host.startswith("127.")


def default_workers() -> int:
    """Return the number of processors, at most four."""
    return min(os.cpu_count() or 1, 4)


@dataclass(frozen=True, kw_only=True)
class ServiceOptions:
    """The options that ``docbats serve`` was started with.

    Attributes
    ----------
    host, port
        Address to listen on; port 0 picks a free one.
    workers
        Number of processes that analyze documents.
    max_bytes
        Maximum size of a document, or of a line in a request with many.
    max_sentences
        Maximum number of sentences of a document.
    timeout
        Seconds that a document may take. It may also wait that long for its turn, or ten seconds if
        that is longer.
    max_memory
        Megabytes of memory that a worker process may use.
    queue
        Number of documents that may wait for their turn.
    token
        The bearer token that clients must send; None for no token.
    hosts
        Host names that requests may use, ``*`` for any. The default, None, is the loopback names
        if the service listens on loopback, and otherwise the names of this machine and any IP
        address. If any name were allowed, a page of another site could reach the service by a name
        that resolves to this machine.
    model
        A model of your own for every document whose settings have a use for it; None for none.
    namer
        Where to import the function that names the segments of every document from, as
        ``"module:function"``; None for none. It may take half of `timeout` for a document.
    tokenizers
        The tokenizers that may count the sizes of chunks, by the names that clients know; the first
        is the default. Each is the name of a file ``tokenizer.json``, of an encoding of tiktoken or
        of a model of the Hugging Face hub.
    cors_origins
        The origins of other sites, such as ``https://app.example``, whose pages may use the API;
        ``*`` for any.
    root_path
        The path under which a proxy offers the service, such as ``/docbats``; the proxy may remove
        it from requests or leave it.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = field(default_factory=default_workers)
    max_bytes: int = 5_000_000
    max_sentences: int = 50_000
    timeout: float = 30.0
    max_memory: int = 2_000
    queue: int = 64
    token: str | None = field(default=None, repr=False)
    hosts: frozenset[str] | None = None
    model: OwnModel | None = None
    namer: str | None = None
    tokenizers: Mapping[str, str] = field(default_factory=dict)
    cors_origins: frozenset[str] = frozenset()
    root_path: str = ""

    @property
    def is_loopback(self) -> bool:
        """Whether only programs on this machine can reach the service."""
        return is_loopback(self.host)

    @cached_property
    def allowed_hosts(self) -> frozenset[str]:
        """The names that a Host header may have, in addition to IP addresses by default."""
        if self.hosts is not None:
            return frozenset(name.lower() for name in self.hosts)
        own = () if self.is_loopback else (socket.gethostname(), socket.getfqdn())
        return frozenset(name.lower() for name in (*LOOPBACK, self.host, *own))

    def accepts_host(self, name: str) -> bool:
        """Whether a Host header may have this name, without a port and in lower case."""
        if name in self.allowed_hosts or "*" in self.allowed_hosts:
            return True
        return self.hosts is None and not self.is_loopback and _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


_BUCKET_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """Counters and a histogram; they contain nothing of any document.

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
        ("workers", "gauge", "Worker processes.", pool.jobs),
        ("workers_busy", "gauge", "Worker processes with a document.", pool.busy),
        ("queue_length", "gauge", "Documents that wait for their turn.", pool.waiting),
        ("worker_restarts_total", "counter", "Worker processes that were replaced.", pool.restarts),
    ):
        yield from _header(name, kind, text)
        yield f"docbats_{name} {value}"


def _header(name: str, kind: str, text: str) -> tuple[str, str]:
    return f"# HELP docbats_{name} {text}", f"# TYPE docbats_{name} {kind}"


Pool = BackgroundPool["AnalysisJob | ChunkJob", "bytes | Problem | UnexpectedError"]

_MIN_WAIT_SECONDS = 10.0  # even if a document may take one second, a process may have to start
_RETRY_SECONDS = 0.05  # between two attempts of a job that waits while the service is busy


class Service:
    """Analyzes documents within the limits of `options`."""

    def __init__(self, options: ServiceOptions) -> None:
        self.options = options
        self.metrics = Metrics()
        self.stopping = asyncio.Event()
        self.progress: dict[str, StageProgress] = {}  # of running analyses, by the client's name
        self._places = 0
        self._patient = asyncio.Semaphore(options.workers)
        self.pool = Pool(
            run_job,
            WorkerOptions(
                "docbats-worker",
                warm_up=WARM_UP_JOB,
                max_memory=options.max_memory,
                ignore_sigterm=True,
            ),
            jobs=options.workers,
            timeout=options.timeout,
            max_wait=max(options.timeout, _MIN_WAIT_SECONDS),
            max_waiting=options.queue,
            max_deaths=2,  # a process may die of anything
        )

    @contextmanager
    def hold_place(self) -> Iterator[None]:
        """Hold a place while a request is read and answered; raise a problem if there is none.

        Places limit the number of requests in memory.
        """
        if self._places >= 2 * (self.options.queue + self.options.workers):
            raise _busy()
        self._places += 1
        try:
            yield
        finally:
            self._places -= 1

    def make_job(self, values: dict[str, Any], format_: Format = "json") -> AnalysisJob:
        """Return the job of a request from its validated values, with its text or file."""
        settings = settings_of(values)
        if self.options.model is not None and find_cut(settings.cut).uses_model:
            settings = replace(settings, model=self.options.model)
        if self.options.namer is not None:
            seconds = min(settings.namer_timeout, self.options.timeout / 2)
            settings = replace(settings, namer=self.options.namer, namer_timeout=seconds)
        return AnalysisJob(
            _upload(values),
            settings=settings,
            boundaries=boundaries_of(values, settings),
            titles=titles_of(values),
            format=format_,
            top_words=values.get("top_words", 10),
            outline=values.get("outline"),
            depth=values.get("depth"),
            max_sentences=self.options.max_sentences,
            max_characters=self.options.max_bytes,
        )

    def make_chunk_job(self, values: dict[str, Any], format_: ChunkFormat = "json") -> ChunkJob:
        """Return the job of a request for chunks from its validated values."""
        options = chunker_options_of(values, self.options.tokenizers)
        return ChunkJob(
            _upload(values),
            options=frozenset(options.items()),
            document_id=document_id_of(values),
            format=format_,
            max_sentences=self.options.max_sentences,
            max_characters=self.options.max_bytes,
        )

    @contextmanager
    def follow(self, name: str | None) -> Iterator[Callable[[StageProgress], None] | None]:
        """Yield a function that records progress under a name, or None without a name."""
        if name is None:
            yield None
            return
        progress, waiting = self.progress, StageProgress("Waiting for its turn", None)
        progress[name] = waiting
        try:
            yield lambda told: progress.update({name: told}) if name in progress else None
        finally:
            progress.pop(name, None)

    async def run(
        self,
        job: AnalysisJob | ChunkJob,
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
            if patiently:
                answer = await self._run_patiently(job)
            else:
                answer = await asyncio.wrap_future(self.pool.submit(job, on_progress))
            if isinstance(answer, UnexpectedError):
                _log.error("a document could not be analyzed: %s", answer.location)
                raise _failed()
            if isinstance(answer, Problem):
                raise answer
            outcome = "ok"
        except PoolError as error:
            problem = self._problem_of(error)
            outcome = problem.kind.label
            raise problem from None
        except Problem as problem:
            outcome = problem.kind.label
            raise
        else:
            return answer
        finally:
            seconds = time.perf_counter() - started
            self.metrics.count_document(outcome, len(job.upload.content), seconds)

    async def _run_patiently(
        self, job: AnalysisJob | ChunkJob
    ) -> bytes | Problem | UnexpectedError:
        """Wait for room; all patient jobs together take no more room than there are workers."""
        async with self._patient:
            while True:
                try:
                    return await asyncio.wrap_future(self.pool.submit(job))
                except PoolBusyError:
                    await asyncio.sleep(_RETRY_SECONDS)

    def _problem_of(self, error: PoolError) -> Problem:
        if isinstance(error, PoolBusyError):
            return _busy()
        if isinstance(error, TaskTooSlowError):
            msg = (
                f"The document took longer than {self.options.timeout:g} seconds: send it in "
                "parts, or start docbats serve with a larger --timeout."
            )
            return Problem(Kind.TOO_SLOW, msg, headers={"Retry-After": "60"})
        return _failed()


def _upload(values: dict[str, Any]) -> Upload:
    return Upload(
        content=values["file"] if "file" in values else values["text"],
        name=values.get("name", ""),
        kind=values.get("type"),
        encoding=values.get("encoding"),
    )


def _busy() -> Problem:
    return Problem(Kind.BUSY, "Too many documents are waiting: try again in a few seconds.")


def _failed() -> Problem:
    msg = (
        "The process that analyzed the document failed and was replaced: try again, and if it "
        "fails again, send the document in parts."
    )
    return Problem(Kind.FAILED, msg)
