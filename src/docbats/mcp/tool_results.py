"""The results of the tools: as little as an assistant needs, as JSON-ready values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docbats.errors import InputError
from docbats.render.one_line import excerpt, visible

if TYPE_CHECKING:
    from docbats.parts import Entry
    from docbats.result import Result

__all__ = ["describe_outline", "describe_result", "describe_segments", "describe_summary"]

_MAX_WORDS = 8  # of each topic and segment
_MAX_OPENING = 120  # characters of a segment's beginning


def describe_result(result: Result) -> dict[str, Any]:
    """Return the topics and the segments, without the segments' texts."""
    return {
        **_sizes(result),
        "reason": None if result.choice is None else result.choice.reason,
        "topics": [
            {
                "label": visible(topic.label),
                "weight": round(topic.weight, 3),
                "words": [visible(word) for word, _ in topic.words[:_MAX_WORDS]],
            }
            for topic in result.topics
        ],
        "segments": [
            {
                "number": number,
                "title": visible(segment.title),
                "start": segment.start,
                "end": segment.end,
                "topic": None
                if segment.topic is None
                else visible(result.topics[segment.topic].label),
                "keywords": [visible(word) for word, _ in segment.keywords[:_MAX_WORDS]],
                "summary": visible(segment.summary),
                "opening": excerpt(segment.text, _MAX_OPENING),
            }
            for number, segment in enumerate(result.segments, 1)
        ],
        "notes": list(result.notes),
    }


def describe_outline(result: Result, depth: int | None = None) -> dict[str, Any]:
    """Return the nested table of contents, so many levels of it, and how many there are."""
    return {
        **_sizes(result),
        "levels": result.outline.depth,
        "outline": [_outline_entry(entry) for entry in result.outline(depth)],
    }


def describe_segments(result: Result, first: int, max_characters: int) -> dict[str, Any]:
    """Return the texts of segment `first` and those after it, `max_characters` in all.

    The first is always returned, however long; `next` is the number of the first left out.
    """
    if not 1 <= first <= len(result.segments):
        msg = f"first must be between 1 and {len(result.segments)}, got {first}"
        raise InputError(msg)
    segments: list[dict[str, Any]] = []
    characters = 0
    for number, segment in enumerate(result.segments[first - 1 :], first):
        text = result.document.text[segment.overlap_start : segment.end]
        characters += len(text)
        if segments and characters > max_characters:
            break
        segments.append(
            {
                "number": number,
                "title": visible(segment.title),
                "start": segment.overlap_start,
                "end": segment.end,
                "text": _encodable(text),
            }
        )
    following = first + len(segments)
    next_ = following if following <= len(result.segments) else None
    return {**_sizes(result), "segments": segments, "next": next_}


def describe_summary(result: Result, sentences: int) -> dict[str, Any]:
    """Return the most informative sentences of the document."""
    return {
        **_sizes(result),
        "summary": [
            {"start": s.start, "end": s.end, "text": _encodable(s.text)}
            for s in result.summary(sentences)
        ],
    }


def _sizes(result: Result) -> dict[str, Any]:
    return {
        "characters": len(result.document.text),
        "sentences": len(result.document),
        "segment_count": len(result.segments),
        "language": result.language,
    }


def _outline_entry(entry: Entry) -> dict[str, Any]:
    values: dict[str, Any] = {
        "title": visible(entry.title),
        "start": entry.start,
        "end": entry.end,
    }
    if entry.children:
        values["children"] = [_outline_entry(child) for child in entry.children]
    return values


def _encodable(text: str) -> str:
    """Replace lone surrogates by question marks, since UTF-8 cannot encode them."""
    return text.encode("utf-8", "replace").decode("utf-8")
