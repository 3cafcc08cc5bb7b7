"""Whole books: runs of chapters that are joined again, and Markdown files of the reader's own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from docbats.document import Document
from docbats.errors import ReadError
from docbats.text.languages import LANGUAGES
from docbats_lab.segmented_document import SegmentedDocument
from docbats_lab.structured_documents import StructuredDocument, by_source, read_structured

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

FOLDER = "books"
"""Of Markdown files, one for each book; it need not be there."""

RUNS = "standard-ebooks"
"""The source of structured documents that are runs of the chapters of a book."""

_RUN = re.compile(r"(?P<book>.+)_(?P<number>\d+)")
_MIN_CHAPTERS = 3


@dataclass(frozen=True, eq=False)
class BookTrial:
    """A book as it is given to docbats, and its sentences by chapters."""

    source: Document | list[str]
    truth: SegmentedDocument


@dataclass(frozen=True, eq=False)
class Book:
    """A book with the headings that its author gave it.

    Attributes
    ----------
    markdown, chapter_starts
        All of it, and the offsets where the headings of its chapters begin.
    structured
        The same as blocks.
    """

    name: str
    source: str
    markdown: str
    chapter_starts: tuple[int, ...]
    structured: StructuredDocument

    @property
    def language(self) -> str:
        """The code of its language, or ``"auto"`` for one that docbats has nothing special for."""
        code = self.structured.language
        return code if code in LANGUAGES else "auto"

    def with_headings(self) -> BookTrial:
        """Read it as the Markdown file that it is."""
        document = Document.read(
            self.markdown.encode(), name=f"{self.name}.md", language=self.language
        )
        return self._trial(document, self.chapter_starts)

    def with_paragraphs(self) -> BookTrial:
        """Return its prose, blank lines between the paragraphs and no heading."""
        plain = self.structured.without_headings()
        document = Document.from_text(plain.text, language=self.language)
        return self._trial(document, plain.section_starts)

    def bare(self) -> BookTrial:
        """Return the sentences of its prose."""
        truth = self.with_paragraphs().truth
        return BookTrial(list(truth.sentences), truth)

    def _trial(self, document: Document, offsets: Sequence[int]) -> BookTrial:
        starts = np.searchsorted(document.spans[:, 0], offsets).tolist()
        edges = np.unique([0, *starts, len(document)]).tolist()
        chapters = tuple(tuple(document.sentences[first:end]) for first, end in pairwise(edges))
        return BookTrial(document, SegmentedDocument(self.name, chapters, self.language))


def read_books(data: Path) -> list[Book]:
    """Read the books whose runs are among the structured documents, and those in ``books``."""
    own = [read_book(path) for path in sorted((data / FOLDER).glob("*.md"))]
    return [*joined_runs(by_source(list(read_structured(data))).get(RUNS, [])), *own]


def joined_runs(runs: Sequence[StructuredDocument]) -> list[Book]:
    """Join the runs of each book, which their names number."""
    books: dict[str, dict[int, StructuredDocument]] = {}
    for run in runs:
        found = _RUN.fullmatch(run.name)
        name, number = (found["book"], int(found["number"])) if found else (run.name, 1)
        books.setdefault(name, {})[number] = run
    joined = []
    for name, parts in sorted(books.items()):
        blocks = tuple(block for number in sorted(parts) for block in parts[number].blocks)
        whole = StructuredDocument(name, RUNS, next(iter(parts.values())).language, blocks)
        text, headings = whole.as_markdown()
        joined.append(Book(name, RUNS, text, tuple(headings), whole))
    return joined


def read_book(path: Path) -> Book:
    """Read a Markdown file; its chapters begin at the highest level of three headings or more."""
    document = Document.read(path)
    prose = document.text if document.prose is None else document.prose
    blocks = tuple(
        {
            "type": block.kind,
            "text": block.title
            if block.kind == "heading"
            else " ".join(prose[block.start : block.end].split()),
            "level": block.level,
            "number": block.number,
        }
        for block in document.blocks
    )
    structured = StructuredDocument(path.stem, FOLDER, document.language.code or "auto", blocks)
    starts = tuple(
        block.start
        for block in document.blocks
        if block.kind == "heading" and block.level == structured.top_level
    )
    if len(starts) < _MIN_CHAPTERS:
        msg = (
            f"{path} has no chapters: a book needs at least {_MIN_CHAPTERS} Markdown headings of "
            "the same level"
        )
        raise ReadError(msg)
    return Book(path.stem, FOLDER, document.text, starts, structured)
