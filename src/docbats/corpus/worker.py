"""A process that works on one document after another, and the handle by which it is held."""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import threading
import time
from collections import deque
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from docbats.corpus.errors import EngineError
from docbats.corpus.record import Record
from docbats.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from multiprocessing.connection import Connection

    from docbats.corpus.engine import Answer, Work

__all__ = ["Worker", "WorkerDiedError"]

_END_SECONDS = 5.0
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_FIRST = Record("", "", "Bats hunt moths. Moths hear bats. Tea is hot. Hot tea cools.")


class WorkerDiedError(Exception):
    """The process is gone."""


class Worker:
    """A process of its own and the pipe to it.

    It does its work once on a document of ours, so that whatever it loads is there for the first
    real one, and is ready then. The next documents may be sent while it works: it takes them in at
    once, so that it never waits for us, nor we for it.

    Attributes
    ----------
    todo
        What was sent and has not come back; it works on the first of them.
    load
        How many characters that is.
    since
        When it began with that, or was started.
    """

    def __init__(self, work: Work) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=_attend, args=(work, theirs), daemon=True, name="docbats-corpus"
        )
        self.todo: deque[Record] = deque()
        self.load = 0
        self.is_ready = False
        self.since = time.monotonic()
        try:
            with _one_thread():
                self._process.start()
        except OSError as error:
            msg = f"no process can be started: {error.strerror or error}: try fewer --jobs"
            raise EngineError(msg) from None
        finally:
            theirs.close()

    def send(self, records: Sequence[Record]) -> None:
        """Give it more to do; WorkerDiedError if it is gone."""
        if not self.todo:
            self.since = time.monotonic()
        self.todo.extend(records)
        self.load += sum(record.size for record in records)
        try:
            self.pipe.send(records)
        except OSError:
            raise WorkerDiedError from None

    def receive(self) -> tuple[Record, Answer] | None:
        """Take the next thing that it says: an answer, or None for being ready.

        WorkerDiedError if it says nothing any more.
        """
        try:
            said = self.pipe.recv()
        except (EOFError, OSError):
            raise WorkerDiedError from None
        self.since = time.monotonic()
        if isinstance(said, MissingExtraError):
            raise said
        if not self.is_ready:
            self.is_ready = True
            return None
        record = self.todo.popleft()
        self.load -= record.size
        return record, said

    def end(self) -> int | None:
        """Stop it at once, whatever it does; give the code that it ended with."""
        self._process.kill()
        self._process.join(_END_SECONDS)
        code = self._process.exitcode
        self.pipe.close()
        return code


@contextmanager
def _one_thread() -> Iterator[None]:
    """Have numeric libraries that a new process loads begin with one thread."""
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _attend(work: Work, pipe: Connection) -> None:
    """Work on what comes until nobody is there to ask."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends us
    todo: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_take_in, args=(pipe, todo), daemon=True).start()
    try:
        pipe.send(_done(work, _FIRST))
        while True:
            for record in todo.get():
                pipe.send(_done(work, record))
    except OSError:
        return


def _done(work: Work, record: Record) -> Answer | MissingExtraError:
    try:
        return work(record)
    except MissingExtraError as error:
        return error


def _take_in(pipe: Connection, todo: queue.SimpleQueue[Any]) -> None:
    """Take in what is sent; where the parent is gone, end in the middle of whatever is done."""
    try:
        while True:
            todo.put(pipe.recv())
    except (EOFError, OSError):
        os._exit(1)
