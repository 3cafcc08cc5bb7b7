"""Analyse one file and say how long it took and how much memory: ``child.py FILE ARGUMENTS``.

FILE has a sentence a line. ARGUMENTS is a JSON object: ``preset``, ``k``, ``runs``.
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
    # In kilobytes on Linux, in bytes on macOS.
    unit = 1 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    print(json.dumps({"seconds": seconds, "peak_bytes": peak, "segments": len(result.segments)}))


if __name__ == "__main__":
    _main(*sys.argv[1:])
