"""The types of options that functions take by name; only editors and type checkers read them.

They are those of :class:`docbats.Settings` and :class:`docbats.Chunker`, which check and explain
the values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from os import PathLike

    from docbats.chunks.chunker import Context
    from docbats.chunks.sizes import ChunkUnit
    from docbats.segments.costs import SegmentCost
    from docbats.segments.own_model import OwnModel
    from docbats.settings import (
        CutName,
        Embeddings,
        Granularity,
        Laplacian,
        Namer,
        Ranking,
        Sentences,
        SizeUnit,
        StructureUse,
        Tagger,
    )

__all__ = [
    "ChunkOptions",
    "ChunkOptionsWithSize",
    "NodeParserOptions",
    "NodeParserOptionsWithK",
    "SettingOptions",
    "SettingOptionsWithK",
    "SplitterOptions",
    "SplitterOptionsWithTokenizer",
]


class _Shared(TypedDict, total=False):
    """What an analysis and a chunker both have, with the same values."""

    min_size: int
    sentences: Sentences
    language: str


class _Tokenizer(TypedDict, total=False):
    tokenizer: Any


class _ChunkerAlone(TypedDict, total=False):
    context: Context
    titles: bool


class ChunkOptions(_Shared, _ChunkerAlone, _Tokenizer, total=False):
    """The options of :class:`docbats.Chunker` other than `chunk_size`."""

    chunk_overlap: int
    size_unit: ChunkUnit | Callable[[str], int]
    length_function: Callable[[str], int] | None
    strip: bool


class ChunkOptionsWithSize(ChunkOptions, total=False):
    """All options of :class:`docbats.Chunker`."""

    chunk_size: int


class _AnalysisAlone(TypedDict, total=False):
    granularity: Granularity
    n_topics: int | None
    cut: CutName | SegmentCost
    ranking: Ranking
    max_size: int | None
    overlap: int
    model: str | PathLike[str] | OwnModel | None
    namer: Namer | str | None
    namer_timeout: float
    class_weights: Mapping[str, float] | tuple[tuple[str, float], ...]
    embeddings: Embeddings | None
    embedding_unit: Literal["sentences", "words"]
    award: float
    window: int
    decay: float
    stem: bool
    min_sentences: int
    laplacian: Laplacian
    tau_p: float | None
    tau_o: float | None
    tagger: str | Tagger | None
    stop_words: Literal["auto", "english"] | Collection[str]
    structure: StructureUse
    title_threshold: float
    restarts: int
    seed: int
    vectors: bool


class SettingOptions(_Shared, _AnalysisAlone, total=False):
    """The settings of an analysis other than `k`."""

    size_unit: SizeUnit | Callable[[str], int]


class SettingOptionsWithK(SettingOptions, total=False):
    """All settings of an analysis."""

    k: int | Literal["auto"]


class SplitterOptions(_Shared, _ChunkerAlone, _AnalysisAlone, total=False):
    """What the splitters of other libraries take: options of chunks, or settings of an analysis."""

    size_unit: SizeUnit | ChunkUnit | Callable[[str], int]


class SplitterOptionsWithTokenizer(SplitterOptions, _Tokenizer, total=False):
    """The same and a tokenizer, where the library has no argument for it."""


class NodeParserOptions(SplitterOptionsWithTokenizer, total=False):
    """What the node parser for LlamaIndex takes other than `k` and `preset`."""

    prefix: str
    parents: bool
    parent_size: int | None
    chunk_size: int | None
    chunk_overlap: int
    settings: dict[str, Any]
    include_metadata: bool
    include_prev_next_rel: bool
    callback_manager: Any
    id_func: Callable[[int, Any], str] | None


class NodeParserOptionsWithK(NodeParserOptions, total=False):
    """All that the node parser for LlamaIndex takes."""

    k: int | Literal["auto"]
    preset: str
