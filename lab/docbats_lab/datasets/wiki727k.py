"""WIKI-727K, in the folders and files of its authors."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docbats.errors import ReadError
from docbats_lab.datasets.dataset import Dataset
from docbats_lab.segmented_document import SegmentedDocument

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_HEADING = re.compile(r"={8},(\d+),")
_TOP_LEVEL = 2  # Wikipedia's level 1 is the title, which the files give to the preface
_MARKERS = re.compile(r"\*\*\*(?:LIST|formula|codice)\*\*\*")
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")
_NOT_ARTICLES = {"paths_cache"}  # the authors' own loader leaves this list of paths there


@dataclass(frozen=True)
class Wiki727k:
    """Every file of the folder and of those inside it is an article, named by its path."""

    def files(self, folder: Path) -> Iterator[Path]:
        """Find the articles."""
        return (
            path
            for path in folder.rglob("*")
            if path.is_file() and path.name not in _NOT_ARTICLES and not path.name.startswith(".")
        )

    def count(self, folder: Path) -> int:
        """Count the files."""
        return sum(1 for _ in self.files(folder))

    def read(self, folder: Path) -> Iterator[SegmentedDocument]:
        """Read file after file, sorted by path; those without any sentence are left out."""
        for path in sorted(self.files(folder), key=lambda path: path.relative_to(folder).parts):
            document = read_wiki727k(path, path.relative_to(folder).as_posix())
            if document.segments:
                yield document


def read_wiki727k(path: Path, name: str) -> SegmentedDocument:
    """Read one article: a sentence per line, headings as lines ``========,level,title.``.

    Segments begin at the top-level headings, level 2; deeper headings are dropped and their text
    stays in the section around them. The text before the first of them is a segment too. Lists,
    formulas and code, which the files have markers for, are dropped, as are sentences and segments
    of which nothing is left.
    """
    segments: list[list[str]] = [[]]
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, ValueError) as error:
        msg = f"{path} cannot be read as an article of WIKI-727K: {error}"
        raise ReadError(msg) from error
    for line in lines:
        heading = _HEADING.match(line)
        if heading:
            if int(heading[1]) <= _TOP_LEVEL:
                segments.append([])
            continue
        sentence = " ".join(_MARKERS.sub(" ", line).split())
        if _LETTER_OR_DIGIT.search(sentence):
            segments[-1].append(sentence)
    return SegmentedDocument(name, tuple(tuple(segment) for segment in segments if segment))


WIKI_727K = Dataset(
    name="wiki-727k",
    description="The Wikipedia articles of the paper, as their authors distribute them.",
    citation=(
        "O. Koshorek, A. Cohen, N. Mor, M. Rotman, J. Berant, "
        '"Text Segmentation as a Supervised Learning Task", NAACL 2018'
    ),
    licence="CC BY-SA 3.0 (text by Wikipedia contributors)",
    source="the address in the README of github.com/koomri/text-segmentation",
    layout=Wiki727k(),
    folder="wiki_727",
    documents=727_746,
    checksum=None,
    groups={"train": "train/*", "dev": "dev/*", "test": "test/*"},
)
