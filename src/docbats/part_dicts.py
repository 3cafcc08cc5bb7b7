"""Topics and segments as JSON-ready values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from docbats.parts import ScoredWord, Segment, Topic
    from docbats.readers.places import Place

__all__ = ["segment_dict", "topic_dict"]


def topic_dict(topic: Topic, top_words: int | None) -> dict[str, Any]:
    """Return a topic with so many of its words; None is all."""
    return {
        "label": topic.label,
        "weight": _rounded(topic.weight),
        "words": _word_dicts(topic.words[:top_words]),
    }


def segment_dict(segment: Segment, top_words: int | None) -> dict[str, Any]:
    """Return a segment with so many of its keywords; None is all."""
    return {
        "start": segment.start,
        "end": segment.end,
        "sentences": list(segment.sentences),
        "title": segment.title,
        "title_source": segment.title_source,
        "subtitle": segment.subtitle,
        "heading_path": list(segment.heading_path),
        "speakers": list(segment.speakers),
        "summary": segment.summary,
        "topic": segment.topic,
        "topic_weights": [_rounded(weight) for weight in segment.topic_weights],
        "keywords": _word_dicts(segment.keywords[:top_words]),
        "strength": None if segment.strength is None else _rounded(segment.strength),
        "overlap_start": segment.overlap_start,
        **_place_dict(segment.place),
        "text": segment.text,
    }


def _place_dict(place: Place | None) -> dict[str, Any]:
    return {} if place is None else {"place": place.to_dict()}


def _word_dicts(words: tuple[ScoredWord, ...]) -> list[dict[str, Any]]:
    return [{"word": word, "score": _rounded(score)} for word, score in words]


def _rounded(value: float) -> float:
    """Keep six decimals: the last bits may differ from one processor to another."""
    return round(value, 6)
