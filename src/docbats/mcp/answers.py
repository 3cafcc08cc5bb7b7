"""What the tools answer: as little as an assistant needs, in plain values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docbats.errors import InputError
from docbats.render.one_line import excerpt, visible

if TYPE_CHECKING:
    from docbats.result import Entry, Result

__all__ = ["describe_outline", "describe_result", "describe_segments", "describe_summary"]

_WORDS = 8  # of each topic and segment
_OPENING = 120  # characters


def describe_result(result: Result) -> dict[str, Any]:
    """Give the topics and the segments, without the segments' texts."""
    return {
        **_sizes(result),
        "reason": None if result.choice is None else result.choice.reason,
        "topics": [
            {
                "label": visible(topic.label),
                "weight": round(topic.weight, 3),
                "words": [visible(word) for word, _ in topic.words[:_WORDS]],
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
                "keywords": [visible(word) for word, _ in segment.keywords[:_WORDS]],
                "opening": excerpt(segment.text, _OPENING),
            }
            for number, segment in enumerate(result.segments, 1)
        ],
        "notes": list(result.notes),
    }


def describe_outline(result: Result) -> dict[str, Any]:
    """Give the nested table of contents."""
    return {**_sizes(result), "outline": [_line(entry) for entry in result.outline]}


def describe_segments(result: Result, first: int, most: int) -> dict[str, Any]:
    """Give the segments' texts from the segment `first` on, `most` characters in all.

    At least one is given, however long; `next` is the first that was left out.
    """
    if not 1 <= first <= len(result.segments):
        msg = f"first={first} makes no sense: give a number from 1 to {len(result.segments)}"
        raise InputError(msg)
    given: list[dict[str, Any]] = []
    characters = 0
    for number, segment in enumerate(result.segments[first - 1 :], first):
        text = result.document.text[segment.overlap_start : segment.end]
        characters += len(text)
        if given and characters > most:
            break
        given.append(
            {
                "number": number,
                "title": visible(segment.title),
                "start": segment.overlap_start,
                "end": segment.end,
                "text": _encodable(text),
            }
        )
    following = first + len(given)
    rest = following if following <= len(result.segments) else None
    return {**_sizes(result), "segments": given, "next": rest}


def describe_summary(result: Result, sentences: int) -> dict[str, Any]:
    """Give the sentences that together say most."""
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


def _line(entry: Entry) -> dict[str, Any]:
    line: dict[str, Any] = {
        "title": visible(entry.title),
        "start": entry.start,
        "end": entry.end,
    }
    if entry.children:
        line["children"] = [_line(child) for child in entry.children]
    return line


def _encodable(text: str) -> str:
    """Put a mark in place of lone surrogates, which no JSON in UTF-8 can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
