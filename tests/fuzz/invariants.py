"""What must hold for every result, whatever the text and the settings."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from docbats import Chunk, Chunker, Result

__all__ = ["check_chunks", "check_result"]


def check_result(result: Result, k: object) -> None:
    """Raise an AssertionError that says which invariant does not hold."""
    text, segments = result.document.text, result.segments
    assert segments, "no segment"
    edges = [segment.start for segment in segments] + [len(text)]
    assert edges[0] == 0, "the first segment does not begin the text"
    assert [segment.end for segment in segments] == edges[1:], "segments do not tile the text"
    for segment in segments:
        assert segment.text == text[segment.start : segment.end], "the text is not at its offsets"
        assert segment.title, "a segment without a title"
        assert 0 <= segment.overlap_start <= segment.start, "an overlap that is none"
        assert segment.strength is None or 0 <= segment.strength <= 1, "a strength out of range"
    sentences = [segment.sentences[0] for segment in segments] + [len(result.document)]
    assert [segment.sentences[1] for segment in segments] == sentences[1:], "sentences do not tile"
    if isinstance(k, int) and not isinstance(k, bool):
        assert len(segments) == k, "not k segments"
    words = [word.word for topic in result.topics for word in topic.words]
    assert len(words) == len(set(words)), "a word of two topics"
    written = result.to_json()
    values = json.loads(written)
    assert json.loads(json.dumps(values)) == values, "JSON does not come back"
    _check_numbers(values)


def _check_numbers(value: Any) -> None:
    if isinstance(value, float):
        assert math.isfinite(value), "a number that is not finite"
    elif isinstance(value, dict):
        for item in value.values():
            _check_numbers(item)
    elif isinstance(value, list):
        for item in value:
            _check_numbers(item)


def check_chunks(chunker: Chunker, text: str, chunks: list[Chunk]) -> None:
    """Raise an AssertionError that says which invariant does not hold."""
    covered = 0
    for chunk in chunks:
        assert chunk.text == text[chunk.start : chunk.end], "the text is not at its offsets"
        assert chunk.start <= chunk.own_start < chunk.end, "a chunk without text of its own"
        size = chunker.sizes(chunk.content)
        assert size == chunk.size <= chunker.chunk_size, "a chunk that is too large"
        assert not text[covered : chunk.own_start].strip(), "text that is in no chunk"
        if not chunker.strip:
            assert chunk.own_start == covered, "chunks do not tile the text"
        assert chunk.end > covered, "a chunk that is in the one before it"
        covered = chunk.end
        json.dumps(chunk.values())
    rest = text[covered:] if chunks else text.replace("\ufeff", "")  # byte order marks are blank
    assert not rest.strip(), "text that is in no chunk"
