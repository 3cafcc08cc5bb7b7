"""The layout of a table of costs, and sums over the blocks of each segment in that layout.

`edges` are the first sentence of each block and the number of sentences; a segment is a run of at
most `width` blocks. In a table ``costs[j, l]`` is the segment of l + 1 blocks of which block j is
the last; entries of segments that would begin before the text mean nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = ["at_starts", "coarser", "cumulative_sums", "row_groups", "segment_sums", "windows"]

_CACHE_SIZE = 16_384  # numbers; with more a group of rows leaves the processor's cache


def segment_sums(sizes: NDArray[np.float64 | np.int64], width: int) -> NDArray[Any]:
    """Return the total size of the blocks of each segment, as a table."""
    ends, starts = cumulative_sums(sizes, width)
    return np.asarray(ends - starts)


def cumulative_sums(sizes: NDArray[Any], width: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the sums of sizes up to the end and up to the start of each segment, as tables."""
    ends = np.zeros((*sizes.shape[:-1], width + sizes.shape[-1]), sizes.dtype)
    np.cumsum(sizes, axis=-1, out=ends[..., width:])
    return ends[..., width:, None], at_starts(ends, width)


def at_starts(values: NDArray[Any], width: int) -> NDArray[Any]:
    """Lay out what stands at the first block of each segment."""
    return windows(values, width)[..., :-1, ::-1]


def coarser(costs: NDArray[np.float64], edges: NDArray[np.int64], width: int) -> NDArray[Any]:
    """Return the table of blocks between these edges, of the table of all of their sentences."""
    starts = at_starts(np.concatenate([np.zeros(width - 1, np.int64), edges]), width)
    ends = edges[1:, None]
    return np.asarray(costs[ends - 1, ends - 1 - starts])


def windows(values: NDArray[Any], width: int) -> NDArray[Any]:
    """Return a view of each `width` neighbours, in a tenth of sliding_window_view's time."""
    values = np.ascontiguousarray(values)
    shape = (*values.shape[:-1], values.shape[-1] - width + 1, width)
    return np.ndarray(shape, values.dtype, values, strides=(*values.strides, values.itemsize))


def row_groups(shape: tuple[int, ...], layers: int = 1) -> Iterator[tuple[slice, slice]]:
    """Split a table into rows that stay in the cache, without what begins before the text.

    Memory for a large table is slow to come by, so intermediate results are only made by groups.
    """
    n_blocks, width = shape
    rows = max(1, _CACHE_SIZE // (width * layers))
    for j in range(0, n_blocks, rows):
        end = min(j + rows, n_blocks)
        yield slice(j, end), slice(0, end)
