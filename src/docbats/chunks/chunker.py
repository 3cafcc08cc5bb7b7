"""Chunks for search: a configured chunker, and a function for one text."""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from docbats.chunks.chunk import Chunk, ChunkNode
from docbats.chunks.packer import Packer
from docbats.chunks.sizes import make_sizes
from docbats.describe import describe_segments, find_speakers
from docbats.document import Document
from docbats.errors import (
    EmptyDocumentError,
    NoKeptWordsError,
    SettingsError,
    TooFewSentencesError,
)
from docbats.pipeline import analyze
from docbats.topics import strongest_topics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Unpack

    from docbats.blocks import HeadingIndex
    from docbats.chunks.sizes import ChunkUnit, Sizes
    from docbats.document import Source
    from docbats.options import ChunkOptions
    from docbats.result import Result

DEFAULT_SIZE = 1000
DEFAULT_PARENT_RATIO = 4
"""The size of a parent relative to `chunk_size`, if none is given."""
Context = Literal["none", "headings", "title"]
CONTEXTS: tuple[str, ...] = get_args(Context)


def chunk(
    source: Source,
    chunk_size: int = DEFAULT_SIZE,
    *,
    document_id: str | None = None,
    **options: Unpack[ChunkOptions],
) -> list[Chunk]:
    r"""Split one document into chunks for search.

    Paragraphs, lists, tables, code and turns stay whole unless one alone is larger than a chunk may
    be; a heading stays with the text after it. Sizes are as even as that allows, and never above
    `chunk_size`.

    Parameters
    ----------
    source
        Whatever :meth:`Document.of` takes: text, which may be Markdown, a path object, and so on.
    chunk_size
        The largest size of a chunk.
    document_id
        What the ids of chunks are made of, besides their offsets and content; the path of a file by
        default, or the text itself.
    **options
        Any other attribute of :class:`Chunker`.

    Examples
    --------
    >>> text = "Bats\n====\n\nThey fly at night.\n\nFood\n====\n\nThey eat moths. They drink."
    >>> for found in chunk(text, 40):
    ...     print(found.start, found.end, found.heading_path, found.text.splitlines()[-1])
    0 29 ('Bats',) They fly at night.
    31 69 ('Food',) They eat moths. They drink.
    """
    return make_chunker({"chunk_size": chunk_size, **options})(source, document_id)


def chunk_with_parents(
    chunker: Chunker,
    source: Source,
    parent_size: int | None = None,
    document_id: str | None = None,
) -> list[ChunkNode]:
    """Return chunks of up to `parent_size`, each followed by the small chunks it consists of.

    A parent of a single chunk is that chunk itself, without children. By default parents are up to
    four times as large as chunks.
    """
    size = chunker.chunk_size
    parent_size = DEFAULT_PARENT_RATIO * size if parent_size is None else parent_size
    if parent_size < size:
        msg = f"parent_size must be at least chunk_size, got {parent_size} and {size}"
        raise SettingsError(msg)
    return chunker._tree(source, parent_size, document_id)


@dataclass(frozen=True)
class Chunker:
    """A configured chunker for any number of documents.

    Attributes
    ----------
    chunk_size
        The largest size of a chunk, with its overlap and its context; never exceeded.
    chunk_overlap
        How much of the text before it a chunk repeats, at most: whole sentences, or whole words
        if not even one sentence fits.
    min_size
        The smallest size of a chunk's own text, wherever the text under its heading allows: a
        smaller chunk is merged with its neighbor there, or shares the neighbor's paragraphs.
    size_unit
        The unit of sizes: ``"characters"``, ``"words"`` (separated by white space), ``"tokens"``,
        or a function that takes a text and returns its size.
    tokenizer
        Finds tokens: an object of tokenizers, tiktoken or transformers, a function, or the name of
        a file ``tokenizer.json``, of an encoding of tiktoken or of a model of the Hugging Face hub;
        tiktoken's ``cl100k_base`` by default. It implies the `size_unit` ``"tokens"``.
    length_function
        The same as a function for `size_unit`, under LangChain's name.
    context
        What goes before each chunk: ``"headings"``, the path of headings above it; ``"title"``, a
        title made of its own words; or ``"none"``.
    titles
        Whether to find topics, and titles for chunks without a heading; takes as long as an
        analysis.
    strip
        Whether to leave out the white space around chunks; without, they tile the text.
    sentences, language
        As in :meth:`Document.of`.
    """

    chunk_size: int = DEFAULT_SIZE
    chunk_overlap: int = 0
    min_size: int = 0
    size_unit: ChunkUnit | Callable[[str], int] = "characters"
    tokenizer: Any = None
    length_function: Callable[[str], int] | None = None
    context: Context = "none"
    titles: bool = False
    strip: bool = True
    sentences: Literal["auto", "lines"] = "auto"
    language: str = "auto"

    def __post_init__(self) -> None:
        for name, least in (("chunk_size", 1), ("chunk_overlap", 0), ("min_size", 0)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                msg = f"{name} must be a whole number, at least {least}, got {value!r}"
                raise SettingsError(msg)
            if value > sys.maxsize:
                msg = f"{name} must be at most {sys.maxsize}, got more"
                raise SettingsError(msg)
        if self.chunk_overlap >= self.chunk_size:
            msg = (
                f"chunk_overlap must be smaller than chunk_size, got {self.chunk_overlap} and "
                f"{self.chunk_size}"
            )
            raise SettingsError(msg)
        if self.min_size > self.chunk_size:
            msg = f"min_size must be at most chunk_size, got {self.min_size} and {self.chunk_size}"
            raise SettingsError(msg)
        if self.context is None:
            object.__setattr__(self, "context", "none")
        if self.context not in CONTEXTS:
            msg = f"context must be one of {', '.join(CONTEXTS)}, got {self.context!r}"
            raise SettingsError(msg)
        self.sizes  # noqa: B018  (refuses wrong units and tokenizers early)

    @cached_property
    def sizes(self) -> Sizes:
        """Measures texts."""
        return make_sizes(self.size_unit, self.tokenizer, self.length_function)

    def __getstate__(self) -> dict[str, Any]:
        # Tokenizers often cannot be pickled; a copy makes its own sizes.
        return {name: value for name, value in vars(self).items() if name != "sizes"}

    def __call__(self, source: Source, document_id: str | None = None) -> list[Chunk]:
        """Return the chunks of one document in order; a blank one has none."""
        return [node.chunk for node in self._tree(source, None, document_id)]

    def many(self, sources: Iterable[Source]) -> Iterator[list[Chunk]]:
        """Yield the chunks of each document, lazily."""
        return map(self, sources)

    def _tree(
        self, source: Source, parent_size: int | None, document_id: str | None
    ) -> list[ChunkNode]:
        """Return the chunks of one document, each group of them after its parent."""
        try:
            document = Document.of(source, sentences=self.sentences, language=self.language)
        except EmptyDocumentError:
            return []
        if document_id is not None:
            document = replace(document, id=document_id)
        packer = Packer(
            document,
            self.sizes,
            self.chunk_size,
            overlap=self.chunk_overlap,
            least=self.min_size,
            context=self.context,
            strip=self.strip,
        )
        found = packer.chunks()
        if not found:
            return []
        chunks = _describe(document, packer.headings, found)
        if parent_size is None:
            groups, parents = [(i, i + 1) for i in range(len(found))], chunks
        else:
            groups = packer.group(found, parent_size)
            joined = [packer.join(found[first:stop], parent_size) for first, stop in groups]
            parents = _describe(document, packer.headings, joined)
        if self.titles or self.context == "title":
            result = _analyze(document, chunks)
            chunks = _with_topics(result, chunks)
            if parent_size is not None:
                parents = _with_topics(result, parents, groups)
            if self.context == "title":
                chunks = _with_title_as_context(chunks, self.sizes, self.chunk_size)
        return _nest(chunks, parents, groups)


def make_chunker(options: Mapping[str, Any]) -> Chunker:
    """Return a chunker with these options; raise SettingsError for unknown ones.

    >>> make_chunker({"k": 3})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    docbats.errors.SettingsError: chunks have no option 'k': the options are chunk_size, ...
    """
    names = [field.name for field in fields(Chunker)]
    for name in options:
        if name not in names:
            msg = f"chunks have no option {name!r}: the options are {', '.join(names)}"
            raise SettingsError(msg)
    return Chunker(**options)


def _describe(document: Document, headings: HeadingIndex, chunks: Sequence[Chunk]) -> list[Chunk]:
    """Add headings, speakers and places to chunks."""
    edges = [*(chunk.own_start for chunk in chunks), len(document.text)]
    described = []
    for chunk, speakers in zip(chunks, find_speakers(document, edges), strict=True):
        path = headings.path_at(chunk.own_start)
        described.append(
            replace(
                chunk,
                title=path[-1] if path else None,
                heading_path=path,
                document_title=headings.document_title,
                speakers=speakers,
                place=document.place(chunk.start, chunk.end),
                document_id=document.identity,
            )
        )
    return described


def _nest(
    chunks: Sequence[Chunk], parents: Sequence[Chunk], groups: Sequence[tuple[int, int]]
) -> list[ChunkNode]:
    """Return each parent before its chunks; a parent of a single chunk is left out."""
    nodes: list[ChunkNode] = []
    for (first, stop), parent in zip(groups, parents, strict=True):
        if stop - first == 1:
            nodes.append(ChunkNode(chunks[first], 0, None, ()))
            continue
        index = len(nodes)
        children = tuple(range(index + 1, index + 1 + stop - first))
        nodes.append(ChunkNode(parent, 0, None, children))
        nodes += [ChunkNode(child, 1, index, ()) for child in chunks[first:stop]]
    return nodes


def _analyze(document: Document, chunks: Sequence[Chunk]) -> Result | None:
    """Analyze a document with its chunks as segments; None if there is too little text."""
    starts = [chunk.own_start for chunk in chunks[1:]]  # blank sentences may precede the first
    with suppress(NoKeptWordsError, TooFewSentencesError):
        return analyze(
            _with_sentences_of_chunks(document, chunks),
            boundaries=starts,
            title_threshold=0,  # a chunk needs words of its own, not its opening again
        )
    return None


def _with_topics(
    result: Result | None,
    chunks: Sequence[Chunk],
    groups: Sequence[tuple[int, int]] | None = None,
) -> list[Chunk]:
    """Add topics to chunks, and titles to those without a heading.

    The chunks are those that were analyzed, or `groups` of them.
    """
    if result is None:
        return [replace(chunk, topics=()) for chunk in chunks]
    segments = result.segments
    if groups is not None:
        starts = np.array([segments[first].sentences[0] for first, _ in groups], np.int64)
        segments = describe_segments(result.analysis, starts)
    described = []
    for chunk, segment in zip(chunks, segments, strict=True):
        topics = strongest_topics(result, segment)
        title = segment.title if chunk.text.strip() else None
        described.append(replace(chunk, title=chunk.title or title, topics=topics))
    return described


def _with_title_as_context(chunks: Sequence[Chunk], sizes: Sizes, limit: int) -> list[Chunk]:
    """Put the title before each chunk that does not begin with it, if there is room."""
    longer = [
        replace(chunk, context=chunk.title)
        if chunk.title and not chunk.text.lstrip("#=*_ ").startswith(chunk.title)
        else chunk
        for chunk in chunks
    ]
    found = sizes.many([chunk.content for chunk in longer])
    return [
        replace(new, size=size) if size <= limit else old
        for old, new, size in zip(chunks, longer, found, strict=True)
    ]


def _with_sentences_of_chunks(document: Document, chunks: Sequence[Chunk]) -> Document:
    """Return the document with sentences that begin where chunks do, at least one in each.

    A sentence is split where a chunk begins inside it. A chunk without any sentence, such as a part
    of a long comment, becomes one.
    """
    spans = document.spans
    starts = np.array([chunk.own_start for chunk in chunks], np.int64)
    ends = np.array([chunk.end for chunk in chunks], np.int64)
    at = np.searchsorted(spans[:, 0], starts, side="right") - 1
    inside = starts[(at >= 0) & (spans[at, 0] < starts) & (starts < spans[at, 1])]
    spans = np.sort(np.concatenate([spans.ravel(), inside, inside])).reshape(-1, 2)
    following = np.searchsorted(spans[:, 1], starts, side="right")
    begins = np.append(spans[:, 0], len(document.text))[following]
    lone = np.column_stack([starts, ends])[begins >= ends]
    if not len(inside) and not len(lone):
        return document
    spans = np.concatenate([spans, lone])
    return replace(document, spans=spans[np.argsort(spans[:, 0], kind="stable")])
