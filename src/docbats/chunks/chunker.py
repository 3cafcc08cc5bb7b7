"""Chunks for search: a configured chunker, and a function for one text."""

from __future__ import annotations

import sys
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from docbats.chunks.chunk import Chunk, Cut
from docbats.chunks.packer import Cutter, pack
from docbats.chunks.sizes import make_sizes
from docbats.describe import find_speakers
from docbats.document import Document
from docbats.errors import (
    EmptyDocumentError,
    NoKeptWordsError,
    SettingsError,
    TooFewSentencesError,
)
from docbats.pipeline import analyze
from docbats.runtime import TOPICS
from docbats.topics import strongest_topics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from docbats.chunks.sizes import ChunkUnit, Sizes
    from docbats.document import Source

_MAX_TOPICS = 30  # more take time by their cube, and chunks would share few of them


def add_titles(document: Document, chunks: Sequence[Chunk]) -> list[Chunk]:
    """Add topics to the chunks, and titles to those without a heading."""
    starts = [chunk.own_start for chunk in chunks[1:]]  # blank sentences may precede the first
    max_topics = min(_MAX_TOPICS, TOPICS.value)
    try:
        result = analyze(
            _with_sentences_of_chunks(document, chunks),
            boundaries=starts,
            n_topics=None if len(chunks) <= max_topics else max_topics,
        )
    except (NoKeptWordsError, TooFewSentencesError):
        return [replace(chunk, topics=()) for chunk in chunks]
    described = []
    for chunk, segment in zip(chunks, result.segments, strict=True):
        topics = strongest_topics(result, segment)
        title = segment.title if chunk.text.strip() else None
        described.append(replace(chunk, title=chunk.title or title, topics=topics))
    return described


def with_title_as_context(chunks: Sequence[Chunk], sizes: Sizes, limit: int) -> list[Chunk]:
    """Put the title before each chunk that does not begin with it, where there is room."""
    contexts = [
        replace(chunk, context=chunk.title)
        if chunk.title and not chunk.text.lstrip("#=*_ ").startswith(chunk.title)
        else chunk
        for chunk in chunks
    ]
    found = sizes.many([chunk.content for chunk in contexts])
    return [
        replace(new, size=size) if size <= limit else old
        for old, new, size in zip(chunks, contexts, found, strict=True)
    ]


def _with_sentences_of_chunks(document: Document, chunks: Sequence[Chunk]) -> Document:
    """Return the document with sentences that begin where chunks do, at least one in each.

    A sentence that a chunk begins inside of is split there. A chunk without any, such as a part of
    a long comment, is one as a whole.
    """
    spans = document.spans
    places = np.array([chunk.own_start for chunk in chunks], np.int64)
    ends = np.array([chunk.end for chunk in chunks], np.int64)
    at = np.searchsorted(spans[:, 0], places, side="right") - 1
    inside = places[(at >= 0) & (spans[at, 0] < places) & (places < spans[at, 1])]
    spans = np.sort(np.concatenate([spans.ravel(), inside, inside])).reshape(-1, 2)
    following = np.searchsorted(spans[:, 1], places, side="right")
    begins = np.append(spans[:, 0], len(document.text))[following]
    lone = np.column_stack([places, ends])[begins >= ends]
    if not len(inside) and not len(lone):
        return document
    spans = np.concatenate([spans, lone])
    return replace(document, spans=spans[np.argsort(spans[:, 0], kind="stable")])


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
        document = Document.of(source, sentences=chunker.sentences, language=chunker.language)
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


Context = Literal["none", "headings", "title"]
CONTEXTS: tuple[str, ...] = get_args(Context)
DEFAULT_SIZE = 1000


def chunk(source: Source, chunk_size: int = DEFAULT_SIZE, **options: Any) -> list[Chunk]:
    r"""Split one document into chunks for search.

    Paragraphs, lists, tables, code and turns stay whole unless one alone is larger than a chunk may
    be; a heading goes with what follows it. Sizes are as even as that allows, and never above
    `chunk_size`.

    Parameters
    ----------
    source
        Whatever :meth:`Document.of` takes: text, which may be Markdown, a path object, and so on.
    chunk_size
        The largest size of a chunk.
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
    return make_chunker({"chunk_size": chunk_size, **options})(source)


@dataclass(frozen=True)
class Chunker:
    """A configured chunker, to use on as many documents as you like.

    Attributes
    ----------
    chunk_size
        The largest size of a chunk, its overlap and its context included; never exceeded.
    chunk_overlap
        How much of the text before it a chunk repeats, at most: whole sentences, or whole words
        where not even one sentence fits.
    size_unit
        What sizes count: ``"characters"``, ``"words"`` (between white space), ``"tokens"``, or a
        function from a text to its size.
    tokenizer
        What finds tokens: an object of tokenizers, tiktoken or transformers, a function, or a name:
        a file ``tokenizer.json``, an encoding of tiktoken, a model of the Hugging Face hub. With
        it, `size_unit` need not be given. By default tiktoken's ``cl100k_base``.
    length_function
        The same as a function for `size_unit`, by LangChain's name.
    context
        What goes before each chunk: ``"headings"``, the path of headings above it; ``"title"``, a
        title of its own words; or ``"none"``.
    titles
        Whether to find titles for chunks without a heading, and topics: takes as long as an
        analysis.
    strip
        Whether to leave out the white space around chunks; without, they tile the text.
    sentences, language
        As in :meth:`Document.of`.
    """

    chunk_size: int = DEFAULT_SIZE
    chunk_overlap: int = 0
    size_unit: ChunkUnit | Callable[[str], int] = "characters"
    tokenizer: Any = None
    length_function: Callable[[str], int] | None = None
    context: Context = "none"
    titles: bool = False
    strip: bool = True
    sentences: Literal["auto", "lines"] = "auto"
    language: str = "auto"

    def __post_init__(self) -> None:
        for name, least in (("chunk_size", 1), ("chunk_overlap", 0)):
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
        if self.context is None:
            object.__setattr__(self, "context", "none")
        if self.context not in CONTEXTS:
            msg = f"context must be one of {', '.join(CONTEXTS)}, got {self.context!r}"
            raise SettingsError(msg)
        self.sizes  # noqa: B018  (refuses what cannot measure)

    @cached_property
    def sizes(self) -> Sizes:
        """What measures texts."""
        return make_sizes(self.size_unit, self.tokenizer, self.length_function)

    def __getstate__(self) -> dict[str, Any]:
        # What measures can often not be pickled, and is made again where it is needed.
        return {name: value for name, value in vars(self).items() if name != "sizes"}

    def __call__(self, source: Source) -> list[Chunk]:
        """Return the chunks of one document in order; a blank one has none."""
        try:
            document = Document.of(source, sentences=self.sentences, language=self.language)
        except EmptyDocumentError:
            return []
        return self.describe(document, self.cut(document))

    def many(self, sources: Iterable[Source]) -> Iterator[list[Chunk]]:
        """Return the chunks of documents one by one, as they are asked for."""
        return map(self, sources)

    def cut(self, document: Document) -> list[Cut]:
        """Return the cuts of one document."""
        return self._cutter(document).cut()

    def _cutter(self, document: Document) -> Cutter:
        return Cutter(
            document,
            self.sizes,
            self.chunk_size,
            self.chunk_overlap,
            self.context,
            self.strip,
        )

    def describe(self, document: Document, cuts: list[Cut]) -> list[Chunk]:
        """Return the chunks of cuts, with what is known of them."""
        headings = self._cutter(document).headings
        edges = [*(cut.own_start for cut in cuts), len(document.text)]
        speakers = find_speakers(document, edges) if cuts else []
        chunks = []
        for cut, (own_start, _), names in zip(cuts, pairwise(edges), speakers, strict=True):
            path = headings.path_at(own_start)
            chunks.append(
                Chunk(
                    text=document.text[cut.start : cut.end],
                    start=cut.start,
                    end=cut.end,
                    own_start=own_start,
                    size=cut.size,
                    title=path[-1] if path else None,
                    heading_path=path,
                    document_title=headings.document_title,
                    context=cut.context,
                    speakers=names,
                    place=document.place(cut.start, cut.end),
                )
            )
        if chunks and (self.titles or self.context == "title"):
            chunks = add_titles(document, chunks)
            if self.context == "title":
                chunks = with_title_as_context(chunks, self.sizes, self.chunk_size)
        return chunks


def make_chunker(options: Mapping[str, Any]) -> Chunker:
    """Return a chunker with these options, and refuse what is none.

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
