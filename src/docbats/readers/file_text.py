"""What every reader returns: the text of a file, where its sentences may lie, and its places."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.blocks import Block
    from docbats.document import Document
    from docbats.readers.places import Places

__all__ = ["FileText"]

_LINE = re.compile(r"\S(?:[^\n\r\v\f\x85\u2028\u2029]*\S)?")


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
        """Find the sentences of the text, by the punctuation of its language.

        No sentence crosses the edge of a block, a heading is one with its number, and what is no
        prose is split by lines.
        """
        import numpy as np

        from docbats.document import Document

        known = self.spans if sentences == "auto" else self.lines
        prose = self.text if self.prose is None else self.prose
        detected = None
        if known is not None:
            spans = list(known)
        else:
            found = Document.from_text(prose, sentences, language)
            spans, detected = found.spans.tolist(), found.detected
        if self.blocks:
            spans = _fit_to_blocks(self, prose, spans)
        elif known is None and self.prose is not None:
            spans = _split_at_breaks(prose, spans, self.breaks)
        return Document(self.text, np.array(spans, np.int64), self.places, self.prose, detected)


def _fit_to_blocks(
    read: FileText, prose: str, spans: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return sentences that cross no edge of a block, with at least one for each block."""
    edges = [edge for block in read.blocks for edge in (block.start, block.end)]
    pieces = _split_at_breaks(prose, spans, [*read.breaks, *edges])
    fitted: list[tuple[int, int]] = []
    done = 0
    for block in read.blocks:
        first = done
        while first < len(pieces) and pieces[first][0] < block.start:
            first += 1  # what stands between blocks
        last = first
        while last < len(pieces) and pieces[last][0] < block.end:
            last += 1
        fitted += pieces[done:first]
        fitted += _block_spans(read.text, block, pieces[first:last])
        done = last
    return fitted + pieces[done:]


def _block_spans(text: str, block: Block, found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the sentences of a block: the ones found, all of a heading, or lines of no prose.

    The first one begins where the block does, so that the marks of a block go with it.
    """
    written = text[block.start : block.end]
    start = block.end - len(written.lstrip())
    whole = (start, block.start + len(written.rstrip()))
    if start >= block.end:
        return []
    if block.kind == "heading":
        return [whole]
    if not found or not block.is_prose:
        found = [
            (block.start + line.start(), block.start + line.end())
            for line in _LINE.finditer(written)
            if any(map(str.isalnum, line[0]))
        ]
    return [(start, found[0][1]), *found[1:]] if found else [whole]


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
