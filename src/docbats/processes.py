"""Worker processes that lose no task: for the corpus, the service, MCP and the laboratory."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import queue
import signal
import threading
import time
import traceback
from collections import deque
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.connection import Connection


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


MAX_START_SECONDS = 120.0
"""How long a process may take to get ready: a busy machine is slow to import everything."""

_MAX_END_SECONDS = 5.0
_THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


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
        A task to begin with, so that whatever the function loads is there for the first real one;
        None for none.
    max_memory
        Megabytes that the process may take; a task that needs more gets a MemoryError. None for as
        many as there are.
    single_thread
        Whether numeric libraries are held to one thread.
    ignore_sigterm
        Whether only its parent can end it, so that a signal to the whole group lets it finish.
    """

    name: str
    warm_up: Any = None
    max_memory: int | None = None
    single_thread: bool = False
    ignore_sigterm: bool = False


class WorkerProcess:
    """A process of its own and the pipe to it; OSError if it cannot be started.

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
    was_killed
        Whether we ended the process.
    """

    def __init__(self, function: Callable[[Any], Any], options: WorkerOptions) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(function, options, theirs), daemon=True, name=options.name
        )
        self.was_killed = False
        try:
            with _single_thread_environment() if options.single_thread else nullcontext():
                self._process.start()
        finally:
            theirs.close()

    def wait_until_ready(self) -> None:
        """Wait for the first message; WorkerDiedError if the process does not get ready."""
        if not self.connection.poll(MAX_START_SECONDS):
            raise WorkerDiedError
        self.receive()

    def send(self, tasks: Sequence[Any]) -> None:
        """Hand in tasks; WorkerDiedError if the process is gone, and has begun none of them."""
        try:
            self.connection.send(list(tasks))
        except OSError:
            raise WorkerDiedError from None

    def receive(self, on_progress: Callable[[Any], object] | None = None) -> Any:
        """Wait for the next result, in the order of the tasks; the first message has none.

        WorkerDiedError if the process ends before. An exception of the function is raised here.
        `on_progress` is called with what the function sends by `send_progress`.
        """
        try:
            while isinstance(message := self.connection.recv(), _Progress):
                if on_progress is not None:
                    on_progress(message.value)
        except (EOFError, OSError):
            raise WorkerDiedError from None
        if isinstance(message, _Raised):
            raise message.error
        return message

    @property
    def is_gone(self) -> bool:
        """Whether the process has ended; to be asked while it has nothing to do."""
        return self.connection.poll(0)

    def kill(self) -> None:
        """End the process at once, whatever it does; may be called from any thread."""
        self.was_killed = True
        self._process.kill()

    def close(self) -> int | None:
        """End the process and release what it held; return its exit code."""
        self.kill()
        self._process.join(_MAX_END_SECONDS)
        self.connection.close()
        return self._process.exitcode


@dataclass(frozen=True)
class _Raised:
    """An exception of the function, on its way to the parent."""

    error: Exception


@dataclass(frozen=True)
class _Progress:
    """How far the function is, on its way to the parent."""

    value: Any


_to_parent: Connection | None = None  # in a worker process


def send_progress(value: Any) -> None:
    """Send the progress of the work to the parent; does nothing outside a worker process."""
    if _to_parent is not None:
        _to_parent.send(_Progress(value))


_environment_lock = threading.Lock()


@contextmanager
def _single_thread_environment() -> Iterator[None]:
    """Let numeric libraries that a new process loads begin with one thread."""
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


def _serve(function: Callable[[Any], Any], options: WorkerOptions, connection: Connection) -> None:
    """Work on tasks until the parent is gone: what the worker process runs."""
    global _to_parent  # noqa: PLW0603  (a process has one parent)
    if options.max_memory is not None:
        _limit_memory(options.max_memory)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends us
    if options.ignore_sigterm:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    batches: queue.SimpleQueue[list[Any]] = queue.SimpleQueue()
    threading.Thread(target=_take_in, args=(connection, batches), daemon=True).start()
    try:
        warm_up = options.warm_up
        connection.send(None if warm_up is None else _result_or_error(function, warm_up))
        _to_parent = connection
        while True:
            for task in batches.get():
                connection.send(_result_or_error(function, task))
    except OSError:  # the parent is gone
        return


def _take_in(connection: Connection, batches: queue.SimpleQueue[list[Any]]) -> None:
    """Take in what is sent; where that is impossible, as when the parent is gone, end at once."""
    try:
        while True:
            batches.put(connection.recv())
    finally:
        os._exit(1)


def _result_or_error(function: Callable[[Any], Any], task: Any) -> Any:
    try:
        return function(task)
    except Exception as error:
        return _Raised(_sendable(error))


def _sendable(error: Exception) -> Exception:
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
