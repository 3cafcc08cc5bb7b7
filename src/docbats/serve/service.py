"""What all routes share: the worker pool, the metrics, and whether the service is stopping."""

from __future__ import annotations

import asyncio
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from docbats.serve.analysis_job import WARM_UP_JOB, AnalysisJob, run_job
from docbats.serve.pool import BusyError, Pool, TooSlowError, WorkError
from docbats.serve.problems import Kind, Problem
from docbats.serve.prometheus import Metrics
from docbats.serve.schema import boundaries_of, settings_of, titles_of
from docbats.serve.upload import Upload
from docbats.stage_progress import StageProgress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from docbats.serve.response_formats import Format
    from docbats.serve.service_options import ServiceOptions

__all__ = ["Service"]

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
