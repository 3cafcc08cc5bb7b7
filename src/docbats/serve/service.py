"""What all routes share: the pool, the counts, and whether the service is about to stop."""

from __future__ import annotations

import asyncio
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from docbats.serve.job import WARM_UP, Job, answer
from docbats.serve.metrics import Metrics
from docbats.serve.opening import Source
from docbats.serve.pool import BusyError, Pool, TooSlowError, WorkError
from docbats.serve.problems import Kind, Problem
from docbats.serve.schema import settings_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docbats.serve.formats import Format
    from docbats.serve.options import Options

__all__ = ["Service"]

_LEAST_WAIT = 10.0  # seconds: even where documents may take but one, a process may have to start


class Service:
    """Analyses documents within the limits of `options`."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.metrics = Metrics()
        self.stopping = asyncio.Event()
        self._places = 0
        self.pool = Pool(
            answer,
            WARM_UP,
            workers=options.workers,
            queue=options.queue,
            timeout=options.timeout,
            wait=max(options.timeout, _LEAST_WAIT),
            memory=options.max_memory,
        )

    @contextmanager
    def place(self) -> Iterator[None]:
        """Hold a place while a request is read and answered, so that few are held in memory."""
        if self._places >= 2 * (self.options.queue + self.options.workers):
            raise _busy()
        self._places += 1
        try:
            yield
        finally:
            self._places -= 1

    def job_of(self, values: dict[str, Any], format_: Format = "json") -> Job:
        """Turn the checked values of a request, with its text or its file, into a job."""
        source = Source(
            content=values["file"] if "file" in values else values["text"],
            name=values.get("name", ""),
            kind=values.get("type"),
            encoding=values.get("encoding"),
        )
        return Job(
            source,
            settings=settings_of(values),
            format=format_,
            top_words=values.get("top_words", 10),
            outline=values.get("outline", False),
            max_sentences=self.options.max_sentences,
        )

    async def analyse(self, job: Job, *, patiently: bool = False) -> bytes:
        """Do a job in a worker process; a Problem says why that did not work."""
        started = time.perf_counter()
        outcome = "given up"
        try:
            run = self.pool.run_patiently if patiently else self.pool.run
            found = await run(job)
            if isinstance(found, Problem):
                raise found
            outcome = "ok"
        except WorkError as error:
            problem = self._problem_of(error)
            outcome = problem.kind.label
            raise problem from None
        except Problem as problem:
            outcome = problem.kind.label
            raise
        else:
            return bytes(found)
        finally:
            took = time.perf_counter() - started
            self.metrics.count_document(outcome, len(job.source.content), took)

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
            "The process that analysed the document failed, and was replaced: try again, and if it "
            "fails again send the document in parts."
        )
        return Problem(Kind.FAILED, msg)


def _busy() -> Problem:
    return Problem(Kind.BUSY, "Too many documents are waiting: try again in a few seconds.")
