"""Segments of the user's own: from character offsets to the sentences that begin them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.errors import InputError, SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from docbats.document import Document
    from docbats.settings import Settings

__all__ = ["check_boundaries", "find_boundary_sentences"]


def check_boundaries(boundaries: Iterable[int], settings: Settings) -> tuple[int, ...]:
    """Return boundaries as a tuple, or refuse what is no list of offsets in ascending order."""
    if isinstance(boundaries, str | bytes):
        raise _not_offsets(boundaries)
    try:
        found: tuple[Any, ...] = tuple(boundaries)
    except TypeError:
        raise _not_offsets(boundaries) from None
    for offset in found:
        if isinstance(offset, bool | np.bool_) or not isinstance(offset, int | np.integer):
            raise _not_offsets(boundaries)
    if settings.k != "auto":
        msg = f"give either boundaries, which set the number of segments, or k, got k={settings.k}"
        raise SettingsError(msg)
    if settings.min_size or settings.max_size is not None:
        msg = "boundaries set the sizes of the segments: leave out min_size and max_size"
        raise SettingsError(msg)
    return tuple(int(offset) for offset in found)


def find_boundary_sentences(document: Document, boundaries: tuple[int, ...]) -> NDArray[np.int64]:
    """Return the first sentence of each segment.

    A segment begins with the sentence that holds its offset, or with the next one if the offset
    lies between two. The first segment begins with the text, whether its offset is given or not.
    """
    length = len(document.text)
    ends = document.spans[:, 1]
    starts: list[int] = []
    before = 0
    for offset in boundaries:
        if not 0 <= offset < length:
            msg = (
                f"boundaries must be character offsets from 0 to {length - 1}, where segments "
                f"begin, got {offset}"
            )
            raise InputError(msg)
        sentence = int(np.searchsorted(ends, offset, side="right"))
        if offset < before:
            msg = f"boundaries must be in ascending order, got {offset} after {before}"
            raise InputError(msg)
        if sentence == len(document):
            msg = f"no sentence follows boundary {offset}: leave it out"
            raise InputError(msg)
        if starts and sentence == starts[-1]:
            msg = (
                f"boundaries {before} and {offset} lie in the same sentence, and a segment has at "
                "least one: leave one of them out"
            )
            raise InputError(msg)
        starts.append(sentence)
        before = offset
    return np.array(starts if starts[:1] == [0] else [0, *starts], np.int64)


def _not_offsets(boundaries: object) -> InputError:
    return InputError(
        "boundaries must be character offsets, whole numbers such as [0, 1200, 3400], "
        f"got {boundaries!r:.60}"
    )
