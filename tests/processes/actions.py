"""Functions for worker processes, which import them by name."""

from __future__ import annotations

import os
import signal
import time


class UnpicklableError(Exception):
    """An exception that cannot be made anew from what it was pickled to."""

    def __init__(self, task: str, *, why: str) -> None:
        super().__init__(f"{task}: {why}")


def act(task: str) -> str:
    """Do what the task says, and return it."""
    match task.split():
        case ["die"]:
            os.kill(os.getpid(), signal.SIGKILL)
        case ["exit"]:
            os._exit(3)
        case ["sleep", seconds]:
            time.sleep(float(seconds))
        case ["raise"]:
            msg = "a task that fails"
            raise ValueError(msg)
        case ["raise", "unpicklable"]:
            raise UnpicklableError(task, why="as told")
        case ["allocate", megabytes]:
            return str(len(bytearray(int(megabytes) * 1_000_000)))
        case ["answer", megabytes]:
            return "a" * (int(megabytes) * 1_000_000)
        case ["raise", "out", "of", "memory"]:
            _raise_out_of_memory()
        case ["environment", name]:
            return os.environ.get(name, "")
    return task


def _raise_out_of_memory() -> None:
    try:
        bytearray(1 << 50)
    except MemoryError:
        msg = "raised while another was handled"
        raise RuntimeError(msg) from None


def die_at_once(task: str) -> str:  # noqa: ARG001
    """Die of any task, also of the one to warm up with."""
    os._exit(3)
