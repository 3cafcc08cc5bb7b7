"""Titles and topics of chunks, by an analysis of the document with the chunks as its segments."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from docbats.errors import NoKeptWordsError, TooFewSentencesError
from docbats.limits import TOPICS
from docbats.pipeline import analyze
from docbats.topics.strongest_topics import strongest_topics

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.chunks.chunk import Chunk
    from docbats.chunks.sizes import Sizes
    from docbats.document import Document

__all__ = ["add_titles", "with_title_as_context"]

_MAX_TOPICS = 30  # more take time by their cube, and chunks would share few of them


def add_titles(document: Document, chunks: Sequence[Chunk]) -> list[Chunk]:
    """Add topics to the chunks, and titles to those without a heading."""
    starts = [chunk.own_start for chunk in chunks[1:]]  # blank sentences may precede the first
    max_topics = min(_MAX_TOPICS, TOPICS.value)
    try:
        result = analyze(
            _with_sentences_of_chunks(document, chunks),
            boundaries=starts,
            n_topics=None if len(chunks) <= max_topics else max_topics,
        )
    except (NoKeptWordsError, TooFewSentencesError):
        return [replace(chunk, topics=()) for chunk in chunks]
    described = []
    for chunk, segment in zip(chunks, result.segments, strict=True):
        topics = strongest_topics(result, segment)
        title = segment.title if chunk.text.strip() else None
        described.append(replace(chunk, title=chunk.title or title, topics=topics))
    return described


def with_title_as_context(chunks: Sequence[Chunk], sizes: Sizes, limit: int) -> list[Chunk]:
    """Put the title before each chunk that does not begin with it, where there is room."""
    contexts = [
        replace(chunk, context=chunk.title)
        if chunk.title and not chunk.text.lstrip("#=*_ ").startswith(chunk.title)
        else chunk
        for chunk in chunks
    ]
    found = sizes.many([chunk.content for chunk in contexts])
    return [
        replace(new, size=size) if size <= limit else old
        for old, new, size in zip(chunks, contexts, found, strict=True)
    ]


def _with_sentences_of_chunks(document: Document, chunks: Sequence[Chunk]) -> Document:
    """Return the document with sentences that begin where chunks do, at least one in each.

    A sentence that a chunk begins inside of is split there. A chunk without any, such as a part of
    a long comment, is one as a whole.
    """
    spans = document.spans
    places = np.array([chunk.own_start for chunk in chunks], np.int64)
    ends = np.array([chunk.end for chunk in chunks], np.int64)
    at = np.searchsorted(spans[:, 0], places, side="right") - 1
    inside = places[(at >= 0) & (spans[at, 0] < places) & (places < spans[at, 1])]
    spans = np.sort(np.concatenate([spans.ravel(), inside, inside])).reshape(-1, 2)
    following = np.searchsorted(spans[:, 1], places, side="right")
    begins = np.append(spans[:, 0], len(document.text))[following]
    lone = np.column_stack([places, ends])[begins >= ends]
    if not len(inside) and not len(lone):
        return document
    spans = np.concatenate([spans, lone])
    return replace(document, spans=spans[np.argsort(spans[:, 0], kind="stable")])
