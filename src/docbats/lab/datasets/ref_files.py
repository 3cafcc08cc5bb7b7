"""Datasets of which each document is a ``.ref`` file: Textbook, Lectures, Choi and Wiki."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from docbats.errors import ReadError
from docbats.lab.datasets.dataset import Dataset
from docbats.lab.documents import SegmentedDocument, read_segmented

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["CHOI", "LECTURES", "TEXTBOOK", "WIKI", "RefFiles"]


@dataclass(frozen=True)
class RefFiles:
    """Every ``.ref`` file of the folder and of those inside it is a document.

    A document is named by its path without the suffix, such as ``1/3-11/0``.
    """

    def files(self, folder: Path) -> Iterator[Path]:
        """Find the ``.ref`` files."""
        return folder.rglob("*.ref")

    def count(self, folder: Path) -> int:
        """Count the files."""
        return sum(1 for _ in self.files(folder))

    def read(self, folder: Path) -> Iterator[SegmentedDocument]:
        """Read file after file, sorted by folder and name."""
        for path in sorted(self.files(folder), key=lambda path: path.relative_to(folder).parts):
            name = path.relative_to(folder).with_suffix("").as_posix()
            try:
                yield replace(read_segmented(path), name=name)
            except UnicodeDecodeError as error:
                msg = f"{path} is not in UTF-8 ({error}): copy it anew from its source"
                raise ReadError(msg) from error


TEXTBOOK = Dataset(
    name="textbook",
    description="Chapters of a medical textbook; a segment is a section of the chapter.",
    citation=(
        'I. Malioutov, R. Barzilay, "Minimum Cut Model for Spoken Lecture Segmentation", ACL 2006; '
        'text of H. K. Walker, W. D. Hall, J. W. Hurst (eds), "Clinical Methods", 1990'
    ),
    licence="copyright the publisher; offered for research in a GPL-2-or-later repository",
    source=(
        "github.com/jacobeisenstein/bayes-seg, commit 490ddec3d859f30459055e0fbf99f750a37880b9, "
        "data/books/clinical/*.ref"
    ),
    folder="textbook",
    layout=RefFiles(),
    documents=227,
    original=True,
    checksum="3d67d3a45c6909608335a90baaf471be775025a22b736abc6958b26909ff0ef1",
)

LECTURES = Dataset(
    name="lectures",
    description="Manual transcripts of university lectures on artificial intelligence and physics.",
    citation=(
        'I. Malioutov, R. Barzilay, "Minimum Cut Model for Spoken Lecture Segmentation", ACL 2006'
    ),
    licence="none stated for the data; offered in a GPL-2-or-later repository",
    source=(
        "github.com/jacobeisenstein/bayes-seg, commit 490ddec3d859f30459055e0fbf99f750a37880b9, "
        "data/lectures/ai/manual as ai and data/lectures/physics/manual as physics, "
        "line ends made LF, the suffix .dev made .ref"
    ),
    folder="lectures",
    layout=RefFiles(),
    documents=55,
    original=True,
    checksum="27354d985e6bafa7f1d7d41188e9de09d4344e9bd30a2b2ad54015cfe6a6250a",
    groups={"ai": "ai/*", "physics": "physics/*"},
)

CHOI = Dataset(
    name="choi",
    description=(
        "The first sentences of ten texts of the Brown corpus; the groups tell how many of each "
        "text, and which 700 documents are the customary set."
    ),
    citation=(
        'F. Y. Y. Choi, "Advances in domain independent linear text segmentation", NAACL 2000'
    ),
    licence="none stated; the Brown corpus is offered for research",
    source=(
        "github.com/koomri/text-segmentation, commit 874d6ef3ca0e402709b70924608d0894be9a93e1, "
        "data/choi, without its empty segments and blank lines"
    ),
    folder="choi",
    layout=RefFiles(),
    documents=920,
    original=True,
    checksum="5b17af6ff83f6c5033b786d2cf98ca8da48f04c743188533bb19e1d4729fe88d",
    groups={
        "3-5": "*/3-5/*",
        "6-8": "*/6-8/*",
        "9-11": "*/9-11/*",
        "3-11": "*/3-11/*",
        "12-15": "*/12-15/*",
        "3-15": "*/3-15/*",
        "700": "[123]/*",
    },
)

WIKI = Dataset(
    name="wiki",
    description=(
        "English Wikipedia articles, in place of those of WIKI-727K that the paper drew: enwiki "
        "are long ones cut at their top-level headings, sections shorter ones cut at every heading."
    ),
    citation="Wikipedia contributors, articles of 2016 and 2018",
    licence="CC BY-SA 3.0",
    source=(
        "the Wikipedia extract in gensim 4.4.0 (gensim/test/test_data, enwiki) and "
        "github.com/Vibhas-hs-edu/WikiTasks, commit 52b1f163137bc40b0f67cbf129d5dab4f6fd5901, "
        "text/AA (sections), cut into sentences and sections"
    ),
    folder="wiki",
    layout=RefFiles(),
    documents=885,
    original=False,
    checksum="758e9e27e74ec677b45ebcbc5b876e04cfd7fefa8e43abda367d6f6934c452a9",
    groups={"enwiki": "enwiki/*", "sections": "sections/*"},
)
