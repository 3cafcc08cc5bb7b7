"""Worker processes behind a bounded queue: one job cannot hold up or bring down the others.

A job that takes too long is stopped with its process, which is replaced.
"""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from docbats.processes import WorkerDiedError, WorkerOptions, WorkerProcess, error_location

if TYPE_CHECKING:
    from collections.abc import Callable

_log = logging.getLogger("docbats.serve")
_MAX_UNWANTED_SECONDS = 2.0  # that a job runs on if nobody waits for it; a new process takes longer
_RESTART_PAUSE = 1.0  # seconds before another attempt where a process does not start


class WorkError(Exception):
    """The job failed, or its process died."""


class TooSlowError(WorkError):
    """The job took longer than it may."""


class BusyError(WorkError):
    """Too many jobs are waiting, or this one has waited too long."""


@dataclass(frozen=True)
class _QueuedJob:
    """A job, the future of its answer, and until when it has to be begun."""

    job: Any
    answer: asyncio.Future[Any]
    latest_start: float
    on_progress: Callable[[Any], object] | None = None


@dataclass(frozen=True)
class _UnexpectedError:
    """An error that the work did not expect: where it arose, and nothing of the document."""

    location: str


class Pool:
    """Processes that do `work`, a function that can be imported, on jobs that can be pickled.

    Parameters
    ----------
    work
        From a job to its answer.
    warm_up
        A job to begin with, so that whatever the work loads is there for the first real one.
    workers
        How many processes.
    queue
        How many jobs may wait.
    timeout
        Seconds that a job may take.
    wait
        Seconds that it may wait for its turn.
    memory
        Megabytes that a process may take; None for as many as there are.
    """

    def __init__(
        self,
        work: Callable[[Any], Any],
        warm_up: Any,
        *,
        workers: int,
        queue: int,
        timeout: float,
        wait: float,
        memory: int | None = None,
    ) -> None:
        self.size, self.restarts, self.busy = workers, 0, 0
        self._function = partial(_answer_or_error, work)
        self._worker_options = WorkerOptions(
            "docbats-worker", warm_up=warm_up, max_memory=memory, ignore_sigterm=True
        )
        self._timeout, self._wait = timeout, wait
        self._queue: asyncio.Queue[_QueuedJob] = asyncio.Queue(queue + workers)
        self._max_waiting = queue
        self._patient = asyncio.Semaphore(workers)
        self._threads = ThreadPoolExecutor(workers, "docbats-worker")
        self._workers: set[WorkerProcess] = set()
        self._stopped = False
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def waiting(self) -> int:
        """How many jobs wait for their turn."""
        return self._queue.qsize()

    async def start(self) -> None:
        """Start the processes; WorkError if one of them does not come up."""
        started = await asyncio.gather(
            *(self._start_worker() for _ in range(self.size)), return_exceptions=True
        )
        for worker in started:
            if isinstance(worker, BaseException):
                self.stop()
                raise worker
            self._tasks.append(asyncio.create_task(self._feed_worker(worker)))

    async def run(self, job: Any, on_progress: Callable[[Any], object] | None = None) -> Any:
        """Do a job; BusyError at once where too many wait, WorkError where it fails.

        If this is cancelled, the job is stopped unless it is done soon. `on_progress` is called, in
        a thread, with what the job tells about its progress.
        """
        if self.waiting >= self._max_waiting + (self.size - self.busy):
            msg = "too many jobs wait"
            raise BusyError(msg)
        return await self._enter(job, on_progress)

    async def run_patiently(self, job: Any) -> Any:
        """Do a job among many: wait for room; all who are patient have as many jobs as workers."""
        async with self._patient:
            while True:
                try:
                    return await self.run(job)
                except BusyError:
                    await asyncio.sleep(0.05)

    async def close(self) -> None:
        """Stop everything; whoever still waits gets an error."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        while not self._queue.empty():
            _refuse(self._queue.get_nowait(), WorkError("the service has stopped"))
        self.stop()
        self._threads.shutdown(wait=False)

    def stop(self) -> None:
        """Stop the processes at once."""
        self._stopped = True
        for worker in list(self._workers):
            worker.kill()

    async def _enter(self, job: Any, on_progress: Callable[[Any], object] | None) -> Any:
        loop = asyncio.get_running_loop()
        queued = _QueuedJob(job, loop.create_future(), loop.time() + self._wait, on_progress)
        try:
            self._queue.put_nowait(queued)
        except asyncio.QueueFull:
            raise BusyError from None
        return await queued.answer

    async def _feed_worker(self, worker: WorkerProcess) -> None:
        """Send a worker one job after another, and replace it when it is gone."""
        while True:
            queued = await self._queue.get()
            if queued.answer.done():  # nobody waits for it any more
                continue
            if asyncio.get_running_loop().time() > queued.latest_start:
                _refuse(queued, BusyError("its turn did not come in time"))
                continue
            self.busy += 1
            try:
                if worker.is_gone:
                    worker = await self._replace_dead_worker(worker)
                alive = await self._run_job(worker, queued, is_last=False)
                if not alive and not queued.answer.done():  # a process may die of anything
                    worker = await self._replace_dead_worker(worker)
                    alive = await self._run_job(worker, queued, is_last=True)
            except asyncio.CancelledError:
                _refuse(queued, WorkError("the service has stopped"))
                raise
            finally:
                self.busy -= 1
            if not alive:
                worker = await self._replace_dead_worker(worker)

    async def _run_job(self, worker: WorkerProcess, queued: _QueuedJob, *, is_last: bool) -> bool:
        """Have one job done and answer it; False if the worker died.

        Where it died by itself, the job is not answered, unless this is the last attempt.
        """
        loop = asyncio.get_running_loop()
        timers = [loop.call_later(self._timeout, worker.kill)]

        def stop_soon(answer: asyncio.Future[Any]) -> None:
            if answer.cancelled():
                timers.append(loop.call_later(_MAX_UNWANTED_SECONDS, worker.kill))

        queued.answer.add_done_callback(stop_soon)
        try:
            outcome = await loop.run_in_executor(self._threads, _ask, worker, queued)
        except WorkerDiedError:
            slow = TooSlowError(f"it took longer than {self._timeout:g} seconds")
            if worker.was_killed or is_last:
                _refuse(queued, slow if worker.was_killed else WorkError("its process died"))
            return False
        finally:
            queued.answer.remove_done_callback(stop_soon)
            for timer in timers:
                timer.cancel()
        if isinstance(outcome, _UnexpectedError):
            _log.error("a document could not be analyzed: %s", outcome.location)
            _refuse(queued, WorkError("an unexpected error"))
        elif not queued.answer.done():
            queued.answer.set_result(outcome)
        return not worker.was_killed

    async def _replace_dead_worker(self, worker: WorkerProcess) -> WorkerProcess:
        _log.warning("a worker process is gone and is replaced")
        self.restarts += 1
        self._workers.discard(worker)
        await asyncio.get_running_loop().run_in_executor(self._threads, worker.close)
        while True:
            with suppress(WorkError):
                return await self._start_worker()
            await asyncio.sleep(_RESTART_PAUSE)

    async def _start_worker(self) -> WorkerProcess:
        loop = asyncio.get_running_loop()
        worker = None
        try:
            worker = await loop.run_in_executor(self._threads, self._new_worker)
            await loop.run_in_executor(self._threads, worker.wait_until_ready)
        except (WorkerDiedError, OSError):
            if worker is not None:
                self._workers.discard(worker)
                worker.kill()
            msg = "a worker process did not start"
            _log.error(msg)
            raise WorkError(msg) from None
        return worker

    def _new_worker(self) -> WorkerProcess:
        worker = WorkerProcess(self._function, self._worker_options)
        self._workers.add(worker)
        if self._stopped:  # while it was starting
            worker.kill()
        return worker


def _refuse(queued: _QueuedJob, error: WorkError) -> None:
    if not queued.answer.done():
        queued.answer.set_exception(error)


def _ask(worker: WorkerProcess, queued: _QueuedJob) -> Any:
    """Have a job done; this waits, so call it in a thread."""
    worker.send([queued.job])
    return worker.receive(queued.on_progress)


def _answer_or_error(work: Callable[[Any], Any], job: Any) -> Any:
    try:
        return work(job)
    except Exception as error:
        return _UnexpectedError(error_location(error))
