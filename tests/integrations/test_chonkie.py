from __future__ import annotations

import asyncio
import doctest
from typing import TYPE_CHECKING, Any

import pytest

from docbats import InputError, SettingsError, analyze

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.integrations("chonkie", "docbats[chonkie]")


def chunker(*args: Any, **settings: Any) -> Any:
    from docbats.integrations.chonkie import DocbatsChunker

    return DocbatsChunker(*args, **settings)


def test_docstrings_tell_the_truth() -> None:
    from docbats.integrations import chonkie

    assert doctest.testmod(chonkie).failed == 0


def test_chunks_are_the_segments(example: Path) -> None:
    text = example.read_text()
    chunks = chunker()(text)
    segments = analyze(text).segments
    assert "".join(chunk.text for chunk in chunks) == text
    assert [chunk.start_index for chunk in chunks] == [segment.start for segment in segments]
    assert [chunk.metadata["title"] for chunk in chunks] == [s.title for s in segments]
    assert [chunk.token_count for chunk in chunks] == [len(chunk.text) for chunk in chunks]


@pytest.mark.parametrize("tokenizer", ["character", "word", "byte"])
@pytest.mark.parametrize(("chunk_size", "chunk_overlap"), [(60, 0), (400, 50)])
def test_sizes_are_never_exceeded(
    example: Path, tokenizer: str, chunk_size: int, chunk_overlap: int
) -> None:
    text = example.read_text()
    chunks = chunker(tokenizer, chunk_size, chunk_overlap)(text)
    assert max(chunk.token_count for chunk in chunks) <= chunk_size
    assert all(text[c.start_index : c.end_index] == c.text for c in chunks)


def test_it_works_in_a_pipeline_and_on_many(example: Path, captions: Any) -> None:
    from chonkie import Pipeline

    text = example.read_text()
    found: Any = Pipeline().chunk_with("docbats", k=3).run(texts=text)
    assert len(found.chunks) == 3
    assert [len(chunks) for chunks in chunker(k=2)([text, text], show_progress=False)] == [2, 2]
    assert asyncio.run(chunker(k=2).achunk(text))[1].text == chunker(k=2)(text)[1].text
    assert [chunk.metadata["speakers"] for chunk in chunker(k=2)(captions)] == [["Ann"], ["Bob"]]
    assert chunker()(" ") == []


def test_a_document_keeps_its_metadata(repeated: str) -> None:
    from chonkie import Document

    def made() -> Any:
        return Document(content=repeated, metadata={"title": "Mine", "by": "us"})

    for found in (
        chunker(k=2).chunk_document(made()),
        asyncio.run(chunker(k=2).achunk_document(made())),
    ):
        known = found.chunks[1].metadata
        assert (known["title"], known["by"]) == ("Mine", "us")
        assert known["docbats_title"] == analyze(repeated, k=2).segments[1].title


def test_wrong_use_is_refused() -> None:
    with pytest.raises(SettingsError, match="no setting 'threshold'"):
        chunker(threshold=1)
    with pytest.raises(SettingsError, match="overlap cannot be combined with chunk_size"):
        chunker(chunk_size=9, overlap=3)
    with pytest.raises(InputError, match=r"expected a string or a docbats\.Document, got int"):
        chunker().chunk(3)
