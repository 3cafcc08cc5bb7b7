"""What an analysis returns, and its exports."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray
    from rich.console import RenderableType

    from docbats.document import Document
    from docbats.settings import Settings

__all__ = ["Result", "ScoredWord", "Segment", "Topic", "Vectors"]

SCHEMA = 1
"""Number of the JSON layout; it grows when a reader of the old layout would break."""

_SURROGATE = re.compile("[\ud800-\udfff]")


class ScoredWord(NamedTuple):
    """A word and its weight; larger is better."""

    word: str
    score: float


@dataclass(frozen=True)
class Topic:
    """A group of words that keep company.

    Attributes
    ----------
    words
        All words of the topic, best first. No word belongs to two topics.
    weight
        The topic's share of all words' scores.
    """

    words: tuple[ScoredWord, ...]
    weight: float

    @property
    def label(self) -> str:
        """The topic's three best words."""
        return ", ".join(scored.word for scored in self.words[:3])


@dataclass(frozen=True)
class Segment:
    """A stretch of sentences.

    Attributes
    ----------
    start, end
        Half-open character offsets; the segments tile the whole text, so that the white space
        after a segment's last sentence belongs to it.
    sentences
        Half-open pair of sentence indices.
    text
        ``document.text[start:end]``.
    topic_weights
        For each topic, its share of the segment's kept words, counted as X^a does.
    keywords
        The words that stand out in this segment, best first.
    """

    start: int
    end: int
    sentences: tuple[int, int]
    text: str = field(repr=False)
    topic_weights: tuple[float, ...]
    keywords: tuple[ScoredWord, ...]

    @property
    def title(self) -> str:
        """The segment's best keywords, or its first words where it has none."""
        if self.keywords:
            return ", ".join(scored.word for scored in self.keywords[:4])
        return " ".join(self.text.split(maxsplit=6)[:6])[:100]

    @property
    def topic(self) -> int | None:
        """The index of the strongest topic, or None where no kept word occurs."""
        if not any(self.topic_weights):
            return None
        return int(np.argmax(self.topic_weights))


@dataclass(frozen=True, eq=False)
class Vectors:
    """The spectrum behind a result (eq. 5).

    Attributes
    ----------
    sentences, words
        U' and V': a unit row for each sentence and for each kept word.
    vocabulary
        The kept words, in the order of the rows of `words`.
    singular_values
        The k largest, in falling order.
    """

    sentences: NDArray[np.float64]
    words: NDArray[np.float64]
    vocabulary: tuple[str, ...]
    singular_values: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Result:
    """The topics and segments of one document.

    Attributes
    ----------
    document
        The text and the spans of its sentences.
    settings
        The settings that the analysis ran with.
    topics
        Heaviest first.
    segments
        In the order of the text, exactly ``settings.k`` of them.
    notes
        Plain sentences on anything about the result that you might not expect.
    versions
        Of docbats and of the libraries that its numbers depend on.
    seconds
        Time spent on each stage.
    vectors
        Present where ``settings.vectors`` asked for them.
    """

    document: Document
    settings: Settings
    topics: tuple[Topic, ...]
    segments: tuple[Segment, ...]
    notes: tuple[str, ...]
    versions: Mapping[str, str]
    seconds: Mapping[str, float]
    vectors: Vectors | None = None

    @property
    def topic_segment_matrix(self) -> NDArray[np.float64]:
        """Topics by segments: each column holds the segment's topic weights."""
        return np.array([segment.topic_weights for segment in self.segments]).T

    def to_dict(self, *, top_words: int | None = None, seconds: bool = False) -> dict[str, Any]:
        """Give everything but the vectors as JSON-ready values.

        Parameters
        ----------
        top_words
            How many words to show of each topic and segment; all by default.
        seconds
            Whether to add the time of each stage. Without it the same document and settings give
            the same dictionary.
        """
        values: dict[str, Any] = {
            "schema": SCHEMA,
            "versions": dict(self.versions),
            "settings": self.settings.to_dict(),
            "document": {
                "characters": len(self.document.text),
                "sentences": len(self.document),
                "kept_words": sum(len(topic.words) for topic in self.topics),
            },
            "topics": [
                {
                    "label": topic.label,
                    "weight": _rounded(topic.weight),
                    "words": _word_dicts(topic.words[:top_words]),
                }
                for topic in self.topics
            ],
            "segments": [
                {
                    "start": segment.start,
                    "end": segment.end,
                    "sentences": list(segment.sentences),
                    "title": segment.title,
                    "topic": segment.topic,
                    "topic_weights": [_rounded(weight) for weight in segment.topic_weights],
                    "keywords": _word_dicts(segment.keywords[:top_words]),
                    "text": segment.text,
                }
                for segment in self.segments
            ],
            "notes": list(self.notes),
        }
        if seconds:
            values["seconds"] = {stage: round(spent, 6) for stage, spent in self.seconds.items()}
        return values

    def to_json(
        self, *, top_words: int | None = None, seconds: bool = False, indent: int | None = 2
    ) -> str:
        """Give :meth:`to_dict` as JSON text, which any UTF-8 file can hold."""
        return json_text(self.to_dict(top_words=top_words, seconds=seconds), indent=indent)

    def to_markdown(self, *, title: str = "", top_words: int = 10) -> str:
        """Give the outline and the topics as Markdown."""
        from docbats.render.markdown import to_markdown

        return to_markdown(self, title=title, top_words=top_words)

    def __rich__(self) -> RenderableType:
        """Show the outline and the topics in a terminal, by ``rich.print(result)``."""
        from docbats.render.terminal import to_rich

        return to_rich(self)

    def __repr__(self) -> str:
        sizes = (len(self.segments), len(self.topics), len(self.document))
        return "<Result: segments {}, topics {}, sentences {}>".format(*sizes)


def json_text(value: object, indent: int | None = None) -> str:
    """Write JSON with real letters, but with lone surrogates escaped: UTF-8 cannot hold those."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _word_dicts(words: tuple[ScoredWord, ...]) -> list[dict[str, Any]]:
    return [{"word": word, "score": _rounded(score)} for word, score in words]


def _rounded(value: float) -> float:
    """Keep six decimals: the last bits may differ from one processor to another."""
    return round(value, 6)
