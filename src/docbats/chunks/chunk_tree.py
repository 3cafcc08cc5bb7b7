"""Small chunks to search, and the larger ones that they belong to, to read."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from docbats.chunks.cut import Cut
from docbats.chunks.packing import pack
from docbats.chunks.source import make_document
from docbats.errors import EmptyDocumentError, SettingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.chunks.chunk import Chunk
    from docbats.chunks.chunker import Chunker
    from docbats.chunks.sizes import Sizes
    from docbats.pipeline import Source

__all__ = ["DEFAULT_RATIO", "ChunkNode", "chunk_with_parents"]

DEFAULT_RATIO = 4
"""The size of a parent to that of its children, where none is given."""


@dataclass(frozen=True)
class ChunkNode:
    """A chunk that is part of a larger one, or consists of smaller ones.

    Attributes
    ----------
    chunk
        The chunk itself.
    level
        How deep it is nested; 0 for those that are in no other.
    parent
        The index of the one that it is part of; None at level 0.
    children
        The indices of those that it consists of; none where it is not divided.
    """

    chunk: Chunk
    level: int
    parent: int | None
    children: tuple[int, ...]


def chunk_with_parents(
    chunker: Chunker, source: Source, parent_size: int | None = None
) -> list[ChunkNode]:
    """Return chunks of up to `parent_size`, each before the small ones that it consists of.

    A parent that consists of one chunk is that chunk, without children.
    """
    parent_size = DEFAULT_RATIO * chunker.chunk_size if parent_size is None else parent_size
    if parent_size < chunker.chunk_size:
        msg = f"parent_size must be at least chunk_size, got {parent_size} and {chunker.chunk_size}"
        raise SettingsError(msg)
    try:
        document = make_document(source, chunker.sentences, chunker.language)
    except EmptyDocumentError:
        return []
    cuts = chunker.cut(document)
    text = document.text
    groups = _group(text, cuts, chunker.sizes, parent_size)
    parents = [_joined(text, cuts[first:stop], chunker.sizes) for first, stop in groups]
    chunks = chunker.describe(document, cuts)
    above = chunker.describe(document, parents)
    nodes: list[ChunkNode] = []
    for (first, stop), parent in zip(groups, above, strict=True):
        own = len(nodes)
        if stop - first == 1:
            nodes.append(ChunkNode(chunks[first], 0, None, ()))
            continue
        children = tuple(range(own + 1, own + 1 + stop - first))
        nodes.append(ChunkNode(parent, 0, None, children))
        nodes += [ChunkNode(child, 1, own, ()) for child in chunks[first:stop]]
    return nodes


def _group(text: str, cuts: Sequence[Cut], sizes: Sizes, limit: int) -> list[tuple[int, int]]:
    """Return the first child and the one after the last of each parent."""
    edge = sizes("")
    own = sizes.many([text[cut.own_start : cut.end] for cut in cuts])
    # What stands between chunks counts, too.
    net = np.array([size - edge + 1 for size in own], float)
    extra = np.full(len(cuts), float(edge))
    costs = np.array([cut.cost for cut in cuts])
    while True:
        starts = pack(net, extra, costs, limit)
        groups = list(pairwise([*starts, len(cuts)]))
        found = sizes.many([text[cuts[a].own_start : cuts[b - 1].end] for a, b in groups])
        large = [
            (a, size) for (a, b), size in zip(groups, found, strict=True)
            if size > limit and b - a > 1
        ]  # fmt: skip
        if not large:
            return groups
        for first, size in large:
            extra[first] += size - limit


def _joined(text: str, cuts: Sequence[Cut], sizes: Sizes) -> Cut:
    """Return several chunks as one, without an overlap."""
    first, last = cuts[0], cuts[-1]
    piece = text[first.own_start : last.end]
    return Cut(first.own_start, last.end, first.own_start, sizes(piece), (), first.cost)
