"""A process that does one job after another, and the handle by which it is asked."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

__all__ = ["Failure", "Worker"]

_START_SECONDS = 120.0  # a busy machine may take long to import everything
_END_SECONDS = 5.0


@dataclass(frozen=True)
class Failure:
    """An error that the work did not expect: its type and place, and nothing of the document."""

    where: str


class Worker:
    """A process of its own and the pipe to it; its methods wait, so call them in a thread.

    `work` is done there once on `warm_up`, so that whatever it loads is there for the first job;
    and a job that needs more than `memory` megabytes gets a MemoryError.
    """

    def __init__(self, work: Callable[[Any], Any], warm_up: Any, memory: int | None = None) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=_attend, args=(work, warm_up, memory, theirs), daemon=True, name="docbats-worker"
        )
        self.was_stopped = False
        self._process.start()
        theirs.close()

    def wait_until_ready(self) -> None:
        """Wait for the first sign of life; EOFError where there is none."""
        if not self._pipe.poll(_START_SECONDS):
            raise EOFError
        self._pipe.recv()

    def ask(self, job: Any) -> Any:
        """Have a job done; EOFError or OSError if the process ends before it answers."""
        self._pipe.send(job)
        return self._pipe.recv()

    @property
    def is_gone(self) -> bool:
        """Whether the process ended while nobody asked it anything."""
        return self._pipe.poll(0)

    def stop(self) -> None:
        """Stop the process at once, whatever it does; this one method may be called anywhere."""
        self.was_stopped = True
        self._process.kill()

    def bury(self) -> None:
        """Stop the process and give back what it held."""
        self.stop()
        self._process.join(_END_SECONDS)
        self._pipe.close()


def _attend(work: Callable[[Any], Any], warm_up: Any, memory: int | None, pipe: Connection) -> None:
    """Do jobs until nobody is there to ask."""
    if memory is not None:
        _limit_memory(memory)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # A signal to the whole group, such as Ctrl-C, is for the parent: it lets us finish first.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        pipe.send(_outcome(work, warm_up))
        while True:
            pipe.send(_outcome(work, pipe.recv()))
    except (EOFError, OSError):
        return


def _end_with_parent() -> None:
    """End this process as soon as its parent is gone, even if it was killed amid a long job."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _limit_memory(megabytes: int) -> None:
    try:
        import resource
    except ModuleNotFoundError:  # Windows has no such limit
        return
    size = megabytes * 1_000_000
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = size if hard == resource.RLIM_INFINITY else min(size, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def _outcome(work: Callable[[Any], Any], job: Any) -> Any:
    try:
        return work(job)
    except Exception as error:
        return Failure(place_of(error))


def place_of(error: BaseException) -> str:
    """Tell the type of an error and where it arose, but not its message, which may quote a text.

    >>> try:
    ...     int("secret")
    ... except ValueError as error:
    ...     "secret" in place_of(error)
    False
    """
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"
