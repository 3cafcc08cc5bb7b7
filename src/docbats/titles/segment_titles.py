"""Short titles for segments, from the document's own phrases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.titles.compose import Composer
from docbats.titles.features import SentenceGroups
from docbats.titles.ranker import rank_phrases
from docbats.titles.title_text import MAX_TITLE_LENGTH, capitalize, make_distinct
from docbats.titles.title_weights import TITLE_WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from docbats.document import Document
    from docbats.titles.phrases import Phrases

    Ints = NDArray[np.int64]

__all__ = ["title_segments"]


def title_segments(
    document: Document,
    phrases: Phrases,
    starts: Ints,
    avoid: Sequence[Collection[str]] | None = None,
    weights: Mapping[str, float] = TITLE_WEIGHTS,
) -> tuple[str, ...]:
    """Return a title for each segment, no two alike in their stems.

    The phrase of the highest score makes the title; a second one joins it if its score is hardly
    lower and they have nothing in common. Segments choose in the order of their best scores, so
    that a phrase goes where it fits best. Where no phrase is left the first words make the title.
    For each segment, `avoid` may have titles, in small letters, that it should not get, whole or in
    part.
    """
    ranked = rank_phrases(phrases, SentenceGroups.of_segments(starts, len(document)), weights)
    edges = [*starts.tolist(), len(document)]
    titles = [""] * len(starts)
    composer = Composer(phrases)
    best = [rows[0].score if rows else float("-inf") for rows in ranked]
    for i in sorted(range(len(starts)), key=lambda i: -best[i]):
        title = composer.title(ranked[i], avoid[i] if avoid else ())
        titles[i] = title or _first_words(document, edges[i], edges[i + 1])
    return make_distinct(titles)


def _first_words(document: Document, first: int, end: int) -> str:
    """Cut the segment's first sentence that has any characters at a word."""
    texts = (_without_marks(document, *span) for span in document.spans[first:end].tolist())
    text = next(filter(None, texts), "…")
    if len(text) <= MAX_TITLE_LENGTH:
        return capitalize(text)
    cut = text[:MAX_TITLE_LENGTH]
    return capitalize(cut[: cut.rfind(" ")] if " " in cut else cut[:-1]) + "…"


def _without_marks(document: Document, start: int, end: int) -> str:
    """Return a sentence on one line, without rules, bullets and marks of Markdown."""
    written = document.text[start:end]
    if document.prose is not None:
        written = document.prose[start:end].strip() or written
    if document.markup:
        from docbats.readers.parsers.markdown_marks import plain_title

        written = plain_title(written).strip("| ") or written
    return " ".join(written.split())
