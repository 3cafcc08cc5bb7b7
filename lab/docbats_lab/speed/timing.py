"""Timing on a noisy machine.

``python -m docbats_lab.speed.timing FILE ARGUMENTS`` analyzes a text and prints time and memory.
"""

from __future__ import annotations

import json
import math
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_MAX_ROUNDS = 200
_SLOW_SECONDS = 2.0  # work that takes longer is run only twice


def time_interleaved(
    works: Mapping[str, Callable[[], object]], seconds: float, rounds: int = 5
) -> dict[str, float]:
    """Return the median seconds of each piece of work.

    Each is run once to warm up, then all in turn, so that noise affects all alike: at least
    `rounds` times, and until `seconds` have passed.
    """
    spent: dict[str, list[float]] = {}
    slow = set()
    for name, work in works.items():
        once = _seconds(work)
        if once > _SLOW_SECONDS:
            slow.add(name)
            spent[name] = [once]
        else:
            spent[name] = []
    fast = [name for name in works if name not in slow]
    started = time.perf_counter()
    for done in range(_MAX_ROUNDS):
        if not fast or (done >= rounds and time.perf_counter() - started > seconds):
            break
        for name in fast:
            spent[name].append(_seconds(works[name]))
    for name in slow:
        spent[name] = [min(spent[name][0], _seconds(works[name]))]
    return {name: statistics.median(times) for name, times in spent.items()}


def time_commands(commands: Mapping[str, Sequence[str]], runs: int) -> dict[str, float]:
    """Return the median seconds of each command from its start to its end, run in turn."""

    def run(command: Sequence[str]) -> None:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    works = {name: lambda command=command: run(command) for name, command in commands.items()}
    return time_interleaved(works, 0, runs)


def measure_in_process(source: Path, *, threads: int = 1, **arguments: object) -> dict[str, Any]:
    """Analyze a file in its own process, for its memory and threads; see `_main`."""
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
    output = subprocess.run(
        [sys.executable, "-m", "docbats_lab.speed.timing", str(source), json.dumps(arguments)],
        check=True,
        stdout=subprocess.PIPE,
        env={**os.environ, **dict.fromkeys(names, str(threads))},
    ).stdout
    found: dict[str, Any] = json.loads(output)
    return found


def growth_exponent(seconds: Mapping[int, float]) -> float | None:
    """Fit the time as a power of the size, by least squares of logarithms.

    Examples
    --------
    >>> round(growth_exponent({10: 1.0, 100: 10.0, 1000: 100.0}), 3)
    1.0
    """
    if len(seconds) < 2:
        return None
    logs = [(math.log(size), math.log(taken)) for size, taken in seconds.items()]
    return statistics.linear_regression(*zip(*logs, strict=True)).slope


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _main(source: str, arguments: str) -> None:
    """Print the time and memory of an analysis; `arguments` is JSON with preset, k and runs."""
    from docbats import BATS, PRESETS

    wanted = json.loads(arguments)
    bats = BATS(PRESETS[wanted["preset"]])
    text = Path(source).read_text(encoding="utf-8")
    seconds = []
    for _ in range(wanted.get("runs", 1)):
        started = time.perf_counter()
        result = bats(text, k=wanted["k"]).describe()
        seconds.append(time.perf_counter() - started)
    peak = peak_bytes()
    print(json.dumps({"seconds": seconds, "peak_bytes": peak, "segments": len(result.segments)}))


def processor_seconds() -> float:
    """Return the time of the processor that this process and its finished children have used."""
    import resource  # not on Windows

    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def peak_bytes() -> int:
    """Return the peak memory of this process."""
    status = Path("/proc/self/status")
    if status.exists():  # on Linux the resource usage starts with that of the parent
        lines = status.read_text().splitlines()
        return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    import resource  # not on Windows

    # In bytes on macOS, in kilobytes elsewhere.
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


if __name__ == "__main__":
    _main(*sys.argv[1:])
