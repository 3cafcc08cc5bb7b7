"""From indices to the topics and segments that people read."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from docbats.parts import ScoredWord, Segment, Topic
from docbats.segments.cuts import find_cut
from docbats.segments.overlap import overlap_starts
from docbats.segments.strengths import boundary_strengths
from docbats.titles.heading_titles import find_speakers
from docbats.titles.segment_titles import title_segments
from docbats.titles.topic_labels import label_topics
from docbats.top_scores import may_be_top
from docbats.topics.finders import TOPIC_FINDERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from scipy import sparse

    from docbats.analysis import Analysis
    from docbats.document import Document
    from docbats.segment_summaries import SegmentSummary
    from docbats.titles.heading_titles import HeadingTitle
    from docbats.topics.cores import Topics

__all__ = ["describe_segments", "describe_topics"]

_MAX_KEYWORDS = 10
_LABEL_WORDS, _TITLE_WORDS = 3, 4  # of a topic, of a segment, that is not named by its phrases
_NO_WORDS = "…"  # the title of a segment of nothing but blanks
_TINY = 1e-300  # in place of a divisor of zero, whose dividend is zero too


def describe_topics(analysis: Analysis, topics: Topics) -> tuple[Topic, ...]:
    """Name the topics and their words, with the words' scores."""
    text, words = analysis.text, analysis.text.counts.words
    ranked = [[words[j] for j in topic.tolist()] for topic in topics.words]
    if TOPIC_FINDERS[analysis.settings.ranking].labels_by_phrases:
        labels: Sequence[str] = label_topics(analysis.phrases, ranked, len(text))
    else:
        labels = [", ".join(topic[:_LABEL_WORDS]) for topic in ranked]
    scores, total = topics.scores, topics.scores.sum()
    return tuple(
        Topic(
            words=_scored(words, topic, scores[topic]),
            weight=float(scores[topic].sum() / total) if total > 0 else 1 / len(labels),
            label=label,
        )
        for topic, label in zip(topics.words, labels, strict=True)
    )


def describe_segments(
    analysis: Analysis, starts: NDArray[np.int64], topics: Sequence[NDArray[np.int64]]
) -> tuple[Segment, ...]:
    """Return the segments that begin at these sentences.

    Each has its span, its title, its shares of the topics and the words that stand out in it: by
    their tf-idf in the segment times the share of their tf-idf that falls there.
    """
    text, settings, X_a = analysis.text, analysis.settings, analysis.X_a
    document, cut = text.document, find_cut(settings.cut)
    k = len(starts)
    edges = [*starts.tolist(), len(document)]
    offsets = [0, *document.spans[starts[1:], 0].tolist(), len(document.text)]
    segment_of = np.repeat(np.arange(k), np.diff(edges))
    keywords = _rank_keywords(segment_of, text.counts.words, analysis.tf_idf_by_word, k)
    summaries = analysis.summaries.choose(starts)
    weights = _topic_weights(np.repeat(segment_of, np.diff(X_a.indptr)), topics, X_a, k)
    spans = [document.text[start:end] for start, end in pairwise(offsets)]
    headings = analysis.heading_titles(offsets[:-1])
    if cut.titles_by_phrases:
        titles: Sequence[str] = title_segments(
            document, analysis.phrases, starts, _headings_of_others(headings)
        )
    else:
        titles = [_title(span, best) for span, best in zip(spans, keywords, strict=True)]
    speakers = find_speakers(document, offsets)
    strengths = (
        boundary_strengths(analysis.cost, len(text), starts.tolist()) if cut.uses_cost else None
    )
    overlapping = overlap_starts(
        document,
        text.tokens,
        starts,
        settings.overlap,
        settings.size_unit,
        max_size=settings.max_size,
    )
    return tuple(
        Segment(
            start=offsets[i],
            end=offsets[i + 1],
            sentences=(edges[i], edges[i + 1]),
            text=spans[i],
            title=headings[i].title or titles[i],
            title_source="heading" if headings[i].title else "words",
            subtitle=titles[i] if headings[i].title else "",
            heading_path=headings[i].path,
            speakers=speakers[i],
            summary=_one_line(document, summaries[i]),
            topic_weights=weights[i],
            keywords=keywords[i],
            strength=strengths[i - 1] if strengths is not None and i > 0 else None,
            overlap_start=overlapping[i],
            place=document.place(offsets[i], offsets[i + 1]),
        )
        for i in range(k)
    )


def _one_line(document: Document, summary: SegmentSummary | None) -> str:
    """Return the sentence on one line, without marks of Markdown."""
    if summary is None:
        return ""
    if document.prose is None:
        return " ".join(document.sentences[summary.sentence].split())
    from docbats.readers.parsers.markdown_marks import plain_title

    start, end = document.spans[summary.sentence].tolist()
    start = end - len(document.prose[start:end].lstrip())  # after marks such as that of a list
    return plain_title(document.text[start:end])


def _headings_of_others(headings: Sequence[HeadingTitle]) -> list[frozenset[str]]:
    """Return for each segment the headings, in small letters, that its own title should not be."""
    all_of_them = frozenset(each.title.casefold() for each in headings if each.title)
    return [frozenset() if each.title else all_of_them for each in headings]


def _topic_weights(
    segment: NDArray[np.int64], topics: Sequence[NDArray[np.int64]], X_a: sparse.csr_array, k: int
) -> list[tuple[float, ...]]:
    """Share the words of each segment out among the topics; `segment` is that of each entry."""
    n = len(topics)
    topic_of = np.full(X_a.shape[1], n)
    for i, topic in enumerate(topics):
        topic_of[topic] = i
    cells = segment * (n + 1) + topic_of[X_a.indices]
    weights = np.bincount(cells, X_a.data, k * (n + 1)).reshape(k, n + 1)[:, :n]
    shares = weights / np.maximum(weights.sum(axis=1, keepdims=True), _TINY)
    return [tuple(row) for row in shares.tolist()]


def _rank_keywords(
    segment_of: NDArray[np.int64], words: tuple[str, ...], F: sparse.csc_array, k: int
) -> list[tuple[ScoredWord, ...]]:
    """Return the words of each segment that stand out, best first and of equals the earliest.

    `segment_of` is that of each sentence. Nothing becomes dense, since a book may have thousands of
    segments and of words.
    """
    word = np.repeat(np.arange(F.shape[1]), np.diff(F.indptr))
    segment = segment_of[F.indices]
    first = np.flatnonzero(np.diff(word * k + segment, prepend=-1))
    tf_idf = np.add.reduceat(F.data, first) if len(first) else F.data
    word, segment = word[first], segment[first]
    salience = (tf_idf**2 / np.maximum(np.bincount(word, tf_idf), _TINY)[word]).round(9)
    top = may_be_top(segment, salience, k, _MAX_KEYWORDS)
    best = top[np.lexsort((word[top], -salience[top], segment[top]))]
    edges = np.searchsorted(segment[best], np.arange(k + 1)).tolist()
    tops = (best[low : min(high, low + _MAX_KEYWORDS)] for low, high in pairwise(edges))
    return [_scored(words, word[these], salience[these]) for these in tops]


def _scored(
    words: tuple[str, ...], indices: NDArray[np.int64], scores: NDArray[np.float64]
) -> tuple[ScoredWord, ...]:
    names = (words[j] for j in indices.tolist())
    return tuple(map(ScoredWord, names, scores.tolist()))


def _title(text: str, keywords: tuple[ScoredWord, ...]) -> str:
    """Join the segment's best keywords, or its first words where it has none."""
    if keywords:
        return ", ".join(scored.word for scored in keywords[:_TITLE_WORDS])
    return " ".join(text.split(maxsplit=6)[:6])[:100] or _NO_WORDS
