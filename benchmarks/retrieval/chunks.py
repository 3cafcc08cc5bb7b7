"""Chunks of documents, and the splitters that docbats is compared with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from docbats import Document

__all__ = ["SPLITTERS", "Chunk", "Passage", "Span", "find_size", "make_chunks"]

Span = tuple[int, int]
Splitter = Callable[[str, int], list[Span]]


@dataclass(frozen=True)
class Passage:
    """A stretch of one document, from a character up to but without another."""

    document: str
    start: int
    end: int


@dataclass(frozen=True)
class Chunk(Passage):
    """A passage that can be retrieved, with its text."""

    text: str

    def holds(self, passage: Passage) -> bool:
        """Whether all of a passage is in it."""
        return (
            self.document == passage.document
            and self.start <= passage.start
            and passage.end <= self.end
        )


def make_chunks(texts: Mapping[str, str], spans: Mapping[str, list[Span]]) -> list[Chunk]:
    """Return the chunks of all documents, given the spans of each."""
    return [
        Chunk(name, start, end, texts[name][start:end])
        for name, found in spans.items()
        for start, end in found
    ]


def split_fixed(text: str, size: int) -> list[Span]:
    """Split after every `size` characters, wherever that is."""
    return [(start, min(start + size, len(text))) for start in range(0, len(text), size)]


def split_recursive(text: str, size: int) -> list[Span]:
    """Split as LangChain does: between paragraphs, lines, words, letters."""
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    splitter = RecursiveCharacterTextSplitter(
        chunk_size=size, chunk_overlap=0, add_start_index=True
    )
    return [
        (made.metadata["start_index"], made.metadata["start_index"] + len(made.page_content))
        for made in splitter.create_documents([text])
    ]


def split_sentences(text: str, size: int) -> list[Span]:
    """Fill chunks with whole sentences up to `size` characters; a longer sentence is alone."""
    chunks: list[Span] = []
    for start, end in _sentence_spans(text):
        if chunks and end - chunks[-1][0] <= size:
            chunks[-1] = (chunks[-1][0], end)
        else:
            chunks.append((start, end))
    return chunks


@cache
def _sentence_spans(text: str) -> list[Span]:
    return [(start, end) for start, end in Document.from_text(text).spans.tolist()]


SPLITTERS: dict[str, Splitter] = {
    "fixed": split_fixed,
    "recursive": split_recursive,
    "sentences": split_sentences,
}


def find_size(splitter: Splitter, texts: Mapping[str, str], count: int) -> int:
    """Return the size at which a splitter makes `count` chunks, or as near to that as it can."""
    mean = sum(map(len, texts.values())) / count
    sizes = range(round(0.8 * mean), round(2 * mean))
    return min(sizes, key=lambda n: abs(sum(len(splitter(t, n)) for t in texts.values()) - count))
