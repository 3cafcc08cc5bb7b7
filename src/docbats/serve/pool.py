"""Worker processes behind a bounded queue: one job cannot hold up or bring down the others.

The pools of the standard library cannot stop a job that takes too long; here its process is
stopped and replaced.
"""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from docbats.serve.worker import Failure, Worker

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["BusyError", "Pool", "TooSlowError", "WorkError"]

_log = logging.getLogger("docbats.serve")
_PAUSE = 1.0  # seconds before another try where a process does not start


class WorkError(Exception):
    """The job failed, or its process died."""


class TooSlowError(WorkError):
    """The job took longer than it may."""


class BusyError(WorkError):
    """Too many jobs are waiting, or this one has waited too long."""


@dataclass(frozen=True)
class _Ticket:
    job: Any
    answer: asyncio.Future[Any]
    latest_start: float


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
        self._new_worker = partial(Worker, work, warm_up, memory)
        self._timeout, self._wait = timeout, wait
        self._tickets: asyncio.Queue[_Ticket] = asyncio.Queue(queue + workers)
        self._most = queue
        self._patient = asyncio.Semaphore(workers)
        self._threads = ThreadPoolExecutor(workers, "docbats-worker")
        self._workers: set[Worker] = set()
        self._stopped = False
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def waiting(self) -> int:
        """How many jobs wait for their turn."""
        return self._tickets.qsize()

    async def start(self) -> None:
        """Start the processes; WorkError if one of them does not come up."""
        hired = await asyncio.gather(
            *(self._hire() for _ in range(self.size)), return_exceptions=True
        )
        for worker in hired:
            if isinstance(worker, BaseException):
                self.stop()
                raise worker
            self._tasks.append(asyncio.create_task(self._attend(worker)))

    async def run(self, job: Any) -> Any:
        """Do a job; BusyError at once where too many wait, WorkError where it fails."""
        if self.waiting >= self._most + (self.size - self.busy):
            msg = "too many jobs wait"
            raise BusyError(msg)
        return await self._enter(job)

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
        while not self._tickets.empty():
            _refuse(self._tickets.get_nowait(), WorkError("the service has stopped"))
        self.stop()
        self._threads.shutdown(wait=False)

    def stop(self) -> None:
        """Stop the processes at once."""
        self._stopped = True
        for worker in list(self._workers):
            worker.stop()

    async def _enter(self, job: Any) -> Any:
        loop = asyncio.get_running_loop()
        ticket = _Ticket(job, loop.create_future(), loop.time() + self._wait)
        try:
            self._tickets.put_nowait(ticket)
        except asyncio.QueueFull:
            raise BusyError from None
        return await ticket.answer

    async def _attend(self, worker: Worker) -> None:
        """Give a worker one job after another, and replace it when it is gone."""
        while True:
            ticket = await self._tickets.get()
            if ticket.answer.done():  # nobody waits for it any more
                continue
            if asyncio.get_running_loop().time() > ticket.latest_start:
                _refuse(ticket, BusyError("its turn did not come in time"))
                continue
            self.busy += 1
            try:
                if worker.is_gone:
                    worker = await self._replace(worker)
                alive = await self._do(worker, ticket)
            except asyncio.CancelledError:
                _refuse(ticket, WorkError("the service has stopped"))
                raise
            finally:
                self.busy -= 1
            if not alive:
                worker = await self._replace(worker)

    async def _do(self, worker: Worker, ticket: _Ticket) -> bool:
        """Have one job done and answered; False if the worker did not live to tell."""
        loop = asyncio.get_running_loop()
        timer = loop.call_later(self._timeout, worker.stop)
        try:
            outcome = await loop.run_in_executor(self._threads, worker.ask, ticket.job)
        except (EOFError, OSError):
            slow = TooSlowError(f"it took longer than {self._timeout:g} seconds")
            _refuse(ticket, slow if worker.was_stopped else WorkError("its process died"))
            return False
        finally:
            timer.cancel()
        if isinstance(outcome, Failure):
            _log.error("a document could not be analysed: %s", outcome.where)
            _refuse(ticket, WorkError("an unexpected error"))
        elif not ticket.answer.done():
            ticket.answer.set_result(outcome)
        return not worker.was_stopped

    async def _replace(self, worker: Worker) -> Worker:
        _log.warning("a worker process is gone and is replaced")
        self.restarts += 1
        self._workers.discard(worker)
        await asyncio.get_running_loop().run_in_executor(self._threads, worker.bury)
        while True:
            with suppress(WorkError):
                return await self._hire()
            await asyncio.sleep(_PAUSE)

    async def _hire(self) -> Worker:
        loop = asyncio.get_running_loop()
        worker = None
        try:
            worker = await loop.run_in_executor(self._threads, self._make_worker)
            await loop.run_in_executor(self._threads, worker.wait_until_ready)
        except (EOFError, OSError):
            if worker is not None:
                self._workers.discard(worker)
                worker.stop()
            msg = "a worker process did not start"
            _log.error(msg)
            raise WorkError(msg) from None
        return worker

    def _make_worker(self) -> Worker:
        worker = self._new_worker()
        self._workers.add(worker)
        if self._stopped:  # while it was starting
            worker.stop()
        return worker


def _refuse(ticket: _Ticket, error: WorkError) -> None:
    if not ticket.answer.done():
        ticket.answer.set_exception(error)
