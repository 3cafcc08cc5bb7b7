"""Scores of one document: its segmentation, its topics, or both."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from docbats.pipeline import analyze
from docbats.text.languages.english import STOP_WORDS as ENGLISH
from docbats.text.words import normal_form
from docbats_lab.experiments.request import run_scored
from docbats_lab.method_registry import SCORED_TOPIC_METHODS, SEGMENTERS
from docbats_lab.methods import Prepared, prepare_document
from docbats_lab.metrics.segmentation import score_segmentation
from docbats_lab.metrics.topics import (
    DocumentFrequencies,
    composite_pmi,
    composite_umass,
    dice,
    jaccard,
    mean_similarity,
    pmi,
    similarities,
    spelled_words,
    stemmed,
    umass,
    umass_counts,
    windows,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from docbats_lab.documents import SegmentedDocument
    from docbats_lab.experiments.request import Request
    from docbats_lab.methods import Topics
    from docbats_lab.results import Row

_DECIMALS = 6
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
TOP_WORDS = 10


@dataclass(frozen=True)
class SegmentationScorer:
    """Cuts a document by each segmenter, given the true k, and compares with the true segments."""

    seed: int

    def __call__(self, document: SegmentedDocument, variants: Sequence[str]) -> dict[str, Row]:
        """Return a row for each segmenter."""
        prepared = prepare_document(document)
        return rows_or_errors(variants, lambda name: self._row(document, prepared, name))

    def _row(self, document: SegmentedDocument, prepared: Prepared, name: str) -> Row:
        segmenter, k = SEGMENTERS[name], len(document.segments)
        starts = segmenter.cut(prepared, k, self.seed)
        if segmenter.takes_k and len(starts) != k:
            msg = f"{len(starts)} segments instead of {k}"
            raise ValueError(msg)
        return segmentation_row(document, starts)


@dataclass(frozen=True, eq=False)
class TopicScorer:
    """Finds topics by each method, as many as there are true segments."""

    frequencies: WordFrequencies
    seed: int

    def __call__(self, document: SegmentedDocument, variants: Sequence[str]) -> dict[str, Row]:
        """Return a row for each method."""
        prepared, k = prepare_document(document), len(document.segments)

        def row(name: str) -> Row:
            topics = SCORED_TOPIC_METHODS[name].find(prepared, k, self.seed)
            return topic_row(topics, prepared, self.frequencies)

        return rows_or_errors(variants, row)


@dataclass(frozen=True, eq=False)
class SettingsScorer:
    """Runs the engine under different settings, and scores topics and segments together."""

    settings: Mapping[str, Mapping[str, Any]]
    frequencies: WordFrequencies
    seed: int

    def __call__(self, document: SegmentedDocument, variants: Sequence[str]) -> dict[str, Row]:
        """Return a row for each setting."""
        prepared = prepare_document(document)
        return rows_or_errors(variants, lambda name: self._row(document, prepared, name))

    def _row(self, document: SegmentedDocument, prepared: Prepared, name: str) -> Row:
        k = len(document.segments)
        result = analyze(
            document.sentences, k=k, preset="paper", seed=self.seed, **self.settings[name]
        )
        topics = [[scored.word for scored in topic.words] for topic in result.topics]
        starts = [segment.sentences[0] for segment in result.segments]
        return {
            **segmentation_row(document, starts),
            **topic_row(topics, prepared, self.frequencies),
        }


def run_settings(
    request: Request,
    experiment: str,
    datasets: Sequence[str],
    settings: Mapping[str, Mapping[str, Any]],
) -> None:
    """Score topics and segments of the preset paper under different settings."""
    run_scored(
        request,
        experiment,
        datasets,
        list(settings),
        lambda _, documents: SettingsScorer(settings, count_words(documents), request.seed),
    )


@dataclass(frozen=True, eq=False)
class WordFrequencies:
    """How often words of a dataset occur together: in documents, as printed, and in windows.

    Over whole documents PMI hardly separates good topics from bad ones, see
    :func:`docbats_lab.metrics.topics.pmi`; over windows it does.
    """

    documents: DocumentFrequencies
    windows: DocumentFrequencies


def count_words(documents: Sequence[SegmentedDocument]) -> WordFrequencies:
    """Count over all documents of a dataset."""
    return WordFrequencies(
        DocumentFrequencies.of_documents(spelled_words(d.sentences) for d in documents),
        DocumentFrequencies.of_documents(
            window for d in documents for window in windows(stemmed(_content_words(d)))
        ),
    )


def _content_words(document: SegmentedDocument) -> list[str]:
    """Return the words of a document in order, without stop words."""
    words = (normal_form(word) for s in document.sentences for word in _WORD.findall(s))
    return [word for word in words if word not in ENGLISH]


def segmentation_row(document: SegmentedDocument, starts: Sequence[int]) -> Row:
    """Score a segmentation, given as the first sentence of each segment."""
    return _rounded({**score_segmentation(document, starts), "segments": len(starts)})


def topic_row(topics: Topics, prepared: Prepared, frequencies: WordFrequencies) -> Row:
    """Score topics by their ten best words: the eight columns of table 3, and more."""
    topics = [words[:TOP_WORDS] for words in topics]
    names = prepared.content_words
    sentences = DocumentFrequencies.of_documents(
        [names[i] for i in ids] for ids in prepared.content
    )
    pmis = [pmi(words, frequencies.documents, TOP_WORDS) for words in topics]
    umasses = [umass(words, sentences, TOP_WORDS) for words in topics]
    jaccards, dices = (similarities(topics, measure, TOP_WORDS) for measure in (jaccard, dice))
    return _rounded(
        {
            "jaccard": mean_similarity(jaccards),
            "dice": mean_similarity(dices),
            "pmi": mean(pmis),
            "pmi_jaccard": composite_pmi(pmis, jaccards),
            "pmi_dice": composite_pmi(pmis, dices),
            "umass": mean(umasses),
            "umass_jaccard": composite_umass(umasses, jaccards),
            "umass_dice": composite_umass(umasses, dices),
            "pmi_windows": mean([_pmi_windows(words, frequencies, TOP_WORDS) for words in topics]),
            "umass_counts": mean([umass_counts(words, sentences, TOP_WORDS) for words in topics]),
            "topics": len(topics),
            "words": mean([len(words) for words in topics]),
        }
    )


def mean_pmi(topics: Topics, frequencies: WordFrequencies, top: int) -> Row:
    """Return the means of both kinds of PMI over the topics, of their `top` best words."""
    return _rounded(
        {
            f"pmi_{top}": mean([pmi(words, frequencies.documents, top) for words in topics]),
            f"pmi_windows_{top}": mean([_pmi_windows(words, frequencies, top) for words in topics]),
        }
    )


def _pmi_windows(words: Sequence[str], frequencies: WordFrequencies, top: int) -> float:
    return pmi(stemmed(words), frequencies.windows, top)


def mean(values: Sequence[float]) -> float:
    """Return the mean of the values that are not nan; nan if there are none."""
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan


def rows_or_errors(variants: Sequence[str], row: Callable[[str], Row]) -> dict[str, Row]:
    """Return a row for each variant; a failure becomes a row and does not stop the run."""
    rows = {}
    for name in variants:
        try:
            rows[name] = row(name)
        except Exception as error:  # anything that a baseline may raise
            rows[name] = {"error": f"{type(error).__name__}: {error}"}
    return rows


def _rounded(row: Row) -> Row:
    """Return the row with six decimals, and None for nan, which JSON lacks."""
    return {
        name: (None if math.isnan(v) else round(v, _DECIMALS)) if isinstance(v, float) else v
        for name, v in row.items()
    }
