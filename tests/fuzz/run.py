"""Calls of targets for some time, and what was foreign about how they ended."""

from __future__ import annotations

import logging
import resource
import signal
import sys
import time
import traceback
import warnings
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz.targets import TARGETS

__all__ = ["call_once", "fuzz"]

MAX_SECONDS = 20.0  # of processor time for one call: the inputs have a few kilobytes
MAX_MEMORY = 3_000_000_000
_SHARES = {  # of the time
    "library": 3, "chunks": 2, "readers": 6, "http": 2, "mcp": 1, "views": 2, "files": 6,
    "tables": 2, "frames": 1, "bodies": 1,
}  # fmt: skip
_BETWEEN_WORDS = 60.0  # seconds


def fuzz(seed: int, seconds: float, targets: list[str]) -> dict[str, Any]:
    """Call targets in turn until the time is over."""
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    signal.signal(signal.SIGVTALRM, _too_slow)
    warnings.simplefilter("error")
    logging.disable(logging.CRITICAL)
    end = time.monotonic() + seconds
    next_word = time.monotonic() + _BETWEEN_WORDS
    calls = dict.fromkeys(targets, 0)
    failures: dict[str, dict[str, Any]] = {}
    slowest: dict[str, Any] = {"seconds": 0.0}
    turns = [name for name in targets for _ in range(_SHARES[name])]
    while time.monotonic() < end:
        for name in turns:
            until = time.monotonic() + 0.25
            while time.monotonic() < min(until, end):
                call, calls[name] = calls[name], calls[name] + 1
                began = time.process_time()
                error = _call(name, _chance(seed, name, call))
                spent = time.process_time() - began
                replay = f"{name}:{seed}:{call}"
                if spent > slowest["seconds"]:
                    slowest = {"seconds": round(spent, 2), "replay": replay}
                if error is not None:
                    failures.setdefault(error["where"], {**error, "replay": replay})
                    print(f"{replay}: {error['error']}", file=sys.stderr, flush=True)
        if time.monotonic() > next_word:
            next_word += _BETWEEN_WORDS
            print(f"seed {seed}: {sum(calls.values()):,} calls", file=sys.stderr, flush=True)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return {
        "calls": calls,
        "failures": list(failures.values()),
        "slowest": slowest,
        "megabytes": megabytes,
    }


def _call(name: str, chance: Random) -> dict[str, Any] | None:
    """Make a call; return what is foreign about how it ended."""
    signal.setitimer(signal.ITIMER_VIRTUAL, MAX_SECONDS)
    try:
        TARGETS[name](chance)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        frames = traceback.extract_tb(error.__traceback__)[-3:]
        where = " < ".join(f"{Path(f.filename).name}:{f.lineno}" for f in reversed(frames))
        found = f"{type(error).__name__}: {error}"[:300]
        return {"where": f"{type(error).__name__} at {where}", "error": found}
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return None


def _chance(seed: int, name: str, call: int) -> Random:
    return Random(f"{seed}/{name}/{call}")


def _too_slow(*_: object) -> None:
    msg = f"more than {MAX_SECONDS:g} seconds of processor time"
    raise TimeoutError(msg)


def call_once(name: str, seed: int, call: int) -> None:
    """Make one call of a report again."""
    TARGETS[name](_chance(seed, name, call))
