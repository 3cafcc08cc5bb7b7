"""Datasets whose documents are articles put together by a recipe: Introductions and News."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from docbats.errors import ReadError
from docbats.lab.datasets.dataset import Dataset
from docbats.lab.documents import SegmentedDocument

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["INTRODUCTIONS", "NEWS", "WIKINEWS", "Recipe"]


@dataclass(frozen=True)
class Recipe:
    """A JSON list of documents, each a list of articles that follow one another as its segments.

    A document is named by its place in the recipe, such as ``0007``.

    Attributes
    ----------
    recipe
        The file's name.
    ids
        The folder that the recipe's article ids start from; an article is ``<id>.txt`` there, one
        sentence a line.
    articles
        The folder that holds this recipe's articles and no others.
    """

    recipe: str
    ids: str
    articles: str

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

    def _entries(self, folder: Path) -> list[list[str]]:
        path = folder / self.recipe
        try:
            entries: list[list[str]] = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            msg = f"{path} cannot be read as a recipe ({error}): copy it anew from its source"
            raise ReadError(msg) from error
        if not _is_recipe(entries):
            msg = f"{path} is no recipe: expected a list of documents, each a list of article ids"
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
        msg = f"{path} is in the recipe but cannot be read ({error}): copy the articles anew"
        raise ReadError(msg) from error
    sentences = tuple(line for line in lines if line.strip())
    if not sentences:
        msg = f"{path} holds no sentence: expected one a line; copy the articles anew"
        raise ReadError(msg)
    return sentences


INTRODUCTIONS = Dataset(
    name="introductions",
    description=(
        "Three to eight abstracts and introductions of academic articles in a row, drawn anew by "
        "the paper's recipe."
    ),
    citation=(
        'A. Chambers, "Statistical Models for Text Classification and Clustering: Applications and '
        'Analysis", PhD thesis, UC Irvine, 2013 (Sentence Classification, UCI repository)'
    ),
    licence="none stated in the corpus; articles are their authors'",
    source=(
        "github.com/KirillRnd/SentenceCorpus, commit b5dc485243098dfb68694afc38acba8ae22c153a, "
        "unlabeled_articles, with the recipe that comes with our data"
    ),
    folder="introductions",
    layout=Recipe("recipe.json", "articles", "articles"),
    documents=2135,
    original=False,
    checksum="89e31941fc37c00f6c7649362ff98fc35fbd0147ba486dbb372b07a7962aa142",
)

NEWS = Dataset(
    name="news",
    description=(
        "Three to eight BBC News stories of 2004 and 2005 in a row, in place of the scraped "
        "articles of the paper, which are not public."
    ),
    citation=(
        'D. Greene, P. Cunningham, "Practical Solutions to the Problem of Diagonal Dominance in '
        'Kernel Document Clustering", ICML 2006'
    ),
    licence="copyright the BBC; offered for research, not to be published further",
    source=(
        "github.com/Podginator/Dissertation_final, commit "
        "63858826cba55663074dce5324614f76b51f0c84, bbc, with the recipe that comes with our data"
    ),
    folder="news",
    layout=Recipe("recipe.json", "", "bbc"),
    documents=1000,
    original=False,
    checksum="7bb22271154ed01a81964239f42d6a9f5134f58cf5bedb730a71edd9aafe457e",
)

WIKINEWS = Dataset(
    name="wikinews",
    description="Three to eight English Wikinews stories of 2019 and 2020 in a row.",
    citation="Wikinews contributors, stories of 2019 and 2020",
    licence="CC BY 2.5",
    source=(
        "github.com/vanatteveldt/wikinews, commit 347254178bf343f3801aac1d03c41cc09c35decb, "
        "with the recipe that comes with our data"
    ),
    folder="news",
    layout=Recipe("recipe-wikinews.json", "", "wikinews"),
    documents=300,
    original=False,
    checksum="4aa4e00acfeffdf5d2a3e1725a00655b80d506cd7ba96eb00790b11c1b9e82a2",
)
