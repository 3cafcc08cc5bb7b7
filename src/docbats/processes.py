"""Worker processes that lose no task: for the corpus, the service, MCP and the laboratory.

A :class:`WorkerProcess` is one process and the pipe to it. A :class:`ProcessPool` hands tasks to
several of them, stops the slow ones and replaces the dead ones; its caller waits for results. A
:class:`~docbats.background_pool.BackgroundPool` waits in a thread and returns futures.
"""

from __future__ import annotations

import errno
import multiprocessing
import os
import pickle
import queue
import re
import signal
import threading
import time
import traceback
from collections import deque
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from multiprocessing.connection import wait
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.connection import Connection

Task = TypeVar("Task")
Result = TypeVar("Result")

_MAX_START_SECONDS = 120.0  # until a process is ready: a busy machine is slow to import everything
_MAX_END_SECONDS = 5.0
_MAX_FALSE_STARTS = 6  # in a row; with more, a run whose processes cannot start ends later
_RESTART_PAUSE = 1.0  # seconds until the next attempt if a process cannot be replaced
_NO_MEMORY = re.compile(
    "cannot allocate memory|failed to map segment|can't start new thread", re.IGNORECASE
)
_THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def available_processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1  # pragma: no cover  (macOS, Windows)


def error_location(error: BaseException) -> str:
    """Return the type of an exception and its line, but not its message, which may quote a text.

    >>> try:
    ...     int("secret")
    ... except ValueError as error:
    ...     "secret" in error_location(error)
    False
    """
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an exception says that there is no memory left, or came up while one was handled.

    >>> is_out_of_memory(OSError(errno.ENOMEM, "")), is_out_of_memory(OSError())
    (True, False)
    """
    seen: list[BaseException] = []
    found: BaseException | None = error
    while found is not None and found not in seen:
        if isinstance(found, MemoryError) or getattr(found, "errno", None) == errno.ENOMEM:
            return True
        # Of a library or a thread that could not be loaded or started.
        if isinstance(found, ImportError | RuntimeError) and _NO_MEMORY.search(str(found)):
            return True
        seen.append(found)
        found = found.__cause__ or found.__context__
    return False


# One process.


class WorkerDiedError(Exception):
    """The worker process has ended."""


@dataclass(frozen=True)
class WorkerOptions:
    """How a worker process runs.

    Attributes
    ----------
    name
        The name of the process.
    warm_up
        A first task, so that everything is loaded before the first real one; None for none.
    max_memory
        Memory limit in megabytes; a task that needs more gets a MemoryError. None for no limit.
    single_thread
        Whether numeric libraries are limited to one thread.
    ignore_sigterm
        Whether only its parent can end it, so that a signal to the whole group lets it finish.
    """

    name: str
    warm_up: Any = None
    max_memory: int | None = None
    single_thread: bool = False
    ignore_sigterm: bool = False


@dataclass(frozen=True)
class TaskProgress:
    """How far a task is, sent by `send_progress`."""

    value: Any


@dataclass(frozen=True)
class _Raised:
    """An exception of the function, on its way to the parent."""

    error: Exception


class WorkerProcess:
    """A process and the pipe to it; OSError if it cannot be started.

    Parameters
    ----------
    function
        From a task to its result. It is pickled once; tasks and results are pickled, too.
    options
        How the process runs.

    Attributes
    ----------
    connection
        Our end of the pipe, for :func:`multiprocessing.connection.wait`.
    """

    def __init__(self, function: Callable[[Any], Any], options: WorkerOptions) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(function, options, theirs), daemon=True, name=options.name
        )
        try:
            with _single_thread_environment() if options.single_thread else nullcontext():
                self._process.start()
        finally:
            theirs.close()

    def send(self, tasks: Sequence[Any]) -> None:
        """Send tasks; WorkerDiedError if the process is gone, and has begun none of them."""
        try:
            self.connection.send(list(tasks))
        except OSError:
            raise WorkerDiedError from None

    def receive(self) -> Any:
        """Wait for the next message: None when ready, then results in the order of the tasks.

        A result may be preceded by `TaskProgress`. Exceptions of the function are raised here;
        WorkerDiedError if the process has ended.
        """
        try:
            message = self.connection.recv()
        except (EOFError, OSError):
            raise WorkerDiedError from None
        if isinstance(message, _Raised):
            raise message.error
        return message

    def kill(self) -> None:
        """End the process at once, whatever it is doing."""
        self._process.kill()

    def close(self) -> int | None:
        """End the process and release its resources; return its exit code."""
        self.kill()
        self._process.join(_MAX_END_SECONDS)
        self.connection.close()
        return self._process.exitcode


_environment_lock = threading.Lock()


@contextmanager
def _single_thread_environment() -> Iterator[None]:
    """Make numeric libraries in a new process start with one thread."""
    with _environment_lock:
        before = {name: os.environ.get(name) for name in _THREAD_VARIABLES}
        os.environ.update(dict.fromkeys(_THREAD_VARIABLES, "1"))
        try:
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value


_to_parent: Connection | None = None  # in a worker process


def send_progress(value: Any) -> None:
    """Send the progress of the task to the parent; does nothing outside a worker process."""
    if _to_parent is not None:
        _to_parent.send(TaskProgress(value))


def _serve(function: Callable[[Any], Any], options: WorkerOptions, connection: Connection) -> None:
    """Work on tasks until the parent is gone: what the worker process runs."""
    global _to_parent  # noqa: PLW0603  (a process has one parent)
    if options.max_memory is not None:
        _limit_memory(options.max_memory)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends us
    if options.ignore_sigterm:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    batches: queue.SimpleQueue[list[Any]] = queue.SimpleQueue()
    threading.Thread(target=_receive_batches, args=(connection, batches), daemon=True).start()
    try:
        warm_up = options.warm_up
        connection.send(None if warm_up is None else _result_or_error(function, warm_up))
        _to_parent = connection
        while True:
            for task in batches.get():
                try:
                    connection.send(_result_or_error(function, task))
                except MemoryError:  # nothing of the result was sent: it did not fit twice
                    connection.send(_Raised(MemoryError()))
    except OSError:  # the parent is gone
        return


def _receive_batches(connection: Connection, batches: queue.SimpleQueue[list[Any]]) -> None:
    """Receive tasks; end the process at once if that fails, as it does when the parent is gone."""
    try:
        while True:
            batches.put(connection.recv())
    finally:
        os._exit(1)


def _result_or_error(function: Callable[[Any], Any], task: Any) -> Any:
    try:
        return function(task)
    except Exception as error:
        if is_out_of_memory(error):  # a traceback may not fit, either
            return _Raised(MemoryError())
        return _Raised(_picklable(error))


def _picklable(error: Exception) -> Exception:
    """Return the exception with its traceback as a note, or one like it that can be pickled."""
    error.add_note("".join(traceback.format_exception(error)))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _limit_memory(megabytes: int) -> None:
    try:
        import resource
    except ModuleNotFoundError:  # Windows has no such limit
        return
    wanted = megabytes * 1_000_000
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


# Several processes.


class PoolError(Exception):
    """A task has no result: its process died, or the pool was closed."""


class WorkerStartError(PoolError):
    """No process can be started."""


class WorkersNeverReadyError(WorkerStartError):
    """Processes start, but die before they are ready, again and again."""


class TaskTooSlowError(PoolError):
    """The task took longer than allowed."""


class PoolBusyError(PoolError):
    """Too many tasks are waiting, or this one has waited too long."""


@dataclass(frozen=True)
class TaskDone(Generic[Task, Result]):
    """A task and its result."""

    task: Task
    result: Result


@dataclass(frozen=True)
class TaskTimedOut(Generic[Task]):
    """A task that took longer than allowed."""

    task: Task


@dataclass(frozen=True)
class TaskDied(Generic[Task]):
    """A task that too many processes died of.

    `exit_code` is the last process's; a negative one is a signal.
    """

    task: Task
    exit_code: int | None


@dataclass(frozen=True)
class TaskRaised(Generic[Task]):
    """A task on which the function raised an exception."""

    task: Task
    error: Exception


TaskOutcome = TaskDone[Task, Result] | TaskTimedOut[Task] | TaskDied[Task]


@dataclass(eq=False)
class Attempt(Generic[Task]):
    """A task on its way through the processes.

    `preferred` is the place of the worker that should have it if several are equally free, and
    `stop_by` the time at which to stop it even if the time limit allows more.
    """

    task: Task
    size: int = 1
    deaths: int = 0
    preferred: int = 0
    stop_by: float = float("inf")
    on_progress: Callable[[Any], object] | None = None


@dataclass(eq=False)
class _Worker(Generic[Task]):
    """A process and the tasks sent to it; it works on the first one.

    `since` is when it began with that one, or was started.
    """

    place: int
    process: WorkerProcess
    attempts: deque[Attempt[Task]] = field(default_factory=deque)
    is_ready: bool = False
    is_broken: bool = False
    since: float = field(default_factory=time.monotonic)

    @property
    def load(self) -> int:
        """The sizes of its tasks, added up."""
        return sum(attempt.size for attempt in self.attempts)


class ProcessPool(Generic[Task, Result]):
    """Worker processes that apply `function` to tasks; they run within its ``with`` block.

    Every task comes back exactly once from `collect`: done, timed out or died. An exception of the
    function is raised there.

    Parameters
    ----------
    function
        From a task to its result; both, and the function, must be picklable.
    options
        How a process runs.
    jobs
        The number of processes.
    timeout
        Seconds that a task may take.
    size
        The amount of work in a task.
    max_load
        A process gets no more tasks once their sizes add up to this. With more, it never waits for
        work; but tasks behind a slow one wait.
    max_deaths
        How many processes may die of a task; one may also die through no fault of its task.

    Attributes
    ----------
    restarts
        How many processes were replaced after they had been ready.
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
        self._workers: list[_Worker[Task]] = []
        self._queue: deque[list[Attempt[Task]]] = deque()
        self._false_starts, self._next_start = 0, 0.0
        self.restarts = 0

    def __enter__(self) -> Self:
        try:
            for place in range(self._jobs):
                self._start_worker(place)
        except WorkerStartError:
            self.__exit__()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        for worker in self._workers:
            worker.process.close()

    @property
    def waiting(self) -> int:
        """The number of tasks that have not come back."""
        queued = sum(map(len, self._queue))
        return queued + sum(len(worker.attempts) for worker in self._workers)

    @property
    def is_ready(self) -> bool:
        """Whether all processes have started."""
        return len(self._workers) == self._jobs and all(w.is_ready for w in self._workers)

    @property
    def has_room(self) -> bool:
        """Whether a process could take more tasks."""
        return not self._queue and self._free_worker() is not None

    def submit(self, tasks: Sequence[Task]) -> None:
        """Send tasks to the process that has the least to do."""
        self.submit_attempts([Attempt(task, self._size(task)) for task in tasks])

    def collect(self, timeout: float | None = None) -> list[TaskOutcome[Task, Result]]:
        """Wait for a result, for a process that dies, or for a task that takes too long."""
        outcomes: list[TaskOutcome[Task, Result]] = []
        for outcome in self.collect_attempts(timeout):
            if isinstance(outcome, TaskRaised):
                raise outcome.error
            outcomes.append(replace(outcome, task=outcome.task.task))
        return outcomes

    def submit_attempts(self, attempts: list[Attempt[Task]]) -> None:
        """Send attempts to one process: the preferred one of those that have the least to do."""
        self._queue.append(attempts)
        self._send_queued()

    def collect_attempts(self, timeout: float | None, *also: Connection) -> list[Any]:
        """Wait as `collect` does, or for another connection; return outcomes of attempts."""
        self._start_missing_workers()
        pause = min(map(self._deadline, self._workers), default=float("inf")) - time.monotonic()
        pause = max(0.0, pause if timeout is None else min(pause, timeout))
        if len(self._workers) < self._jobs:
            pause = min(pause, _RESTART_PAUSE)
        connections = [worker.process.connection for worker in self._workers]
        heard = set(wait([*connections, *also], None if pause == float("inf") else pause))
        now = time.monotonic()
        outcomes: list[Any] = []
        for worker in list(self._workers):
            if worker.process.connection in heard:
                outcomes += self._receive(worker)
            elif now >= self._deadline(worker):
                outcomes += self._stop_slow_worker(worker)
        self._send_queued()
        return outcomes

    def _start_worker(self, place: int) -> None:
        try:
            self._workers.append(_Worker(place, WorkerProcess(self._function, self._options)))
        except OSError as error:
            msg = f"no process can be started: {error.strerror or error}: try fewer --jobs"
            raise WorkerStartError(msg) from None

    def _start_missing_workers(self) -> None:
        """Replace the processes that are gone; an error only if none is left to do the work."""
        missing = set(range(self._jobs)) - {worker.place for worker in self._workers}
        if not missing or time.monotonic() < self._next_start:
            return
        try:
            if self._false_starts >= _MAX_FALSE_STARTS:
                msg = f"{self._false_starts} processes died before they were ready"
                raise WorkersNeverReadyError(msg)
            for place in sorted(missing):
                self._start_worker(place)
        except WorkerStartError:
            if not any(worker.is_ready for worker in self._workers):
                raise
            self._next_start = time.monotonic() + _RESTART_PAUSE
            self._false_starts = 0

    def _free_worker(self, preferred: int = 0) -> _Worker[Task] | None:
        free = [
            worker
            for worker in self._workers
            if worker.is_ready
            and not worker.is_broken
            and (not worker.attempts or worker.load < self._max_load)
        ]
        return min(free, key=lambda w: (w.load, (w.place - preferred) % self._jobs), default=None)

    def _send_queued(self) -> None:
        while self._queue and (worker := self._free_worker(self._queue[0][0].preferred)):
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

    def _deadline(self, worker: _Worker[Task]) -> float:
        """Return the time by which the process has to send something."""
        if not worker.is_ready:
            return worker.since + _MAX_START_SECONDS
        if not worker.attempts:
            return float("inf")
        return min(worker.since + self._timeout, worker.attempts[0].stop_by)

    def _receive(self, worker: _Worker[Task]) -> list[Any]:
        error: Exception | None = None
        message = None
        try:
            message = worker.process.receive()
        except WorkerDiedError:
            return self._handle_death(worker)
        except Exception as raised:  # by the function
            if not worker.is_ready:
                raise
            error = raised
        if isinstance(message, TaskProgress):
            on_progress = worker.attempts[0].on_progress
            if on_progress is not None:
                on_progress(message.value)
            return []
        self._false_starts = 0
        worker.since = time.monotonic()
        if not worker.is_ready:
            worker.is_ready = True
            return []
        attempt = worker.attempts.popleft()
        return [TaskDone(attempt, message) if error is None else TaskRaised(attempt, error)]

    def _stop_slow_worker(self, worker: _Worker[Task]) -> list[Any]:
        if not worker.is_ready:
            return self._handle_death(worker)
        slow = worker.attempts.popleft()
        self._remove(worker)
        return [TaskTimedOut(slow)]

    def _handle_death(self, worker: _Worker[Task]) -> list[Any]:
        """Remove a dead worker; the task that it died of is tried again by itself."""
        fatal = worker.attempts.popleft() if worker.attempts else None
        exit_code = self._remove(worker)
        self._false_starts += not worker.is_ready
        if fatal is None:
            return []
        fatal.deaths += 1
        if fatal.deaths >= self._max_deaths or fatal.stop_by < float("inf"):
            return [TaskDied(fatal, exit_code)]
        self._queue.append([fatal])
        return []

    def _remove(self, worker: _Worker[Task]) -> int | None:
        """End a process, and let the others take over the rest of its tasks."""
        self._workers.remove(worker)
        self.restarts += worker.is_ready
        if worker.attempts:
            self._queue.append(list(worker.attempts))
        return worker.process.close()
