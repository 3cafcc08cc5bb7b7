"""Chunks of original files from many sources: blocks that fit stay whole."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from docbats import Chunker, Document

pytestmark = pytest.mark.data

KEPT = {"table", "code", "list_item"}
SIZES = (100, 200, 400)
_TOKEN = re.compile(r"\w{1,6}|[^\w\s]")


def count_tokens(text: str) -> int:
    """Count parts of words and marks, as a tokenizer of a model would."""
    return 2 + len(_TOKEN.findall(text))


def _originals() -> list[Path]:
    data = os.environ.get("DOCBATS_DATA")
    return sorted(Path(data, "structured").glob("*/originals/*")) if data else []


@pytest.mark.parametrize("path", _originals(), ids=lambda path: f"{path.parts[-3]}-{path.name}")
def test_blocks_that_fit_are_whole(path: Path) -> None:
    document = Document.read(path)
    text = document.text
    blocks = document.blocks
    for size in SIZES:
        chunks = Chunker(size, size_unit=count_tokens, context="headings")(document)
        starts = [chunk.start for chunk in chunks]
        for chunk in chunks:
            assert chunk.text == text[chunk.start : chunk.end]
            assert count_tokens(chunk.content) == chunk.size <= size
        ends = {chunk.end for chunk in chunks}
        for i, block in enumerate(blocks[:-1]):
            if block.kind == "heading" and any(b.kind != "heading" for b in blocks[i:]):
                assert block.end not in ends, text[block.start : block.end]
        for block in blocks:
            written = text[block.start : block.end].strip()
            if block.kind in KEPT and count_tokens(written) <= size:
                cut = [start for start in starts if block.start < start < block.end]
                assert not cut, (size, count_tokens(written), written[:200])
                end = block.start + len(text[block.start : block.end].rstrip())
                assert any(c.start <= block.start and end <= c.end for c in chunks), written[:200]
