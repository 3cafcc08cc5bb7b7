"""How the work of a function grows with its input, on a machine that does other things as well."""

from __future__ import annotations

import gc
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

GROWTH = 16
_SHORTEST = 0.08  # seconds
_USUAL_GROWTH = 2.3


def takes_linear_time(function: Callable[[int], object], size: int) -> bool:
    """Whether 16 times the size takes about 16 times as long, rather than 256 times.

    Processor time leaves out what other processes do, but for caches that they share. That is far
    less than the factor of four between 16, 64 and 256, and one undisturbed attempt is enough.
    """
    limit = 4 * GROWTH * min(_seconds(function, size) for _ in range(5))
    return any(_seconds(function, GROWTH * size) < limit for _ in range(3))


def growth_when_doubled(function: Callable[[int], object], size: int) -> float:
    """Return how many times as long a function takes for twice the size, at best of some attempts.

    Below the shortest time that can be told from noise, it counts as that time.
    """
    growth, first, second = float("inf"), float("inf"), float("inf")
    was_enabled = gc.isenabled()
    gc.disable()  # the collector looks at more objects at a time, the more there are
    try:
        for _ in range(6):
            first = min(first, max(_SHORTEST, _seconds(function, size)))
            second = min(second, _seconds(function, 2 * size))
            growth = second / first
            if growth < _USUAL_GROWTH:
                break
    finally:
        if was_enabled:
            gc.enable()
    return growth


def _seconds(function: Callable[[int], object], size: int) -> float:
    began = time.process_time()
    function(size)
    return time.process_time() - began
