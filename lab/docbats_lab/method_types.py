"""The interface of the laboratory's methods: what a topic method and a segmenter are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from docbats.errors import SettingsError, TooFewSentencesError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from docbats_lab.preparation import Prepared

Topics = list[list[str]]
"""The words of each topic, best first."""


@dataclass(frozen=True)
class TopicMethod:
    """A way to find k topics in one document.

    Attributes
    ----------
    name
        As shown in the tables.
    citation
        The paper that it comes from, or the library and its function.
    find
        From a prepared document, k and a seed to topics. It must not change the document, may
        return fewer than k topics, and returns the same topics for the same arguments.
    parameters
        The settings, for the record.
    extra
        The extra of docbats that installs the packages it needs, imported inside `find`.
    disjoint
        Whether no word is in two topics.
    """

    name: str
    citation: str
    find: Callable[[Prepared, int, int], Topics]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    extra: str = "lab"
    disjoint: bool = False


@dataclass(frozen=True)
class Segmenter:
    """A way to cut one document into contiguous segments.

    Attributes
    ----------
    name, citation, parameters, extra
        As for :class:`TopicMethod`.
    find_starts
        From a prepared document, k and a seed to the index of each segment's first sentence, rising
        from 0. The same arguments give the same segments. A k that is taken is never larger than
        the number of sentences.
    takes_k
        Whether there are exactly k segments; otherwise the method finds their number itself.
    """

    name: str
    citation: str
    find_starts: Callable[[Prepared, int, int], list[int]]
    takes_k: bool = True
    parameters: Mapping[str, Any] = field(default_factory=dict)
    extra: str = "lab"

    def cut(self, document: Prepared, k: int, seed: int) -> list[int]:
        """Return the first sentence of each segment.

        Raises
        ------
        SettingsError, TooFewSentencesError
            If the method takes k, and k is below 1 or above the number of sentences.
        """
        n_sentences = len(document.sentences)
        if self.takes_k and not 1 <= k <= n_sentences:
            msg = f"k must be between 1 and {n_sentences}, the number of sentences, got {k}"
            raise SettingsError(msg) if k < 1 else TooFewSentencesError(msg)
        return self.find_starts(document, k, seed)
