"""What every reader returns: the text of a file, where its sentences may lie, and its places."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.blocks import Block
    from docbats.document import Document
    from docbats.readers.places import Places

__all__ = ["FileText"]


@dataclass(frozen=True, eq=False)
class FileText:
    """The text of a file.

    A reader fills in what it knows of the text; `kind`, `encoding` and `is_guess` are filled in by
    :func:`docbats.readers.read_file.read_file`.

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

    def document(
        self, sentences: Literal["auto", "lines"] = "auto", language: str = "auto"
    ) -> Document:
        """Find the sentences of the text, by the punctuation of its language."""
        import numpy as np

        from docbats.document import Document

        known = self.spans if sentences == "auto" else self.lines
        detected = None
        if known is not None:
            spans = list(known)
        else:
            prose = self.text if self.prose is None else self.prose
            found = Document.from_text(prose, sentences, language)
            spans, detected = found.spans.tolist(), found.detected
            if self.prose is not None:
                spans = _split_at_breaks(prose, spans, self.breaks)
        blocks = self.blocks if sentences == "auto" else ()
        return Document(
            self.text, np.array(spans, np.int64), self.places, self.prose, detected, blocks
        )


def _split_at_breaks(
    text: str, spans: list[tuple[int, int]], breaks: Sequence[int]
) -> list[tuple[int, int]]:
    """Split the spans that go over a break, and leave out those without a letter or digit."""
    pieces, next_break = [], 0
    ends = sorted(breaks)
    for start, end in spans:
        while next_break < len(ends) and ends[next_break] <= start:
            next_break += 1
        piece_start = start
        while next_break < len(ends) and ends[next_break] < end:
            pieces.append((piece_start, ends[next_break]))
            piece_start = ends[next_break]
            next_break += 1
        pieces.append((piece_start, end))
    trimmed = []
    for start, end in pieces:
        piece = text[start:end].rstrip()
        if any(map(str.isalnum, piece)):
            trimmed.append((end - len(text[start:end].lstrip()), start + len(piece)))
    return trimmed
