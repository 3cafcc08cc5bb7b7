"""What every reader takes and returns: the content of a file, and its text."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from docbats.readers.decoding import DecodedText, decode, detect_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from docbats.blocks import Block
    from docbats.document import Document
    from docbats.places import Places
    from docbats.readers.packages import Archive

_OPENING_LENGTH = 4000  # characters
_MARKDOWN_KINDS = frozenset({"markdown", "notebook"})


@dataclass(frozen=True, eq=False)
class FileContent:
    """The bytes of a file, decoded or unpacked once, when a reader asks for it."""

    data: bytes
    name: str  # what messages call the file; its ending may tell the kind
    encoding: str | None = None  # given by the caller; None to detect it
    # Called after each page of a PDF with the number of pages read and the number of all pages.
    on_page: Callable[[int, int], None] | None = None

    @cached_property
    def decoded(self) -> DecodedText:
        """The text by the encoding given, marked, declared or guessed; UTF-8 before guessing."""
        if self.encoding is not None:
            return DecodedText(decode(self.data, self.name, self.encoding), self.encoding)
        return detect_text(self.data, self.name)

    @property
    def text(self) -> str:
        """The decoded text; a `ReadError` if the bytes are not text."""
        return self.decoded.text

    @cached_property
    def opening(self) -> str:
        """The first characters of the text, by which most kinds of text are recognized."""
        return self.text[:_OPENING_LENGTH]

    @property
    def is_zip(self) -> bool:
        """Whether the file is a ZIP archive."""
        return self.data.startswith(b"PK\x03\x04")

    @cached_property
    def archive(self) -> Archive:
        """The file as a ZIP archive; a `ReadError` if it is broken."""
        from docbats.readers.packages import Archive

        return Archive(self.data)


@dataclass(frozen=True, eq=False)
class FileText:
    """The text of a file.

    A reader fills in what it knows of the text; :func:`docbats.readers.read_file.read_file` adds
    `kind`, `encoding`, `is_guess` and `n_replaced`.

    Attributes
    ----------
    text
        What is analyzed.
    places
        Where the characters come from; None for plain text and Markdown, of which
        :meth:`document` finds the headings.
    prose
        The text with everything but sentences (code, marks) blanked; of the same length.
    breaks
        Offsets at which a sentence always ends.
    spans
        The sentences, where the reader knows them better than punctuation does.
    lines
        What counts as lines where the text has none.
    blocks
        What the author built, in the order of the text; empty where nothing is known.
    kind
        The kind of file: one of :data:`docbats.readers.kinds.KINDS`.
    encoding
        How the characters were encoded; None for a binary file.
    is_guess
        Whether the encoding was guessed from nothing but the bytes.
    n_replaced
        The number of characters that replace bytes not in that encoding.
    """

    text: str
    places: Places | None = None
    prose: str | None = None
    breaks: Sequence[int] = ()
    spans: Sequence[tuple[int, int]] | None = field(default=None, repr=False)
    lines: Sequence[tuple[int, int]] | None = field(default=None, repr=False)
    blocks: tuple[Block, ...] = field(default=(), repr=False)
    kind: str = "text"
    encoding: str | None = None
    is_guess: bool = False
    n_replaced: int = 0

    @property
    def note(self) -> str | None:
        """What may be unexpected in how the characters were read; None if nothing is."""
        encoding = "UTF-8" if self.encoding == "utf-8" else self.encoding
        if self.n_replaced:
            one = self.n_replaced == 1
            bad = "one character is" if one else f"{self.n_replaced:,} characters are"
            return f"read as {encoding}, in which {bad} broken and shown as \ufffd"
        return f"not UTF-8, read as {encoding}" if self.is_guess else None

    def document(
        self, sentences: Literal["auto", "lines"] = "auto", language: str = "auto"
    ) -> Document:
        """Find the sentences of the text, by the punctuation of its language.

        No sentence crosses the edge of a block, a heading is one sentence with its number, and
        code, tables, contents and references are split by lines.
        """
        import numpy as np

        from docbats.document import Document, find_language, split_text
        from docbats.text.sentences import fit_to_blocks, split_at_breaks

        known = self.spans if sentences == "auto" else self.lines
        if known is None and self.prose is None and not self.blocks:
            type_ = "markdown" if self.kind == "markdown" else "text"
            document = Document.of(self.text, type_, sentences=sentences, language=language)
            return document if self.places is None else replace(document, places=self.places)
        prose = self.text if self.prose is None else self.prose
        detected = find_language(prose, language)
        spans = split_text(prose, sentences, detected) if known is None else list(known)
        if self.blocks:
            spans = fit_to_blocks(self.text, prose, self.blocks, spans, self.breaks)
        elif known is None:
            spans = split_at_breaks(prose, spans, self.breaks)
        return Document(
            self.text,
            np.array(spans, np.int64),
            self.places,
            self.prose,
            detected,
            blocks=self.blocks if sentences == "auto" else (),
            markup="markdown" if self.kind in _MARKDOWN_KINDS else None,
        )


def read_unchanged(content: FileContent) -> FileText:
    """Return text as it is; its blocks are found like those of any string."""
    return FileText(content.text)
