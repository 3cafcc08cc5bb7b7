"""What every reader returns: the text of a file, where its sentences may lie, and its places."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.blocks import Block
    from docbats.document import Document
    from docbats.readers.places import Places

__all__ = ["FileText"]

_MARKDOWN_KINDS = frozenset({"markdown", "notebook"})


@dataclass(frozen=True, eq=False)
class FileText:
    """The text of a file.

    A reader fills in what it knows of the text; `kind`, `encoding`, `is_guess` and `n_replaced` are
    filled in by :func:`docbats.readers.read_file.read_file`.

    Attributes
    ----------
    text
        What is analyzed.
    places
        Where the characters come from; None for plain text, which is its own source.
    prose
        The text with what holds no sentences (code, marks) blanked; of the same length.
    breaks
        Offsets where a sentence ends in any case.
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
        How many characters stand for bytes that are not in that encoding.
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
        """What one might not expect of how the characters were read; None if all is well."""
        encoding = "UTF-8" if self.encoding == "utf-8" else self.encoding
        if self.n_replaced:
            one = self.n_replaced == 1
            bad = "one character is" if one else f"{self.n_replaced:,} characters are"
            return f"read as {encoding}, in which {bad} broken and shown as \ufffd"
        return f"not UTF-8, read as {encoding}" if self.is_guess else None

    def source(
        self, sentences: Literal["auto", "lines"] = "auto", language: str = "auto"
    ) -> str | Document:
        """Return what to analyze or to cut: plain text as it is, else :meth:`document`."""
        return self.text if self.places is None else self.document(sentences, language)

    def document(
        self, sentences: Literal["auto", "lines"] = "auto", language: str = "auto"
    ) -> Document:
        """Find the sentences of the text, by the punctuation of its language.

        No sentence crosses the edge of a block, a heading is one with its number, and what is no
        prose is split by lines.
        """
        import numpy as np

        from docbats.document import Document, find_language, split_text
        from docbats.text.block_sentences import fit_to_blocks, split_at_breaks

        known = self.spans if sentences == "auto" else self.lines
        if known is None and self.prose is None and not self.blocks:
            return replace(Document.from_text(self.text, sentences, language), places=self.places)
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
