"""Structured: whole documents of many kinds and languages, with their paragraphs."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from docbats.document import Document
from docbats.text.languages import LANGUAGES
from docbats_lab.datasets.dataset import Dataset
from docbats_lab.segmented_document import SegmentedDocument
from docbats_lab.structured_documents import read_structured_file, structured_files

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from docbats_lab.structured_documents import StructuredDocument


@dataclass(frozen=True)
class StructuredFiles:
    """Every ``SOURCE/NAME.json`` of the folder is a document of that name."""

    def files(self, folder: Path) -> Iterator[Path]:
        """Find the files."""
        return structured_files(folder)

    def count(self, folder: Path) -> int:
        """Count the files."""
        return sum(1 for _ in self.files(folder))

    def read(self, folder: Path) -> Iterator[SegmentedDocument]:
        """Read file after file, sorted by source and name."""
        for path in sorted(self.files(folder), key=lambda path: path.relative_to(folder).parts):
            yield as_segmented(read_structured_file(path))


def as_segmented(source: StructuredDocument) -> SegmentedDocument:
    """Return a document without its headings, cut into sentences as docbats does."""
    plain = source.without_headings()
    language = source.language if source.language in LANGUAGES else "auto"
    document = Document.from_text(plain.text, language=language)
    starts = np.searchsorted(document.spans[:, 0], plain.section_starts).tolist()
    edges = sorted({0, *starts, len(document)})
    return SegmentedDocument(
        name=f"{source.source}/{source.name}",
        segments=tuple(document.sentences[first:last] for first, last in pairwise(edges)),
        language=language,
        text=plain.text,
    )


_SOURCES = (
    "rust-book", "pro-git", "peps", "mdn-translated", "aosa", "openstax", "standard-ebooks",
    "turing-way", "legalize-es", "icsi", "avlectures",
)  # fmt: skip

STRUCTURED = Dataset(
    name="structured",
    description=(
        "Whole documents of eleven sources, which are the groups: books, manuals, proposals, "
        "essays, laws, meetings and lectures, in eight languages. Headings, code and tables are "
        "left out, paragraphs are kept; a segment lies between two top-level headings, or is a "
        "topic that people marked. The 25 meetings and 40 lectures are in icsi and avlectures, too."
    ),
    citation=(
        "the authors of The Rust Programming Language, Pro Git, Python Enhancement Proposals, MDN, "
        "The Architecture of Open Source Applications, OpenStax, Standard Ebooks, The Turing Way "
        "and Spanish laws; icsi and avlectures as there"
    ),
    licence="that of each source, which every file names; all are free for research",
    source=(
        "the developers of docbats: ask them for structured/, which holds the blocks of each "
        "document as JSON, with the address and the commit that it was taken from"
    ),
    layout=StructuredFiles(),
    documents=396,
    checksum="9bebe870806ea76e4286525090f7d7df626ec18249c55e4f6e771f4b0970edb3",
    groups={source: f"{source}/*" for source in _SOURCES},
)
