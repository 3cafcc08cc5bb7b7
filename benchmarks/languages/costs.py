"""The time of a call and of an import, and the size of an installed package."""

from __future__ import annotations

import subprocess
import sys
import time
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable


def median_seconds(function: Callable[[], Any], times: int = 50) -> float:
    """Return the median seconds of a call."""
    function()
    spent = []
    for _ in range(times):
        begin = time.perf_counter()
        function()
        spent.append(time.perf_counter() - begin)
    return float(np.median(spent))


def import_milliseconds(module: str) -> float:
    """Return the milliseconds that a fresh Python spends on an import, beyond numpy's."""
    program = (
        "import time, numpy\nbegin = time.perf_counter()\n"
        f"import {module}\nprint(1e3 * (time.perf_counter() - begin))"
    )
    command = [sys.executable, "-c", program]
    runs = [subprocess.run(command, capture_output=True, check=True).stdout for _ in range(5)]
    return float(np.median([float(run) for run in runs]))


def installed_megabytes(package: str | None) -> float | None:
    """Return the megabytes of an installed package, or None if it is not installed."""
    if package is None:
        return None
    try:
        files = distribution(package).files or []
    except PackageNotFoundError:
        return None
    paths = [Path(str(file.locate())) for file in files]
    return round(sum(path.stat().st_size for path in paths if path.exists()) / 1e6, 1)


def log_progress(*values: object) -> None:
    """Print to standard error how far the run is."""
    print(*values, file=sys.stderr, flush=True)
