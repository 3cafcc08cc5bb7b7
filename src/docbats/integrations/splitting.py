"""How a splitter of another library cuts: into chunks of a size, or where topics change."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from docbats.chunks import Chunker
from docbats.chunks.chunk_tree import chunk_with_parents
from docbats.errors import SettingsError
from docbats.integrations.chunk_tree import make_chunk_tree
from docbats.integrations.run_bats import make_bats, with_chunk_sizes
from docbats.integrations.segment_chunks import make_chunks

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from docbats.chunks import Chunk as SizedChunk
    from docbats.chunks import ChunkNode as SizedNode
    from docbats.document import Document
    from docbats.integrations.chunk_tree import ChunkNode
    from docbats.integrations.segment_chunks import Chunk
    from docbats.pipeline import BATS

__all__ = ["Splitting", "make_splitting"]

_OF_CHUNKER = ("tokenizer", "context", "titles", "sentences", "language")
_ONLY_OF_CHUNKER = ("tokenizer", "context", "titles")


@dataclass(frozen=True)
class Splitting:
    """What splits texts: a chunker, or where there is none an analysis of topics."""

    chunker: Chunker | None
    bats: BATS | None
    parent_size: int | None = None

    def chunks(
        self, source: str | Document, *, strip: bool
    ) -> Sequence[SizedChunk] | Sequence[Chunk]:
        """Split a text; a blank text has no chunks."""
        if self.chunker is not None:
            return replace(self.chunker, strip=strip)(source)
        assert self.bats is not None
        return make_chunks(self.bats, source, strip=strip)

    def tree(
        self, source: str | Document, *, strip: bool
    ) -> Sequence[SizedNode] | Sequence[ChunkNode]:
        """Split a text into parts and the chunks that they consist of, each after its part."""
        if self.chunker is not None:
            return chunk_with_parents(replace(self.chunker, strip=strip), source, self.parent_size)
        assert self.bats is not None
        return make_chunk_tree(self.bats, source, strip=strip)


def make_splitting(
    preset: str,
    settings: Mapping[str, Any],
    *,
    k: Any = "auto",
    chunk_size: int | None = None,
    chunk_overlap: int = 0,
    length_function: Callable[[str], int] | None = None,
    parent_size: int | None = None,
) -> Splitting:
    """Return what splits texts by what a user passes.

    A `chunk_size` alone makes chunks of that size. With `k` or settings of the analysis as well,
    these decide where to cut, within the size.
    """
    topical = {name for name in settings if name not in {*_OF_CHUNKER, "size_unit"}}
    if chunk_size is not None and k == "auto" and preset == "sharp" and not topical:
        own: dict[str, Any] = dict(settings)
        if length_function is not None and not {"tokenizer", "size_unit"} & own.keys():
            own["length_function"] = length_function
        return Splitting(Chunker(chunk_size, chunk_overlap, **own), None, parent_size)
    for name in _ONLY_OF_CHUNKER:
        if name in settings:
            with_ = ", ".join(sorted(topical)) or ("k" if k != "auto" else "no chunk_size")
            msg = (
                f"{name} goes with chunk_size alone, got it with {with_}: pass chunk_size, or "
                f"leave out {name}"
            )
            raise SettingsError(msg)
    if parent_size is not None:
        msg = "parent_size goes with chunk_size alone: pass chunk_size, or leave out parent_size"
        raise SettingsError(msg)
    sizes = with_chunk_sizes(settings, chunk_size, chunk_overlap, length_function or len)
    return Splitting(None, make_bats(preset, sizes, k=k))
