"""What a boundary before each sentence would gain in the blocks around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.segments.costs.root_uses import RootUses

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["split_gains"]


def split_gains(
    uses: RootUses, f: Floats, size_costs: Floats, weight_before: Floats, block_size: int
) -> Floats:
    """Return what a boundary before each unit of text gains, in the two blocks that it is nearest.

    A block is `block_size` units. The gain is what both together cost as one segment, minus what
    they cost if they are cut there.

    Parameters
    ----------
    uses
        How often each root stands in each unit.
    f
        What a root gives that stands 0, 1, ... times in a segment.
    size_costs
        What a segment of 0, 1, ... weighted words costs without its roots; in between it is
        interpolated, which is rough for a few words only.
    weight_before
        The weighted words before each unit, and of the whole text.
    block_size
        Units of a block.
    """
    n = len(weight_before) - 1
    unit = np.arange(n)
    nearest = np.clip((unit + block_size // 2) // block_size, 1, max(1, (n - 1) // block_size))
    gains = np.zeros(n)
    for parity in (0, 1):
        # The blocks around every other edge between blocks are two of a pair.
        pair = (unit // block_size + 1 - parity) // 2
        starts = np.flatnonzero(np.diff(pair, prepend=-1))
        ends = np.append(starts[1:], n)
        left = weight_before[:-1] - weight_before[starts][pair]
        both = (weight_before[ends] - weight_before[starts])[pair]
        sizes = np.arange(len(size_costs))
        gain = np.interp(both, sizes, size_costs) - np.interp(left, sizes, size_costs)
        gain -= np.interp(both - left, sizes, size_costs)
        moved = np.cumsum(_moves(uses, f, pair)) if len(uses.root) else np.zeros(n)
        moved = np.concatenate([[0.0], moved[:-1]])
        gain += moved - moved[starts][pair]
        np.copyto(gains, gain, where=nearest % 2 == parity)
    gains[0] = 0.0
    return gains


def _moves(uses: RootUses, f: Floats, pair: Ints) -> Floats:
    """Return what is gained where each unit moves from the right of the boundary to its left."""
    group = uses.root * (int(pair[-1]) + 1) + pair[uses.block]
    first = np.flatnonzero(np.diff(group, prepend=-1))
    sizes = np.diff(first, append=len(group))
    is_repeated = np.repeat(sizes > 1, sizes)  # what stands in one unit only gains nothing
    totals = np.add.reduceat(uses.count, first)
    kept = uses.where(is_repeated)
    first, totals, sizes = first[sizes > 1], totals[sizes > 1], sizes[sizes > 1]
    left = kept.before - np.repeat(uses.before[first], sizes)
    right = np.repeat(totals, sizes) - left
    gain = f[left + kept.count] - f[left] + f[right - kept.count] - f[right]
    moves: Floats = np.bincount(kept.block, kept.weight * gain, minlength=len(pair)).astype(float)
    return moves
