"""Calls answered in processes: one that takes too long or too much holds up no other."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from docbats.errors import DocbatsError, InputError
from docbats.processes import WorkerDiedError, WorkerOptions, WorkerProcess

if TYPE_CHECKING:
    from collections.abc import Callable

    from docbats.mcp.answers import Answer
    from docbats.mcp.tools import ToolCall, ToolCalls

_N_PROCESSES = 2  # an assistant asks for one thing at a time, but may give up waiting for it
_MAX_START_SECONDS = 60.0  # beside the time that a call may take


class CallProcesses:
    """Has calls answered by processes; calls about one document go to the same one, if it is free.

    Parameters
    ----------
    calls
        What answers a call; each process has a copy.
    timeout
        Seconds that a call may take; its process is then ended, and a new one started.
    max_memory
        Megabytes that a process may take.
    """

    def __init__(self, calls: ToolCalls, timeout: float, max_memory: int) -> None:
        function = _Answering(calls)
        options = WorkerOptions("docbats-mcp", max_memory=max_memory, single_thread=True)
        self._timeout, self._max_memory = timeout, max_memory
        self._slots = [_Slot(lambda: WorkerProcess(function, options)) for _ in range(_N_PROCESSES)]

    def __call__(self, call: ToolCall) -> Answer:
        """Return the answer to a call; InputError where it takes too long or too much memory."""
        preferred = hash(call.document) % _N_PROCESSES
        slots = [*self._slots[preferred:], *self._slots[:preferred]]
        slot = next((slot for slot in slots if slot.lock.acquire(blocking=False)), None)
        if slot is None:
            slot = slots[0]
            if not slot.lock.acquire(timeout=self._timeout + _MAX_START_SECONDS):
                msg = "other calls take all the time: try again in a minute"
                raise InputError(msg)
        try:
            return self._answer(slot, call)
        finally:
            slot.lock.release()

    def close(self) -> None:
        """End the processes."""
        for slot in self._slots:
            slot.end()

    def _answer(self, slot: _Slot, call: ToolCall) -> Answer:
        worker = slot.ready_worker()
        timer = threading.Timer(self._timeout, worker.kill)
        timer.daemon = True
        timer.start()
        try:
            worker.send([call])
            found: Answer | DocbatsError | None = worker.receive()
        except WorkerDiedError:
            was_slow = worker.was_killed
            slot.end()
            if was_slow:
                msg = (
                    f"the call took longer than {self._timeout:g} seconds: ask for less, such as a "
                    "smaller k, or start docbats mcp with a larger --timeout"
                )
            else:
                msg = "the process that answered the call died: ask for less, or for a part"
            raise InputError(msg) from None
        finally:
            timer.cancel()
        if found is None:
            msg = (
                f"the call needs more than {self._max_memory:,} megabytes of memory: ask for less, "
                "or start docbats mcp with a larger --max-memory"
            )
            raise InputError(msg)
        if isinstance(found, DocbatsError):
            raise found
        return found


class _Slot:
    """The place of a process, which is started when it is first needed."""

    def __init__(self, start: Callable[[], WorkerProcess]) -> None:
        self.lock = threading.Lock()
        self._start = start
        self._worker: WorkerProcess | None = None

    def ready_worker(self) -> WorkerProcess:
        """Return the process, a new one if it is gone."""
        if self._worker is not None and self._worker.is_gone:
            self.end()
        if self._worker is None:
            worker = self._start()
            try:
                worker.wait_until_ready()
            except WorkerDiedError:
                worker.close()
                msg = "no process could be started to answer the call: try again"
                raise InputError(msg) from None
            self._worker = worker
        return self._worker

    def end(self) -> None:
        """End the process, if there is one."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None


class _Answering:
    """Answers calls where it is sent to: an answer, an error of ours, or None without memory."""

    def __init__(self, calls: ToolCalls) -> None:
        self._calls = calls

    def __call__(self, call: ToolCall) -> Answer | DocbatsError | None:
        try:
            return self._calls(call)
        except DocbatsError as error:
            return error
        except MemoryError:
            return None
