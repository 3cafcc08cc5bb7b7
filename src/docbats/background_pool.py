"""Worker processes for callers in many threads, or in an event loop: for the service and MCP."""

from __future__ import annotations

import logging
import multiprocessing
import threading
import time
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Generic

from docbats.processes import (
    Attempt,
    PoolBusyError,
    PoolError,
    ProcessPool,
    Result,
    Task,
    TaskDone,
    TaskRaised,
    TaskTimedOut,
    TaskTooSlowError,
    error_location,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from docbats.processes import WorkerOptions

_log = logging.getLogger("docbats.processes")
_MAX_UNWANTED_SECONDS = 2.0  # that a cancelled task may take to finish; a new process takes longer


@dataclass(eq=False, kw_only=True)
class _Call(Attempt[Task]):
    """A task, the future of its result, and the time by which it has to begin."""

    future: Future[Any]
    latest_start: float


class BackgroundPool(Generic[Task, Result]):
    """A process pool with a queue, run by a thread, for callers in many threads or an event loop.

    Processes start with the first task. If none can be started, the tasks that wait get that error,
    and the next one tries again.

    Parameters
    ----------
    function, options, jobs, timeout, max_deaths
        As of :class:`ProcessPool`.
    max_wait
        Seconds that a task may wait for its turn.
    max_waiting
        The number of tasks that may wait.
    """

    def __init__(
        self,
        function: Callable[[Task], Result],
        options: WorkerOptions,
        *,
        jobs: int,
        timeout: float,
        max_wait: float,
        max_waiting: float = float("inf"),
        max_deaths: int = 1,
    ) -> None:
        self.jobs = jobs
        self._timeout, self._max_wait, self._max_waiting = timeout, max_wait, max_waiting
        self._make_pool: Callable[[], ProcessPool[Task, Result]] = partial(
            ProcessPool, function, options, jobs=jobs, timeout=timeout, max_deaths=max_deaths
        )
        self.restarts = 0
        self._lock = threading.RLock()  # of all that follows; the thread alone changes `_begun`
        self._waiting: list[_Call[Task]] = []
        self._begun: set[_Call[Task]] = set()
        self._thread: threading.Thread | None = None
        self._ready: Future[None] = Future()
        self._receiver, self._sender = multiprocessing.Pipe(duplex=False)
        self._is_woken = self._is_closed = False

    @property
    def busy(self) -> int:
        """The number of tasks that have begun."""
        return len(self._begun)

    @property
    def waiting(self) -> int:
        """The number of tasks that wait for their turn."""
        return len(self._waiting)

    def start(self) -> Future[None]:
        """Start the processes; the future is done once all of them are ready."""
        with self._lock:
            if self._thread is None:
                self._ready = Future()
                self._thread = threading.Thread(target=self._run, daemon=True)
                self._thread.start()
            return self._ready

    def submit(
        self,
        task: Task,
        on_progress: Callable[[Any], object] | None = None,
        *,
        preferred: int = 0,
    ) -> Future[Result]:
        """Return the future of a task's result; PoolBusyError if too many tasks are waiting.

        If it fails, the future raises a `PoolError` or the exception of the function. If it is
        cancelled, the task is stopped unless it is done soon. `on_progress` is called, in a thread,
        with what the function sends by `send_progress`. Of free processes, tasks with the same
        `preferred` number go to the same one.
        """
        future: Future[Result] = Future()
        latest_start = time.monotonic() + self._max_wait
        call = _Call(
            task, future=future, latest_start=latest_start, on_progress=on_progress,
            preferred=preferred,
        )  # fmt: skip
        with self._lock:
            if self._is_closed:
                raise _closed()
            if self.waiting + self.busy >= self._max_waiting + self.jobs:
                msg = "too many tasks are waiting"
                raise PoolBusyError(msg)
            self._waiting.append(call)
            self.start()
        future.add_done_callback(lambda done: self._wake() if done.cancelled() else None)
        self._wake()
        return future

    def close(self) -> None:
        """End the processes; tasks without a result get an error."""
        with self._lock:
            self._is_closed = True
            thread = self._thread
        self._wake()
        if thread is not None:
            thread.join()

    def _wake(self) -> None:
        """Let the thread look at what has changed."""
        with self._lock:
            if not self._is_woken:
                self._is_woken = True
                self._sender.send_bytes(b"wake")

    def _run(self) -> None:
        """Supervise the processes until the pool is closed, or none can be started."""
        error: Exception = _closed()
        try:
            with self._make_pool() as pool:
                while not self._is_closed:
                    self._begin_calls(pool)
                    for outcome in pool.collect_attempts(self._pause(), self._receiver):
                        self._finish(outcome)
                    self._observe(pool)
        except Exception as raised:
            error = raised
            reason = error if isinstance(error, PoolError) else error_location(error)
            _log.error("the worker processes have stopped: %s", reason)
        with self._lock:
            self._thread = None
            calls = [*self._waiting, *self._begun]
            self._waiting.clear()
            self._begun.clear()
        for call in calls:
            _refuse(call, error)
        with suppress(InvalidStateError):
            self._ready.set_exception(error)

    def _begin_calls(self, pool: ProcessPool[Task, Result]) -> None:
        """Send calls to free processes; drop those that were cancelled or have waited too long."""
        now = time.monotonic()
        with self._lock:
            if self._is_woken:
                self._receiver.recv_bytes()
                self._is_woken = False
            late = [call for call in self._waiting if call.latest_start <= now]
            self._waiting = [
                call
                for call in self._waiting
                if call.latest_start > now and not call.future.cancelled()
            ]
        for call in late:
            _refuse(call, PoolBusyError("its turn did not come in time"))
        for call in self._begun:
            if call.future.cancelled():
                call.stop_by = min(call.stop_by, now + _MAX_UNWANTED_SECONDS)
        while pool.has_room:
            with self._lock:
                if not self._waiting:
                    return
                call = self._waiting.pop(0)
                self._begun.add(call)
            pool.submit_attempts([call])  # without the lock, since a large task takes a while

    def _pause(self) -> float | None:
        """Return the seconds until the next waiting call is late; None if no call waits."""
        with self._lock:
            latest = min((call.latest_start for call in self._waiting), default=None)
        return None if latest is None else max(0.0, latest - time.monotonic())

    def _finish(self, outcome: Any) -> None:
        call: _Call[Task] = outcome.task
        self._begun.discard(call)
        match outcome:
            case TaskDone():
                if call.future.set_running_or_notify_cancel():
                    call.future.set_result(outcome.result)
            case TaskRaised():
                _refuse(call, outcome.error)
            case TaskTimedOut():
                _refuse(call, TaskTooSlowError(f"it took longer than {self._timeout:g} seconds"))
            case _:
                _refuse(call, PoolError("its process died"))

    def _observe(self, pool: ProcessPool[Task, Result]) -> None:
        """Note that processes are ready, or were replaced."""
        if pool.restarts:
            _log.warning("a worker process is gone and is replaced")
            self.restarts += pool.restarts
            pool.restarts = 0
        if pool.is_ready and not self._ready.done():
            with suppress(InvalidStateError):
                self._ready.set_result(None)


def _refuse(call: _Call[Any], error: Exception) -> None:
    if call.future.set_running_or_notify_cancel():
        call.future.set_exception(error)


def _closed() -> PoolError:
    return PoolError("the pool is closed")
