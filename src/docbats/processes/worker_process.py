"""A process that applies one function to one task after another, and the handle to it.

It is a fresh interpreter, since forking one that has threads may hang. It takes tasks in as soon as
they are sent, so that neither side ever waits for the other, and it ends with its parent, even in
the middle of a task.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import queue
import signal
import threading
import traceback
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.connection import Connection

__all__ = [
    "MAX_START_SECONDS",
    "WorkerDiedError",
    "WorkerOptions",
    "WorkerProcess",
    "send_progress",
]

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
