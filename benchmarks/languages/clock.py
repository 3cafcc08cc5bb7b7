"""What a call, an import and an installed package cost, and how far we are."""

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


def best_time(function: Callable[[], Any], times: int = 50) -> float:
    """Give the median of the seconds that a call takes."""
    function()
    spent = []
    for _ in range(times):
        begin = time.perf_counter()
        function()
        spent.append(time.perf_counter() - begin)
    return float(np.median(spent))


def import_time(module: str) -> float:
    """Give the milliseconds that a fresh Python spends on an import, beyond numpy's."""
    program = (
        "import time, numpy\nbegin = time.perf_counter()\n"
        f"import {module}\nprint(1e3 * (time.perf_counter() - begin))"
    )
    command = [sys.executable, "-c", program]
    runs = [subprocess.run(command, capture_output=True, check=True).stdout for _ in range(5)]
    return float(np.median([float(run) for run in runs]))


def installed_size(package: str | None) -> float | None:
    """Add up the files of an installed package, in megabytes."""
    if package is None:
        return None
    try:
        files = distribution(package).files or []
    except PackageNotFoundError:
        return None
    paths = [Path(str(file.locate())) for file in files]
    return round(sum(path.stat().st_size for path in paths if path.exists()) / 1e6, 1)


def say(*what: object) -> None:
    """Show how far we are."""
    print(*what, file=sys.stderr, flush=True)
