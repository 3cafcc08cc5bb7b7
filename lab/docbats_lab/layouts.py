"""How the documents of a dataset are stored in its folder."""

from __future__ import annotations

import json
import lzma
import re
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Protocol

from docbats.errors import ReadError
from docbats_lab.documents import (
    SegmentedDocument,
    StructuredDocument,
    read_segmented,
    read_structured_file,
    structured_files,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Layout(Protocol):
    """How the documents of a dataset are stored in its folder."""

    def files(self, folder: Path) -> Iterator[Path]:
        """Find the files of the dataset, in any order; none if it is not there."""

    def count(self, folder: Path) -> int:
        """Return the number of documents without reading them all."""

    def read(self, folder: Path) -> Iterator[SegmentedDocument]:
        """Yield the documents in an order that never changes."""


def _sorted(layout: Layout, folder: Path) -> list[Path]:
    return sorted(layout.files(folder), key=lambda path: path.relative_to(folder).parts)


def _count_files(layout: Layout, folder: Path) -> int:
    return sum(1 for _ in layout.files(folder))


@dataclass(frozen=True)
class RefFiles:
    """Each ``.ref`` file in the folder and its subfolders is a document in one language.

    A document is named by its path without the suffix, such as ``1/3-11/0``.
    """

    language: str = "en"

    count = _count_files

    def files(self, folder: Path) -> Iterator[Path]:
        """Find the ``.ref`` files."""
        return folder.rglob("*.ref")

    def read(self, folder: Path) -> Iterator[SegmentedDocument]:
        """Read the files, sorted by folder and name."""
        for path in _sorted(self, folder):
            name = path.relative_to(folder).with_suffix("").as_posix()
            try:
                yield replace(read_segmented(path), name=name, language=self.language)
            except UnicodeDecodeError as error:
                msg = f"{path} is not in UTF-8 ({error}): copy it again from its source"
                raise ReadError(msg) from error


@dataclass(frozen=True)
class StructuredFiles:
    """Each ``SOURCE/NAME.json`` in the folder is a document of that name."""

    count = _count_files

    def files(self, folder: Path) -> Iterator[Path]:
        """Find the files."""
        return structured_files(folder)

    def read(self, folder: Path) -> Iterator[SegmentedDocument]:
        """Read the files, sorted by source and name."""
        for path in _sorted(self, folder):
            yield read_structured_file(path).as_segmented()


@dataclass(frozen=True)
class SectionFiles:
    """Each line of ``SOURCE.jsonl.xz`` is an English document of that source, with its blocks."""

    def files(self, folder: Path) -> Iterator[Path]:
        """Find the files."""
        return folder.glob("*.jsonl.xz")

    def count(self, folder: Path) -> int:
        """Return the number of lines."""
        return sum(1 for path in self.files(folder) for _ in _lines(path))

    def read(self, folder: Path) -> Iterator[SegmentedDocument]:
        """Read the documents, sorted by source."""
        for path in _sorted(self, folder):
            for line in _lines(path):
                yield read_section_line(path.name.partition(".")[0], line).as_segmented()

    def lines(self, folder: Path) -> dict[str, list[str]]:
        """Return the documents of each source as they are stored."""
        paths = _sorted(self, folder)
        if not paths:
            msg = f"there are no documents in {folder}: expected SOURCE.jsonl.xz"
            raise ReadError(msg)
        return {path.name.partition(".")[0]: list(_lines(path)) for path in paths}


def read_section_line(source: str, line: str) -> StructuredDocument:
    """Read a document of a source."""
    try:
        values = json.loads(line)
        return StructuredDocument(values["id"], source, "en", tuple(values["blocks"]))
    except (ValueError, KeyError, TypeError) as error:
        msg = f"a line of {source}.jsonl.xz cannot be read ({error}): copy the file again"
        raise ReadError(msg) from error


def _lines(path: Path) -> Iterator[str]:
    try:
        with lzma.open(path, "rt", encoding="utf-8") as file:
            yield from file
    except (OSError, EOFError, ValueError, lzma.LZMAError) as error:
        msg = f"{path} cannot be read ({error}): copy it again"
        raise ReadError(msg) from error


@dataclass(frozen=True)
class Recipe:
    """A JSON list of documents, each a list of articles that are its segments in this order.

    A document is named by its place in the recipe, such as ``0007``.

    Attributes
    ----------
    recipe
        The file's name.
    articles
        The folder that holds the articles of this recipe and no others.
    ids
        The folder that article ids are relative to; an article is ``<id>.txt``, one sentence per
        line.
    """

    recipe: str
    articles: str
    ids: str = ""

    def files(self, folder: Path) -> Iterator[Path]:
        """Find the recipe and all articles; nothing without the recipe."""
        recipe = folder / self.recipe
        if recipe.is_file():
            yield recipe
            yield from (folder / self.articles).rglob("*.txt")

    def count(self, folder: Path) -> int:
        """Return the number of entries in the recipe."""
        return len(self._entries(folder))

    def read(self, folder: Path) -> Iterator[SegmentedDocument]:
        """Put the documents together one by one."""
        # Each article is in several documents; all of them together take a few megabytes.
        article = cache(lambda name: _read_article(folder / self.ids / f"{name}.txt"))
        for index, names in enumerate(self._entries(folder)):
            yield SegmentedDocument(f"{index:04}", tuple(article(name) for name in names))

    def _entries(self, folder: Path) -> list[list[str]]:
        path = folder / self.recipe
        try:
            entries: list[list[str]] = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            msg = f"{path} cannot be read as a recipe ({error}): copy it again from its source"
            raise ReadError(msg) from error
        if not _is_recipe(entries):
            msg = f"{path} is not a recipe: expected a list of lists of article ids"
            raise ReadError(msg)
        return entries


def _is_recipe(entries: object) -> bool:
    return isinstance(entries, list) and all(
        isinstance(names, list) and names and all(isinstance(name, str) for name in names)
        for names in entries
    )


def _read_article(path: Path) -> tuple[str, ...]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        msg = f"{path} is in the recipe but cannot be read ({error}): copy the articles again"
        raise ReadError(msg) from error
    sentences = tuple(line for line in lines if line.strip())
    if not sentences:
        msg = f"{path} has no sentences: expected one per line; copy the articles again"
        raise ReadError(msg)
    return sentences


_HEADING = re.compile(r"={8},(\d+),")
_TOP_LEVEL = 2  # Wikipedia's level 1 is the title, which the files give to the preface
_MARKERS = re.compile(r"\*\*\*(?:LIST|formula|codice)\*\*\*")
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")
_NOT_ARTICLES = {"paths_cache"}  # the authors' own loader leaves this list of paths there


@dataclass(frozen=True)
class Wiki727k:
    """Each file in the folder and its subfolders is an article, named by its path."""

    count = _count_files

    def files(self, folder: Path) -> Iterator[Path]:
        """Find the articles."""
        return (
            path
            for path in folder.rglob("*")
            if path.is_file() and path.name not in _NOT_ARTICLES and not path.name.startswith(".")
        )

    def read(self, folder: Path) -> Iterator[SegmentedDocument]:
        """Read the files, sorted by path; those without any sentence are left out."""
        for path in _sorted(self, folder):
            document = read_wiki727k(path, path.relative_to(folder).as_posix())
            if document.segments:
                yield document


def read_wiki727k(path: Path, name: str) -> SegmentedDocument:
    """Read one article: a sentence per line, headings as lines ``========,level,title.``.

    Segments begin at the top-level headings, level 2; deeper headings are dropped and their text
    stays in the section around them. The text before the first heading is a segment too. Lists,
    formulas and code, which the files have markers for, are dropped, and so are sentences and
    segments that end up empty.
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
