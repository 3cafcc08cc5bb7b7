"""Chunks of all splitters at equal mean size."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from docbats_lab.retrieval.measures import IndexedChunk
    from docbats_lab.retrieval.splitters import Splitter

_CLOSE = 0.01  # of the number of chunks: near enough
_MAX_TRIALS = 9


def chunk_all(splitter: Splitter, texts: Mapping[str, str], size: int) -> list[IndexedChunk]:
    """Return the chunks of all texts."""
    return [chunk for name, text in texts.items() for chunk in splitter.chunks(name, text, size)]


def chunk_to_count(
    splitter: Splitter, texts: Mapping[str, str], count: int, first: int
) -> tuple[int, list[IndexedChunk]]:
    """Return the size at which a splitter makes about `count` chunks, and these.

    The search begins at the size `first`.
    """
    low, high, size = 1, 16 * first, first
    best: tuple[int, list[IndexedChunk]] | None = None
    for _ in range(_MAX_TRIALS):
        chunks = chunk_all(splitter, texts, size)
        if best is None or abs(len(chunks) - count) < abs(len(best[1]) - count):
            best = size, chunks
        if abs(len(chunks) - count) <= _CLOSE * count:
            break
        if len(chunks) > count:
            low = size + 1
        else:
            high = size - 1
        if low > high:
            break
        # The number of chunks falls about as their size grows.
        size = min(max(round(size * len(chunks) / count), low), high)
    if best is None:  # pragma: no cover  (there is a trial at least)
        raise AssertionError
    return best
