"""Analyze one file and print its time and memory: ``measure_file.py FILE ARGUMENTS``.

FILE is plain text. ARGUMENTS is a JSON object: ``preset``, ``k``, ``runs``.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

from docbats import BATS, PRESETS


def _main(source: str, arguments: str) -> None:
    wanted = json.loads(arguments)
    bats = BATS(PRESETS[wanted["preset"]])
    text = Path(source).read_text(encoding="utf-8")
    seconds = []
    for _ in range(wanted.get("runs", 1)):
        started = time.perf_counter()
        result = bats(text, k=wanted["k"])
        seconds.append(time.perf_counter() - started)
    peak = _peak_bytes()
    print(json.dumps({"seconds": seconds, "peak_bytes": peak, "segments": len(result.segments)}))


def _peak_bytes() -> int:
    status = Path("/proc/self/status")
    if status.exists():  # on Linux the resource usage begins with that of the parent
        lines = status.read_text().splitlines()
        return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    # In bytes on macOS, in kilobytes elsewhere.
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


if __name__ == "__main__":
    _main(*sys.argv[1:])
