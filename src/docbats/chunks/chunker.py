"""Chunks for search: a configured chunker, and a function for one text."""

from __future__ import annotations

import sys
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, get_args

from docbats.chunks.chunk import Chunk
from docbats.chunks.chunk_titles import add_titles, with_title_as_context
from docbats.chunks.cutter import Cutter
from docbats.chunks.sizes import make_sizes
from docbats.chunks.source import make_document
from docbats.errors import EmptyDocumentError, SettingsError
from docbats.titles.heading_titles import find_speakers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from docbats.chunks.cut import Cut
    from docbats.chunks.sizes import ChunkUnit, Sizes
    from docbats.document import Document
    from docbats.pipeline import Source

__all__ = ["CONTEXTS", "Chunker", "Context", "chunk", "make_chunker"]

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
        A text, which may be Markdown; its sentences; or a :class:`Document`, such as one that was
        read from a file.
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
        As in :meth:`Document.from_text`.
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
            document = make_document(source, self.sentences, self.language)
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
            path = headings.at(own_start)
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
