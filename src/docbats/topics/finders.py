"""The ways to make topics of words, each with what it needs."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from docbats.matrix import count_classes
from docbats.spectrum import unit_rows
from docbats.topics.cores import Topics, find_topics
from docbats.topics.word_clusters import cluster_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from docbats.analysis import Analysis

__all__ = ["TOPIC_FINDERS", "TopicFinder"]


class TopicFinder(Protocol):
    """A way to make topics of the words' vectors.

    Attributes
    ----------
    uses_word_classes
        Whether it needs to know nouns from verbs.
    labels_by_phrases
        Whether topics are named by their phrases; if not, by their best words.
    """

    uses_word_classes: bool
    labels_by_phrases: bool

    def find(self, analysis: Analysis) -> Topics:
        """Return a topic for each column of the spectrum."""


class _KMeansFinder:
    """Clusters of words, ranked by summed tf-idf (eq. 13, section 3.4.1)."""

    uses_word_classes = labels_by_phrases = False

    def find(self, analysis: Analysis) -> Topics:
        settings, V = analysis.settings, analysis.spectrum.V
        scores = analysis.F.sum(axis=0)
        topics = cluster_words(unit_rows(V), scores, V.shape[1], settings.restarts, settings.seed)
        return Topics(tuple(topics), scores)


class _CoresFinder:
    """Cores of words that share sentences."""

    uses_word_classes = labels_by_phrases = True

    def find(self, analysis: Analysis) -> Topics:
        text = analysis.text
        classes = count_classes(text.words, text.classes, text.counts.words)
        return find_topics(analysis.spectrum.V, text.counts, classes if text.is_tagged else None)


TOPIC_FINDERS: Mapping[str, TopicFinder] = MappingProxyType(
    {"cores": _CoresFinder(), "kmeans": _KMeansFinder()}
)
"""The ways to find topics, by the name that the setting `ranking` gives them."""
