"""The topics that a segment is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docbats.parts import Segment
    from docbats.result import Result

__all__ = ["strongest_topics"]

_MAX_TOPICS = 3  # with more, topics that hardly occur in the segment would be listed


def strongest_topics(result: Result, segment: Segment) -> tuple[str, ...]:
    """Return the labels of a segment's strongest topics, strongest first."""
    weights = segment.topic_weights
    order = sorted(range(len(weights)), key=lambda topic: -weights[topic])[:_MAX_TOPICS]
    return tuple(result.topics[topic].label for topic in order if weights[topic] > 0)
