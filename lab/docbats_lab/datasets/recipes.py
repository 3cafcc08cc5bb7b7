"""Datasets whose documents are articles put together by a recipe."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from docbats.errors import ReadError
from docbats_lab.segmented_document import SegmentedDocument

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@dataclass(frozen=True)
class Recipe:
    """A JSON list of documents, each a list of articles that follow one another as its segments.

    A document is named by its place in the recipe, such as ``0007``.

    Attributes
    ----------
    recipe
        The file's name.
    articles
        The folder that holds this recipe's articles and no others.
    ids
        The folder that the recipe's article ids start from; an article is ``<id>.txt`` there, one
        sentence per line.
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
        """Count the entries of the recipe."""
        return len(self._entries(folder))

    def read(self, folder: Path) -> Iterator[SegmentedDocument]:
        """Put together document after document."""
        # Each article is in several documents; all of them together take a few megabytes.
        article = cache(lambda name: _read_article(folder / self.ids / f"{name}.txt"))
        for index, names in enumerate(self._entries(folder)):
            yield SegmentedDocument(f"{index:04}", tuple(article(name) for name in names))

    def source(self, articles: str) -> str:
        """Return where to obtain the recipe and the articles, and what they are.

        `articles` says which ones they are, where they were taken from and what was done to them.
        """
        return (
            f"the developers of docbats: ask them for {self.recipe}, which lists the ids of the "
            f"articles that make up each document, and for {self.articles}/, which holds the text "
            f"of these articles, one sentence per line. They are {articles}"
        )

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
