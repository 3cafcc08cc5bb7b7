"""A pool of worker processes that loses no task.

The pools of the standard library cannot stop a task that takes too long, and lose all that is under
way when a process dies. Here such a process is replaced, and only the task that it was working on
is to blame.
"""

from __future__ import annotations

import os
import time
from collections import deque
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Generic, Self, TypeVar

from docbats.processes.worker_process import (
    MAX_START_SECONDS,
    WorkerDiedError,
    WorkerOptions,
    WorkerProcess,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = [
    "ProcessPool",
    "TaskDied",
    "TaskDone",
    "TaskOutcome",
    "TaskTimedOut",
    "WorkerStartError",
    "WorkersNeverReadyError",
    "available_processors",
]

_MAX_FALSE_STARTS = 6  # in a row; with more, a run whose processes cannot start ends later

Task = TypeVar("Task")
Result = TypeVar("Result")


class WorkerStartError(Exception):
    """No process can be started."""


class WorkersNeverReadyError(WorkerStartError):
    """Processes start, but die before they are ready, again and again."""


@dataclass(frozen=True)
class TaskDone(Generic[Task, Result]):
    """A task and its result."""

    task: Task
    result: Result


@dataclass(frozen=True)
class TaskTimedOut(Generic[Task]):
    """A task that took longer than it may."""

    task: Task


@dataclass(frozen=True)
class TaskDied(Generic[Task]):
    """A task whose process died as often as it may.

    `exit_code` is that of the last process; a negative one is a signal.
    """

    task: Task
    exit_code: int | None


TaskOutcome = TaskDone[Task, Result] | TaskTimedOut[Task] | TaskDied[Task]


@dataclass
class _Attempt(Generic[Task]):
    """A task on its way through the processes."""

    task: Task
    size: int
    deaths: int = 0


@dataclass
class _BusyWorker(Generic[Task]):
    """A worker process and what was sent to it; it works on the first of that.

    `since` is when it began with that, or was started.
    """

    process: WorkerProcess
    attempts: deque[_Attempt[Task]] = field(default_factory=deque)
    is_ready: bool = False
    is_broken: bool = False
    since: float = field(default_factory=time.monotonic)

    @property
    def load(self) -> int:
        """The sizes of its tasks, added up."""
        return sum(attempt.size for attempt in self.attempts)


class ProcessPool(Generic[Task, Result]):
    """Worker processes that apply `function` to tasks; used as a context, within which they run.

    Every task comes back exactly once from `collect`: done, timed out or died. An exception of the
    function is raised there.

    Parameters
    ----------
    function
        From a task to its result; both, and the function, can be pickled.
    options
        How a process runs.
    jobs
        How many processes.
    timeout
        Seconds that a task may take.
    size
        How much work a task is.
    max_load
        The sizes of tasks, added up, from which a process is given no more. It never waits for
        work then; but what it was given waits, where a task before it takes long.
    max_deaths
        How many processes may die of a task; a process may also die through no fault of its task.
    """

    def __init__(
        self,
        function: Callable[[Task], Result],
        options: WorkerOptions,
        *,
        jobs: int,
        timeout: float = float("inf"),
        size: Callable[[Task], int] = lambda _: 1,
        max_load: int = 1,
        max_deaths: int = 1,
    ) -> None:
        self._function, self._options, self._jobs = function, options, jobs
        self._timeout, self._size = timeout, size
        self._max_load, self._max_deaths = max_load, max_deaths
        self._workers: list[_BusyWorker[Task]] = []
        self._queue: deque[list[_Attempt[Task]]] = deque()
        self._false_starts = 0

    def __enter__(self) -> Self:
        try:
            for _ in range(self._jobs):
                self._workers.append(self._start_worker())
        except WorkerStartError:
            self.__exit__()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        for worker in self._workers:
            worker.process.close()

    @property
    def waiting(self) -> int:
        """How many tasks have not come back."""
        queued = sum(map(len, self._queue))
        return queued + sum(len(worker.attempts) for worker in self._workers)

    @property
    def is_ready(self) -> bool:
        """Whether all processes have started."""
        return all(worker.is_ready for worker in self._workers)

    @property
    def has_room(self) -> bool:
        """Whether a process could do with more."""
        return not self._queue and self._free_worker() is not None

    def submit(self, tasks: Sequence[Task]) -> None:
        """Hand tasks to the process that has least to do."""
        self._queue.append([_Attempt(task, self._size(task)) for task in tasks])
        self._send_queued()

    def collect(self, timeout: float | None = None) -> list[TaskOutcome[Task, Result]]:
        """Wait for a result, for a process that died, or for a task that takes too long."""
        pause = min(self._deadline(worker) for worker in self._workers) - time.monotonic()
        pause = max(0.0, pause if timeout is None else min(pause, timeout))
        limit = None if pause == float("inf") else pause
        heard = set(wait([worker.process.connection for worker in self._workers], limit))
        now = time.monotonic()
        outcomes: list[TaskOutcome[Task, Result]] = []
        for worker in list(self._workers):
            if worker.process.connection in heard:
                outcomes += self._receive(worker)
            elif now >= self._deadline(worker):
                outcomes += self._stop_slow_worker(worker)
        self._send_queued()
        return outcomes

    def _start_worker(self) -> _BusyWorker[Task]:
        try:
            return _BusyWorker(WorkerProcess(self._function, self._options))
        except OSError as error:
            msg = f"no process can be started: {error.strerror or error}: try fewer --jobs"
            raise WorkerStartError(msg) from None

    def _free_worker(self) -> _BusyWorker[Task] | None:
        free = [
            worker
            for worker in self._workers
            if worker.is_ready
            and not worker.is_broken
            and (not worker.attempts or worker.load < self._max_load)
        ]
        return min(free, key=lambda worker: worker.load, default=None)

    def _send_queued(self) -> None:
        while self._queue and (worker := self._free_worker()) is not None:
            attempts = self._queue.popleft()
            try:
                worker.process.send([attempt.task for attempt in attempts])
            except WorkerDiedError:  # it has begun none of them, and is replaced by `collect`
                self._queue.appendleft(attempts)
                worker.is_broken = True
                worker.process.kill()
                continue
            if not worker.attempts:
                worker.since = time.monotonic()
            worker.attempts.extend(attempts)

    def _deadline(self, worker: _BusyWorker[Task]) -> float:
        """Return until when the process has to send something."""
        if not worker.is_ready:
            return worker.since + MAX_START_SECONDS
        return worker.since + self._timeout if worker.attempts else float("inf")

    def _receive(self, worker: _BusyWorker[Task]) -> Sequence[TaskOutcome[Task, Result]]:
        try:
            result = worker.process.receive()
        except WorkerDiedError:
            return self._replace_dead_worker(worker)
        self._false_starts = 0
        worker.since = time.monotonic()
        if not worker.is_ready:
            worker.is_ready = True
            return []
        return [TaskDone(worker.attempts.popleft().task, result)]

    def _stop_slow_worker(self, worker: _BusyWorker[Task]) -> Sequence[TaskOutcome[Task, Result]]:
        if not worker.is_ready:
            return self._replace_dead_worker(worker)
        slow = worker.attempts.popleft()
        self._replace(worker)
        return [TaskTimedOut(slow.task)]

    def _replace_dead_worker(self, worker: _BusyWorker[Task]) -> list[TaskDied[Task]]:
        """Start another process; the task that this one died of is tried again by itself."""
        died = []
        exit_code = worker.process.close()
        if not worker.is_ready:
            self._false_starts += 1
            if self._false_starts >= _MAX_FALSE_STARTS:
                msg = f"{self._false_starts} processes died before they were ready"
                raise WorkersNeverReadyError(msg)
        elif worker.attempts:
            fatal = worker.attempts.popleft()
            fatal.deaths += 1
            if fatal.deaths < self._max_deaths:
                self._queue.append([fatal])
            else:
                died.append(TaskDied(fatal.task, exit_code))
        self._replace(worker)
        return died

    def _replace(self, worker: _BusyWorker[Task]) -> None:
        """Start another process in its place, and let the others take over what is left."""
        worker.process.close()
        if worker.attempts:
            self._queue.append(list(worker.attempts))
        self._workers[self._workers.index(worker)] = self._start_worker()


def available_processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1  # pragma: no cover  (macOS, Windows)
