"""What a reader gives: a text, where its sentences may lie, and where it comes from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.document import Document
    from docbats.readers.places import Places

__all__ = ["BlockText", "Extract"]


@dataclass(frozen=True, eq=False)
class Extract:
    """The text of a file.

    Attributes
    ----------
    text
        What is analysed.
    kind
        The kind of file: one of :data:`docbats.readers.kinds.KINDS`.
    places
        Where the characters come from; None for plain text, which is its own source.
    prose
        The text with what holds no sentences (code, marks) blanked; of the same length.
    breaks
        Offsets where a sentence ends in any case.
    spans
        The sentences, where the reader knows them better.
    lines
        What stands for lines where the text has none.
    encoding
        How the characters were written; None where the file is no text.
    is_guess
        Whether the encoding was told by nothing but the bytes.
    """

    text: str
    kind: str
    places: Places | None = None
    prose: str | None = None
    breaks: Sequence[int] = ()
    spans: Sequence[tuple[int, int]] | None = field(default=None, repr=False)
    lines: Sequence[tuple[int, int]] | None = field(default=None, repr=False)
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
                spans = _broken(prose, spans, self.breaks)
        return Document(self.text, np.array(spans, np.int64), self.places, self.prose, detected)


class BlockText:
    """Gathers paragraphs and headings to one text with blank lines between them."""

    def __init__(self) -> None:
        from docbats.readers.places import Heading

        self.headings: list[Heading] = []
        self._heading = Heading
        self._parts: list[str] = []
        self._size = 0

    def add(self, text: str, level: int | None = None) -> None:
        """Add a paragraph, or a heading of the given level."""
        if self._parts:
            self._parts.append("\n\n")
            self._size += 2
        if level is not None:
            title = " ".join(text.split())
            self.headings.append(self._heading(self._size, self._size + len(text), level, title))
        self._parts.append(text)
        self._size += len(text)

    @property
    def text(self) -> str:
        """All that was added."""
        return "".join(self._parts)


def _broken(
    text: str, spans: list[tuple[int, int]], breaks: Sequence[int]
) -> list[tuple[int, int]]:
    """Split the spans that go over a break, and leave out those without a word."""
    pieces, place = [], 0
    ends = sorted(breaks)
    for start, end in spans:
        while place < len(ends) and ends[place] <= start:
            place += 1
        begin = start
        while place < len(ends) and ends[place] < end:
            pieces.append((begin, ends[place]))
            begin = ends[place]
            place += 1
        pieces.append((begin, end))
    trimmed = []
    for start, end in pieces:
        piece = text[start:end].rstrip()
        if any(map(str.isalnum, piece)):
            trimmed.append((end - len(text[start:end].lstrip()), start + len(piece)))
    return trimmed
